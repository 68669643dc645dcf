package table

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"gaucho/internal/words"
	"gaucho/stdlib/internal/parallel"
)

// ReadCSV reads a CSV file, compressed by gzip or not, into a slice of structs, a row into each; rows points to the slice,
// which is replaced. The first line of the file names the columns. A column goes into the exported field of that name; case,
// spaces, and the signs _ - . do not matter. A tag names another column, `csv:"height [cm]"`, and `csv:"-"` leaves the field
// out. It is an error if a field has no column, or two; columns without a field are skipped.
//
// Fields are numbers, bools, strings, times (as in 2006-01-02 or 2006-01-02 15:04:05; UTC unless the text names a zone), types
// that read themselves from text (encoding.TextUnmarshaler), or pointers to these. An empty field, and where no string is
// expected also NA, N/A, NaN, null and None, is missing: nil in a pointer, NaN in a float, the zero time, and "" in a string.
// In an int, a bool or another type without a pointer it is an error.
//
// The error of a bad row names file, line and column. Values that do not fit are counted and the first five named, in the order
// of the file, up to the first row that has too few or too many fields. After an error the slice is left as it was.
//
// Blocks of the file are read in parallel; rows that have a field with a method UnmarshalText are read one after the other.
func ReadCSV(file string, rows any) error {
	t, v := reflectOf(rows)
	if t == nil || t.Kind() != reflect.Pointer || v.IsNil() || t.Elem().Kind() != reflect.Slice || t.Elem().Elem().Kind() != reflect.Struct || structOf(t.Elem().Elem()) == nil {
		name := "nil"
		if t != nil {
			name = t.String()
		}
		return fmt.Errorf("table: ReadCSV reads into a pointer to a slice of structs, not a %s", name)
	}
	s, err := open(file)
	if err != nil {
		return err
	}
	return s.structs(t.Elem().Elem(), v.Elem())
}

// Read returns the rows of a CSV file, read as [ReadCSV] reads them.
func Read[T any](file string) ([]T, error) {
	var rows []T
	err := ReadCSV(file, &rows)
	return rows, err
}

// maxBad is the number of bad values that an error names.
const maxBad = 5

// A misfit is a value that does not fit into its field.
type misfit struct {
	row, column int
	pos         int // in the text
	err         error
}

// A reading is what became of a block.
type reading struct {
	bad  []misfit // the first ones, at most maxBad
	more int
	err  error // why the block was not read to its end
}

// structs reads the rows into a slice of structs of type t.
func (s *source) structs(t reflect.Type, slice reflect.Value) error {
	fields, err := s.fieldsFor(t)
	if err != nil {
		return err
	}
	blocks := s.blocks()
	lines := 0
	own := false
	for _, b := range blocks {
		lines += b.lines
	}
	for k := range fields {
		fields[k].place(slice.Type().Elem())
		own = own || fields[k].own
	}
	out := reflect.MakeSlice(slice.Type(), lines, lines)
	readings := make([]reading, len(blocks))
	read := func(b, _ int) { readings[b] = s.readBlock(&blocks[b], fields, out) }
	if own { // methods of the program may share what they like
		for b := range blocks {
			read(b, 0)
		}
	} else {
		parallel.Team(len(blocks), read)
	}
	if err := s.errorOf(readings); err != nil {
		return err
	}
	rows := 0
	for _, b := range blocks {
		if rows != b.at {
			reflect.Copy(out.Slice(rows, lines), out.Slice(b.at, b.at+b.rows))
		}
		rows += b.rows
	}
	slice.Set(out.Slice3(0, rows, rows))
	return nil
}

// readBlock reads a block, a few rows at a time and of these a field at a time.
func (s *source) readBlock(b *block, fields []field, out reflect.Value) (r reading) {
	first, size := out.UnsafePointer(), out.Type().Elem().Size()
	r.err = s.groups(b, func(part *source, rows, at int) {
		var bad []misfit
		for _, f := range fields {
			to := slots{unsafe.Add(first, uintptr(at)*size+f.offset), size}
			f.read(part, f.column, rows, to, func(i int) bool {
				text, _ := part.cell(i, f.column)
				if err := f.put(unsafe.Add(to.first, uintptr(i)*size), text); err != nil {
					bad = append(bad, misfit{i, f.column, int(part.fields[i*len(s.header)+f.column].from), err})
				}
				return true
			})
		}
		slices.SortStableFunc(bad, func(a, b misfit) int { return cmp.Or(a.row-b.row, a.column-b.column) })
		named := min(len(bad), maxBad-len(r.bad))
		r.bad = append(r.bad, bad[:named]...)
		r.more += len(bad) - named
	})
	return r
}

// errorOf joins the errors of the blocks in the order of the file, up to the first block that was not read to its end.
func (s *source) errorOf(readings []reading) error {
	var errs []error
	more := 0
	var last error
	for _, r := range readings {
		for _, m := range r.bad {
			if len(errs) < maxBad {
				errs = append(errs, s.errorAt(m.pos, "column %s: %v", s.header[m.column], m.err))
			} else {
				more++
			}
		}
		more += r.more
		if last = r.err; last != nil {
			break
		}
	}
	if more > 0 {
		errs = append(errs, fmt.Errorf("and %s more", words.Count(more, "bad value")))
	}
	return errors.Join(append(errs, last)...)
}
