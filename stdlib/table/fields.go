package table

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unsafe"
)

// A field is a field of a struct that a column is read into.
type field struct {
	index []int
	name  string // of the field
	tag   string // the name of the column, "" for the field's
	typ   reflect.Type

	column int                                      // where it is in the file
	set    func(v reflect.Value, text string) error // reads it
	own    bool                                     // by a method of its type

	offset uintptr                                       // where the field is in the struct
	read   reader                                        // sets it there in all rows
	put    func(field unsafe.Pointer, text string) error // sets it in one
}

// place finds the field in structs that are stored as t.
func (f *field) place(t reflect.Type) {
	for _, i := range f.index {
		at := t.Field(i)
		t = at.Type
		f.offset += at.Offset
	}
	f.read = func(_ *source, _, rows int, _ slots, other func(row int) bool) bool {
		for i := range rows {
			other(i)
		}
		return true
	}
	f.put = func(field unsafe.Pointer, text string) error { return f.set(reflect.NewAt(t, field).Elem(), text) }
	if f.own {
		return
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		f.read, f.put = by(quickTime), quick(parseTime, f.put)
	case t.Kind() == reflect.Int:
		f.read, f.put = by(quickInt), quick(parseInt, f.put)
	case t.Kind() == reflect.Float64:
		f.read, f.put = by(quickFloat), quick(parseFloat, f.put)
	case t.Kind() == reflect.Bool:
		f.read, f.put = by(quickBool), quick(parseBool, f.put)
	case t.Kind() == reflect.String:
		f.read, f.put = by(quickString), func(field unsafe.Pointer, text string) error { *(*string)(field) = text; return nil }
	}
}

// A reader is [each] for one type.
type reader func(s *source, column, rows int, to slots, other func(row int) bool) bool

func by[T any](quick func(text string, f span) (T, bool)) reader {
	return func(s *source, column, rows int, to slots, other func(row int) bool) bool {
		return each(s, column, rows, to, quick, other)
	}
}

// quick sets values that parse knows, which most are, without package reflect, and leaves the others to put.
func quick[T any](parse func(string) (T, bool), put func(unsafe.Pointer, string) error) func(unsafe.Pointer, string) error {
	return func(field unsafe.Pointer, text string) error {
		x, ok := parse(text)
		if !ok {
			return put(field, text)
		}
		*(*T)(field) = x
		return nil
	}
}

// columnName returns the name of the column.
func (f field) columnName() string {
	if f.tag != "" {
		return f.tag
	}
	return f.name
}

// fieldsOf returns the exported fields of a struct, those of embedded structs included, without those tagged csv:"-".
func fieldsOf(t reflect.Type, index []int) []field {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("csv")
		at := append(index[:len(index):len(index)], i)
		switch {
		case tag == "-":
		case f.Anonymous && f.Type.Kind() == reflect.Struct && tag == "" && structOf(f.Type) != nil:
			fields = append(fields, fieldsOf(f.Type, at)...)
		case f.IsExported():
			fields = append(fields, field{index: at, name: f.Name, tag: tag, typ: f.Type})
		}
	}
	return fields
}

// find returns the columns of a field: those that its tag names or, without a tag, its own name; if there are none, those
// whose names are the field's but for case, spaces, _, - and dots.
func (f field) find(names []string) (found []int) {
	for j, name := range names {
		if name == f.columnName() {
			found = append(found, j)
		}
	}
	if f.tag != "" || len(found) > 0 {
		return found
	}
	for j, name := range names {
		if letters(name) == letters(f.name) {
			found = append(found, j)
		}
	}
	return found
}

// fieldsFor returns the fields of struct type t, each with its column and what reads it.
func (s *source) fieldsFor(t reflect.Type) ([]field, error) {
	fields := fieldsOf(t, nil)
	if len(fields) == 0 {
		return nil, fmt.Errorf("table: %s has no exported fields to read into", t)
	}
	for k := range fields {
		f := &fields[k]
		switch found := f.find(s.names); len(found) {
		case 0:
			return nil, fmt.Errorf("table: %s: field %s.%s: %s; csv:\"-\" leaves a field out", s.name, t.Name(), f.name, noColumn(f.columnName(), s.names))
		case 1:
			f.column = found[0]
		default:
			return nil, fmt.Errorf("table: %s: field %s.%s: columns %d and %d are called %s and %s; Load reads such a file, and numbers names that occur twice",
				s.name, t.Name(), f.name, found[0]+1, found[1]+1, s.names[found[0]], s.names[found[1]])
		}
		var err error
		if f.set, f.own, err = setter(f.typ); err != nil {
			return nil, fmt.Errorf("table: field %s.%s: %w", t.Name(), f.name, err)
		}
	}
	return fields, nil
}

