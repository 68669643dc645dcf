package compiled

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"gaucho/interp/engine"
)

// An operand is a step of a selector's path: the text so far, its type, and whether it can be addressed.
type operand struct {
	text        string
	typ         types.Type
	addressable bool
}

// selector is the text of x.Sel that is not called.
func (e *emitter) selector(x *ast.SelectorExpr) string {
	sel := e.info.Selections[x]
	if sel == nil {
		return e.qualified(x)
	}
	switch sel.Kind() {
	case types.FieldVal:
		return e.path(x, sel.Index()).text
	case types.MethodExpr:
		if m := e.sessionMethod(sel); m != nil {
			e.depend(m, false)
		}
		if startsGoroutine(sel) && len(sel.Index()) == 1 {
			return e.waitGroupGo()
		}
		if types.IsInterface(sel.Recv()) && !e.inSession(sel.Obj()) {
			return e.interfaceMethod(x, sel)
		}
		return e.expr(x.X) + "." + e.methodName(sel)
	}
	if m := e.sessionMethod(sel); m != nil {
		e.depend(m, false)
		e.methodInstance(x, sel, m)
	}
	op := e.path(x, sel.Index()[:len(sel.Index())-1])
	if startsGoroutine(sel) {
		return fmt.Sprintf("(func(wg *%s.WaitGroup) func(func()) { return func(f func()) { %s(wg, f) } })(%s)", e.lib("sync", "sync"), e.waitGroupGo(), op.address())
	}
	return op.text + "." + e.methodName(sel)
}

// startsGoroutine reports whether a selector means (*sync.WaitGroup).Go, which calls a function of the cell in a goroutine of
// its own. The runtime's function in its place reports a panic into the cell; Go's would end the worker.
func startsGoroutine(sel *types.Selection) bool {
	f, ok := sel.Obj().(*types.Func)
	return ok && f.FullName() == "(*sync.WaitGroup).Go"
}

// waitGroupGo is the runtime's function for that method. The receiver, a pointer, is its first parameter.
func (e *emitter) waitGroupGo() string { return e.lib("gaucho/interp/rt/run", "run") + ".WaitGroupGo" }

// address is the text of an operand as the receiver of a method of pointers.
func (op operand) address() string {
	if _, ok := op.typ.Underlying().(*types.Pointer); ok {
		return op.text
	}
	return "&" + op.text
}

// interfaceMethod is a method expression of a library's interface type, as a function literal: Go's own function for it lies in
// the library's package, and is in the program only if that itself uses it.
func (e *emitter) interfaceMethod(x *ast.SelectorExpr, sel *types.Selection) string {
	sig := e.info.TypeOf(x).Underlying().(*types.Signature)
	kinds, results := e.kinds(sig, x.Pos())
	var params, names []string
	for i, t := range kinds {
		names = append(names, fmt.Sprintf("a%s%d", mark, i))
		params = append(params, names[i]+" "+t)
	}
	give := ""
	if results != "" {
		give = "return "
	}
	if sig.Variadic() {
		names[len(names)-1] += "..."
	}
	return fmt.Sprintf("(func(%s)%s { %s%s.%s(%s) })", strings.Join(params, ", "), results, give, names[0], sel.Obj().Name(), strings.Join(names[1:], ", "))
}

func (e *emitter) methodName(sel *types.Selection) string {
	if e.inSession(sel.Obj()) {
		return e.methodOf(sel.Obj().(*types.Func))
	}
	return sel.Obj().Name()
}

// sessionMethod is the method of a type of the session that a selector means, nil for others.
func (e *emitter) sessionMethod(sel *types.Selection) *function {
	f, ok := sel.Obj().(*types.Func)
	if !ok {
		return nil
	}
	return e.s.function(f.Origin())
}

