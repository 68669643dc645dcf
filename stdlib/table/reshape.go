package table

import (
	"fmt"
	"math"
	"slices"

	"gaucho/internal/words"
)

// Pivot returns a table with a row for each value of the column rows and a column for each value of the column columns, both
// sorted, and the summary of the rows that have both as the cell: Pivot("plot", "year", Mean("yield")). Cells without any row
// are missing, save counts, which are 0. rows may name several columns by GroupBy and Spread, see [Grouping.Spread].
func (t *Table) Pivot(rows, columns string, s Summary) *Table {
	return t.GroupBy(rows).Spread(columns, s)
}

// Spread returns a table with a row for each group and, after its key, a column for each value of the named column, sorted,
// with the summary of the group's rows that have this value. Rows where it is missing go into a column called missing. Cells
// without any row are missing, save counts, which are 0.
func (g *Grouping) Spread(column string, s Summary) *Table {
	out := g.keyTable()
	by := g.t.GroupBy(column)
	rows, columns := g.Len(), by.Len()
	if uint64(rows)*uint64(columns) > math.MaxUint32 {
		panic(fmt.Errorf("table: Spread: %d groups of %d columns are too many cells", rows, columns))
	}
	cell := make([]uint32, len(g.group)) // of each row of the table
	for i := range cell {
		cell[i] = g.group[i]*uint32(columns) + by.group[i]
	}
	cells := grouping(g.t, nil, cell, make([]int, rows*columns))
	all, counts := s.of(cells, g.summarised(s)), cells.counts()
	at := make([]int, rows)
	for v := range columns {
		for k := range at {
			at[k] = k*columns + v
			if counts[at[k]] == 0 && !s.count {
				at[k] = -1
			}
		}
		name := by.keys[0].text(by.first[v])
		if by.keys[0].Missing(by.first[v]) {
			name = "missing"
		}
		if out.Has(name) {
			panic(fmt.Errorf("table: Spread: two columns called %s; rename the column %[1]s first", name))
		}
		out = out.with(all.pick(at).renamed(name))
	}
	return out
}

// Gather returns a table with a row for each row of t and each of the named columns: the other columns, the name of the
// column under variable, and its value under value. It undoes [Table.Pivot]. The named columns have one type, or are of
// numbers, which become floats if one is.
func (t *Table) Gather(names []string, variable, value string) *Table {
	if len(names) == 0 {
		panic(fmt.Errorf("table: Gather needs the name of a column"))
	}
	cols := t.columns(names)
	all := cols[0]
	for _, c := range cols[1:] {
		all = appended(all, c, "Gather")
	}
	label := make([]string, 0, t.rows*len(names))
	rows := make([]int, 0, t.rows*len(names))
	order := make([]int, 0, t.rows*len(names))
	for i := range t.rows {
		for k, name := range names {
			label, rows, order = append(label, name), append(rows, i), append(order, k*t.rows+i)
		}
	}
	out := t.Drop(names...).pick(rows)
	for _, name := range []string{variable, value} {
		if out.Has(name) {
			panic(fmt.Errorf("table: Gather: there is a column %s already", name))
		}
	}
	return out.with(&Column{name: variable, kind: String, strings: label}).with(all.pick(order).renamed(value))
}

// Concat returns the rows of all tables, one after the other. Columns go by their names, in the order in which these first
// occur, and are missing in the rows of a table that does not have them. Columns of a name have one type, or are of numbers,
// which become floats if one is; a column without any value goes with all types.
func Concat(tables ...*Table) *Table {
	rows := 0
	var names []string
	for _, t := range tables {
		rows += t.rows
		for _, name := range t.Names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	cols := make([]*Column, len(names))
	for j, name := range names {
		before := 0 // rows of the tables so far
		for _, t := range tables {
			c, next := cols[j], (*Column)(nil)
			if t.Has(name) {
				next = t.Column(name)
			}
			switch {
			case c != nil && next != nil:
				cols[j] = appended(c, next, "Concat")
			case c != nil:
				cols[j] = c.pick(slices.Concat(numbersTo[int](before), nothing(t.rows)))
			case next != nil:
				cols[j] = next.pick(slices.Concat(nothing(before), numbersTo[int](t.rows)))
			}
			before += t.rows
		}
	}
	return newTable(rows, cols)
}

// empty reports whether a column has no value: then its type is a guess.
func (c *Column) empty() bool {
	for i := range c.Len() {
		if !c.Missing(i) {
			return false
		}
	}
	return true
}

// nothing are n numbers of no row.
func nothing(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = -1
	}
	return rows
}

// Fill returns the table with value where the named column has none. The value is of the column's type, or any number for a
// column of floats; a column without any value takes a value of any type.
func (t *Table) Fill(name string, value any) *Table {
	c := t.Column(name)
	one, err := columnOf(name, []any{value})
	if err != nil {
		panic(err)
	}
	if c.kind == Float && one.kind == Int {
		one = &Column{name: name, kind: Float, floats: one.Floats()}
	}
	if value == nil || one.kind != c.kind && !c.empty() {
		panic(fmt.Errorf("table: Fill: %v is a %T, column %s is of type %s", value, value, name, c.kind))
	}
	both := appended(c, one, "Fill")
	rows := numbersTo[int](t.rows)
	for i := range rows {
		if c.Missing(i) {
			rows[i] = t.rows
		}
	}
	out := both.pick(rows)
	out.missing = nil
	return t.with(out)
}

// WithValid is [Table.With] for values of which only those marked true are there; the others are missing.
func (t *Table) WithValid(name string, values any, valid []bool) *Table {
	out := t.With(name, values)
	c := out.Column(name)
	if len(valid) != c.Len() {
		panic(fmt.Errorf("table: WithValid: column %s has %s and a mask of %d", name, words.Count(c.Len(), "value"), len(valid)))
	}
	if !slices.Contains(valid, false) {
		return out
	}
	rows := numbersTo[int](len(valid))
	for i, ok := range valid {
		if !ok {
			rows[i] = -1
		}
	}
	return out.with(c.pick(rows))
}
