package table

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// A field is a field of a struct that a column is read into.
type field struct {
	index []int
	name  string // of the field
	tag   string // the name of the column, "" for the field's
	typ   reflect.Type
}

// column returns the name of the column.
func (f field) column() string {
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
			fields = append(fields, field{at, f.Name, tag, f.Type})
		}
	}
	return fields
}

// find returns the column of a field: that of its tag, or the one whose name is the field's but for case, spaces, _, - and
// dots.
func (f field) find(header []string) int {
	for j, name := range header {
		if name == f.column() {
			return j
		}
	}
	if f.tag != "" {
		return -1
	}
	for j, name := range header {
		if letters(name) == letters(f.name) {
			return j
		}
	}
	return -1
}

func letters(name string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "", ".", "").Replace(name))
}

// ReadCSV reads a CSV file, compressed by gzip or not, into a slice of structs, a row into each; rows points to the slice,
// which is replaced. The first line of the file names the columns. A column goes into the exported field of that name; case,
// spaces, and the signs _ - . do not matter. A tag names another column, `csv:"height [cm]"`, and `csv:"-"` leaves the field
// out. It is an error if a field has no column; columns without a field are skipped.
//
// Fields are numbers, bools, strings, times (as in 2006-01-02 or 2006-01-02 15:04:05; UTC unless the text names a zone), types
// that read themselves from text (encoding.TextUnmarshaler), or pointers to these. An empty field, and where no string is
// expected also NA, N/A, NaN, null and None, is missing: nil in a pointer, NaN in a float, the zero time, and "" in a string.
// In an int, a bool or another type without a pointer it is an error.
//
// If the error is of values that do not fit, it names file, line and column of the first ones, and the slice is left as it
// was.
func ReadCSV(file string, rows any) error {
	slice := reflect.ValueOf(rows)
	if slice.Kind() != reflect.Pointer || slice.IsNil() || slice.Elem().Kind() != reflect.Slice ||
		slice.Elem().Type().Elem().Kind() != reflect.Struct || structOf(slice.Elem().Type().Elem()) == nil {
		return fmt.Errorf("table: ReadCSV reads into a pointer to a slice of structs, not a %T", rows)
	}
	s, err := open(file)
	if err != nil {
		return err
	}
	if err := s.split(); err != nil {
		return err
	}
	return s.structs(slice.Elem())
}

// Read returns the rows of a CSV file, read as [ReadCSV] reads them.
func Read[T any](file string) ([]T, error) {
	var rows []T
	err := ReadCSV(file, &rows)
	return rows, err
}

// maxBad is the number of bad values that an error names.
const maxBad = 5

func (s *source) structs(slice reflect.Value) error {
	t := slice.Type().Elem()
	fields := fieldsOf(t, nil)
	if len(fields) == 0 {
		return fmt.Errorf("table: %s has no exported fields to read into", t)
	}
	out := reflect.MakeSlice(slice.Type(), s.rows, s.rows)
	var bad []error
	more := 0
	for _, f := range fields {
		j := f.find(s.header)
		if j < 0 {
			return fmt.Errorf("table: %s: field %s.%s: %s; csv:\"-\" leaves a field out", s.name, t.Name(), f.name, noColumn(f.column(), s.header))
		}
		set, err := setter(f.typ)
		if err != nil {
			return fmt.Errorf("table: field %s.%s: %w", t.Name(), f.name, err)
		}
		for i := range s.rows {
			text, _ := s.cell(i, j)
			if err := set(out.Index(i).FieldByIndex(f.index), text); err == nil {
			} else if len(bad) < maxBad {
				bad = append(bad, s.errorIn(i, j, "%v", err))
			} else {
				more++
			}
		}
	}
	if more > 0 {
		bad = append(bad, fmt.Errorf("and %s more", count(more, "bad value")))
	}
	if len(bad) > 0 {
		return errors.Join(bad...)
	}
	slice.Set(out)
	return nil
}

var errMissing = errors.New("missing")

// setter returns what sets a field from text.
func setter(t reflect.Type) (set func(v reflect.Value, text string) error, err error) {
	if t.Kind() == reflect.Pointer {
		inner, err := setter(t.Elem())
		if err != nil {
			return nil, err
		}
		return func(v reflect.Value, text string) error {
			if text == "" || isMissing(trim(text)) && t.Elem().Kind() != reflect.String {
				return nil
			}
			p := reflect.New(t.Elem())
			v.Set(p)
			return inner(p.Elem(), text)
		}, nil
	}
	basic, err := setterOf(t)
	if err != nil {
		return nil, err
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
	}, nil
}

// setterOf returns what sets a field that is no pointer. The function returns errMissing for no value.
func setterOf(t reflect.Type) (func(v reflect.Value, text string) error, error) {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return func(v reflect.Value, text string) error {
			at, ok := parseTime(trim(text))
			if !ok {
				return misfit(text, "a time such as 2006-01-02 or 2006-01-02 15:04:05")
			}
			v.Set(reflect.ValueOf(at))
			return nil
		}, nil
	case reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return func(v reflect.Value, text string) error {
			return v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text))
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
				return misfit(text, "a number")
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
				return misfit(text, "true or false")
			}
			v.SetBool(b)
			return nil
		}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(v reflect.Value, text string) error {
			n, err := strconv.ParseInt(trim(text), 10, t.Bits())
			if err != nil {
				return misfit(text, integerOf(t, err))
			}
			v.SetInt(n)
			return nil
		}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(v reflect.Value, text string) error {
			n, err := strconv.ParseUint(trim(text), 10, t.Bits())
			if err != nil {
				return misfit(text, integerOf(t, err))
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

// misfit is the error of text that is not what a field needs, or has no value.
func misfit(text, what string) error {
	if isMissing(trim(text)) {
		return errMissing
	}
	return fmt.Errorf("%.80q is not %s", text, what)
}
