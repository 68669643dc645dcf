package check

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"gaucho/internal/words"
	"gaucho/interp/cell"
)

// explainUndefined adds to a problem with an undefined name what is known of the place: the names that the cell declares
// around it, and that the name is assigned to, where := would declare it.
func (s *Stage) explainUndefined(p *Finding, pos token.Pos, name string) {
	for n := range s.declaredNames() {
		p.own = append(p.own, n)
	}
	for _, d := range append(s.allDecls(), addedDecls(s.Added)...) {
		if pos < d.Pos() || pos > d.End() {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if v, ok := s.Info.Defs[n].(*types.Var); ok && !v.IsField() && n.Pos() < pos {
					p.own = append(p.own, n.Name)
				}
			case *ast.SelectorExpr:
				p.pkg = p.pkg || n.X.Pos() == pos
			case *ast.CallExpr:
				p.call = p.call || n.Fun.Pos() == pos
			case *ast.ValueSpec:
				p.isOf = p.isOf || n.Type != nil && within(n.Type, pos)
			case *ast.Field:
				p.isOf = p.isOf || within(n.Type, pos)
			case *ast.CompositeLit:
				p.isOf = p.isOf || n.Type != nil && within(n.Type, pos)
			case *ast.AssignStmt:
				if n.Tok == token.ASSIGN && len(n.Lhs) == 1 && n.Lhs[0].Pos() == pos {
					if id, ok := n.Lhs[0].(*ast.Ident); ok && cell.Nearest(name, p.own) == "" {
						p.Hint = fmt.Sprintf("%s := declares a variable and gives it its first value.", id.Name)
					}
				}
			}
			return true
		})
	}
}

func within(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

var (
	manyValues = regexp.MustCompile(`^multiple-value .* \(value of type (\(.*\))\) in single-value context$`)
	mixedText  = regexp.MustCompile(`\(mismatched types (?:untyped )?string and .*\)$|\(mismatched types .* and (?:untyped )?string\)$|^cannot convert ".*" \(untyped string constant.*\) to type `)
	noLabel    = regexp.MustCompile(`^label (\w+) not declared$`)
	runeText   = regexp.MustCompile(`^cannot use '.*' \(untyped rune constant .*\) as string value`)
)

// explain puts a problem into the words of Go's compiler where the way a cell is checked gives others, and adds a hint.
func (s *Stage) explain(p *Finding, pos token.Pos) {
	switch {
	case manyValues.MatchString(p.Msg):
		s.explainMany(p, pos)
	case mixedText.MatchString(p.Msg):
		if x := s.binaryAt(pos); x != nil && x.Op == token.ADD {
			p.Hint = fmt.Sprintf("fmt.Sprint(%s, %s) makes one string of both.", types.ExprString(x.X), types.ExprString(x.Y))
		}
	case strings.HasPrefix(p.Msg, "cannot declare ") && strings.HasSuffix(p.Msg, " - must be func"):
		p.Hint = "At the top level of a cell a variable or a function may have this name, and nothing else."
	case runeText.MatchString(p.Msg):
		p.Hint = "A string has double quotes; what has single ones is one character, a number."
	case compilersWords[p.Msg] != "":
		p.Msg = compilersWords[p.Msg]
	case noLabel.MatchString(p.Msg):
		p.Msg = noLabel.ReplaceAllString(p.Msg, "label $1 not defined")
	case p.Msg == "use of untyped nil in variable declaration":
		if s.isDefined(pos) {
			p.Msg = "use of untyped nil in assignment"
		}
	case strings.HasPrefix(p.Msg, "not enough arguments in call to "):
		if at := s.lastArgument(pos); at.IsValid() {
			p.Pos = s.Fset.Position(at)
		}
	}
}

// explainHiding says which package or predeclared name is not meant where a name of the session hides it.
func (s *Stage) explainHiding(p *Finding, pos token.Pos) {
	global := func(x ast.Expr) (name string, ok bool) {
		id, ok := x.(*ast.Ident)
		if !ok {
			return "", false
		}
		obj := s.Info.Uses[id]
		return id.Name, obj != nil && obj.Pkg() == s.Pkg && IsGlobal(obj)
	}
	for _, d := range append(s.allDecls(), addedDecls(s.Added)...) {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if name, ok := global(n.X); ok && n.Sel.Pos() == pos {
					sels := map[string]bool{n.Sel.Name: true}
					path := cmp.Or(s.scope.hidden[name], s.Find(name, sels))
					if pkg, err := s.Importer.Import(path); err == nil && hasAll(pkg.Scope(), sels) {
						p.Hint = fmt.Sprintf("%[1]s is declared in a cell, which hides package %[2]s. %%del %[1]s brings the package back.", name, path)
					}
				}
			case *ast.Ident:
				name, ok := global(n)
				if ok && n.Pos() == pos && types.Universe.Lookup(name) != nil && (strings.HasPrefix(p.Msg, "invalid operation: cannot call ") || strings.HasSuffix(p.Msg, " is not a type")) {
					p.Hint = fmt.Sprintf("%[1]s is declared in a cell, which hides Go's own. %%del %[1]s brings that back.", name)
				}
			}
			return true
		})
	}
}

