package tables

import (
	"go/constant"
	"go/token"
	"go/types"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gaucho/interp/rt/value"
	"gaucho/interp/symbols"

	"github.com/traefik/yaegi/interp"
	"gonum.org/v1/plot"
	gonumplotter "gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

func pprofStatus() int {
	w := httptest.NewRecorder()
	http.DefaultServeMux.ServeHTTP(w, httptest.NewRequest("GET", "/debug/pprof/cmdline", nil))
	return w.Code
}

var statusAtStart int

func init() { statusAtStart = pprofStatus() }

// TestEffects checks that the default mux has pprof's handlers only after the package was asked for.
func TestEffects(t *testing.T) {
	Table("net/http/pprof")
	if after := pprofStatus(); statusAtStart != http.StatusNotFound || after != http.StatusOK {
		t.Errorf("status %d at start, %d after", statusAtStart, after)
	}
}

// TestComplete fails when something that a package exports could be in a table and is in none.
func TestComplete(t *testing.T) {
	imp := symbols.NewImporter()
	for _, path := range symbols.Paths() {
		if path == "unsafe" {
			continue
		}
		pkg, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		table := Table(path)
		if table == nil {
			t.Errorf("%s has no table", path)
			continue
		}
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			if obj.Pkg() != pkg { // it has moved there
				continue
			}
			v, ok := table[name]
			if generic(obj) {
				if ok {
					t.Errorf("%s.%s is generic and in the table", path, name)
				}
				continue
			}
			if !ok {
				t.Errorf("%s.%s is in no table", path, name)
				continue
			}
			if err := kindError(obj, v); err != "" {
				t.Errorf("%s.%s %s: %v", path, name, err, v.Type())
			}
		}
	}
}

func generic(obj types.Object) bool {
	if sig, ok := obj.Type().(*types.Signature); ok {
		return sig.TypeParams().Len() > 0
	}
	if _, ok := obj.(*types.TypeName); !ok {
		return false
	}
	if n, ok := obj.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
		return true
	}
	iface, ok := obj.Type().Underlying().(*types.Interface)
	return ok && !iface.IsMethodSet()
}

// kindError says what is wrong with a table's value for an object.
func kindError(obj types.Object, v reflect.Value) string {
	switch obj := obj.(type) {
	case *types.Func:
		if v.Kind() != reflect.Func || v.Type().NumIn() != obj.Signature().Params().Len() {
			return "is not the function"
		}
	case *types.Var:
		if !v.CanSet() {
			return "cannot be set"
		}
	case *types.TypeName:
		if v.Kind() != reflect.Pointer || !v.IsNil() {
			return "is not a nil pointer"
		}
	case *types.Const:
		if c, ok := v.Interface().(constant.Value); ok {
			if c.Kind() == constant.Float {
				got, _ := constant.Float64Val(c)
				want, _ := constant.Float64Val(obj.Val())
				if got == want {
					return ""
				}
			} else if constant.Compare(c, token.EQL, obj.Val()) {
				return ""
			}
			return "has another value"
		}
		if !strings.HasPrefix(v.Type().String(), obj.Pkg().Name()+".") && v.Type().PkgPath() != "" &&
			!strings.Contains(obj.Type().String(), v.Type().Name()) {
			return "has another type than " + obj.Type().String()
		}
		return constError(obj.Val(), v)
	}
	return ""
}

func constError(want constant.Value, v reflect.Value) string {
	var got constant.Value
	switch {
	case v.CanInt():
		got = constant.MakeInt64(v.Int())
	case v.CanUint():
		got = constant.MakeUint64(v.Uint())
	case v.Kind() == reflect.String:
		got = constant.MakeString(v.String())
	case v.Kind() == reflect.Bool:
		got = constant.MakeBool(v.Bool())
	case v.CanFloat():
		f, _ := constant.Float64Val(want)
		if f == v.Float() {
			return ""
		}
		return "has another value"
	default:
		return "is of an unexpected kind"
	}
	if got.ExactString() != want.ExactString() {
		return "has another value than " + want.ExactString()
	}
	return ""
}

func TestPathsSorted(t *testing.T) {
	for _, list := range [][]table{stdTables, gonumTables, gauchoTables, platformTables, newerTables, stdWraps, gonumWraps, gauchoWraps, platformWraps, newerWraps} {
		if !slices.IsSortedFunc(list, func(a, b table) int { return strings.Compare(a.path, b.path) }) {
			t.Error("a list of tables is not sorted")
		}
		for _, table := range list {
			if n := len(strings.Fields(table.names)); n != len(table.values) {
				t.Errorf("%s: %d names for %d values", table.path, n, len(table.values))
			}
		}
	}
	if Table("nosuch") != nil || Table("internal/abi") != nil || Exports("nosuch") != nil {
		t.Error("there is a table for a package that cells cannot import")
	}
}

