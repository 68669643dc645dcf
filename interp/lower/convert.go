package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"gaucho/interp/engine"
)

// nilText is the nil of a type.
func (e *emitter) nilText(t types.Type) string {
	if isInterface(t) && (!e.compiledInterface(t) || types.Identical(t, types.Universe.Lookup("error").Type())) {
		return "nil"
	}
	// yaegi's compiler fails on a bare nil as the argument of a compiled function
	return conv(e.typ(t)) + "(nil)"
}

// conv is a type as the operator of a conversion. It has parentheses only where they are needed: yaegi's conditions go wrong
// with them.
func conv(t string) string {
	unfinished := strings.HasSuffix(t, ")") && strings.Contains(t, "func(") // "[]func()(nil)" has nil for a result
	if unfinished || strings.HasPrefix(t, "*") || strings.HasPrefix(t, "<-") || strings.HasPrefix(t, "func") || strings.HasPrefix(t, "chan") {
		return "(" + t + ")"
	}
	return t
}

// to emits an expression as a value of type t, to which it is assignable.
func (f *fn) to(x ast.Expr, t types.Type) string {
	e := f.e
	tv := f.info.Types[x]
	if tv.IsNil() {
		return e.nilText(t)
	}
	if tv.Value != nil {
		if !isInterface(t) {
			return e.constText(tv.Value, t)
		}
		from := f.typeOf(x)
		return e.convert(e.constText(tv.Value, from), from, t)
	}
	from := f.typeOf(x)
	if b, ok := tv.Type.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 && !isInterface(t) {
		return f.expr(x) // an untyped comparison or shift, which its context gives a type
	}
	return e.convert(f.expr(x), from, t)
}

// asksUser reports whether an expression is the variable os.Stdin and t a type that can only read. Where it is an argument of
// such a type in a cell, or converted to one, the reader that asks the user for lines takes its place; the process's own
// standard input is empty.
func (f *fn) asksUser(x ast.Expr, t types.Type) bool {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Stdin" || f.d.program {
		return false
	}
	if i, ok := t.Underlying().(*types.Interface); !ok || i.NumMethods() != 1 || i.Method(0).Name() != "Read" {
		return false
	}
	v, ok := f.info.Uses[sel.Sel].(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "os"
}

// convert turns the text of a value of type from into one of type to, to which it is assignable.
func (e *emitter) convert(text string, from, to types.Type) string {
	if from == to {
		return text
	}
	if isInterface(to) {
		return e.toInterface(text, from, to)
	}
	if isInterface(from) {
		e.refuse(e.pos(), "internal: %v assigned to %v", from, to)
	}
	if ft, tt := e.typ(from), e.typ(to); ft != tt {
		return conv(tt) + "(" + text + ")"
	}
	return text
}

func (e *emitter) toInterface(text string, from, to types.Type) string {
	if b, ok := from.(*types.Basic); ok && b.Kind() == types.UntypedNil {
		return "nil"
	}
	if isInterface(from) {
		switch fc, tc := e.compiledInterface(from), e.compiledInterface(to); {
		case !fc && !tc:
			return text
		case fc && tc:
			if types.Identical(from, to) {
				return text
			}
			return e.helperInto(to) + "(rt.Unwrap(" + text + "))" // a wrapper for to has other methods
		case fc:
			return "rt.Unwrap(" + text + ")"
		default:
			return e.helperInto(to) + "(" + text + ")"
		}
	}
	if e.native(from) {
		if e.compiledInterface(to) {
			return text
		}
		if _, isFunc := from.Underlying().(*types.Signature); isFunc {
			return "any(" + text + ")"
		}
		return text
	}
	if plainError(from) && types.Identical(to, types.Universe.Lookup("error").Type()) {
		return "rt.ErrBox{Box: " + e.box(text, from) + "}"
	}
	if n, ok := types.Unalias(to).(*types.Named); ok && n.Obj().Pkg() != nil && !e.s.interpreted(n.Obj().Pkg()) && to.Underlying().(*types.Interface).Empty() {
		return "rt.Reveal(" + e.box(text, from) + ")" // a crypto.PrivateKey, say, in which a crypto.Signer is looked for
	}
	return e.wrap(e.box(text, from), to)
}

// plainError reports whether an error of a type is to compiled code what rt.NewError makes of one without further methods.
func plainError(t types.Type) bool {
	if !types.Comparable(t) {
		return false
	}
	for m := range types.NewMethodSet(t).Methods() {
		if m.Obj().Exported() && m.Obj().Name() != "Error" {
			return false
		}
	}
	return true
}

// box is a value of a cell's type as an interface that is represented as any holds it.
func (e *emitter) box(text string, t types.Type) string {
	d := e.desc(t)
	e.table(t)
	return "rt.Box{T: " + d + ", V: " + text + "}"
}

