package lower

import (
	"go/ast"
	"go/constant"
	"go/types"
	"log"
	"slices"
	"strconv"
	"strings"
)

// runtimeFuncs are functions of compiled packages in whose place package rt has its own: they print values of cells'
// types as Go does, write to the cell of the goroutine, or end when the cell is interrupted. The signatures are equal.
var runtimeFuncs = map[string]string{
	"fmt.Print": "Print", "fmt.Println": "Println", "fmt.Printf": "Printf",
	"fmt.Sprint": "Sprint", "fmt.Sprintln": "Sprintln", "fmt.Sprintf": "Sprintf",
	"fmt.Fprint": "Fprint", "fmt.Fprintln": "Fprintln", "fmt.Fprintf": "Fprintf",
	"fmt.Append": "Append", "fmt.Appendln": "Appendln", "fmt.Appendf": "Appendf",
	"fmt.Errorf":      "Errorf",
	"flag.Var":        "FlagVar",
	"time.Sleep":      "Sleep",
	"time.AfterFunc":  "AfterFunc",
	"os.Exit":         "Exit",
	"runtime.Goexit":  "Goexit",
	"reflect.TypeOf":  "TypeOf",
	"reflect.ValueOf": "ValueOf",
}

// bareFuncs look at an argument by reflection, and must get the lowered value instead of its box.
var bareFuncs = map[string]bool{
	"sort.Slice": true, "sort.SliceStable": true, "sort.SliceIsSorted": true, "reflect.Swapper": true,
	"encoding/binary.Read": true, "encoding/binary.Write": true, "encoding/binary.Size": true, "encoding/binary.Append": true,
	"encoding/binary.Encode": true, "encoding/binary.Decode": true,
}

// refusedFuncs cannot be right on types of cells.
var refusedFuncs = map[string]string{
	"runtime.SetFinalizer":       "runtime.SetFinalizer on a value of a cell's type",
	"encoding/gob.Register":      "encoding/gob with a type of a cell",
	"encoding/gob.RegisterName":  "encoding/gob with a type of a cell",
	"encoding/xml.Marshal":       "encoding/xml with a type of a cell",
	"encoding/xml.Unmarshal":     "encoding/xml with a type of a cell",
	"encoding/xml.MarshalIndent": "encoding/xml with a type of a cell",
	"encoding/asn1.Marshal":      "encoding/asn1 with a type of a cell",
	"encoding/asn1.Unmarshal":    "encoding/asn1 with a type of a cell",

	"encoding/json/v2.Marshal":         "encoding/json/v2 with a type of a cell",
	"encoding/json/v2.MarshalWrite":    "encoding/json/v2 with a type of a cell",
	"encoding/json/v2.MarshalEncode":   "encoding/json/v2 with a type of a cell",
	"encoding/json/v2.Unmarshal":       "encoding/json/v2 with a type of a cell",
	"encoding/json/v2.UnmarshalRead":   "encoding/json/v2 with a type of a cell",
	"encoding/json/v2.UnmarshalDecode": "encoding/json/v2 with a type of a cell",

	"encoding/asn1.MarshalWithParams":   "encoding/asn1 with a type of a cell",
	"encoding/asn1.UnmarshalWithParams": "encoding/asn1 with a type of a cell",

	"flag.TextVar":     "flag.TextVar with a type of a cell",
	"net/rpc.Register": "net/rpc with a type of a cell",
	"reflect.ValueOf":  "reflect.ValueOf of a value of a cell's type",
}

// hostFuncs show the interpreter's own stack, in which functions of cells do not appear.
var hostFuncs = map[string]bool{
	"runtime.Caller": true, "runtime.Callers": true, "runtime.FuncForPC": true, "runtime.Stack": true,
	"runtime/debug.Stack": true, "runtime/debug.PrintStack": true, "runtime.CallersFrames": true,
	"(log/slog.Record).Source": true,
}

