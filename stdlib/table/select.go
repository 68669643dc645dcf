package table

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gaucho/internal/words"
	"gaucho/stdlib/internal/parallel"
)

// Select returns the table of the named columns, in that order.
func (t *Table) Select(names ...string) *Table {
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			panic(fmt.Errorf("table: Select: column %s twice", name))
		}
		seen[name] = true
	}
	return newTable(t.rows, t.columns(names))
}

// Drop returns the table without the named columns.
func (t *Table) Drop(names ...string) *Table {
	t.columns(names)
	return newTable(t.rows, slices.DeleteFunc(slices.Clone(t.cols), func(c *Column) bool { return slices.Contains(names, c.name) }))
}

// Rename returns the table with a column under another name.
func (t *Table) Rename(from, to string) *Table {
	c := t.Column(from)
	if from != to && t.Has(to) {
		panic(fmt.Errorf("table: Rename: there is a column %s already", to))
	}
	cols := slices.Clone(t.cols)
	cols[slices.Index(cols, c)] = c.renamed(to)
	return newTable(t.rows, cols)
}

// Where returns the rows for which keep reports true.
func (t *Table) Where(keep func(row Row) bool) *Table {
	var rows []int
	for i := range t.rows {
		if keep(Row{t, i}) {
			rows = append(rows, i)
		}
	}
	return t.Pick(rows)
}

// Complete returns the rows without a missing value in the named columns; without names, in any.
func (t *Table) Complete(names ...string) *Table {
	cols := t.columns(names)
	if len(names) == 0 {
		cols = t.cols
	}
	return t.Where(func(r Row) bool {
		return !slices.ContainsFunc(cols, func(c *Column) bool { return c.Missing(r.i) })
	})
}

// Pick returns the rows of the given numbers, in that order.
func (t *Table) Pick(rows []int) *Table {
	for _, i := range rows {
		if i < 0 || i >= t.rows {
			panic(fmt.Errorf("table: Pick: row %d of %d", i, t.rows))
		}
	}
	return t.pick(rows)
}

func (t *Table) pick(rows []int) *Table {
	cols := make([]*Column, len(t.cols))
	if isIdentity(rows, t.rows) {
		return t
	}
	if len(rows) < 10_000 {
		for j, c := range t.cols {
			cols[j] = c.pick(rows)
		}
	} else {
		parallel.Team(len(cols), func(j, _ int) { cols[j] = t.cols[j].pick(rows) })
	}
	return newTable(len(rows), cols)
}

// isIdentity reports whether rows are the numbers from 0 to n-1.
func isIdentity(rows []int, n int) bool {
	for i, r := range rows {
		if i != r {
			return false
		}
	}
	return len(rows) == n
}

// numbersTo returns the numbers from 0 to n-1.
func numbersTo[T int | uint32](n int) []T {
	rows := make([]T, n)
	for i := range rows {
		rows[i] = T(i)
	}
	return rows
}

// Head returns the first n rows, or all if there are fewer. It copies nothing.
func (t *Table) Head(n int) *Table { return t.part(0, min(max(n, 0), t.rows)) }

// Tail returns the last n rows, or all if there are fewer. It copies nothing.
func (t *Table) Tail(n int) *Table { return t.part(t.rows-min(max(n, 0), t.rows), t.rows) }

func (t *Table) part(from, to int) *Table {
	cols := make([]*Column, len(t.cols))
	for j, c := range t.cols {
		cols[j] = c.part(from, to)
	}
	return newTable(to-from, cols)
}

// Sample returns n rows drawn without replacement, in random order.
func (t *Table) Sample(n int, rng *rand.Rand) *Table {
	if n < 0 || n > t.rows {
		panic(fmt.Errorf("table: Sample: %d of %d rows", n, t.rows))
	}
	rows := numbersTo[int](t.rows)
	for i := range n {
		k := i + rng.IntN(len(rows)-i)
		rows[i], rows[k] = rows[k], rows[i]
	}
	return t.pick(rows[:n])
}

// Derive returns the table with a column of the values that f computes from each row, in place of the one of that name if
// there is one. The values are of one type: int, float64 (integers among them are converted), bool, time.Time or string; nil
// is a missing value.
func (t *Table) Derive(name string, f func(row Row) any) *Table {
	values := make([]any, t.rows)
	for i := range values {
		values[i] = f(Row{t, i})
	}
	c, err := columnOf(name, values)
	if err != nil {
		panic(err)
	}
	return t.with(c)
}

// With returns the table with a column of the given values, in place of the one of that name if there is one. values is a
// slice with a value for each row, as in [From]; a []float64, []int, []bool, []time.Time or []string is not copied. The cost is that
// of the number of columns, which a loop over thousands of them pays each time; [From] takes all at once.
func (t *Table) With(name string, values any) *Table {
	list, x := reflectOf(values)
	c, err := sliceColumn(name, list, x)
	if err != nil {
		panic(err)
	}
	if c.Len() != t.rows && len(t.cols) > 0 {
		panic(fmt.Errorf("table: With: column %s has %s, the table has %s", name, words.Count(c.Len(), "value"), words.Count(t.rows, "row")))
	}
	return t.with(c)
}

func (t *Table) with(c *Column) *Table {
	cols := slices.Clone(t.cols)
	if j, ok := t.byName[c.name]; ok {
		cols[j] = c
	} else {
		cols = append(cols, c)
	}
	return newTable(c.Len(), cols)
}
