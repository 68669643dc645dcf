package lower

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

func (f *fn) builtinName(x *ast.CallExpr) string {
	switch fun := ast.Unparen(x.Fun).(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return "unsafe." + fun.Sel.Name
	}
	return ""
}

// builtin emits a call of a built-in function.
func (f *fn) builtin(x *ast.CallExpr) string {
	e := f.e
	name := f.builtinName(x)
	if b, ok := f.info.Uses[identOf(x.Fun)].(*types.Builtin); ok && !strings.HasPrefix(name, "unsafe.") {
		name = b.Name()
	}
	if tup := f.spreads(x); tup != nil {
		return f.builtinSpread(x, tup)
	}
	switch name {
	case "len", "cap":
		return f.length(name, x.Args[0])
	case "append":
		return f.appendCall(x)
	case "copy":
		return "copy(" + f.expr(x.Args[0]) + ", " + f.expr(x.Args[1]) + ")"
	case "delete":
		m := f.typeOf(x.Args[0]).Underlying().(*types.Map)
		text := f.expr(x.Args[0])
		if !plainText.MatchString(text) && holdsInterface(m.Key()) {
			n := f.temp("t")
			f.printf("%s := %s", n, text)
			text = n
		}
		return "delete(" + text + ", " + f.mapKey(x.Args[1], m.Key(), text) + ")"
	case "make":
		return f.makeCall(x)
	case "new":
		if tv := f.info.Types[x.Args[0]]; tv.IsType() {
			return "new(" + f.typ(f.closed(tv.Type)) + ")"
		}
		t := f.typeOf(x).Underlying().(*types.Pointer).Elem()
		return e.pointerTo(f.to(x.Args[0], t), t)
	case "close":
		return "close(" + f.expr(x.Args[0]) + ")"
	case "panic":
		return "rt.Panic(" + f.to(x.Args[0], anyType) + ")"
	case "recover":
		return f.recoverCall()
	case "print", "println":
		var list []string
		for _, a := range x.Args {
			text := f.to(a, anyType)
			if !f.info.Types[a].IsNil() && isInterface(f.typeOf(a)) {
				text = "rt.IfaceOf(" + text + ")"
			}
			list = append(list, text)
		}
		return "rt.Builtin" + capital(name) + "(" + strings.Join(list, ", ") + ")"
	case "min", "max":
		return f.minMax(x, name)
	case "clear":
		return "rt.Clear(" + f.expr(x.Args[0]) + ")"
	case "unsafe.String", "unsafe.Slice":
		if text, ok := f.unsafeCall(x, name); ok {
			return text
		}
	case "complex":
		return f.complexCall(x)
	case "real", "imag":
		t := f.typeOf(x)
		text := name + "(" + f.expr(x.Args[0]) + ")"
		return e.typ(t) + "(" + text + ")"
	}
	e.refuse(x.Pos(), "%s cannot be interpreted", name)
	return ""
}

// builtinSpread emits a built-in function of the results of a call.
func (f *fn) builtinSpread(x *ast.CallExpr, tup *types.Tuple) string {
	var results *types.Tuple
	if tv := f.info.Types[x]; !tv.IsVoid() && tv.Type != nil {
		results = types.NewTuple(types.NewParam(0, nil, "", f.typeOf(x)))
	}
	sig := types.NewSignatureType(nil, nil, nil, nil, results, false)
	return f.viaTemps(x, tup, sig, func(y *ast.CallExpr, c *fn) string { return c.builtin(y) })
}

var anyType = types.NewInterfaceType(nil, nil).Complete()

func identOf(x ast.Expr) *ast.Ident {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	}
	return nil
}

func (f *fn) length(name string, x ast.Expr) string {
	t := f.typeOf(x)
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		if a, ok := p.Elem().Underlying().(*types.Array); ok {
			return f.e.helper("len "+f.typ(t), "len", func(name string) string {
				return "func " + name + "(p " + f.typ(t) + ") int { return " + strconv.Itoa(int(a.Len())) + " }"
			}) + "(" + f.expr(x) + ")"
		}
	}
	if a, ok := u.(*types.Array); ok {
		if star, ok := ast.Unparen(x).(*ast.StarExpr); ok {
			pt := f.typ(f.typeOf(star.X))
			return f.e.helper("lenptr "+pt, "len", func(name string) string {
				return "func " + name + "(p " + pt + ") int {\nif p == nil { rt.NilDereference() }\nreturn " + strconv.Itoa(int(a.Len())) + "\n}"
			}) + "(" + f.expr(star.X) + ")"
		}
	}
	return name + "(" + f.expr(x) + ")"
}

