package check

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"gaucho/interp/symbols"
)

// nodesAt are the nodes of the stage that a place is in, innermost first.
func (s *Stage) nodesAt(pos token.Pos) []ast.Node {
	var out []ast.Node
	for _, d := range append(s.allDecls(), addedDecls(s.Added)...) {
		ast.Inspect(d, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || pos > n.End() {
				return false
			}
			out = append(out, n)
			return true
		})
	}
	slices.Reverse(out)
	return out
}

// foreign says what Go has for an expression that another language has and Go refuses: arithmetic of a whole slice, an index
// that counts from the end, a method where Go has a function. It goes by the types around the place.
func (s *Stage) foreign(p *Finding, pos token.Pos) string {
	nodes := s.nodesAt(pos)
	if strings.HasPrefix(p.Msg, "undefined: ") || strings.HasSuffix(p.Msg, " is not a type") {
		return s.foreignDeclaration(nodes, pos)
	}
	if hint := s.conversion(p.Msg, nodes); hint != "" {
		return hint
	}
	for _, n := range nodes {
		var hint string
		switch n := n.(type) {
		case *ast.BinaryExpr:
			hint = s.foreignOperation(n)
		case *ast.IndexExpr:
			hint = s.fromTheEnd(n)
		case *ast.SliceExpr:
			hint = s.sliceFromTheEnd(n)
		case *ast.SelectorExpr:
			hint = s.foreignMethod(n)
		case *ast.CallExpr:
			hint = s.foreignCall(n, p.Msg)
		case *ast.AssignStmt:
			hint = s.otherType(n, p.Msg)
		case *ast.SendStmt:
			if _, ok := s.underlying(n.Chan).(*types.Chan); !ok {
				hint = arrow(n)
			}
		case *ast.IfStmt:
			hint = s.truth(n.Cond)
		case *ast.ForStmt:
			hint = s.truth(n.Cond)
		case *ast.FuncLit, *ast.BlockStmt:
			return s.unused(p.Msg, pos, nodes)
		}
		if hint != "" {
			return hint
		}
	}
	return s.unused(p.Msg, pos, nodes)
}

var numberAs = regexp.MustCompile(`^cannot use .*\) as (u?int\d*|float\d\d) value in `)

// conversion is about a number where one of another type is wanted.
func (s *Stage) conversion(msg string, nodes []ast.Node) string {
	m := numberAs.FindStringSubmatch(msg)
	switch {
	case m == nil:
		return ""
	case strings.HasSuffix(msg, "(truncated)"):
		return fmt.Sprintf("A number of type %s has no fraction; one of type float64 has.", m[1])
	case strings.Contains(msg, "constant"):
		return "" // it is too large
	}
	var whole ast.Expr // the largest expression that begins at the place and is a number
	for _, n := range nodes {
		x, ok := n.(ast.Expr)
		if !ok || x.Pos() != nodes[0].Pos() {
			break
		}
		if t := s.Info.TypeOf(x); t != nil && isNumber(t) {
			whole = x
		}
	}
	if whole == nil {
		return ""
	}
	return fmt.Sprintf("Go converts no numbers by itself: %s(%s).", m[1], types.ExprString(whole))
}

// arrow is about R's assignment, which is Go's sending to a channel.
func arrow(n *ast.SendStmt) string {
	return fmt.Sprintf("%[1]s := %[2]s declares a variable, %[1]s = %[2]s gives it another value.", types.ExprString(n.Chan), types.ExprString(n.Value))
}

// foreignDeclaration is about a name that is undefined because Go does not take its place for a declaration.
func (s *Stage) foreignDeclaration(nodes []ast.Node, pos token.Pos) string {
	for i, n := range nodes {
		switch n := n.(type) {
		case *ast.SendStmt:
			if n.Chan.Pos() == pos {
				return arrow(n)
			}
		case *ast.Field:
			if id, ok := n.Type.(*ast.Ident); ok && len(n.Names) == 0 && id.Pos() == pos && isParameter(n, nodes[i:]) {
				return fmt.Sprintf("A parameter has a name and a type: %s float64.", id.Name)
			}
		}
	}
	return ""
}

// isParameter reports whether a field is a parameter of the function around it, the next but one of the nodes.
func isParameter(f *ast.Field, around []ast.Node) bool {
	for _, n := range around {
		if t, ok := n.(*ast.FuncType); ok {
			return t.Params != nil && slices.Contains(t.Params.List, f)
		}
	}
	return false
}

