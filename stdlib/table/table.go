package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/words"
)

// A Table is a list of columns of equal length, each with a name and a type. Tables do not change: methods return new ones,
// which share what they can. Slices that columns share with the caller must not be changed either.
//
// Methods panic with a clear message when a column does not exist or is of another type than they need, as slices do for an
// index out of range.
type Table struct {
	rows   int
	cols   []*Column
	byName map[string]int
}

func newTable(rows int, cols []*Column) *Table {
	t := &Table{rows: rows, cols: cols, byName: make(map[string]int, len(cols))}
	for j, c := range cols {
		t.byName[c.name] = j
	}
	return t
}

// Len returns the number of rows.
func (t *Table) Len() int { return t.rows }

// Names returns the names of the columns.
func (t *Table) Names() []string {
	names := make([]string, len(t.cols))
	for j, c := range t.cols {
		names[j] = c.name
	}
	return names
}

// Numbers returns the names of the columns of type int and float64.
func (t *Table) Numbers() []string {
	var names []string
	for _, c := range t.cols {
		if c.numeric() {
			names = append(names, c.name)
		}
	}
	return names
}

// Has reports whether there is a column of that name.
func (t *Table) Has(name string) bool {
	_, ok := t.byName[name]
	return ok
}

// Column returns a column.
func (t *Table) Column(name string) *Column {
	if len(t.cols) <= 8 { // a callback asks for each row, and the map takes longer
		for _, c := range t.cols {
			if c.name == name {
				return c
			}
		}
	}
	j, ok := t.byName[name]
	if !ok {
		panic(errors.New("table: " + noColumn(name, t.Names())))
	}
	return t.cols[j]
}

func (t *Table) columns(names []string) []*Column {
	cols := make([]*Column, len(names))
	for j, name := range names {
		cols[j] = t.Column(name)
	}
	return cols
}

// noColumn says that there is no column of a name, and what there is.
func noColumn(name string, names []string) string {
	text := fmt.Sprintf("there is no column %s", name)
	best, least := "", len(name)/3+2
	for _, n := range names {
		if d := words.Distance(strings.ToLower(name), strings.ToLower(n), least); d < least {
			best, least = n, d
		}
	}
	if best != "" {
		text += fmt.Sprintf("; did you mean %s?", best)
	}
	if len(names) == 0 {
		return text + "; the table has no columns"
	}
	return text + fmt.Sprintf(" (columns: %s)", strings.Join(names, ", "))
}

// Floats returns the numbers of a column as [Column.Floats] does: without a copy if they are float64, NaN where missing.
func (t *Table) Floats(name string) []float64 { return t.Column(name).Floats() }

// Ints returns the values of a column of type int without a copy. It panics if one is missing; [Table.Floats] returns NaN
// for those.
func (t *Table) Ints(name string) []int {
	c := t.Column(name)
	if c.kind != Int {
		panic(c.not("int"))
	}
	if i := slices.Index(c.missing, true); i >= 0 {
		panic(fmt.Errorf("table: column %s, row %d: no value; use Floats, where it is NaN, or Complete first", name, i))
	}
	return c.ints
}

// Strings returns the values of a column as text: those of a string column without a copy, others as WriteCSV writes them.
// Missing values are "".
func (t *Table) Strings(name string) []string {
	c := t.Column(name)
	if c.kind == String {
		return c.strings
	}
	out := make([]string, t.rows)
	for i := range out {
		out[i] = c.text(i)
	}
	return out
}

// Times returns the values of a column of times without a copy. Missing ones are the zero time.
func (t *Table) Times(name string) []time.Time {
	c := t.Column(name)
	if c.kind != Time {
		panic(c.not("time.Time"))
	}
	return c.times
}

// Bools returns the values of a column of type bool without a copy. Missing ones are false; [Table.Valid] says which.
func (t *Table) Bools(name string) []bool {
	c := t.Column(name)
	if c.kind != Bool {
		panic(c.not("bool"))
	}
	return c.bools
}

// Valid returns which values of a column are there: false stands for a missing one.
func (t *Table) Valid(name string) []bool {
	c := t.Column(name)
	valid := make([]bool, t.rows)
	for i := range valid {
		valid[i] = !c.Missing(i)
	}
	return valid
}

// Dense returns columns of numbers as a matrix, one point a row, in the order of the names; without names, all columns of
// numbers. Missing values are NaN. A single column of type float64 is not copied. It panics if the matrix would be empty.
func (t *Table) Dense(names ...string) *mat.Dense {
	if len(names) == 0 {
		names = t.Numbers()
	}
	cols := t.columns(names)
	if t.rows == 0 || len(cols) == 0 {
		panic(fmt.Errorf("table: a matrix of %s and %s of numbers is empty", words.Count(t.rows, "row"), words.Count(len(cols), "column")))
	}
	if len(cols) == 1 {
		return mat.NewDense(t.rows, 1, cols[0].Floats())
	}
	m := mat.NewDense(t.rows, len(cols), nil)
	data := m.RawMatrix().Data
	for j, c := range cols {
		for i, x := range c.Floats() {
			data[i*len(cols)+j] = x
		}
	}
	return m
}

// A Row is one row of a table.
type Row struct {
	t *Table
	i int
}

// Row returns row i, counted from 0.
func (t *Table) Row(i int) Row {
	if i < 0 || i >= t.rows {
		panic(fmt.Errorf("table: row %d of %d", i, t.rows))
	}
	return Row{t, i}
}

// Index returns the number of the row, from 0.
func (r Row) Index() int { return r.i }

// Missing reports whether there is no value in a column.
func (r Row) Missing(name string) bool { return r.t.Column(name).Missing(r.i) }

// Value returns the value of a column: an int, float64, bool, time.Time or string, or nil if it is missing.
func (r Row) Value(name string) any { return r.t.Column(name).Value(r.i) }

// Float returns the number in a column, NaN if it is missing.
func (r Row) Float(name string) float64 {
	c := r.t.Column(name)
	if c.kind > Bool {
		panic(c.not("a number"))
	}
	return c.number(r.i)
}

// Int returns the value of a column of type int. It panics if it is missing.
func (r Row) Int(name string) int {
	c := r.t.Column(name)
	switch {
	case c.kind != Int:
		panic(c.not("int"))
	case c.Missing(r.i):
		panic(fmt.Errorf("table: column %s, row %d: no value; ask Missing first or use Float", name, r.i))
	}
	return c.ints[r.i]
}

// Bool returns the value of a column of type bool, false if it is missing.
func (r Row) Bool(name string) bool {
	c := r.t.Column(name)
	if c.kind != Bool {
		panic(c.not("bool"))
	}
	return c.bools[r.i]
}

// Time returns the time in a column, the zero time if it is missing.
func (r Row) Time(name string) time.Time {
	c := r.t.Column(name)
	if c.kind != Time {
		panic(c.not("time.Time"))
	}
	return c.times[r.i]
}

// Text returns the value of a column as text, as WriteCSV writes it; "" if it is missing.
func (r Row) Text(name string) string { return r.t.Column(name).text(r.i) }
