package value

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"gaucho/stdlib/display"
)

// describeView writes all that a view shows.
func describeView(v display.Value, depth int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%v", v.TypeName(), v.Kind())
	if v.Kind() == reflect.Invalid || v.IsNil() || depth > 6 {
		return b.String()
	}
	if _, ok := v.Method("String").(func() string); ok {
		b.WriteString(" stringer")
	}
	switch v.Kind() {
	case reflect.Struct:
		b.WriteString("{")
		for i := range v.NumField() {
			f := v.Field(i)
			fmt.Fprintf(&b, "%s %q %v %v %s;", f.Name, f.Tag, f.Exported, f.Embedded, describeView(f.Value, depth+1))
		}
		b.WriteString("}")
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(&b, "[%d:", v.Len())
		for i := range v.Len() {
			b.WriteString(describeView(v.Index(i), depth+1) + ",")
		}
		b.WriteString("]")
	case reflect.Map:
		var list []string
		for _, k := range v.Keys() {
			list = append(list, describeView(k, depth+1)+"="+describeView(v.MapIndex(k), depth+1))
		}
		fmt.Fprintf(&b, "map%d", len(list))
		if len(list) == 1 {
			b.WriteString(list[0])
		}
	case reflect.Pointer, reflect.Interface:
		b.WriteString("->" + describeView(v.Elem(), depth+1))
	default:
		fmt.Fprintf(&b, "=%v", v.Basic())
	}
	return b.String()
}

// A view of a box shows what a view of the value itself shows.
func TestView(t *testing.T) {
	l := &lowering{map[reflect.Type]*Type{}}
	for _, v := range cases() {
		if v == nil {
			continue
		}
		b, ok := l.box(v).(Boxed)
		if !ok {
			continue
		}
		got, want := describeView(b.Unboxed().DisplayValue(), 0), describeView(display.ValueOf(v), 0)
		if got != want {
			t.Errorf("%T:\n got  %s\n want %s", v, got, want)
		}
		if i := b.Unboxed().DisplayValue().Interface(); i != nil {
			if g, w := fmt.Sprintf("%v", i), fmt.Sprintf("%v", v); g != w && !sameButAddress(g, w) {
				t.Errorf("%T prints %s, want %s", v, g, w)
			}
		}
	}
}

func TestViewMethod(t *testing.T) {
	l := &lowering{map[reflect.Type]*Type{}}
	v := l.box(weekday(1)).(Box).DisplayValue()
	if f, ok := v.Method("String").(func() string); !ok || f() != "Mon" {
		t.Errorf("String is %T", v.Method("String"))
	}
	if v.Method("Nothing") != nil {
		t.Error("there is a method Nothing")
	}
	typ := &Type{String: "main.T", Kind: reflect.Int, Methods: []*Method{{Sig{"Add", ""}, func(r any, a int, more ...int) (int, error) {
		return r.(int) + a + len(more), nil
	}}}}
	f := view{typ, reflect.ValueOf(40), true}.Method("Add").(func(int, ...int) (int, error))
	if n, err := f(1, 9); n != 42 || err != nil {
		t.Errorf("Add gives %d %v", n, err)
	}
}