// foreignOperation is about operators: of numbers of two types, of slices, of strings, and the powers of other languages.
func (s *Stage) foreignOperation(x *ast.BinaryExpr) string {
	left, right := types.ExprString(x.X), types.ExprString(x.Y)
	if star, ok := x.Y.(*ast.StarExpr); ok && x.Op == token.MUL {
		if _, isPointer := s.underlying(star.X).(*types.Pointer); !isPointer {
			return s.power(x.X, star.X)
		}
	}
	t, u := s.Info.TypeOf(x.X), s.Info.TypeOf(x.Y)
	if t == nil || u == nil {
		return ""
	}
	switch {
	case x.Op == token.XOR && (isFloat(t) || isFloat(u)):
		return s.power(x.X, x.Y)
	case isSlice(t) || isSlice(u):
		return s.ofSlices(x, t, u)
	case isString(t) && x.Op == token.REM:
		return fmt.Sprintf("fmt.Sprintf(%s, %s) fills in a format.", left, right)
	case isString(t) && isNumber(u) && x.Op == token.MUL:
		return fmt.Sprintf("strings.Repeat(%s, %s) repeats a string.", left, right)
	case isNumber(t) && isNumber(u) && !types.Identical(t, u) && !isUntyped(t) && !isUntyped(u):
		if _, plain := t.(*types.Basic); isFloat(u) && !isFloat(t) || plain && named(u) != "" {
			return fmt.Sprintf("Go converts no numbers by itself: %s(%s) %s %s.", TypeString(u), left, x.Op, right)
		}
		return fmt.Sprintf("Go converts no numbers by itself: %s %s %s(%s).", left, x.Op, TypeString(t), right)
	case isNumber(t) && isNumber(u) && isUntyped(t) != isUntyped(u): // a constant with a fraction and an integer
		whole, fraction := x.X, x.Y
		if isUntyped(t) {
			whole, fraction = x.Y, x.X
		}
		if v := s.Info.Types[fraction].Value; v != nil && constant.ToInt(v).Kind() != constant.Int && !isFloat(s.Info.TypeOf(whole)) {
			if whole == x.X {
				return fmt.Sprintf("Go converts no numbers by itself: float64(%s) %s %s.", left, x.Op, right)
			}
			return fmt.Sprintf("Go converts no numbers by itself: %s %s float64(%s).", left, x.Op, right)
		}
	}
	return ""
}

// power says how one raises to a power.
func (s *Stage) power(x, y ast.Expr) string {
	base, exponent := types.ExprString(x), types.ExprString(y)
	if t := s.Info.TypeOf(x); t != nil && !isFloat(t) && !isUntyped(t) {
		base = "float64(" + base + ")"
	}
	if v := s.Info.Types[y].Value; v == nil && !isFloat(s.Info.TypeOf(y)) {
		exponent = "float64(" + exponent + ")"
	}
	return fmt.Sprintf("math.Pow(%s, %s) raises to a power; for a square, multiply.", base, exponent)
}

// inPlace are gonum's functions that do an operation with each element of a []float64.
var inPlace = map[token.Token][2]string{ // with another slice, with a number
	token.ADD: {"Add", "AddConst"}, token.SUB: {"Sub", ""}, token.MUL: {"Mul", "Scale"}, token.QUO: {"Div", ""},
}

// ofSlices is about an operation one of whose operands is a slice.
func (s *Stage) ofSlices(x *ast.BinaryExpr, t, u types.Type) string {
	left, right := types.ExprString(x.X), types.ExprString(x.Y)
	switch x.Op {
	case token.EQL, token.NEQ:
		if isSlice(t) && isSlice(u) {
			not := ""
			if x.Op == token.NEQ {
				not = "!"
			}
			return fmt.Sprintf("%sslices.Equal(%s, %s) compares the elements.", not, left, right)
		}
		return ""
	case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
	default:
		return ""
	}
	list, number := left, right
	if !isSlice(t) {
		list, number = right, left
	}
	f := inPlace[x.Op]
	switch floats := isFloats(t) || isFloats(u); {
	case isSlice(t) && isSlice(u) && floats && f[0] != "":
		return fmt.Sprintf("Operators take single numbers. floats.%s(%s, %s) changes %[2]s, element by element; a loop does the same.", f[0], left, right)
	case isSlice(t) && isSlice(u) && x.Op == token.ADD:
		return fmt.Sprintf("slices.Concat(%s, %s) joins slices; a loop adds element by element.", left, right)
	case floats && f[1] != "" && isSlice(t) != isSlice(u):
		return fmt.Sprintf("Operators take single numbers. floats.%s(%s, %s) changes each element of %[3]s; a loop does the same.", f[1], number, list)
	case isSlice(t) && !isSlice(u):
		return fmt.Sprintf("Operators take single numbers: for i := range %s { %[1]s[i] %[2]s= %[3]s }.", left, x.Op, right)
	}
	return "Operators take single numbers; a loop does it element by element."
}