// path is the text of x.X and the fields along index.
func (e *emitter) path(x *ast.SelectorExpr, index []int) operand {
	op := operand{e.primary(x.X), e.info.TypeOf(x.X), e.info.Types[x.X].Addressable()}
	for _, i := range index {
		op = e.field(op, i, x.Pos())
	}
	return op
}

// field is the text of one field of an operand.
func (e *emitter) field(op operand, i int, pos token.Pos) operand {
	t := op.typ
	p, pointer := t.Underlying().(*types.Pointer)
	if pointer {
		t = p.Elem()
	}
	st, ok := core(t).(*types.Struct)
	if !ok { // a type parameter whose core type is a pointer
		p, _ := core(t).(*types.Pointer)
		pointer = true
		t = p.Elem()
		st = core(t).(*types.Struct)
	}
	f := st.Field(i)
	next := operand{typ: f.Type(), addressable: op.addressable || pointer}
	mirror := ""
	if !f.Exported() && e.inSession(f) {
		mirror = e.mirror(t, pos)
	}
	switch {
	case !f.Exported() && !e.inSession(f): // embedded in a type of a library: Go promotes what is selected through it
		next.text = op.text
	case mirror == "":
		next.text = op.text + "." + f.Name()
	case pointer:
		next.text = "(*" + mirror + ")(" + e.lib("unsafe", "unsafe") + ".Pointer(" + op.text + "))." + f.Name()
	case op.addressable:
		next.text = "(*" + mirror + ")(" + e.lib("unsafe", "unsafe") + ".Pointer(&" + op.text + "))." + f.Name()
	default:
		next.text = e.cell() + ".As[" + mirror + "](" + op.text + ")." + f.Name()
	}
	return next
}

// instead are functions of the runtime that stand for those of a library, whose own would reach past the cell.
var instead = map[string]string{
	"os.Exit": "Exit", "log.Fatal": "LogFatal", "log.Fatalf": "LogFatalf", "log.Fatalln": "LogFatalln",
	"os/exec.Command": "Command", "time.AfterFunc": "AfterFunc", "context.AfterFunc": "ContextAfterFunc",
	"fmt.Scan": "Scan", "fmt.Scanln": "Scanln", "fmt.Scanf": "Scanf",
}

// qualified is the text of a name of a package.
func (e *emitter) qualified(x *ast.SelectorExpr) string {
	obj := e.object(x.Sel)
	if obj.Pkg() == nil || obj.Pkg().Path() == "unsafe" {
		return e.lib("unsafe", "unsafe") + "." + x.Sel.Name
	}
	path := obj.Pkg().Path()
	if to := instead[path+"."+obj.Name()]; to != "" && path != "os" {
		return e.lib("gaucho/interp/rt/run", "run") + "." + to
	} else if to != "" {
		return e.cell() + "." + to
	}
	if path == "time" && obj.Name() == "Sleep" {
		return e.cell() + ".Sleep[" + e.lib("time", "time") + ".Duration]"
	}
	if path == "fmt" && throughCell[obj.Name()] {
		return e.cell() + "." + obj.Name()
	}
	return e.lib(path, obj.Pkg().Name()) + "." + obj.Name()
}

// throughCell are the functions of fmt that package cell has, of the same types.
var throughCell = map[string]bool{
	"Print": true, "Println": true, "Printf": true, "Sprint": true, "Sprintln": true, "Sprintf": true, "Errorf": true,
}

// call is the text of a call or a conversion.
func (e *emitter) call(x *ast.CallExpr) string {
	tv := e.info.Types[x.Fun]
	switch {
	case tv.IsType():
		return e.conversion(x, tv.Type)
	case tv.IsBuiltin():
		return e.builtin(x)
	}
	fun, args := e.callee(x)
	return fun + "(" + strings.Join(args, ", ") + e.ellipsis(x) + ")"
}

func (e *emitter) ellipsis(x *ast.CallExpr) string {
	if x.Ellipsis.IsValid() {
		return "..."
	}
	return ""
}

