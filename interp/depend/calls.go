package depend

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"gaucho/interp/check"
)

// call enters a call of a function: what it changes among its arguments. Of functions of cells that is known from their source. Of
// those of libraries it is taken from their form: what returns nothing or an error is there for what it does.
func (e *effects) call(n *ast.CallExpr) {
	fun := ast.Unparen(n.Fun)
	tv := e.p.Info.Types[fun]
	switch {
	case tv.IsType():
		return
	case tv.IsBuiltin():
		e.builtin(n)
		return
	}
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var obj types.Object
	switch x := fun.(type) {
	case *ast.Ident:
		obj = e.p.Info.Uses[x]
	case *ast.SelectorExpr:
		if sel := e.p.Info.Selections[x]; sel != nil {
			if f, ok := sel.Obj().(*types.Func); ok && sel.Kind() == types.MethodVal {
				e.method(n, x, f)
				return
			}
		} else {
			obj = e.p.Info.Uses[x.Sel]
		}
	}
	switch {
	case obj == nil:
		e.unknown(n)
	case isSession(e.p, obj) && nameOf(obj) != "":
		e.pass(nameOf(obj), n.Args)
	default:
		if f, ok := obj.(*types.Func); ok {
			e.library(n, f)
		} else {
			e.unknown(n)
		}
	}
}

func (e *effects) builtin(n *ast.CallExpr) {
	id, ok := ast.Unparen(n.Fun).(*ast.Ident)
	if !ok || len(n.Args) == 0 {
		return
	}
	switch id.Name {
	case "delete", "clear", "copy", "close":
		e.write(&ast.ParenExpr{X: &ast.StarExpr{X: n.Args[0]}})
	case "append":
		if _, part := ast.Unparen(n.Args[0]).(*ast.SliceExpr); part {
			e.may(n.Args[0], "append to a part of it may overwrite what follows")
		}
	}
}

// pass enters the arguments of a function of a cell.
func (e *effects) pass(callee string, args []ast.Expr) {
	for i, a := range args {
		e.passOne(callee, i, a)
	}
}

func (e *effects) passOne(callee string, index int, a ast.Expr) {
	if r := e.rootOf(a); r.name != "" || r.isParam {
		if r.address || index == receiver || refers(e.p.Info.TypeOf(a)) {
			e.passed = append(e.passed, passed{argument{callee, index}, r.name, r.param})
		}
	}
}

// acts reports whether a call is there for what it does: its results are thrown away, or it has none but an error.
func (e *effects) acts(n *ast.CallExpr) bool {
	t := e.p.Info.TypeOf(n)
	if tuple, ok := t.(*types.Tuple); ok {
		if tuple.Len() == 0 {
			return true
		}
		t = tuple.At(tuple.Len() - 1).Type()
	}
	return t == nil || isError(t)
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// method enters a call of a method.
func (e *effects) method(n *ast.CallExpr, sel *ast.SelectorExpr, f *types.Func) {
	recv := f.Signature().Recv().Type()
	if types.IsInterface(recv) {
		e.reads[anyType+"."+f.Name()] = true
		e.passOne(anyType+"."+f.Name(), receiver, sel.X)
		e.pass(anyType+"."+f.Name(), n.Args)
		if f.Pkg() != e.p.Pkg && (e.acts(n) || e.thrown[n]) && !readers[f.Name()] {
			e.may(sel.X, "a call of "+f.Name()+" through an interface may change it")
		}
		return
	}
	if f.Pkg() == e.p.Pkg && check.ReceiverOf(f) != nil {
		e.passOne(nameOf(f), receiver, sel.X)
		e.pass(nameOf(f), n.Args)
		return
	}
	_, pointer := recv.Underlying().(*types.Pointer)
	switch {
	case !pointer && !refers(recv.Underlying()) || readers[f.Name()] || pureTypes[types.TypeString(recv, nil)]:
	case e.acts(n) || e.thrown[n]:
		e.write(&ast.StarExpr{X: sel.X})
	case pointer:
		e.may(sel.X, "the method "+f.Name()+" may change it")
	}
	e.library(n, f)
}

// readers are methods of libraries that by convention change nothing.
var readers = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields("At AtVec Dims Caps IsEmpty RawMatrix RawVector RowView ColView Slice Row T Len Cap Size String Error Err Load Bytes " +
		"Name Names Type Kind Value Values Unix Count Rows Columns Column Contains Has Is Format Available Done Deadline") {
		out[name] = true
	}
	return out
}()

// pureTypes are types of libraries whose methods with results change nothing.
var pureTypes = map[string]bool{"*gaucho/stdlib/table.Table": true, "*gaucho/stdlib/table.Column": true, "*regexp.Regexp": true, "*math/big.Int": false}

// quietPackages are those whose functions change none of their arguments but those whose address they get.
var quietPackages = func() map[string]bool {
	out := map[string]bool{}
	for _, path := range strings.Fields("fmt log os errors strings bytes strconv math math/cmplx time testing context unicode unicode/utf8 path/filepath reflect " +
		"gaucho/stdlib/display gaucho/plotting gaucho/stdlib/vec gonum.org/v1/gonum/stat") {
		out[path] = true
	}
	return out
}()

// resizers are functions of package slices that return a slice and change the one they got.
var resizers = map[string]bool{"Delete": true, "DeleteFunc": true, "Insert": true, "Replace": true, "Compact": true, "CompactFunc": true}

// library enters the arguments of a function of a library.
func (e *effects) library(n *ast.CallExpr, f *types.Func) {
	path := ""
	if f.Pkg() != nil {
		path = f.Pkg().Path()
	}
	acts := e.acts(n)
	for i, a := range n.Args {
		u, address := ast.Unparen(a).(*ast.UnaryExpr)
		address = address && u.Op == token.AND
		switch {
		case !address && !refers(e.p.Info.TypeOf(a)):
		case path == "fmt" && !strings.Contains(f.Name(), "can") && !(i == 0 && strings.HasPrefix(f.Name(), "F")):
		case path == "fmt" || address && acts || path == "container/heap" || i == 0 && changesFirst(path, f.Name(), acts):
			e.write(&ast.StarExpr{X: a})
		case address || acts && !quietPackages[path]:
			e.may(a, f.Name()+" may change it")
		}
	}
}

func changesFirst(path, name string, acts bool) bool {
	switch path {
	case "sort", "maps":
		return acts
	case "slices":
		return acts || resizers[name]
	}
	return false
}

// unknown enters the arguments of a call of which it is not known what is called.
func (e *effects) unknown(n *ast.CallExpr) {
	if _, literal := ast.Unparen(n.Fun).(*ast.FuncLit); literal {
		return
	}
	for _, a := range n.Args {
		if refers(e.p.Info.TypeOf(a)) {
			e.may(a, "a function in a variable may change it")
		}
	}
}
