package display

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"
)

type point struct {
	X, Y   float64 `unit:"m"`
	hidden any
}

func (p point) HTML() string   { return fmt.Sprint("<i>", p.X, "</i>") }
func (p *point) Scale() string { return "pointer" }

// foreign stands for a value of a type that reflection does not see.
type foreign struct{ v any }

func (f foreign) DisplayValue() Value { return renamed{ValueOf(f.v), "main.T"} }

type renamed struct {
	Value
	name string
}

func (r renamed) TypeName() string { return r.name }

func TestReflectedValue(t *testing.T) {
	v := ValueOf(&point{1, 2, foreign{3}})
	if v.TypeName() != "*display.point" || v.Kind() != reflect.Pointer || v.IsNil() {
		t.Errorf("pointer: %s %s %v", v.TypeName(), v.Kind(), v.IsNil())
	}
	if f, ok := v.Method("Scale").(func() string); !ok || f() != "pointer" {
		t.Error("method of a pointer not found")
	}
	e := v.Elem()
	if f, ok := e.Method("HTML").(func() string); !ok || f() != "<i>1</i>" {
		t.Error("method of a struct not found")
	}
	if e.NumField() != 3 || e.Field(0).Tag.Get("unit") != "m" || e.Field(1).Value.Basic() != 2.0 || e.Field(2).Exported {
		t.Error("fields are wrong")
	}
	hidden := e.Field(2).Value
	if hidden.Interface() != nil || hidden.Method("DisplayValue") != nil || hidden.Kind() != reflect.Interface {
		t.Error("an unexported field gives away its value")
	}
	if ValueOf(nil).Kind() != reflect.Invalid || !ValueOf(nil).IsNil() || ValueOf(nil).TypeName() != "<nil>" || ValueOf(nil).Method("X") != nil {
		t.Error("nil is not seen as nil")
	}
}

func TestViewsWithinValues(t *testing.T) {
	s := ValueOf([]any{foreign{1}, 2, nil})
	if got := s.Index(0).Elem().TypeName(); got != "main.T" {
		t.Errorf("element is a %s", got)
	}
	if got := s.Index(1).Elem().TypeName(); got != "int" {
		t.Errorf("element is a %s", got)
	}
	if !s.Index(2).IsNil() || s.Len() != 3 {
		t.Error("nil element")
	}
	m := ValueOf(map[any]foreign{foreign{"k"}: {"v"}})
	k := m.Keys()[0]
	if got := m.MapIndex(k).Basic(); got != "v" || m.Len() != 1 {
		t.Errorf("map element %v", got)
	}
	if got := m.MapIndex(k).TypeName(); got != "main.T" {
		t.Errorf("map element is a %s", got)
	}
}

func TestBasic(t *testing.T) {
	for _, c := range []struct{ v, want any }{
		{true, true}, {int8(-3), int64(-3)}, {uint16(9), uint64(9)}, {float32(.5), .5}, {complex64(1i), 1i},
		{time.Duration(7), int64(7)}, {"s", "s"}, {[]int{1}, nil}, {errors.New("x"), nil},
	} {
		if got := ValueOf(c.v).Basic(); got != c.want {
			t.Errorf("Basic(%T %v) = %T %v", c.v, c.v, got, got)
		}
	}
}