// callee is the text of what a call calls, and its arguments; a method's receiver may be one of them.
func (e *emitter) callee(x *ast.CallExpr) (fun string, args []string) {
	switch f := ast.Unparen(x.Fun).(type) {
	case *ast.SelectorExpr:
		if sel := e.info.Selections[f]; sel != nil {
			return e.methodCall(x, f, sel)
		}
		obj := e.object(f.Sel)
		if _, ok := obj.(*types.Var); ok {
			e.dynamic()
		}
		if obj.Pkg() != nil && obj.Pkg().Path() == "fmt" {
			switch obj.Name() {
			case "Fprint", "Fprintln", "Fprintf": // only for calls: their writer is of another type
				if !e.spreads(x) {
					return e.cell() + "." + obj.Name(), e.args(x)
				}
			}
		}
		fun, args = e.qualified(f), e.args(x)
		if called, ok := obj.(*types.Func); ok {
			if names, ok := engine.ParameterNames(x, called, e.info); ok {
				args = append(args, strings.TrimSuffix(fun, called.Name())+names)
			}
		}
		return fun, args
	case *ast.Ident:
		if _, ok := e.object(f).(*types.Func); !ok {
			e.dynamic()
		}
		return e.function(f), e.args(x)
	case *ast.IndexExpr, *ast.IndexListExpr:
		if _, ok := e.info.TypeOf(indexed(f)).(*types.Signature); !ok {
			e.dynamic()
		}
		return e.function(indexed(f)) + "[" + e.list(indices(f)) + "]", e.args(x)
	case *ast.FuncLit:
		return "(" + e.expr(f) + ")", e.args(x)
	}
	e.dynamic()
	return e.primary(x.Fun), e.args(x)
}

func indexed(x ast.Expr) ast.Expr {
	switch x := x.(type) {
	case *ast.IndexExpr:
		return x.X
	case *ast.IndexListExpr:
		return x.X
	}
	return x
}

func indices(x ast.Expr) []ast.Expr {
	if x, ok := x.(*ast.IndexExpr); ok {
		return []ast.Expr{x.Index}
	}
	return x.(*ast.IndexListExpr).Indices
}

// dynamic notes that what is being written calls a function that is only known when it runs.
func (e *emitter) dynamic() {
	if e.fn != nil {
		e.fn.dynamic = true
	}
}

func (e *emitter) methodCall(x *ast.CallExpr, f *ast.SelectorExpr, sel *types.Selection) (fun string, args []string) {
	switch sel.Kind() {
	case types.FieldVal:
		e.dynamic()
		return e.path(f, sel.Index()).text, e.args(x)
	case types.MethodExpr:
		return e.selector(f), e.args(x)
	}
	op := e.path(f, sel.Index()[:len(sel.Index())-1])
	if startsGoroutine(sel) {
		return e.waitGroupGo(), append([]string{op.address()}, e.args(x)...)
	}
	m := e.sessionMethod(sel)
	var of []types.Type
	if m != nil {
		of = e.methodInstance(f, sel, m)
	}
	if m == nil || e.literal > 0 || !e.forwards() || e.spreads(x) || !e.nameableAll(of) {
		if m == nil && types.IsInterface(op.typ) && e.inSession(sel.Obj()) {
			e.dynamic()
		}
		if m != nil {
			e.depend(m, true)
		}
		return op.text + "." + e.methodName(sel), e.args(x)
	}
	e.depend(m, true)
	recv := op.text
	_, isPointer := op.typ.Underlying().(*types.Pointer)
	_, wants := m.obj.Signature().Recv().Type().Underlying().(*types.Pointer)
	if named, ok := types.Unalias(op.typ).(*types.Named); ok && isPointer && !wants {
		_, wants = named.Underlying().(*types.Pointer)
	}
	switch {
	case wants && !isPointer:
		recv = "&" + recv
	case !wants && isPointer:
		recv = "*" + recv
	}
	return e.ref(&m.home, "F"+mark+m.name) + e.typeArguments(of, x.Pos()), append([]string{recv}, e.args(x)...)
}

