package value

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"gaucho/interp/wire"
)

// TestPanicked: what the engine panics with becomes what Go would panic with.
func TestPanicked(t *testing.T) {
	cause := errors.New("x")
	for _, c := range []struct {
		in   any
		want string
	}{
		{Thrown{cause}, "x"},
		{reflect.ValueOf(Thrown{cause}), "x"},
		{"reflect: slice index out of range", "runtime error: index out of range"},
		{&reflect.ValueError{Method: "reflect.Value.Field"}, "runtime error: " + nilDereference},
		{"strings: negative Repeat count", "strings: negative Repeat count"},
	} {
		if got := fmt.Sprint(Panicked(c.in)); got != c.want {
			t.Errorf("%v: got %q, want %q", c.in, got, c.want)
		}
	}
	if _, ok := Panicked("reflect: slice index out of range").(runtime.Error); !ok {
		t.Error("an index out of range is no runtime.Error")
	}
}

// TestRecursiveTypes: types that contain themselves, through a struct and without one, are their own parts.
func TestRecursiveTypes(t *testing.T) {
	Lookup = func(string, string) reflect.Value { return reflect.Value{} }
	const base = 900
	_, err := Define([]wire.Type{
		{ID: base, String: "int", Kind: uint(reflect.Int), Native: true},
		{ID: base + 1, String: "main.N", Kind: uint(reflect.Struct), Name: "N", Path: "main", Fields: []wire.Field{
			{Name: "v", Type: base}, {Name: "Next", Type: base + 2, Exported: true}, {Name: "Kids", Type: base + 3, Exported: true}, {Name: "Two", Type: base + 6, Exported: true}}},
		{ID: base + 6, String: "[2]*main.N", Kind: uint(reflect.Array), Len: 2, Elem: base + 2},
		{ID: base + 2, String: "*main.N", Kind: uint(reflect.Pointer), Elem: base + 1},
		{ID: base + 3, String: "[]main.N", Kind: uint(reflect.Slice), Elem: base + 1},
		{ID: base + 4, String: "main.F", Kind: uint(reflect.Func), Name: "F", Path: "main", Params: []int{base}, Results: []int{base + 4}, Recursive: true},
		{ID: base + 5, String: "main.M", Kind: uint(reflect.Map), Name: "M", Path: "main", Key: base, Elem: base + 5, Recursive: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	n, f, m := typeByID(base+1).Lowered, typeByID(base+4).Lowered, typeByID(base+5).Lowered
	if n.Field(1).Type.Elem() != n || n.Field(2).Type.Elem() != n || n.Field(3).Type.Elem().Elem() != n || n.Field(0).Name != "X_v" {
		t.Errorf("N is %v", n)
	}
	if f.Out(0) != f || f.In(0) != reflect.TypeFor[int]() {
		t.Error("F does not return itself")
	}
	if m.Elem() != m {
		t.Error("M does not hold itself")
	}
	v := reflect.MakeMap(m)
	v.SetMapIndex(reflect.ValueOf(1), reflect.MakeMap(m))
	if v.MapIndex(reflect.ValueOf(1)).Len() != 0 || v.Len() != 1 {
		t.Error("a map of itself does not work as a map")
	}
	x := reflect.New(n).Elem()
	x.Field(1).Set(x.Addr())
	runtime.GC()
	if x.Field(1).Elem().Field(1).Pointer() != x.Field(1).Pointer() {
		t.Error("a pointer back is lost")
	}
}

func TestImplements(t *testing.T) {
	stringer := &Type{String: "main.S", Kind: reflect.Interface, Iface: []Sig{{"String", "func()string"}}}
	if !Implements(&strings.Builder{}, stringer) || Implements(3, stringer) {
		t.Error("wrong answer for ordinary values")
	}
	box := Box{T: &Type{String: "main.T", Methods: []*Method{{Sig: Sig{"String", "func()int"}}}}}
	if Implements(box, stringer) {
		t.Error("a method of another signature counts")
	}
}

func TestEqual(t *testing.T) {
	a, b := &Type{String: "main.A", Kind: reflect.Int}, &Type{String: "main.B", Kind: reflect.Int}
	if !Equal(Box{a, 1}, Box{a, 1}) || Equal(Box{a, 1}, Box{b, 1}) || Equal(Box{a, 1}, 1) || !Equal(ErrBox{Box{a, 1}}, Box{a, 1}) {
		t.Error("boxes do not compare as interfaces do")
	}
	defer func() {
		if e, ok := Panicked(recover()).(error); !ok || e.Error() != "runtime error: comparing uncomparable type main.L" {
			t.Errorf("got %v", e)
		}
	}()
	l := Box{&Type{String: "main.L", Kind: reflect.Slice}, []int{1}}
	Equal(l, l)
}

func TestTemplateData(t *testing.T) {
	text := &Type{Kind: reflect.String, Native: true, Lowered: reflect.TypeFor[string]()}
	st := &Type{String: "main.P", Kind: reflect.Struct, Fields: []Field{{Name: "Name", Type: text, Exported: true}}}
	plain := struct{ Name string }{"a"}
	if got := TemplateData(Box{st, plain}); got != any(plain) {
		t.Errorf("got %v", got)
	}
	if got := TemplateData(map[string]any{"p": Box{st, plain}}).(map[string]any)["p"]; got != any(plain) {
		t.Errorf("got %v", got)
	}
	withMethod := &Type{String: "main.Q", Kind: reflect.Struct, Methods: []*Method{{}}}
	defer func() {
		if _, ok := Panicked(recover()).(Refused); !ok {
			t.Error("a type with methods is not refused")
		}
	}()
	TemplateData(Box{withMethod, plain})
}