// wrap is a box as a value of interface type t.
func (e *emitter) wrap(box string, t types.Type) string {
	if !e.compiledInterface(t) {
		return box
	}
	n := types.Unalias(t).(*types.Named)
	if n.Obj().Pkg() == nil {
		return "rt.NewError(" + box + ")"
	}
	path := "wrap/" + n.Obj().Pkg().Path()
	if !e.s.lib.Has(path, n.Obj().Name()) {
		e.refuse(e.pos(), "a value of a cell's type cannot be converted to %s.%s in the interpreter", n.Obj().Pkg().Path(), n.Obj().Name())
	}
	return e.imp(path) + "." + n.Obj().Name() + "(" + box + ")"
}

// helper returns the name of a helper function, which emit writes when it is new in the session.
func (e *emitter) helper(key, base string, emit func(name string) string) string {
	if n, ok := e.s.helpers[key]; ok {
		return n
	}
	name := e.s.fresh("h_" + base)
	engine.Set(&e.s.Undo, e.s.helpers, key, name)
	text := emit(name)
	e.decl("%s\n", text)
	return name
}

// helperInto names a function that converts any to a compiled interface that the value is known to implement, or nil.
func (e *emitter) helperInto(t types.Type) string {
	tt := e.typ(t)
	return e.helper("into "+tt, "into", func(name string) string {
		e.describe(t)
		return "func " + name + "(x any) " + tt + " {\n" +
			"if x == nil { var z " + tt + "; return z }\n" +
			"if b, ok := rt.BoxOf(x); ok { return " + e.wrap("b", t) + " }\n" +
			"return x.(" + tt + ")\n}"
	})
}

// identity names a function that returns its argument, of a function type. A literal that goes directly to compiled
// code would not capture the variables of its iteration.
func (e *emitter) identity(t types.Type) string {
	tt := e.typ(t)
	return e.helper("id "+tt, "id", func(name string) string {
		return "func " + name + "(f " + tt + ") " + tt + " { return f }"
	})
}

// conversion emits T(x).
func (f *fn) conversion(call *ast.CallExpr) string {
	e := f.e
	x := call.Args[0]
	to := f.typeOf(call)
	tv := f.info.Types[x]
	if tv.IsNil() {
		return e.nilText(to)
	}
	from := f.typeOf(x)
	if isInterface(to) {
		if f.asksUser(x, to) {
			return "rt.Stdin"
		}
		text := f.to(x, to)
		if !e.compiledInterface(to) && !isInterface(from) && e.native(from) {
			return "any(" + text + ")"
		}
		return text
	}
	if isInterface(from) {
		e.refuse(x.Pos(), "internal: conversion of %v to %v", from, to)
	}
	fu, tu := from.Underlying(), to.Underlying()
	if tv.Value != nil {
		if b, ok := tu.(*types.Basic); ok {
			if fb, ok := fu.(*types.Basic); ok && (b.Info()&types.IsString != 0) == (fb.Info()&types.IsString != 0) {
				return e.constText(tv.Value, to) // a type parameter's conversion, not folded by the checker
			}
		}
	}
	text := f.expr(x)
	switch t := tu.(type) {
	case *types.Array:
		if sl, ok := fu.(*types.Slice); ok {
			_ = sl
			return "rt.SliceToArray(" + text + ", " + e.desc(types.NewArray(t.Elem(), t.Len())) + ").(" + e.typ(to) + ")"
		}
	case *types.Pointer:
		if _, ok := fu.(*types.Slice); ok {
			return "rt.SliceToArrayPointer(" + text + ", " + e.desc(t) + ").(" + e.typ(to) + ")"
		}
	case *types.Basic:
		if fb, ok := fu.(*types.Basic); ok && t.Info()&types.IsString != 0 && fb.Info()&types.IsInteger != 0 {
			if fb.Info()&types.IsUnsigned != 0 {
				return "rt.StringOfUint(uint64(" + text + "))"
			}
			return "rt.StringOfInt(int64(" + text + "))"
		}
		if fb, ok := fu.(*types.Basic); ok && t.Info()&types.IsInteger != 0 && fb.Info()&types.IsFloat != 0 && t.Info()&types.IsUnsigned != 0 {
			if t.Kind() == types.Uint64 || t.Kind() == types.Uint || t.Kind() == types.Uintptr {
				return e.typ(to) + "(rt.FloatToUint(float64(" + text + ")))"
			}
		}
	}
	ft, tt := e.typ(from), e.typ(to)
	if ft == tt {
		return text
	}
	return conv(tt) + "(" + text + ")"
}
