package table

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"gaucho/internal/words"
)

// From returns a table of values that a program has:
//
//   - a slice of structs, or of pointers to them, a row for each and a column for each exported field, with the names that
//     [ReadCSV] reads them by;
//   - a slice of maps from names to values of any types, as encoding/json decodes records, with the columns sorted by name and
//     values missing that a map does not have;
//   - a map from names to slices, a column for each, sorted by name. A []float64, []int, []bool, []time.Time or []string is
//     not copied.
//
// Values are integers, floats, bools, strings, times, pointers to these (nil is missing), or types that write themselves as
// text (encoding.TextMarshaler).
func From(v any) (*Table, error) {
	if t, ok := v.(*Table); ok && t != nil {
		return t, nil
	}
	t, x := reflectOf(v)
	name := "nil"
	if t != nil {
		name = t.String()
	}
	if x.Kind() == reflect.Pointer && !x.IsNil() {
		t, x = t.Elem(), x.Elem()
	}
	switch {
	case x.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		return fromColumns(t, x)
	case x.Kind() != reflect.Slice:
	case structOf(t.Elem()) != nil:
		return fromStructs(t, x)
	case t.Elem().Kind() == reflect.Map && t.Elem().Key().Kind() == reflect.String:
		return fromMaps(t, x)
	}
	return nil, fmt.Errorf("table: From takes a slice of structs or maps, or a map from names to slices, not a %s", name)
}

func fromStructs(t reflect.Type, x reflect.Value) (*Table, error) {
	fields := fieldsOf(structOf(t.Elem()), nil)
	if len(fields) == 0 {
		return nil, fmt.Errorf("table: %s has no exported fields", t.Elem())
	}
	cols := make([]*Column, len(fields))
	values := make([]any, x.Len())
	for j, f := range fields {
		if cols[j] = f.copied(x); cols[j] != nil {
			continue
		}
		for i := range values {
			values[i] = nil
			row := x.Index(i)
			if row.Kind() == reflect.Pointer {
				if row.IsNil() {
					continue
				}
				row = row.Elem()
			}
			v, err := plain(f.typ, row.FieldByIndex(f.index))
			if err != nil {
				return nil, fmt.Errorf("table: column %s, row %d: %w", f.columnName(), i, err)
			}
			values[i] = v
		}
		c, err := columnOf(f.columnName(), values)
		if err != nil {
			return nil, err
		}
		cols[j] = c
	}
	return distinct(x.Len(), cols)
}

// copied returns the column of a field of structs if the field has one of the types of columns, otherwise nil. It also returns
// nil where no row has a value, of which [columnOf] knows the type.
func (f field) copied(x reflect.Value) *Column {
	t := x.Type().Elem()
	if x.Len() == 0 || t.Kind() != reflect.Struct || t.FieldByIndex(f.index).Type != f.typ {
		return nil
	}
	f.place(t)
	c := &Column{name: f.columnName()}
	switch f.typ {
	case reflect.TypeFor[int]():
		c.kind, c.ints = Int, gather[int](x, f.offset)
	case reflect.TypeFor[float64]():
		c.kind, c.floats = Float, gather[float64](x, f.offset)
	case reflect.TypeFor[bool]():
		c.kind, c.bools = Bool, gather[bool](x, f.offset)
	case reflect.TypeFor[string]():
		c.kind, c.strings = String, gather[string](x, f.offset)
	case reflect.TypeFor[time.Time]():
		c.kind, c.times = Time, gather[time.Time](x, f.offset)
		for i, at := range c.times {
			if at.IsZero() && c.missing == nil {
				c.missing = make([]bool, len(c.times))
			}
			if at.IsZero() {
				c.times[i], c.missing[i] = time.Time{}, true
			}
		}
		if c.missing != nil && !slices.Contains(c.missing, false) {
			return nil
		}
	default:
		return nil
	}
	return c
}

// gather returns the fields at an offset in a slice of structs.
func gather[T any](x reflect.Value, offset uintptr) []T {
	out := make([]T, x.Len())
	first, size := x.UnsafePointer(), x.Type().Elem().Size()
	for i := range out {
		out[i] = *(*T)(unsafe.Add(first, uintptr(i)*size+offset))
	}
	return out
}