func letters(name string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "", ".", "").Replace(name))
}

var errMissing = errors.New("missing")

// setter returns what sets a field from text, and whether it calls a method of the field's type.
func setter(t reflect.Type) (set func(v reflect.Value, text string) error, own bool, err error) {
	if t.Kind() == reflect.Pointer {
		inner, own, err := setter(t.Elem())
		if err != nil {
			return nil, false, err
		}
		return func(v reflect.Value, text string) error {
			if text == "" || isMissing(trim(text)) && t.Elem().Kind() != reflect.String {
				return nil
			}
			p := reflect.New(v.Type().Elem())
			v.Set(p)
			return inner(p.Elem(), text)
		}, own, nil
	}
	if unmarshal := unmarshalText(t); unmarshal != nil {
		return func(v reflect.Value, text string) error { return unmarshal(v, []byte(text)) }, true, nil
	}
	basic, err := setterOf(t)
	if err != nil {
		return nil, false, err
	}
	return func(v reflect.Value, text string) error {
		switch err := basic(v, text); {
		case err == errMissing && t.Kind() == reflect.Float64, err == errMissing && t.Kind() == reflect.Float32:
			v.SetFloat(math.NaN())
			return nil
		case err == errMissing && t == reflect.TypeFor[time.Time]():
			return nil
		case err == errMissing:
			return fmt.Errorf("no value (%q); make the field a *%s, where that is nil", text, t)
		default:
			return err
		}
	}, false, nil
}

// setterOf returns what sets a field that is no pointer and has no method for it. The function returns errMissing for no value.
func setterOf(t reflect.Type) (func(v reflect.Value, text string) error, error) {
	if t == reflect.TypeFor[time.Time]() {
		return func(v reflect.Value, text string) error {
			at, ok := parseTime(trim(text))
			if !ok {
				return mismatch(text, "a time such as 2006-01-02 or 2006-01-02 15:04:05")
			}
			*v.Addr().Interface().(*time.Time) = at
			return nil
		}, nil
	}
	switch t.Kind() {
	case reflect.String:
		return func(v reflect.Value, text string) error { v.SetString(text); return nil }, nil
	case reflect.Float64, reflect.Float32:
		return func(v reflect.Value, text string) error {
			x, ok := parseFloat(trim(text))
			if !ok {
				x, ok = slowFloat(trim(text)) // of a number with leading zeros
			}
			if !ok || v.OverflowFloat(x) {
				return mismatch(text, "a number")
			}
			v.SetFloat(x)
			return nil
		}, nil
	case reflect.Bool:
		return func(v reflect.Value, text string) error {
			if isMissing(trim(text)) {
				return errMissing
			}
			b, err := strconv.ParseBool(trim(text))
			if err != nil {
				return mismatch(text, "true or false")
			}
			v.SetBool(b)
			return nil
		}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(v reflect.Value, text string) error {
			n, err := strconv.ParseInt(trim(text), 10, t.Bits())
			if err != nil {
				return mismatch(text, integerOf(t, err))
			}
			v.SetInt(n)
			return nil
		}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(v reflect.Value, text string) error {
			n, err := strconv.ParseUint(trim(text), 10, t.Bits())
			if err != nil {
				return mismatch(text, integerOf(t, err))
			}
			v.SetUint(n)
			return nil
		}, nil
	}
	return nil, fmt.Errorf("a %s cannot be read from text; use a number, bool, string, time.Time or encoding.TextUnmarshaler", t)
}

func integerOf(t reflect.Type, err error) string {
	switch {
	case errors.Is(err, strconv.ErrRange):
		return "an integer that fits into " + t.String()
	case t.Kind() >= reflect.Uint:
		return "an integer that is not negative"
	}
	return "an integer"
}

// mismatch is the error of text that is not what a field needs, or has no value.
func mismatch(text, what string) error {
	if isMissing(trim(text)) {
		return errMissing
	}
	return fmt.Errorf("%.80q is not %s", text, what)
}