func (f *fn) appendCall(x *ast.CallExpr) string {
	e := f.e
	t := f.typeOf(x)
	sl := t.Underlying().(*types.Slice)
	first := f.to(x.Args[0], t)
	if len(x.Args) == 1 {
		return first
	}
	if x.Ellipsis.IsValid() {
		if f.info.Types[x.Args[1]].IsNil() {
			return first
		}
		if b, ok := f.typeOf(x.Args[1]).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			return "append(" + first + ", []byte(" + f.expr(x.Args[1]) + ")...)"
		}
		return "append(" + first + ", " + f.expr(x.Args[1]) + "...)"
	}
	list := []string{first}
	pure, alike := true, false
	for _, a := range x.Args[1:] {
		// yaegi takes a slice of the very type for the slice of elements.
		alike = alike || !f.info.Types[a].IsNil() && e.typ(f.typeOf(a)) == e.typ(sl)
		list = append(list, f.to(a, sl.Elem()))
		_, isIdent := ast.Unparen(a).(*ast.Ident)
		pure = pure && (isIdent || f.info.Types[a].Value != nil)
	}
	if len(list) > 2 && !pure || alike || e.typ(sl.Elem()) == e.typ(t) { // yaegi would evaluate a value after having stored the one before
		return "append(" + first + ", []" + e.typ(sl.Elem()) + "{" + elementText(list[1:]) + "}...)"
	}
	return "append(" + strings.Join(list, ", ") + ")"
}

func (f *fn) makeCall(x *ast.CallExpr) string {
	e := f.e
	t := f.typeOf(x)
	list := []string{e.typ(t)}
	for _, a := range x.Args[1:] {
		list = append(list, f.indexValue(a))
	}
	switch u := e.under(t).(type) {
	case *types.Map:
		return "make(" + list[0] + ")"
	case *types.Chan:
		if u.Dir() != types.SendRecv {
			list[0] = "chan " + e.typ(u.Elem())
			return conv(e.typ(t)) + "(make(" + strings.Join(list, ", ") + "))"
		}
	}
	return "make(" + strings.Join(list, ", ") + ")"
}

func (f *fn) complexCall(x *ast.CallExpr) string {
	t := f.typeOf(x)
	part := types.Typ[types.Float64]
	if t.Underlying().(*types.Basic).Kind() == types.Complex64 {
		part = types.Typ[types.Float32]
		return "complex64(complex(float64(" + f.to(x.Args[0], part) + "), float64(" + f.to(x.Args[1], part) + ")))"
	}
	return "complex(" + f.to(x.Args[0], part) + ", " + f.to(x.Args[1], part) + ")"
}

// minMax emits min and max as nested calls of helpers of two operands.
func (f *fn) minMax(x *ast.CallExpr, name string) string {
	e := f.e
	t := f.typeOf(x)
	tt := e.typ(t)
	text := f.to(x.Args[0], t)
	if t.Underlying().(*types.Basic).Info()&types.IsFloat != 0 {
		for _, a := range x.Args[1:] {
			text = "rt.Float" + capital(name) + "(float64(" + text + "), float64(" + f.to(a, t) + "))"
		}
		return tt + "(" + text + ")"
	}
	h := e.helper(name+" "+tt, name, func(h string) string {
		op := " < "
		if name == "max" {
			op = " > "
		}
		return "func " + h + "(a, b " + tt + ") " + tt + " {\nif b" + op + "a { return b }\nreturn a\n}"
	})
	for _, a := range x.Args[1:] {
		text = h + "(" + text + ", " + f.to(a, t) + ")"
	}
	return text
}

// recoverCall emits recover(). In a literal that is deferred where it is written, the function that defers it is at hand;
// elsewhere it is found among the goroutine's functions that are running deferred calls.
func (f *fn) recoverCall() string {
	if f.recovers != "" {
		return "rt.Recover(" + f.recovers + ")"
	}
	if f.tokenVar == "" {
		return "rt.Recover(nil)"
	}
	return "rt.Recover(" + f.tokenVar + ")"
}

// capital is a lower-case name as an exported one.
func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
