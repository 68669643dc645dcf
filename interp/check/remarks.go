package check

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"gaucho/interp/cell"
)

// remarks notes what Go compiles and its author hardly means. Each takes a line under the cell; nothing is refused.
func (s *Stage) remarks() {
	decls := append(s.allDecls(), addedDecls(s.Added)...)
	for _, f := range s.vet(decls) {
		s.remark(f.pos, "%s", ownPackage.ReplaceAllString(f.text, ""))
	}
	for _, d := range decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				s.remarkDivision(n)
				s.remarkPower(n)
			case *ast.CallExpr:
				s.remarkJSON(n)
			case *ast.RangeStmt:
				s.remarkCopy(n)
			}
			return true
		})
	}
}

// ownPackage is the package of cells before a name.
var ownPackage = regexp.MustCompile(`\bmain\.`)

// remark adds a note about a place, unless nobody wrote that.
func (s *Stage) remark(pos token.Pos, format string, args ...any) {
	at := s.Fset.Position(pos)
	if at.Filename == cell.FileName(s.Cell) {
		s.Out.Notes = append(s.Out.Notes, fmt.Sprintf("line %d: ", at.Line)+fmt.Sprintf(format, args...))
	}
}

// remarkDivision notes a division of whole numbers that is not exact and looks as if it were: one of a floating-point
// type, one of two literals, and one by a literal with a point.
func (s *Stage) remarkDivision(x *ast.BinaryExpr) {
	tv := s.Info.Types[x]
	if x.Op != token.QUO || tv.Type == nil {
		return
	}
	if tv.Value == nil {
		if lit, ok := x.Y.(*ast.BasicLit); ok && lit.Kind == token.FLOAT && !isFloat(tv.Type) && !isComplex(tv.Type) {
			left, right := types.ExprString(x.X), lit.Value
			s.remark(x.Pos(), "%s / %s is a division of whole numbers, without the remainder; float64(%[1]s) / %[2]s has it", left, right)
		}
		return
	}
	if !isFloat(tv.Type) && !(isLiteral(x.X, token.INT) && isLiteral(x.Y, token.INT)) {
		return
	}
	a, b := s.Info.Types[x.X].Value, s.Info.Types[x.Y].Value
	if a == nil || b == nil {
		return
	}
	m, n := constant.ToInt(a), constant.ToInt(b)
	if m.Kind() != constant.Int || n.Kind() != constant.Int || constant.Sign(n) == 0 {
		return
	}
	whole := constant.BinaryOp(m, token.QUO_ASSIGN, n)
	if !constant.Compare(whole, token.EQL, tv.Value) || constant.Compare(constant.BinaryOp(whole, token.MUL, n), token.EQL, m) {
		return
	}
	exact := constant.BinaryOp(m, token.QUO, n)
	left := types.ExprString(x.X)
	if _, ok := x.X.(*ast.BasicLit); ok {
		left += ".0"
	} else {
		left = "float64(" + left + ")"
	}
	value, _ := constant.Float64Val(exact)
	s.remark(x.Pos(), "%s is a division of whole numbers, so it is %v; %s/%s is %.6g", types.ExprString(x), tv.Value, left, types.ExprString(x.Y), value)
}

func isLiteral(x ast.Expr, kind token.Token) bool {
	lit, ok := x.(*ast.BasicLit)
	return ok && lit.Kind == kind
}

// remarkPower notes ^ between decimal numbers, and after a signed integer before 2 or 3, which people take for a power.
func (s *Stage) remarkPower(x *ast.BinaryExpr) {
	y, ok := x.Y.(*ast.BasicLit)
	if x.Op != token.XOR || !ok || y.Kind != token.INT || !isDecimal(y.Value) {
		return
	}
	left := types.ExprString(x.X)
	if v := s.Info.Types[x]; v.Value != nil {
		if lit, ok := x.X.(*ast.BasicLit); !ok || !isDecimal(lit.Value) {
			return
		}
		s.remark(x.Pos(), "%s ^ %s is the exclusive or of the bits, %s; math.Pow(%[1]s, %[2]s) is the power", left, y.Value, v.Value)
		return
	}
	if b, ok := s.underlying(x.X).(*types.Basic); ok && b.Info()&types.IsUnsigned == 0 && (y.Value == "2" || y.Value == "3") {
		s.remark(x.Pos(), "%s ^ %s is the exclusive or of the bits; math.Pow(float64(%[1]s), %[2]s) is the power", left, y.Value)
	}
}

func isDecimal(literal string) bool { return literal[0] != '0' }