// fromTheEnd is about xs[-1].
func (s *Stage) fromTheEnd(x *ast.IndexExpr) string {
	if n, ok := s.negative(x.Index); ok && s.hasLen(x.X) {
		list := types.ExprString(x.X)
		return fmt.Sprintf("%[1]s[len(%[1]s)%d] counts from the end.", list, n)
	}
	if named(s.Info.TypeOf(x.X)) == "gaucho/stdlib/table.Table" {
		if v := s.Info.Types[x.Index].Value; v != nil && v.Kind() == constant.String {
			return fmt.Sprintf("%[1]s.Floats(%[2]s) has the column's numbers, %[1]s.Strings(%[2]s) its texts, %[1]s.Select(%[2]s) a table of it.", types.ExprString(x.X), types.ExprString(x.Index))
		}
		return fmt.Sprintf("%[1]s.Floats(\"column\") has a column's numbers, %[1]s.Where the rows that a function chooses.", types.ExprString(x.X))
	}
	return ""
}

func (s *Stage) sliceFromTheEnd(x *ast.SliceExpr) string {
	list, low, high, found := types.ExprString(x.X), "", "", false
	bound := func(e ast.Expr) string {
		if e == nil {
			return ""
		}
		if n, ok := s.negative(e); ok {
			found = true
			return fmt.Sprintf("len(%s)%d", list, n)
		}
		return types.ExprString(e)
	}
	low, high = bound(x.Low), bound(x.High)
	if !found || !s.hasLen(x.X) {
		return ""
	}
	return fmt.Sprintf("%s[%s:%s] counts from the end.", list, low, high)
}

func (s *Stage) hasLen(x ast.Expr) bool {
	switch t := s.underlying(x).(type) {
	case *types.Slice, *types.Array:
		return true
	case *types.Basic:
		return t.Info()&types.IsString != 0
	}
	return false
}

// negative is the value of a constant below zero.
func (s *Stage) negative(x ast.Expr) (int64, bool) {
	v := s.Info.Types[x].Value
	if u, ok := x.(*ast.UnaryExpr); v == nil && ok && u.Op == token.SUB { // the checker keeps no value of what it refuses
		if lit, ok := u.X.(*ast.BasicLit); ok && lit.Kind == token.INT {
			v = constant.UnaryOp(token.SUB, constant.MakeFromLiteral(lit.Value, token.INT, 0), 0)
		}
	}
	if v == nil {
		return 0, false
	}
	n, exact := constant.Int64Val(constant.ToInt(v))
	return n, exact && n < 0
}

// otherType is about an assignment of a value of another type, where := would declare the variable anew.
func (s *Stage) otherType(n *ast.AssignStmt, msg string) string {
	if n.Tok != token.ASSIGN || len(n.Lhs) != 1 || len(n.Rhs) != 1 || !strings.HasPrefix(msg, "cannot use ") || !strings.Contains(msg, " value in assignment") {
		return ""
	}
	id, ok := n.Lhs[0].(*ast.Ident)
	if !ok || s.Info.Uses[id] == nil || !IsGlobal(s.Info.Uses[id]) || !s.isTopLevel(n) {
		return ""
	}
	return fmt.Sprintf("A variable keeps its type, here %s. %s := declares it anew, with another one.", TypeString(s.Info.TypeOf(id)), id.Name)
}

func (s *Stage) isTopLevel(stmt ast.Stmt) bool {
	return slices.ContainsFunc(s.chunks, func(c BodyChunk) bool { return c.Piece.Stmt == stmt })
}

// truth is about conditions that are no booleans.
func (s *Stage) truth(cond ast.Expr) string {
	if cond == nil {
		return ""
	}
	text := types.ExprString(cond)
	switch t := s.underlying(cond).(type) {
	case *types.Slice, *types.Map:
		return fmt.Sprintf("A condition is a bool: len(%s) > 0.", text)
	case *types.Pointer, *types.Interface, *types.Chan, *types.Signature:
		return fmt.Sprintf("A condition is a bool: %s != nil.", text)
	case *types.Basic:
		switch {
		case t.Info()&types.IsString != 0:
			return fmt.Sprintf("A condition is a bool: %s != \"\".", text)
		case t.Info()&types.IsNumeric != 0:
			return fmt.Sprintf("A condition is a bool: %s != 0.", text)
		}
	}
	return ""
}

