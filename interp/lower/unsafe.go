package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Libraries use package unsafe most of all to make a string of bytes, or bytes of a string, without a copy, on the promise
// that the bytes do not change; and to look at the bits of a number. These have a meaning without unsafe: with a copy.

// reinterpreted emits *(*T)(unsafe.Pointer(&x)), where that can be said without unsafe.
func (f *fn) reinterpreted(star *ast.StarExpr) (string, bool) {
	toPointer, ok := ast.Unparen(star.X).(*ast.CallExpr)
	if !ok || len(toPointer.Args) != 1 || !f.info.Types[toPointer.Fun].IsType() {
		return "", false
	}
	pointer, ok := ast.Unparen(toPointer.Args[0]).(*ast.CallExpr)
	if !ok || len(pointer.Args) != 1 || !isUnsafePointer(f.info.Types[pointer.Fun].Type) {
		return "", false
	}
	addr, ok := ast.Unparen(pointer.Args[0]).(*ast.UnaryExpr)
	if !ok || addr.Op != token.AND {
		return "", false
	}
	from, to := f.typeOf(addr.X), f.typeOf(star)
	text := conv(f.typ(to))
	switch {
	case isString(to) && isBytes(from), isBytes(to) && isString(from):
		return text + "(" + f.expr(addr.X) + ")", true
	}
	if bits := bitsFunc[[2]types.BasicKind{basicKind(from), basicKind(to)}]; bits != "" {
		return text + "(" + f.e.imp("math") + "." + bits + "(" + f.expr(addr.X) + "))", true
	}
	return "", false
}

// bitsFunc are the functions of package math that turn numbers of one kind into those of another with the same bits.
var bitsFunc = map[[2]types.BasicKind]string{
	{types.Float64, types.Uint64}: "Float64bits", {types.Uint64, types.Float64}: "Float64frombits",
	{types.Float32, types.Uint32}: "Float32bits", {types.Uint32, types.Float32}: "Float32frombits",
}

// unsafeCall emits unsafe.String of a slice's data, and unsafe.Slice of a string's.
func (f *fn) unsafeCall(x *ast.CallExpr, name string) (string, bool) {
	n := ":" + f.indexValue(x.Args[1]) + "]"
	switch data := ast.Unparen(x.Args[0]).(type) {
	case *ast.CallExpr:
		switch inner := f.builtinName(data); {
		case !f.info.Types[data.Fun].IsBuiltin():
		case name == "unsafe.String" && inner == "unsafe.SliceData":
			return "string(" + f.operand(data.Args[0]) + "[" + n + ")", true
		case name == "unsafe.Slice" && inner == "unsafe.StringData":
			return "[]byte(" + f.operand(data.Args[0]) + "[" + n + ")", true
		}
	case *ast.UnaryExpr:
		index, ok := ast.Unparen(data.X).(*ast.IndexExpr)
		if ok && name == "unsafe.String" && data.Op == token.AND && isBytes(f.typeOf(index.X)) {
			from := f.indexValue(index.Index)
			return "string(" + f.operand(index.X) + "[" + from + ":][" + n + ")", true
		}
	}
	return "", false
}

func isUnsafePointer(t types.Type) bool { return basicKind(t) == types.UnsafePointer }

func isString(t types.Type) bool { return basicKind(t) == types.String }

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && basicKind(s.Elem()) == types.Uint8
}

// basicKind is the kind of a basic type or of one made from it, Invalid for others.
func basicKind(t types.Type) types.BasicKind {
	if t == nil {
		return types.Invalid
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Kind()
	}
	return types.Invalid
}