func isComplex(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}

// remarkCopy notes that the body of a loop changes parts of its copy of a list's elements, and does nothing else with the copy.
func (s *Stage) remarkCopy(loop *ast.RangeStmt) {
	id, ok := loop.Value.(*ast.Ident)
	if !ok || loop.Tok != token.DEFINE || !s.isNamedList(loop.X) {
		return
	}
	v := s.Info.Defs[id]
	var first ast.Node // the first change
	used := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		if s.changesPart(n, v) {
			if first == nil {
				first = n
			}
			return false
		}
		if id, ok := n.(*ast.Ident); ok && s.Info.Uses[id] == v {
			used = true
		}
		return true
	})
	if first != nil && !used {
		list := types.ExprString(loop.X)
		s.remark(first.Pos(), "%s is a copy of the element, so this changes nothing of %s; %[2]s[i] is the element", id.Name, list)
	}
}

// isNamedList reports whether an expression is a variable or a field with a slice or an array.
func (s *Stage) isNamedList(x ast.Expr) bool {
	switch x.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		switch s.underlying(x).(type) {
		case *types.Slice, *types.Array:
			return true
		}
	}
	return false
}

// underlying is the underlying type of an expression, nil where an error in the cell leaves it without a type.
func (s *Stage) underlying(x ast.Expr) types.Type {
	if t := s.Info.TypeOf(x); t != nil {
		return t.Underlying()
	}
	return nil
}

// changesPart reports whether a statement assigns to parts of a variable, and to nothing else.
func (s *Stage) changesPart(n ast.Node, v types.Object) bool {
	var changed []ast.Expr
	switch n := n.(type) {
	case *ast.AssignStmt:
		changed = n.Lhs
	case *ast.IncDecStmt:
		changed = []ast.Expr{n.X}
	}
	for _, x := range changed {
		if whole := s.whole(x); whole == nil || whole == x || s.Info.Uses[whole] != v {
			return false
		}
	}
	return len(changed) > 0
}

// whole is the variable that an expression is a part of, nil where a pointer, a slice or a map is on the way to it.
func (s *Stage) whole(x ast.Expr) *ast.Ident {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		if sel := s.Info.Selections[x]; sel != nil && !sel.Indirect() {
			return s.whole(x.X)
		}
	case *ast.IndexExpr:
		if _, ok := s.underlying(x.X).(*types.Array); ok {
			return s.whole(x.X)
		}
	}
	return nil
}

func isFloat(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

// remarkJSON notes fields that encoding/json does not see, because their names begin with a small letter.
func (s *Stage) remarkJSON(x *ast.CallExpr) {
	sel, ok := x.Fun.(*ast.SelectorExpr)
	if !ok || len(x.Args) == 0 {
		return
	}
	f, ok := s.Info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return
	}
	arg, own := x.Args[0], "MarshalJSON"
	switch f.FullName() {
	case "encoding/json.Marshal", "encoding/json.MarshalIndent", "(*encoding/json.Encoder).Encode":
	case "(*encoding/json.Decoder).Decode":
		own = "UnmarshalJSON"
	case "encoding/json.Unmarshal":
		if len(x.Args) < 2 {
			return
		}
		arg, own = x.Args[1], "UnmarshalJSON"
	default:
		return
	}
	t := encoded(s.Info.TypeOf(arg))
	st, ok := t.Underlying().(*types.Struct)
	if !ok || types.NewMethodSet(types.NewPointer(t)).Lookup(nil, own) != nil {
		return
	}
	var hidden []string
	for field := range st.Fields() {
		if !field.Exported() && !field.Embedded() && field.Pkg() == s.Pkg && isData(field.Type()) {
			hidden = append(hidden, field.Name())
		}
	}
	if len(hidden) == 0 {
		return
	}
	what, verb := "field "+hidden[0], "its name begins"
	if n := len(hidden); n > 1 {
		what, verb = "fields "+strings.Join(hidden[:n-1], ", ")+" and "+hidden[n-1], "their names begin"
	}
	s.remark(x.Pos(), "json.%s leaves out the %s of %s, because %s with a small letter", f.Name(), what, TypeString(t), verb)
}

// encoded is the type whose fields JSON has: of what a pointer, slice, array or map holds.
func encoded(t types.Type) types.Type {
	for {
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		default:
			return t
		}
	}
}

// isData reports whether a field's type is one that people expect in JSON.
func isData(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return isData(u.Elem())
	case *types.Array:
		return isData(u.Elem())
	case *types.Map:
		return isData(u.Elem())
	}
	return false
}
