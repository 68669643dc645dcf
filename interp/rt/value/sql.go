package value

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// A parameter is the base for what a box is to database/sql as an argument of a statement: a driver's own checker finds
// the value of the cell's type in it, and everything else asks for its Value, which is that of the underlying type.
type parameter struct{ Box }

// Value is what driver.DefaultParameterConverter makes of the value, with its words for what cannot be converted.
func (p parameter) Value() (driver.Value, error) {
	t, v := p.T, reflect.ValueOf(p.V)
	for t.Kind == reflect.Pointer && t.Elem != nil {
		if !v.IsValid() || v.IsNil() {
			return nil, nil
		}
		t, v = t.Elem, v.Elem()
	}
	if basic(t) {
		return driver.DefaultParameterConverter.ConvertValue(v.Interface())
	}
	if t.Kind == reflect.Slice {
		return nil, fmt.Errorf("unsupported type %s, a slice of %s", t.String, t.Elem.Kind)
	}
	return nil, fmt.Errorf("unsupported type %s, a %s", t.String, t.Kind)
}

// basic reports whether values of a type are what a driver can take: a number, a string, a bool or bytes.
func basic(t *Type) bool {
	return t.Kind <= reflect.Float64 && t.Kind != reflect.Uintptr || t.Kind == reflect.String || t.Kind == reflect.Slice && t.Elem.Kind == reflect.Uint8
}

// Parameter returns what a value of type any is to database/sql as an argument of a statement.
func Parameter(v any) any {
	r := Reveal(v)
	b, ok := v.(Box)
	if _, converts := r.(driver.Valuer); !ok || converts {
		return r
	}
	return Compose(b, parameter{b})
}

// Convertible is Parameter for the converters of package driver, which look at a value's kind.
func Convertible(v any) any {
	if b, ok := v.(Box); ok && basic(b.T) {
		if _, converts := Reveal(v).(driver.Valuer); !converts {
			return b.V
		}
	}
	return Parameter(v)
}

// Destination returns what a value of type any is to Rows.Scan, which assigns to a number or a string of a cell's type through
// the pointer to it, or through the pointer to that.
func Destination(v any) any {
	r := Reveal(v)
	b, ok := v.(Box)
	if _, scans := r.(interface{ Scan(any) error }); !ok || scans || !unnamedPointer(b.T) {
		return r
	}
	t := b.T.Elem
	for unnamedPointer(t) && !slices.ContainsFunc(t.Methods, func(m *Method) bool { return m.Name == "Scan" }) {
		t = t.Elem
	}
	if basic(t) {
		return b.V
	}
	return Compose(b, destination{b})
}

func unnamedPointer(t *Type) bool { return t.Kind == reflect.Pointer && t.Name == "" }

// A destination is the base for what a box of a pointer is to Rows.Scan where nothing can be assigned through it.
type destination struct{ Box }

// Scan returns what database/sql says of such a pointer.
func (d destination) Scan(from any) error {
	if v := reflect.ValueOf(d.V); !v.IsValid() || v.IsNil() {
		return errors.New("destination pointer is nil")
	}
	return fmt.Errorf("unsupported Scan, storing driver.Value type %T into type %s", from, d.T.String)
}