// spreads reports whether a call's arguments are the results of one other call.
func (e *emitter) spreads(x *ast.CallExpr) bool {
	if len(x.Args) != 1 {
		return false
	}
	_, ok := e.info.TypeOf(x.Args[0]).(*types.Tuple)
	return ok
}

// args is the text of a call's arguments.
func (e *emitter) args(x *ast.CallExpr) []string {
	sig, _ := core(e.info.TypeOf(x.Fun)).(*types.Signature)
	var out []string
	for i, a := range x.Args {
		text := ""
		if sig != nil {
			text = e.stream(a, parameter(sig, i, x.Ellipsis.IsValid()))
		}
		if text == "" {
			text = e.expr(a)
		}
		out = append(out, text)
	}
	return out
}

// parameter is the type that argument i of a call must be assignable to.
func parameter(sig *types.Signature, i int, spread bool) types.Type {
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last && !spread {
		if s, ok := sig.Params().At(last).Type().Underlying().(*types.Slice); ok {
			return s.Elem()
		}
	}
	return sig.Params().At(min(i, last)).Type()
}

// stream is the text of os.Stdin as a reader, or of os.Stdout or os.Stderr as a writer: the cell's streams. It is empty for other
// expressions and types. A program's standard input is that of its process.
func (e *emitter) stream(x ast.Expr, to types.Type) string {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok || e.info.Selections[sel] != nil || !types.IsInterface(to) {
		return ""
	}
	obj, has := e.info.Uses[sel.Sel], to.Underlying().(*types.Interface)
	if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != "os" || has.NumMethods() != 1 {
		return ""
	}
	switch name, method := obj.Name(), has.Method(0).Name(); {
	case name == "Stdin" && method == "Read" && !e.part.Program, (name == "Stdout" || name == "Stderr") && method == "Write":
		return e.cell() + "." + name
	}
	return ""
}

func (e *emitter) builtin(x *ast.CallExpr) string {
	id, _ := ast.Unparen(x.Fun).(*ast.Ident)
	if id == nil { // of package unsafe
		sel := ast.Unparen(x.Fun).(*ast.SelectorExpr)
		return e.lib("unsafe", "unsafe") + "." + sel.Sel.Name + "(" + e.list(x.Args) + e.ellipsis(x) + ")"
	}
	if id.Name == "recover" {
		return e.cell() + ".Recovered(recover())"
	}
	return id.Name + "(" + e.list(x.Args) + e.ellipsis(x) + ")"
}

// conversion is the text of T(x).
func (e *emitter) conversion(x *ast.CallExpr, to types.Type) string {
	text := e.typ(to, x.Pos())
	from := e.info.TypeOf(x.Args[0])
	if stream := e.stream(x.Args[0], to); stream != "" {
		return "(" + text + ")(" + stream + ")"
	}
	if e.otherOwner(from, to) {
		return e.cell() + ".As[" + text + "](" + e.expr(x.Args[0]) + ")"
	}
	return "(" + text + ")(" + e.expr(x.Args[0]) + ")"
}

// otherOwner reports whether two struct types, or what two pointers point to, have unexported fields and come from
// different packages, so that Go does not convert one to the other.
func (e *emitter) otherOwner(from, to types.Type) bool {
	p, isPointer := from.Underlying().(*types.Pointer)
	if q, ok := to.Underlying().(*types.Pointer); ok && isPointer {
		from, to = p.Elem(), q.Elem()
	}
	a, ok := origin(from).(*types.Struct)
	b, ok2 := origin(to).(*types.Struct)
	return ok && ok2 && e.hidden(a) && e.owner(a) != e.owner(b)
}

// origin is the underlying type as it was declared.
func origin(t types.Type) types.Type {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Underlying()
	}
	return t.Underlying()
}