// unused is about values and variables that nothing uses.
func (s *Stage) unused(msg string, pos token.Pos, nodes []ast.Node) string {
	name, ok := strings.CutPrefix(msg, "declared and not used: ")
	if !ok {
		return ""
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.RangeStmt:
			switch {
			case n.Key != nil && n.Key.Pos() == pos && n.Value != nil:
				return fmt.Sprintf("_ stands for what is not used: for _, %s := range.", types.ExprString(n.Value))
			case n.Key != nil && n.Key.Pos() == pos:
				return fmt.Sprintf("Without the variable: for range %s.", types.ExprString(n.X))
			case n.Value != nil && n.Value.Pos() == pos:
				return fmt.Sprintf("Without it: for %s := range.", types.ExprString(n.Key))
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && s.isOuter(name, n) {
				return fmt.Sprintf("%[1]s := declares another %[1]s, for this block alone; %[1]s = changes the one outside.", name)
			}
			if n.Tok == token.DEFINE && len(n.Lhs) > 1 {
				return fmt.Sprintf("_ stands for what is not used, in the place of %s.", name)
			}
		}
	}
	return ""
}

// isOuter reports whether a name means a variable also outside of the block of a statement that declares it.
func (s *Stage) isOuter(name string, def *ast.AssignStmt) bool {
	var inner *types.Scope
	for _, x := range def.Lhs {
		if id, ok := x.(*ast.Ident); ok && id.Name == name && s.Info.Defs[id] != nil {
			inner = s.Info.Defs[id].Parent()
		}
	}
	if inner == nil {
		return false
	}
	if _, obj := inner.Parent().LookupParent(name, def.Pos()); obj != nil {
		_, ok := obj.(*types.Var)
		return ok
	}
	e := s.scope.Names[name]
	if e == nil {
		return false
	}
	_, ok := e.Obj.(*types.Var)
	return ok
}

// foreignCall is about calls that lack what other languages do not ask for, or whose result nobody takes.
func (s *Stage) foreignCall(x *ast.CallExpr, msg string) string {
	id, _ := x.Fun.(*ast.Ident)
	switch {
	case strings.HasSuffix(msg, "is not used") && id != nil && id.Name == "append" && len(x.Args) > 0:
		return fmt.Sprintf("append returns the longer slice: %s = %s.", types.ExprString(x.Args[0]), types.ExprString(x))
	case strings.HasPrefix(msg, "not enough arguments in call"):
		if sig, ok := s.Info.TypeOf(x.Fun).(*types.Signature); ok && sig.Params().Len() == len(x.Args)+1 && sig.Params().At(len(x.Args)).Name() == "weights" {
			text := types.ExprString(x)
			return fmt.Sprintf("%s, nil) gives all the same weight.", text[:len(text)-1])
		}
	case strings.HasPrefix(msg, "cannot convert ") && id != nil && len(x.Args) == 1 && isString(s.Info.TypeOf(x.Args[0])):
		arg := types.ExprString(x.Args[0])
		switch t, _ := s.underlying(id).(*types.Basic); {
		case t == nil:
		case t.Info()&types.IsFloat != 0:
			return fmt.Sprintf("must(strconv.ParseFloat(%s, 64)) reads a number from a string.", arg)
		case t.Info()&types.IsInteger != 0:
			return fmt.Sprintf("must(strconv.Atoi(%s)) reads an integer from a string.", arg)
		}
	}
	return ""
}

// elsewhere names the function of a package that is meant by its name alone: fmt.Println by Println.
func elsewhere(name string, imp types.Importer) string {
	for _, path := range []string{"fmt", "math", "strings", "slices", "maps", "sort", "errors", "os", "time", "strconv", "gonum.org/v1/gonum/stat", "gonum.org/v1/gonum/floats"} {
		pkg, err := imp.Import(path)
		if err != nil {
			continue
		}
		for _, n := range []string{name, strings.ToUpper(name[:1]) + name[1:]} {
			if f, ok := pkg.Scope().Lookup(n).(*types.Func); ok && f.Exported() {
				return symbols.Name(path) + "." + n
			}
		}
	}
	return ""
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

func isString(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

func isFloats(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.Float64])
}

// named is the path and name of a declared type, or of the one that a pointer leads to.
func named(t types.Type) string {
	if t == nil {
		return ""
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}
