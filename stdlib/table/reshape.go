package table

import (
	"fmt"
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
// without any row are missing, save counts, which are 0. Time and memory are those of the result, and of the summary.
func (g *Grouping) Spread(column string, s Summary) *Table {
	by := g.t.GroupBy(column)
	cells, starts, groups := g.occupied(by)
	all := s.of(cells, g.summarised(s))
	out := g.keyTable()
	names, cols := map[string]bool{}, slices.Clone(out.cols)
	for _, c := range cols {
		names[c.name] = true
	}
	none := -1
	if s.count {
		none = len(groups) // the last cell, which has no rows
	}
	at := make([]int, g.Len())
	for v := range by.Len() {
		for k := range at {
			at[k] = none
		}
		for cell := starts[v]; cell < starts[v+1]; cell++ {
			at[groups[cell]] = cell
		}
		name := by.keys[0].text(by.first[v])
		if by.keys[0].Missing(by.first[v]) {
			name = "missing"
		}
		if names[name] {
			panic(fmt.Errorf("table: Spread: two columns called %s; rename the column %[1]s first", name))
		}
		names[name] = true
		cols = append(cols, all.pick(at).renamed(name))
	}
	return newTable(g.Len(), cols)
}

// occupied groups the rows by g and by together: the pairs that have rows, by by first, and at last a group without rows. Those
// of value v of by begin at starts[v], and groups are their groups in g.
func (g *Grouping) occupied(by *Grouping) (cells *Grouping, starts []int, groups []uint32) {
	cell := make([]uint32, len(g.group)) // of each row of the table
	last := make([]int, g.Len())         // the latest cell of a group, counted from 1
	for v := range by.Len() {
		starts = append(starts, len(groups))
		for _, i := range by.rows(v) {
			k := g.group[i]
			if last[k] <= starts[v] {
				groups = append(groups, k)
				last[k] = len(groups)
			}
			cell[i] = uint32(last[k] - 1)
		}
	}
	return grouping(g.t, nil, cell, make([]int, len(groups)+1)), append(starts, len(groups)), groups
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
// which become floats if one is; a column without any value goes with all types. The cost for n tables is O(rows log n): to make a
// table piece by piece, append the pieces to a slice and concatenate them once, where a Concat for each copies all rows each time.
func Concat(tables ...*Table) *Table {
	if n := len(tables); n > 2 {
		return Concat(Concat(tables[:n/2]...), Concat(tables[n/2:]...))
	}
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