// flagsFuncs set the flags of a logger, their last argument.
var flagsFuncs = map[string]bool{"log.SetFlags": true, "log.New": true, "(*log.Logger).SetFlags": true}

// refuseSource refuses a logger that is to show where it was called.
func (f *fn) refuseSource(x *ast.CallExpr) {
	v := f.info.Types[x.Args[len(x.Args)-1]].Value
	if v == nil {
		return
	}
	if flags, _ := constant.Int64Val(constant.ToInt(v)); flags&(log.Lshortfile|log.Llongfile) != 0 {
		f.e.refuse(x.Pos(), "log.Lshortfile or log.Llongfile cannot be interpreted")
	}
}

// moduleFuncs stand for functions in the source of modules that cells may not call.
var moduleFuncs = map[string]string{
	"runtime.Caller": "Caller", "runtime.Callers": "Callers", "runtime.Stack": "Stack",
	"runtime/debug.Stack": "DebugStack", "runtime/debug.PrintStack": "PrintStack", "runtime.SetFinalizer": "SetFinalizer",
}

func fullName(fo *types.Func) string {
	if fo.Pkg() == nil {
		return fo.Name()
	}
	return fo.Pkg().Path() + "." + fo.Name()
}

// alias is the function of package rt that stands for a compiled one used as a value.
func (e *emitter) alias(fo *types.Func) string {
	if fo.Signature().Recv() != nil {
		return ""
	}
	if n := runtimeFuncs[fullName(fo)]; n != "" {
		return "rt." + n
	}
	return ""
}

// special emits calls of functions that are not called as they are.
func (f *fn) special(x *ast.CallExpr, fo *types.Func, targs []types.Type) (string, bool) {
	e := f.e
	if fo.Pkg() == nil || isCell(fo.Pkg()) || fo.Signature().Recv() != nil {
		return "", false
	}
	name := fullName(fo)
	sig := f.callSig(x)
	if tup := f.spreads(x); tup != nil {
		return f.viaTemps(x, tup, sig, func(y *ast.CallExpr, c *fn) string { return c.call(y) }), true
	}
	if n := moduleFuncs[name]; n != "" && f.d.module {
		return "rt." + n + "(" + f.args(x, sig, compiled) + ")", true
	}
	if hostFuncs[name] && !f.d.module {
		e.refuse(x.Pos(), "%s cannot be interpreted", name)
	}
	if why := refusedFuncs[name]; why != "" && (f.boxesAny(x) || slices.ContainsFunc(targs, f.boxed)) {
		e.refuse(x.Pos(), "%s cannot be interpreted", why)
	}
	if flagsFuncs[name] {
		f.refuseSource(x)
	}
	if n := runtimeFuncs[name]; n != "" {
		return "rt." + n + "(" + f.args(x, sig, compiled) + ")", true
	}
	switch name {
	case "errors.As":
		if text, ok := f.errorsAs(x); ok {
			return text, true
		}
	case "reflect.DeepEqual":
		if f.boxesAny(x) || isInterface(f.argumentType(x.Args[0])) || isInterface(f.argumentType(x.Args[1])) {
			return "rt.DeepEqual(" + f.args(x, sig, compiled) + ")", true
		}
	case "slices.Sort", "slices.Max", "slices.Min", "slices.Reverse", "slices.Contains", "slices.Index", "slices.BinarySearch":
		if text, ok := f.fastSlices(x, fo.Name()); ok {
			return text, true
		}
	}
	if bareFuncs[name] {
		var list []string
		for i, a := range x.Args {
			pt := paramType(sig, i, x)
			switch {
			case !isInterface(pt) || e.compiledInterface(pt):
				list = append(list, f.to(a, pt))
			case isInterface(f.argumentType(a)):
				list = append(list, "rt.Bare("+f.to(a, pt)+")")
			default:
				list = append(list, f.expr(a))
			}
		}
		text := strings.Join(list, ", ")
		if x.Ellipsis.IsValid() {
			text += "..."
		}
		fn, _ := f.funcText(fo, targs)
		return fn + "(" + text + ")", true
	}
	return "", false
}