func fromMaps(t reflect.Type, x reflect.Value) (*Table, error) {
	rows := make([]map[string]any, x.Len())
	names := map[string]bool{}
	for i := range rows {
		rows[i] = map[string]any{}
		for k, v := range x.Index(i).Seq2() {
			p, err := plain(t.Elem().Elem(), v)
			if err != nil {
				return nil, fmt.Errorf("table: column %s, row %d: %w", k, i, err)
			}
			rows[i][k.String()], names[k.String()] = p, true
		}
	}
	var cols []*Column
	values := make([]any, len(rows))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for i, row := range rows {
			values[i] = row[name]
		}
		c, err := columnOf(name, values)
		if err != nil {
			return nil, err
		}
		cols = append(cols, c)
	}
	return newTable(len(rows), cols), nil
}

func fromColumns(t reflect.Type, x reflect.Value) (*Table, error) {
	lists := map[string]reflect.Value{}
	for k, v := range x.Seq2() {
		lists[k.String()] = v
	}
	var cols []*Column
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		c, err := sliceColumn(name, t.Elem(), lists[name])
		if err != nil {
			return nil, err
		}
		if len(cols) > 0 && c.Len() != cols[0].Len() {
			return nil, fmt.Errorf("table: column %s has %s, column %s has %d", cols[0].name, words.Count(cols[0].Len(), "value"), name, c.Len())
		}
		cols = append(cols, c)
	}
	if len(cols) == 0 {
		return newTable(0, nil), nil
	}
	return newTable(cols[0].Len(), cols), nil
}

// distinct returns a table of columns whose names must differ.
func distinct(rows int, cols []*Column) (*Table, error) {
	t := newTable(rows, cols)
	if len(t.byName) == len(cols) {
		return t, nil
	}
	for j, c := range cols {
		if t.byName[c.name] != j {
			return nil, fmt.Errorf("table: two columns called %s", c.name)
		}
	}
	return t, nil
}

// sliceColumn returns a column of the elements of a slice.
func sliceColumn(name string, t reflect.Type, x reflect.Value) (*Column, error) {
	t, x = inside(t, x)
	if !x.IsValid() || x.Kind() != reflect.Slice {
		what := "nil"
		if t != nil {
			what = "a " + t.String()
		}
		return nil, fmt.Errorf("table: column %s: %s, must be a slice", name, what)
	}
	switch v := x.Interface().(type) {
	case []float64:
		return &Column{name: name, kind: Float, floats: v}, nil
	case []int:
		return &Column{name: name, kind: Int, ints: v}, nil
	case []bool:
		return &Column{name: name, kind: Bool, bools: v}, nil
	case []time.Time:
		return &Column{name: name, kind: Time, times: v}, nil
	case []string:
		return &Column{name: name, kind: String, strings: v}, nil
	}
	values := make([]any, x.Len())
	for i := range values {
		var err error
		if values[i], err = plain(t.Elem(), x.Index(i)); err != nil {
			return nil, fmt.Errorf("table: column %s, row %d: %w", name, i, err)
		}
	}
	return columnOf(name, values)
}

// plain returns a value of type t as one of the types of columns, or nil if it is missing.
func plain(t reflect.Type, v reflect.Value) (any, error) {
	for {
		t, v = inside(t, v)
		if !v.IsValid() {
			return nil, nil
		}
		if marshal := marshalText(t, v); marshal != nil {
			text, err := marshal()
			return string(text), err
		}
		if v.Kind() != reflect.Pointer {
			break
		}
		t, v = t.Elem(), v.Elem()
	}
	if at, ok := v.Interface().(time.Time); ok {
		if at.IsZero() {
			return nil, nil
		}
		return at, nil
	}
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n := int(v.Int()); int64(n) == v.Int() {
			return n, nil
		}
		return nil, fmt.Errorf("%d does not fit into an int", v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if v.Uint() <= math.MaxInt {
			return int(v.Uint()), nil
		}
		return nil, fmt.Errorf("%d does not fit into an int", v.Uint())
	case reflect.Float32, reflect.Float64:
		return v.Float(), nil
	case reflect.String:
		return v.String(), nil
	}
	return nil, fmt.Errorf("a %s, must be a number, bool, string, time or encoding.TextMarshaler", t)
}
