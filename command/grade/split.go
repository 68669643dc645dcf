package grade

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"gaucho/stdlib/check"
)

// A step is a piece of a test cell: statements that make ready, then a test, which may be missing at the end of a cell.
type step struct {
	setup  string // what the student's process needs
	all    string // the setup with what only expected values need
	test   string // the function of package check; empty for none
	got    string // the expression under test
	args   []string
	hint   string // what the source says when the test does not hold
	hidden bool   // students do not see it

	statements []statement // of the setup
	call       *ast.CallExpr
}

// String is the test as it is in the source.
func (s *step) String() string {
	return fmt.Sprintf("check.%s(%s)", s.test, strings.Join(append([]string{s.got}, s.args...), ", "))
}

const (
	beginHidden = "BEGIN HIDDEN TESTS"
	endHidden   = "END HIDDEN TESTS"
)

// split takes a test cell apart. A call of package check that is not by itself, in a loop say, is an error: what it
// expects could not be kept from what it tests.
func split(source string) ([]*step, error) {
	const before = "package p; func _() {"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", before+source+"\n}", 0)
	if err != nil {
		return nil, fmt.Errorf("the tests are not statements of Go: %w", err)
	}
	if len(file.Decls) != 1 {
		return nil, fmt.Errorf("a test cell may hold statements only")
	}
	text := func(from, to token.Pos) string {
		return source[fset.Position(from).Offset-len(before) : fset.Position(to).Offset-len(before)]
	}
	hidden := hiddenRanges(source)
	var steps []*step
	var waiting []statement
	for _, stmt := range file.Decls[0].(*ast.FuncDecl).Body.List {
		call := testCall(stmt)
		if call == nil {
			if at := findCheck(stmt); at.IsValid() {
				return nil, fmt.Errorf("line %d: a test must be a statement of its own, not part of another: what it expects "+
					"would go to the student's process", fset.Position(at).Line)
			}
			waiting = append(waiting, statement{stmt, text(stmt.Pos(), stmt.End())})
			continue
		}
		s := &step{statements: waiting, call: call, all: join(waiting), test: call.Fun.(*ast.SelectorExpr).Sel.Name, got: text(call.Args[0].Pos(), call.Args[0].End())}
		for _, arg := range s.withoutHint(call.Args[1:]) {
			s.args = append(s.args, text(arg.Pos(), arg.End()))
		}
		if n, ok := check.Arguments(s.test); !ok || n != len(s.args) {
			return nil, fmt.Errorf("line %d: package check has no test %s with %d arguments", fset.Position(call.Pos()).Line, s.test, 1+len(s.args))
		}
		if isConstant(call.Args[0]) {
			return nil, fmt.Errorf("line %d: %s tests a constant, so everybody passes it; what students wrote comes first, what it must "+
				"give after it, as in check.Equal(F(2), 4)", fset.Position(call.Pos()).Line, s)
		}
		s.hidden = hidden.hold(fset.Position(stmt.Pos()).Offset - len(before))
		steps = append(steps, s)
		waiting = nil
	}
	if len(waiting) > 0 {
		steps = append(steps, &step{statements: waiting, all: join(waiting)})
	}
	keepNeeded(steps)
	return steps, nil
}

// withoutHint takes the hint off the arguments of a test: a string after those that the test needs.
func (s *step) withoutHint(args []ast.Expr) []ast.Expr {
	n, ok := check.Arguments(s.test)
	if !ok || len(args) != n+1 {
		return args
	}
	lit, ok := args[n].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return args
	}
	s.hint, _ = strconv.Unquote(lit.Value)
	return args[:n]
}

// testCall returns the call that a statement is, if it is one of package check's tests.
func testCall(stmt ast.Stmt) *ast.CallExpr {
	if e, ok := stmt.(*ast.ExprStmt); ok {
		if call, ok := e.X.(*ast.CallExpr); ok && isCheck(call.Fun) && len(call.Args) > 0 {
			return call
		}
	}
	return nil
}

// isConstant reports whether an expression is made of nothing but literals and the names that Go itself declares.
func isConstant(e ast.Expr) bool {
	constant := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			constant = constant && types.Universe.Lookup(n.Name) != nil
		case *ast.FuncLit:
			constant = false
		case *ast.KeyValueExpr: // a struct's key is a name of its type
			constant = constant && isConstant(n.Value)
			return false
		}
		return constant
	})
	return constant
}

func isCheck(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "check"
}

func findCheck(n ast.Node) (at token.Pos) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && isCheck(e) && !at.IsValid() {
			at = e.Pos()
		}
		return !at.IsValid()
	})
	return at
}

// A statement of a test cell and its text.
type statement struct {
	node ast.Stmt
	text string
}

func join(statements []statement) string {
	texts := make([]string, len(statements))
	for i, s := range statements {
		texts[i] = s.text
	}
	return strings.Join(texts, "\n")
}

// keepNeeded makes the setups: without what serves expected values alone, a statement that only gives values to names which
// neither an expression under test nor another statement that is kept mentions.
func keepNeeded(steps []*step) {
	needed := map[string]bool{}
	for _, s := range slices.Backward(steps) {
		if s.call != nil {
			mention(needed, s.call.Args[0])
		}
		var kept []statement
		for _, st := range slices.Backward(s.statements) {
			if names, gives := givesValues(st.node); gives && !anyOf(needed, names) {
				continue
			}
			mention(needed, st.node)
			kept = append(kept, st)
		}
		slices.Reverse(kept)
		s.setup = join(kept)
	}
}

// givesValues returns the names to which a statement gives values, if it does nothing else.
func givesValues(stmt ast.Stmt) (names []string, ok bool) {
	switch s := stmt.(type) {
	case *ast.AssignStmt:
		for _, lhs := range s.Lhs {
			name, ok := rootName(lhs)
			if !ok {
				return nil, false
			}
			names = append(names, name)
		}
		return names, true
	case *ast.DeclStmt:
		decl := s.Decl.(*ast.GenDecl)
		for _, spec := range decl.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok {
				return nil, false
			}
			for _, n := range v.Names {
				names = append(names, n.Name)
			}
		}
		return names, true
	}
	return nil, false
}

// rootName is the variable of which an expression is a part.
func rootName(e ast.Expr) (string, bool) {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x.Name, true
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return "", false
		}
	}
}

func mention(needed map[string]bool, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			needed[id.Name] = true
		}
		return true
	})
}

func anyOf(set map[string]bool, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return set[n] })
}

// ranges are stretches of a text, from and to.
type ranges [][2]int

func (r ranges) hold(at int) bool {
	for _, x := range r {
		if x[0] <= at && at < x[1] {
			return true
		}
	}
	return false
}

// hiddenRanges finds what is between the marks of hidden tests.
func hiddenRanges(source string) (r ranges) {
	at, begin := 0, -1
	for line := range strings.Lines(source) {
		switch {
		case strings.Contains(line, beginHidden):
			begin = at
		case strings.Contains(line, endHidden) && begin >= 0:
			r = append(r, [2]int{begin, at + len(line)})
			begin = -1
		}
		at += len(line)
	}
	if begin >= 0 {
		r = append(r, [2]int{begin, len(source)})
	}
	return r
}
