package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Go leaves open whether a variable is read before or after a function is called in the same statement. Its compiler first
// makes all calls of a statement, in their order, and then reads the variables, fields and elements. yaegi evaluates what is
// more than a variable's name where it stands. So where a call may change what is read before it, the calls are emitted into
// temporaries first.

// An operand is an expression, and the type that it is to have; nil for its own.
type operand struct {
	x ast.Expr
	t types.Type
}

// A reading says what the evaluation of an expression does.
type reading struct {
	loads   bool // it reads, when it is used, what a call may change
	effects bool // it may change what others read
	astray  bool // yaegi would read something before a call that Go's compiler reads after it
}

// pins are the names of temporaries by the expressions whose values they hold, and these expressions in order.
type pins struct {
	names map[ast.Expr]string
	list  []ast.Expr
}

// order emits into temporaries what Go's compiler evaluates first of the operands of a statement. Until the returned function
// is called, the expressions' text is that of the temporaries.
func (f *fn) order(list ...operand) (done func()) {
	if !f.readAll(list).astray {
		return func() {}
	}
	before := len(f.pins.list)
	f.spillAll(list)
	return func() {
		for _, x := range f.pins.list[before:] {
			delete(f.pins.names, x)
		}
		f.pins.list = f.pins.list[:before]
	}
}

// exprs are operands that keep their types.
func exprs(list ...ast.Expr) []operand {
	var ops []operand
	for _, x := range list {
		ops = append(ops, operand{x: x})
	}
	return ops
}

// rootOperands are the operands of the expression by which a statement evaluates another.
func (f *fn) rootOperands(x ast.Expr) []operand {
	switch ast.Unparen(x).(type) {
	case *ast.BinaryExpr, *ast.CompositeLit: // && and || have order of their own, and so have the entries of a map
		return exprs(x)
	}
	return f.operands(x)
}

// valueOperands are those of the right side of an assignment.
func (f *fn) valueOperands(lhs, rhs []ast.Expr) []operand {
	if len(rhs) == 1 && len(f.placeOperands(lhs...)) == 0 {
		return f.rootOperands(rhs[0])
	}
	var ops []operand
	for i, x := range rhs {
		o := operand{x: x}
		if tv, ok := f.info.Types[lhs[i]]; ok && len(lhs) == len(rhs) && tv.Type != nil {
			o.t = f.typeOf(lhs[i])
		}
		ops = append(ops, o)
	}
	return ops
}

// placeOperands are those of the left side.
func (f *fn) placeOperands(lhs ...ast.Expr) (ops []operand) {
	for _, x := range lhs {
		switch x := ast.Unparen(x).(type) {
		case *ast.IndexExpr:
			if _, isArray := f.typeOf(x.X).Underlying().(*types.Array); isArray {
				ops = append(append(ops, f.placeOperands(x.X)...), operand{x: x.Index})
			} else {
				ops = append(ops, exprs(x.X, x.Index)...)
			}
		case *ast.StarExpr:
			ops = append(ops, operand{x: x.X})
		case *ast.SelectorExpr:
			if sel := f.info.Selections[x]; sel != nil && sel.Indirect() {
				ops = append(ops, operand{x: x.X})
			} else if sel != nil {
				ops = append(ops, f.placeOperands(x.X)...)
			}
		}
	}
	return ops
}

// resultOperands are those of a return statement.
func (f *fn) resultOperands(results []ast.Expr) []operand {
	if len(results) == 1 {
		return f.rootOperands(results[0])
	}
	var ops []operand
	for i, x := range results {
		ops = append(ops, operand{x, f.sig.Results().At(i).Type()})
	}
	return ops
}

// readAll is the reading of operands that are evaluated from left to right.
func (f *fn) readAll(list []operand) (all reading) {
	for _, o := range list {
		r := f.read(o.x)
		all.astray = all.astray || r.astray || all.loads && r.effects
		all.loads = all.loads || r.loads
		all.effects = all.effects || r.effects
	}
	return all
}