// TestYaegi has the interpreter use a function, a variable, a typed and an untyped constant, a type and a method.
func TestYaegi(t *testing.T) {
	i := interp.New(interp.Options{})
	for _, path := range []string{"fmt", "math", "time", "gonum.org/v1/gonum/mat", "os", "math/rand/v2", "net/http"} {
		if err := i.Use(Exports(path)); err != nil {
			t.Fatal(err)
		}
	}
	v, err := i.Eval(`
import p_fmt "fmt"
import p_math "math"
import p_time "time"
import p_mat "gonum.org/v1/gonum/mat"
import p_http "net/http"

func f() string {
	m := p_mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	m.Scale(2, m)
	var n *p_mat.Dense = m
	var u uint64 = p_math.MaxUint64
	d := 90 * p_time.Second
	p_http.DefaultClient.Timeout = d
	return p_fmt.Sprint(n.At(1, 1), u, d, p_math.Pi, p_http.StatusTeapot)
}
`)
	if err == nil {
		v, err = i.Eval("f()")
	}
	if want := "8 18446744073709551615 1m30s 3.141592653589793 418"; err != nil || v.String() != want {
		t.Fatalf("got %v, %v, want %s", v, err, want)
	}
}

// TestWrapper calls a compiled function with a wrapped box.
func TestWrapper(t *testing.T) {
	typ := &value.Type{String: "main.W"}
	var got []byte
	typ.Methods = []*value.Method{{Sig: value.Sig{Name: "Write"}, Func: func(recv any, p []byte) (int, error) {
		got = append(got, p...)
		return len(p), nil
	}}}
	f := Table("wrap/io")["Writer"]
	w := f.Call([]reflect.Value{reflect.ValueOf(value.Box{T: typ, V: 1})})[0]
	w2 := f.Call([]reflect.Value{reflect.ValueOf(value.Box{T: typ, V: 1})})[0]
	if w.Interface() != w2.Interface() {
		t.Error("equal boxes give different interface values")
	}
	if b, ok := value.Unwrap(w.Interface()).(value.Box); !ok || b.V != 1 {
		t.Error("the wrapper hides its box")
	}
	Table("fmt")["Fprint"].Call([]reflect.Value{w, reflect.ValueOf("hello")})
	if string(got) != "hello" {
		t.Errorf("wrote %q", got)
	}
}

// TestOptional checks that a wrapper has an optional method exactly when the boxed value's type has it.
func TestOptional(t *testing.T) {
	plotter := Table("wrap/gonum.org/v1/plot")["Plotter"]
	typ := &value.Type{String: "main.P", Methods: []*value.Method{
		{Sig: value.Sig{Name: "Plot"}, Func: func(any, draw.Canvas, *plot.Plot) {}},
	}}
	wrap := func() any {
		return plotter.Call([]reflect.Value{reflect.ValueOf(value.Box{T: typ, V: 1})})[0].Interface()
	}
	if _, ok := wrap().(plot.DataRanger); ok {
		t.Error("has DataRange without a method")
	}
	ranged := &value.Method{Sig: value.Sig{Name: "DataRange"}, Func: func(v any) (a, b, c, d float64) { return 1, 2, 3, float64(v.(int)) }}
	typ = &value.Type{String: "main.P", Methods: append([]*value.Method{ranged}, typ.Methods...)}
	r, ok := wrap().(plot.DataRanger)
	if !ok {
		t.Fatal("has no DataRange")
	}
	if _, _, _, d := r.DataRange(); d != 1 {
		t.Errorf("DataRange gives %g", d)
	}
	if _, ok := r.(plot.GlyphBoxer); ok {
		t.Error("has GlyphBoxes without a method")
	}
	if wrap() != wrap() {
		t.Error("equal boxes give different interface values")
	}
	ranged.Func = func(v any) float64 { return 1 }
	typ = &value.Type{String: "main.P", Methods: typ.Methods}
	if _, ok := wrap().(plot.DataRanger); ok {
		t.Error("has DataRange with another signature")
	}
	bars := Table("wrap/gonum.org/v1/plot/plotter")["XYer_YErrorer"].Type()
	if !bars.Out(0).AssignableTo(reflect.TypeOf(gonumplotter.NewYErrorBars).In(0)) {
		t.Error("the wrapper of an interface without a name has another type")
	}
}

func BenchmarkTable(b *testing.B) {
	for _, path := range []string{"fmt", "math", "syscall", "gonum.org/v1/gonum/mat"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				for _, t := range find(path) {
					t.addTo(map[string]reflect.Value{})
				}
			}
		})
	}
}