// compilersWords are those of messages that package go/types words in another way.
var compilersWords = map[string]string{
	"break not in for, switch, or select statement": "break is not in a loop, switch, or select",
	"continue not in for statement":                 "continue is not in a loop",
}

// isDefined reports whether a value is that of a variable that is declared by :=.
func (s *Stage) isDefined(value token.Pos) bool {
	for _, c := range s.chunks {
		if c.Spec != nil && c.Piece.Original != nil && slices.ContainsFunc(c.Spec.Values, func(x ast.Expr) bool { return x.Pos() == value }) {
			return true
		}
	}
	return false
}

// lastArgument is where the compiler reports that a call lacks arguments: at the last one that it has, or at the call. The
// checker does at the closing parenthesis.
func (s *Stage) lastArgument(closing token.Pos) (at token.Pos) {
	for _, d := range append(s.allDecls(), addedDecls(s.Added)...) {
		ast.Inspect(d, func(n ast.Node) bool {
			if x, ok := n.(*ast.CallExpr); ok && x.Rparen == closing {
				at = x.Pos()
				if n := len(x.Args); n > 0 {
					at = x.Args[n-1].Pos()
				}
			}
			return true
		})
	}
	return at
}

// explainMany says in Go's words that a variable is declared with a call that has several results.
func (s *Stage) explainMany(p *Finding, pos token.Pos) {
	for _, c := range s.chunks {
		if c.Spec == nil || len(c.Spec.Values) != 1 || c.Spec.Values[0].Pos() != pos {
			continue
		}
		call, ok := ast.Unparen(c.Spec.Values[0]).(*ast.CallExpr)
		if !ok {
			return
		}
		results, ok := s.Info.TypeOf(call).(*types.Tuple)
		if !ok {
			return
		}
		n := results.Len()
		p.Msg = fmt.Sprintf("assignment mismatch: %s but %s returns %d values", words.Count(len(c.Spec.Names), "variable"), types.ExprString(call.Fun), n)
		if last := results.At(n - 1); IsErrorVar(last) && n == 2 && isMust(s.scope, "must") {
			p.Hint = fmt.Sprintf("%[1]s, err := takes both; %[1]s := must(%[2]s) fails the cell if there is an error.", c.Spec.Names[0].Name, types.ExprString(call))
		}
		return
	}
}

// binaryAt is the operation whose first or second operand, or operator, a problem is at.
func (s *Stage) binaryAt(pos token.Pos) *ast.BinaryExpr {
	var found *ast.BinaryExpr
	for _, d := range append(s.allDecls(), addedDecls(s.Added)...) {
		ast.Inspect(d, func(n ast.Node) bool {
			if x, ok := n.(*ast.BinaryExpr); ok && (x.Pos() == pos || x.OpPos == pos || x.Y.Pos() == pos) {
				found = x
			}
			return true
		})
	}
	return found
}