func (f *fn) read(x ast.Expr) reading {
	if x == nil {
		return reading{}
	}
	if tv := f.info.Types[x]; tv.Value != nil || tv.IsNil() || tv.IsType() || tv.IsBuiltin() {
		return reading{}
	}
	x = ast.Unparen(x)
	r := f.readAll(f.operands(x))
	switch y := x.(type) {
	case *ast.Ident:
		v, ok := f.obj(y).(*types.Var)
		_, global := f.e.s.vars[v]
		r.loads = ok && (global || f.escapes[v] || v.Pkg() != nil && v.Parent() == v.Pkg().Scope())
	case *ast.SelectorExpr:
		sel := f.info.Selections[y]
		r.loads = r.loads || sel == nil && f.isVar(y.Sel) || sel != nil && sel.Kind() != types.MethodExpr && sel.Indirect()
	case *ast.StarExpr:
		r.loads = true
	case *ast.IndexExpr:
		if _, isArray := f.typeOf(y.X).Underlying().(*types.Array); !isArray && len(f.operands(x)) > 0 {
			r.loads = true
		}
	case *ast.BinaryExpr:
		if y.Op == token.LAND || y.Op == token.LOR {
			r.astray = f.read(y.X).astray || f.read(y.Y).astray || r.effects && (otherLogical(y.X, y.Op) || otherLogical(y.Y, y.Op)) || f.hasEntries(y.X)
		}
	case *ast.UnaryExpr:
		r.effects = r.effects || y.Op == token.ARROW
	case *ast.CallExpr:
		r.effects = r.effects || f.hasEffects(y)
		if f.info.Types[y.Fun].IsType() && !r.loads {
			_, r.loads = f.typeOf(y.Args[0]).Underlying().(*types.Slice) // string(bytes)
		}
	}
	if f.atOnce(x) {
		r.loads = false
	}
	return r
}

// otherLogical reports whether an operand of && or || is the other of the two, or either negated: there yaegi goes wrong when
// functions are called in it.
func otherLogical(x ast.Expr, op token.Token) bool {
	x = ast.Unparen(x)
	not, negated := x.(*ast.UnaryExpr)
	if negated && not.Op == token.NOT {
		x = ast.Unparen(not.X)
	}
	y, ok := x.(*ast.BinaryExpr)
	return ok && (y.Op == token.LAND || y.Op == token.LOR) && (negated || y.Op != op)
}

// hasEntries reports whether an expression has a literal with entries of a list or a map, or a call that makes one of its
// arguments. Where such an entry is what yaegi evaluates first of x && y or x || y, it takes the entry for the condition.
func (f *fn) hasEntries(x ast.Expr) (has bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CompositeLit:
			_, isStruct := f.e.under(f.typeOf(n)).(*types.Struct)
			has = has || len(n.Elts) > 0 && !isStruct
		case *ast.CallExpr:
			if tv := f.info.Types[n.Fun]; !tv.IsType() && !tv.IsBuiltin() && f.interpreted(n.Fun) {
				has = has || f.callSig(n).Variadic() && !n.Ellipsis.IsValid()
			}
		}
		return !has
	})
	return has
}

// interpreted reports whether a function may be one of a cell.
func (f *fn) interpreted(fun ast.Expr) bool {
	fo, _ := f.staticFunc(ast.Unparen(fun))
	return fo == nil || f.e.s.bodyOf(fo.Origin()) != nil || fo.Pkg() == nil || isCell(fo.Pkg())
}

func (f *fn) isVar(id *ast.Ident) bool {
	_, ok := f.info.Uses[id].(*types.Var)
	return ok
}

// atOnce reports whether Go's compiler keeps the value of an operation in a temporary where it comes to the operation, like
// that of a call, instead of computing it where it is used.
func (f *fn) atOnce(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.CallExpr:
		if !f.info.Types[x.Fun].IsType() {
			return true
		}
		_, toSlice := f.typeOf(x).Underlying().(*types.Slice)
		from, ok := f.typeOf(x.Args[0]).Underlying().(*types.Basic)
		return toSlice && ok && from.Info()&types.IsString != 0
	case *ast.SliceExpr:
		return true
	case *ast.TypeAssertExpr:
		return !pointerShaped(f.typeOf(x))
	case *ast.UnaryExpr:
		return x.Op == token.ARROW
	case *ast.BinaryExpr:
		return x.Op == token.LAND || x.Op == token.LOR
	case *ast.CompositeLit:
		_, isMap := f.e.under(f.typeOf(x)).(*types.Map)
		return isMap
	}
	return false
}