func paramType(sig *types.Signature, i int, x *ast.CallExpr) types.Type {
	n := sig.Params().Len()
	if sig.Variadic() && i >= n-1 {
		last := sig.Params().At(n - 1).Type()
		if x.Ellipsis.IsValid() {
			return last
		}
		return last.Underlying().(*types.Slice).Elem()
	}
	return sig.Params().At(i).Type()
}

// boxesAny reports whether an argument would be boxed.
func (f *fn) boxesAny(x *ast.CallExpr) bool {
	for _, a := range x.Args {
		if f.info.Types[a].IsNil() {
			continue
		}
		if f.boxed(f.argumentType(a)) {
			return true
		}
	}
	return false
}

// boxed reports whether compiled code gets values of a type in boxes.
func (f *fn) boxed(t types.Type) bool { return !isInterface(t) && !f.e.native(t) }

// errorsAs emits errors.As for a target of a cell's type.
func (f *fn) errorsAs(x *ast.CallExpr) (string, bool) {
	e := f.e
	if len(x.Args) != 2 {
		return "", false
	}
	if isInterface(f.typeOf(x.Args[1])) {
		sig := f.callSig(x)
		return "rt.As(" + f.args(x, sig, compiled) + ")", true
	}
	p, ok := f.typeOf(x.Args[1]).Underlying().(*types.Pointer)
	if !ok {
		return "", false
	}
	t := p.Elem()
	if e.native(t) && !isInterface(t) {
		return "", false
	}
	tt := e.typ(t)
	h := e.helper("as "+strconv.Itoa(e.info(t).id), "errorsas", func(name string) string {
		d, target := e.desc(t), "p"
		get := e.cast("b.(rt.Box).V", t)
		switch {
		case e.compiledInterface(t):
			get = e.helperInto(t) + "(b)"
		case isInterface(t):
			get = "b"
		}
		if !e.compiledInterface(t) {
			target = "rt.Box{T: " + e.desc(types.NewPointer(t)) + ", V: p}"
		}
		return "func " + name + "(err error, p *" + tt + ") bool {\nb, ok, done := rt.FindAs(err, " + d + ", " + target + ")\nif !ok { return done }\n*p = " + get + "\nreturn true\n}"
	})
	errType := types.Universe.Lookup("error").Type()
	return h + "(" + f.to(x.Args[0], errType) + ", " + f.expr(x.Args[1]) + ")", true
}

// fastSlices emits compiled instances of functions of package slices for common types.
func (f *fn) fastSlices(x *ast.CallExpr, name string) (string, bool) {
	if len(x.Args) == 0 || f.spreads(x) != nil {
		return "", false
	}
	t := f.typeOf(x.Args[0])
	sl, ok := t.Underlying().(*types.Slice)
	if !ok || !f.e.native(t) && f.typ(t) != f.typ(sl) {
		return "", false
	}
	kind := map[string]string{"[]int": "Ints", "[]float64": "Floats", "[]string": "Strings"}[f.typ(sl)]
	if kind == "" {
		return "", false
	}
	list := []string{f.expr(x.Args[0])}
	for _, a := range x.Args[1:] {
		list = append(list, f.to(a, sl.Elem()))
	}
	return "rt." + name + kind + "(" + strings.Join(list, ", ") + ")", true
}

