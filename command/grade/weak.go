package grade

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"gaucho/stdlib/check"
)

// weaknesses names tests that wrong answers may pass, from their text and from what the source's own solution gave: tests of a
// comparison, which is made in the student's process, and tests of a function that is called with the same arguments
// throughout, or always gives the same, so that one which returns a constant, or copies what it should give, passes.
func (a *Assignment) weaknesses(own map[*step]*check.Value, wanted expected) (all []string) {
	for _, p := range a.marked() {
		if !p.isTest() || p.cell.HasTag(passesAsReleased) {
			continue
		}
		for _, s := range p.steps {
			if s.call != nil && isComparison(s.call.Args[0]) {
				all = append(all, fmt.Sprintf("cell %s: %s tests a comparison, which students' code makes, and can make hold by putting something of "+
					"its own in place of a package such as math; test the value that is compared", p.id, s))
			}
		}
		for _, f := range a.functionsFor(p) {
			switch uses := usesOf(f, p.steps); {
			case len(uses) == 1 && !uses[0].varies:
				all = append(all, fmt.Sprintf("cell %s: every test calls %s with the same arguments, as in %s, so a function that returns a constant "+
					"passes; add hidden tests with others", p.id, f, uses[0].text))
			case a.constantPasses(f, p.steps, own, wanted):
				all = append(all, fmt.Sprintf("cell %s: %s gives the same in every test, so a function that returns a constant passes; add hidden tests "+
					"in which it gives something else", p.id, f))
			}
		}
	}
	return all
}

// functionsFor lists the functions that a test cell tests: those that solutions declare since the test cell before it.
func (a *Assignment) functionsFor(test *part) (names []string) {
	for _, p := range a.parts {
		if p == test {
			return names
		}
		if p.isTest() {
			names = nil
		}
		if !p.solution || p.cell.Type != "code" {
			continue
		}
		for line := range strings.Lines(p.cell.Source) {
			rest, ok := strings.CutPrefix(line, "func ")
			name, _, called := strings.Cut(rest, "(")
			name, _, _ = strings.Cut(name, "[")
			if ok && called && token.IsIdentifier(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func isComparison(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
			return true
		}
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	}
	return false
}

// A use is a call that a function is called by, or handed to.
type use struct {
	text   string
	varies bool // it is in a loop or a function, and has other arguments each time
}

// usesOf lists the different uses of a function in tests.
func usesOf(name string, steps []*step) (all []use) {
	for _, s := range steps {
		source := "package p; func _() {" + s.all + "\n_ = " + s.got + "\n}"
		if s.test == "" {
			source = "package p; func _() {" + s.all + "\n}"
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", source, 0)
		if err != nil {
			continue
		}
		var path []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			path = append(path, n)
			if id, ok := n.(*ast.Ident); ok && id.Name == name && !isSelected(path) {
				u := useAt(path, fset, source)
				if !slices.ContainsFunc(all, func(v use) bool { return v.text == u.text }) {
					all = append(all, u)
				}
			}
			return true
		})
	}
	return all
}

// isSelected reports whether the identifier at the end of a path is a method's or a field's.
func isSelected(path []ast.Node) bool {
	sel, ok := path[len(path)-2].(*ast.SelectorExpr)
	return ok && sel.Sel == path[len(path)-1]
}

// useAt is the use of the identifier at the end of a path from the file to it.
func useAt(path []ast.Node, fset *token.FileSet, source string) (u use) {
	var call ast.Node = path[len(path)-1]
	for i := len(path) - 1; i >= 0; i-- {
		if c, ok := path[i].(*ast.CallExpr); ok {
			call = c
			break
		}
	}
	u.text = source[fset.Position(call.Pos()).Offset:fset.Position(call.End()).Offset]
	used := map[string]bool{}
	mention(used, call)
	for _, n := range path[3:] { // below the function that the statements were put in
		changed := map[string]bool{}
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			ast.Inspect(n, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					for _, lhs := range n.Lhs {
						mention(changed, lhs)
					}
				case *ast.IncDecStmt:
					mention(changed, n.X)
				case *ast.RangeStmt:
					for _, e := range []ast.Expr{n.Key, n.Value} {
						if e != nil {
							mention(changed, e)
						}
					}
				case *ast.Field:
					for _, id := range n.Names {
						changed[id.Name] = true
					}
				}
				return true
			})
		}
		for name := range changed {
			u.varies = u.varies || used[name]
		}
	}
	return u
}

// constantPasses reports whether a function that returns one of the values which the source's own gave passes all tests, which
// must be of what it returns.
func (a *Assignment) constantPasses(name string, steps []*step, own map[*step]*check.Value, wanted expected) bool {
	var direct []*step
	for _, s := range steps {
		if s.test == "" {
			continue
		}
		if call, ok := s.call.Args[0].(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == name {
				direct = append(direct, s)
			}
		}
	}
	if len(direct) < 2 {
		return false
	}
	calls := 0
	for _, u := range usesOf(name, steps) {
		if !strings.HasPrefix(u.text, name+"(") {
			return false
		}
		calls++
	}
	if calls > len(direct) {
		return false // some are tested in other ways
	}
	for _, candidate := range direct {
		if !slices.ContainsFunc(direct, func(s *step) bool { return check.Judge(s.test, own[candidate], wanted[s]) != nil }) {
			return true
		}
	}
	return false
}