// hasEffects reports whether a call may change what an expression of the cell reads. A compiled function that gets only
// numbers and strings cannot.
func (f *fn) hasEffects(x *ast.CallExpr) bool {
	fun := ast.Unparen(x.Fun)
	if tv := f.info.Types[fun]; tv.IsType() {
		return false
	} else if tv.IsBuiltin() {
		return slices.Contains([]string{"append", "copy", "recover"}, f.builtinName(x))
	}
	if f.interpreted(fun) {
		return true
	}
	for _, a := range x.Args {
		if _, ok := f.argumentType(a).Underlying().(*types.Basic); !ok {
			return true
		}
	}
	return len(x.Args) == 0
}

// operands are what an expression evaluates before itself, from left to right.
func (f *fn) operands(x ast.Expr) []operand {
	switch x := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		if sel := f.info.Selections[x]; sel != nil && sel.Kind() != types.MethodExpr {
			return exprs(x.X)
		}
	case *ast.IndexExpr:
		if fo, _ := f.staticFunc(x); fo != nil || f.info.Types[x.Index].IsType() {
			return nil
		}
		return exprs(x.X, x.Index)
	case *ast.SliceExpr:
		return exprs(x.X, x.Low, x.High, x.Max)
	case *ast.StarExpr:
		return exprs(x.X)
	case *ast.UnaryExpr:
		return exprs(x.X)
	case *ast.BinaryExpr:
		return exprs(x.X, x.Y)
	case *ast.TypeAssertExpr:
		return exprs(x.X)
	case *ast.CompositeLit:
		return f.literalOperands(x)
	case *ast.CallExpr:
		return f.callOperands(x)
	}
	return nil
}

func (f *fn) literalOperands(x *ast.CompositeLit) []operand {
	var ops []operand
	t := f.typeOf(x)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	for i, el := range x.Elts {
		kv, keyed := el.(*ast.KeyValueExpr)
		if keyed {
			el = kv.Value
		}
		switch u := f.e.under(t).(type) {
		case *types.Map:
			ops = append(ops, operand{kv.Key, u.Key()}, operand{el, u.Elem()})
		case *types.Slice:
			ops = append(ops, operand{el, u.Elem()})
		case *types.Array:
			ops = append(ops, operand{el, u.Elem()})
		case *types.Struct:
			k := i
			if keyed {
				k = f.keyField(u, kv)
			}
			ops = append(ops, operand{el, f.e.subst(u.Field(k).Type(), nil, true)})
		}
	}
	return ops
}

func (f *fn) callOperands(x *ast.CallExpr) []operand {
	fun := ast.Unparen(x.Fun)
	if tv := f.info.Types[fun]; tv.IsType() {
		return []operand{{x.Args[0], f.typeOf(x)}}
	} else if tv.IsBuiltin() {
		return exprs(x.Args...)
	}
	var ops []operand
	if sel, ok := fun.(*ast.SelectorExpr); ok && f.info.Selections[sel] != nil && f.info.Selections[sel].Kind() == types.MethodVal {
		ops = exprs(sel.X)
	} else if fo, _ := f.staticFunc(fun); fo == nil {
		ops = exprs(fun)
	}
	if f.spreads(x) != nil {
		return append(ops, exprs(x.Args...)...)
	}
	sig := f.callSig(x)
	for i, a := range x.Args {
		o := operand{x: a}
		if last := sig.Params().Len() - 1; i < last || !sig.Variadic() || x.Ellipsis.IsValid() {
			o.t = sig.Params().At(i).Type()
		} else if s, ok := sig.Params().At(last).Type().Underlying().(*types.Slice); ok {
			o.t = s.Elem()
		}
		ops = append(ops, o)
	}
	return ops
}

func (f *fn) spillAll(list []operand) {
	for _, o := range list {
		f.spill(o.x)
		if o.t != nil && isInterface(o.t) && f.copiedForInterface(o.x) {
			f.pin(o.x)
		}
	}
}

// spill emits the calls in an expression, and what else is done at once, into temporaries.
func (f *fn) spill(x ast.Expr) {
	if x == nil {
		return
	}
	if tv := f.info.Types[x]; tv.Value != nil || tv.IsNil() || tv.IsType() || tv.IsBuiltin() {
		return
	}
	x = ast.Unparen(x)
	if y, ok := x.(*ast.BinaryExpr); ok && f.atOnce(y) {
		f.spillLogical(y)
		return
	}
	if lit, ok := x.(*ast.CompositeLit); ok && f.atOnce(lit) {
		m := f.e.under(f.typeOf(lit)).(*types.Map)
		for entry := range slices.Chunk(f.literalOperands(lit), 2) { // stored one after the other
			f.spillAll(entry[:1])
			if f.keyAtOnce(entry[0].x, m) {
				f.pin(entry[0].x)
			}
			f.spillAll(entry[1:])
			f.pin(entry[0].x)
			f.pin(entry[1].x)
		}
	} else {
		f.spillAll(f.operands(x))
	}
	if y, ok := x.(*ast.BinaryExpr); ok && f.comparesParts(y) {
		for _, z := range []ast.Expr{y.X, y.Y} { // which Go's run time gets by their addresses
			if !f.info.Types[z].Addressable() && f.read(z).loads {
				f.pin(z)
			}
		}
	}
	if f.atOnce(x) {
		f.pin(x)
	}
}