// refusedMethods cannot be right with an argument of a cell's type.
var refusedMethods = map[string]string{
	"(*encoding/gob.Encoder).Encode":        "encoding/gob with a type of a cell",
	"(*encoding/gob.Decoder).Decode":        "encoding/gob with a type of a cell",
	"(*encoding/xml.Encoder).Encode":        "encoding/xml with a type of a cell",
	"(*encoding/xml.Encoder).EncodeElement": "encoding/xml with a type of a cell",
	"(*encoding/xml.Decoder).Decode":        "encoding/xml with a type of a cell",
	"(*encoding/xml.Decoder).DecodeElement": "encoding/xml with a type of a cell",
	"(*flag.FlagSet).TextVar":               "flag.TextVar with a type of a cell",
	"(*net/rpc.Server).Register":            "net/rpc with a type of a cell",
	"(*net/rpc.Client).Call":                "net/rpc with a type of a cell",
}

// runtimeMethods are methods in whose place package rt has a function, which takes the receiver first.
var runtimeMethods = map[string]string{
	"(reflect.Type).Implements": "TypeImplements", "(reflect.Type).AssignableTo": "TypeAssignableTo",
	"(reflect.Type).ConvertibleTo": "TypeConvertibleTo", "(reflect.Value).Convert": "ValueConvert",
	"(reflect.Value).CanConvert": "ValueCanConvert", "(reflect.Value).Elem": "ValueElem",
	"(*encoding/json.Decoder).Decode": "DecodeJSON",
	"(*encoding/json.Encoder).Encode": "EncodeJSON",
	"(*flag.FlagSet).Var":             "FlagSetVar",
	"(*sync.WaitGroup).Go":            "WaitGroupGo",
	"(*sync/atomic.Value).Store":      "StoreValue", "(*sync/atomic.Value).Swap": "SwapValue",
	"(*sync/atomic.Value).CompareAndSwap": "CompareAndSwapValue",
	"(*log.Logger).Printf":                "LoggerPrintf", "(*log.Logger).Panicf": "LoggerPanicf", "(*log.Logger).Fatal": "LoggerFatal",
	"(*log.Logger).SetFlags": "LoggerSetFlags", "(*log.Logger).Fatalf": "LoggerFatalf", "(*log.Logger).Fatalln": "LoggerFatalln",
	"(*log/slog.Record).Add":          "SlogAdd",
	"(*log/slog.Logger).Debug":        "SlogDebug",
	"(*log/slog.Logger).Info":         "SlogInfo",
	"(*log/slog.Logger).Warn":         "SlogWarn",
	"(*log/slog.Logger).Error":        "SlogError",
	"(*log/slog.Logger).DebugContext": "SlogDebugContext",
	"(*log/slog.Logger).InfoContext":  "SlogInfoContext",
	"(*log/slog.Logger).WarnContext":  "SlogWarnContext",
	"(*log/slog.Logger).ErrorContext": "SlogErrorContext",
	"(*log/slog.Logger).Log":          "SlogLog",
	"(*log/slog.Logger).With":         "SlogWith",
}

// refuseMethod refuses a method that cannot be right, where it is used as a value: what it will get is not known.
func (e *emitter) refuseMethod(s selected) {
	if !s.binary {
		return
	}
	if why := refusedMethods[s.method.FullName()]; why != "" {
		e.refuse(e.pos(), "the method %s used as a value, perhaps for %s, cannot be interpreted", s.method.Name(), why)
	}
}

// staticType emits reflect.ValueOf(x).Type() and, for a pointer, reflect.ValueOf(x).Elem().Type() without looking at the value.
func (f *fn) staticType(sel *ast.SelectorExpr) (string, bool) {
	call, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	if !ok {
		return "", false
	}
	elem := ""
	if inner, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && inner.Sel.Name == "Elem" && len(call.Args) == 0 {
		if call, ok = ast.Unparen(inner.X).(*ast.CallExpr); !ok {
			return "", false
		}
		elem = ".Elem()"
	}
	fo, _ := f.staticFunc(call.Fun)
	if fo == nil || fullName(fo) != "reflect.ValueOf" || len(call.Args) != 1 {
		return "", false
	}
	if _, pointer := f.typeOf(call.Args[0]).Underlying().(*types.Pointer); elem != "" && !pointer {
		return "", false
	}
	return "rt.TypeOf(" + f.to(call.Args[0], anyType) + ")" + elem, true
}