// keyAtOnce reports whether a key of a map's literal is copied before its value is evaluated: where Go's run time gets it by an
// address and it has none.
func (f *fn) keyAtOnce(key ast.Expr, m *types.Map) bool {
	if isInterface(m.Key()) && !isInterface(f.typeOf(key)) {
		return true
	}
	if f.info.Types[key].Addressable() {
		return false
	}
	u, basic := soleComponent(m.Key()).(*types.Basic)
	byValue := basic && (u.Info()&types.IsString != 0 || u.Info()&types.IsInteger != 0 && gcSizes.Sizeof(u) >= 4)
	return !byValue && !pointerShaped(m.Key()) || gcSizes.Sizeof(m.Elem()) > 128
}

// comparesParts reports whether an expression compares structs or arrays.
func (f *fn) comparesParts(x *ast.BinaryExpr) bool {
	if x.Op != token.EQL && x.Op != token.NEQ {
		return false
	}
	switch f.e.under(f.typeOf(x.X)).(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// spillLogical emits x && y and x || y. What y does first is done if y is evaluated.
func (f *fn) spillLogical(x *ast.BinaryExpr) {
	f.spill(x.X)
	n, not := f.temp("t"), ""
	if x.Op == token.LOR {
		not = "!"
	}
	f.printf("var %s %s = %s", n, f.typ(f.typeOf(x)), f.expr(x.X))
	f.printf("if %s%s {", not, n)
	f.spill(x.Y)
	f.printf("%s = %s", n, f.expr(x.Y))
	f.printf("}")
	f.pinTo(x, n)
}

// pin emits an expression into a temporary.
func (f *fn) pin(x ast.Expr) {
	x = ast.Unparen(x)
	tv := f.info.Types[x]
	if _, done := f.pins.names[x]; done || tv.Value != nil || tv.IsNil() || tv.IsType() || tv.IsVoid() {
		return
	}
	t := f.typeOf(x)
	if _, several := t.(*types.Tuple); several {
		return
	}
	n := f.temp("t")
	f.declare(n, t, f.expr(x))
	f.pinTo(x, n)
}

func (f *fn) pinTo(x ast.Expr, name string) {
	f.pins.names[x] = name
	f.pins.list = append(f.pins.list, x)
}

// copiedForInterface reports whether a value is copied at once for an interface: where Go's run time gets it by an address
// and it has none.
func (f *fn) copiedForInterface(x ast.Expr) bool {
	tv := f.info.Types[x]
	if tv.Value != nil || tv.IsNil() || isInterface(f.typeOf(x)) || !f.read(x).loads {
		return false
	}
	if _, isMap := f.mapElement(x); tv.Addressable() && !isMap {
		return false
	}
	t := f.typeOf(x)
	size, align := gcSizes.Sizeof(t), gcSizes.Alignof(t)
	switch {
	case size == 2 && align == 2, (size == 4 || size == 8) && align == size && !hasPointers(t):
		return false
	}
	switch u := soleComponent(t).(type) {
	case *types.Slice:
		return false
	case *types.Basic:
		return u.Info()&types.IsString == 0
	}
	return true
}

var gcSizes = types.SizesFor("gc", "amd64")

// soleComponent is the underlying type of what a struct of one field, or an array of one element, consists of.
func soleComponent(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if u.NumFields() == 1 {
			return soleComponent(u.Field(0).Type())
		}
	case *types.Array:
		if u.Len() == 1 {
			return soleComponent(u.Elem())
		}
	}
	return t.Underlying()
}

func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() > 0 && hasPointers(u.Elem())
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(u.Fields()), func(v *types.Var) bool { return hasPointers(v.Type()) })
	}
	return true
}

// pointerShaped reports whether a value of a type is a pointer to the compiler.
func pointerShaped(t types.Type) bool {
	switch u := soleComponent(t).(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}