// specialMethod emits calls of methods that are not called as they are.
func (f *fn) specialMethod(x *ast.CallExpr, sel *ast.SelectorExpr, s selected) (string, bool) {
	if s.binary {
		name := s.method.FullName()
		if hostFuncs[name] && !f.d.module {
			f.e.refuse(x.Pos(), "%s cannot be interpreted", name)
		}
		if flagsFuncs[name] {
			f.refuseSource(x)
		}
		if why := refusedMethods[name]; why != "" && f.boxesAny(x) {
			f.e.refuse(x.Pos(), "%s cannot be interpreted", why)
		}
		if strings.HasSuffix(name, "/template.Template).Execute") || strings.HasSuffix(name, "/template.Template).ExecuteTemplate") {
			sig := f.callSig(x)
			list := []string{s.recv}
			if _, ok := s.typ.Underlying().(*types.Pointer); !ok {
				list[0] = "&" + s.recv
			}
			for i, a := range x.Args {
				list = append(list, f.to(a, sig.Params().At(i).Type()))
			}
			return "rt.Template" + s.method.Name() + "(" + strings.Join(list, ", ") + ")", true
		}
		if name == "(log/slog.Value).Any" {
			return "rt.Unwrap(" + s.recv + ".Any())", true
		}
		if strings.HasSuffix(name, "/template.Template).Funcs") {
			return s.recv + ".Funcs(rt.TemplateFuncs(" + f.to(x.Args[0], f.callSig(x).Params().At(0).Type()) + "))", true
		}
	}
	if tup := f.spreads(x); tup != nil {
		return f.viaTemps(x, tup, f.callSig(x), func(y *ast.CallExpr, c *fn) string { return c.call(y) }), true
	}
	return "", false
}

// viaTemps emits a literal, called in place, that keeps the results of the call that is the only argument of x in
// variables, and calls emit with a call of the same function on these.
func (f *fn) viaTemps(x *ast.CallExpr, tup *types.Tuple, sig *types.Signature, emit func(y *ast.CallExpr, c *fn) string) string {
	c := f.child(nil)
	c.recovers, c.tokenVar = f.recovers, f.tokenVar
	var names []string
	y := &ast.CallExpr{Fun: x.Fun, Lparen: x.Lparen, Rparen: x.Rparen}
	f.info.Types[y] = f.info.Types[x]
	defer delete(f.info.Types, y)
	p := temps{f: c}
	defer p.remove()
	for v := range tup.Variables() {
		id, name := p.ident("arg", x.Pos(), v.Type())
		names = append(names, name)
		y.Args = append(y.Args, id)
	}
	ret := ""
	if sig.Results().Len() > 0 {
		ret = "return "
	}
	c.printf("func()%s {", f.e.resultText(sig))
	if !f.d.src {
		c.printf("%s", noPlace) // a panic passes through the statement anyway
	}
	fun := ast.Unparen(x.Fun)
	if sel, isSel := fun.(*ast.SelectorExpr); !isSel || f.info.Selections[sel] != nil && f.info.Selections[sel].Kind() == types.FieldVal {
		if fo, _ := f.staticFunc(fun); fo == nil && !f.info.Types[fun].IsBuiltin() {
			id, name := p.ident("fun", x.Pos(), f.typeOf(fun))
			c.declare(name, f.typeOf(fun), c.fresh(fun, f.typeOf(fun)))
			y.Fun = id
		}
	}
	if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok && hasCall(sel.X) {
		if s := f.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			y.Fun = p.receiver(sel, s)
		}
	}
	c.printf("%s := %s", strings.Join(names, ", "), f.expr(x.Args[0]))
	c.printf("%s%s", ret, emit(y, c))
	c.b.WriteString("}()" + f.inlineLine(x.End()))
	return c.b.String()
}
