package table

import (
	"fmt"
	"slices"
)

// Join returns the rows of t, each with the columns of every row of other that has the same values in the named columns; rows
// without one are left out. The order is that of t, then of other. Missing values equal nothing. Columns of other whose
// names t has are called name_right. An int column and one of floats are compared as floats, and a column without any value,
// whose type is a guess, may be of another type. The cost is O(rows of both and of the result).
func (t *Table) Join(other *Table, on ...string) *Table { return t.join(other, on, false) }

// LeftJoin is [Table.Join] with all rows of t: where other has none, its columns are missing.
func (t *Table) LeftJoin(other *Table, on ...string) *Table { return t.join(other, on, true) }

func (t *Table) join(other *Table, on []string, all bool) *Table {
	if len(on) == 0 {
		panic(fmt.Errorf("table: Join needs the name of a column"))
	}
	left, right := t.columns(on), other.columns(on)
	for k := range on {
		left[k], right[k] = ofOneKind(left[k], right[k], "Join")
	}
	code, first := numberRows(left, right)
	starts, matches := buckets(code[t.rows:], len(first))
	rows, partners := make([]int, 0, t.rows), make([]int, 0, t.rows)
	missing := anyMissing(left)
	for i := range t.rows {
		k := code[i]
		found := matches[starts[k]:starts[k+1]]
		if missing != nil && missing[i] {
			found = nil
		}
		for _, j := range found {
			rows, partners = append(rows, i), append(partners, j)
		}
		if len(found) == 0 && all {
			rows, partners = append(rows, i), append(partners, -1)
		}
	}
	out := t.pick(rows)
	for _, c := range other.Drop(on...).pick(partners).cols {
		name := c.name
		for out.Has(name) {
			name += "_right"
		}
		out = out.with(c.renamed(name))
	}
	return out
}

// anyMissing returns in which rows a value of some columns is missing, nil if none is.
func anyMissing(cols []*Column) []bool {
	var missing []bool
	for _, c := range cols {
		if c.missing == nil && c.kind != Float {
			continue
		}
		if missing == nil {
			missing = make([]bool, c.Len())
		}
		for i, m := range c.missing {
			missing[i] = missing[i] || m
		}
		for i, v := range c.floats {
			missing[i] = missing[i] || v != v
		}
	}
	return missing
}

// ofOneKind returns two columns of one type: one without any value takes the other's type, and an int column becomes floats if
// the other has these. call is for the panic where their types differ.
func ofOneKind(a, b *Column, call string) (x, y *Column) {
	switch {
	case a.kind == b.kind:
		return a, b
	case b.empty():
		return a, a.pick(nothing(b.Len())).renamed(b.name)
	case a.empty():
		return b.pick(nothing(a.Len())).renamed(a.name), b
	case a.numeric() && b.numeric():
		return &Column{name: a.name, kind: Float, floats: a.Floats()}, &Column{name: b.name, kind: Float, floats: b.Floats()}
	case a.name == b.name:
		panic(fmt.Errorf("table: %s: column %s is of type %s in one table and %s in the other", call, a.name, a.kind, b.kind))
	}
	panic(fmt.Errorf("table: %s: column %s is of type %s, column %s of type %s", call, a.name, a.kind, b.name, b.kind))
}

// appended returns the values of a column followed by those of another, under the name of the first. call is for the panic
// where their types differ.
func appended(a, b *Column, call string) *Column {
	a, b = ofOneKind(a, b, call)
	c := &Column{name: a.name, kind: a.kind, ints: slices.Concat(a.ints, b.ints), floats: slices.Concat(a.floats, b.floats),
		bools: slices.Concat(a.bools, b.bools), times: slices.Concat(a.times, b.times), strings: slices.Concat(a.strings, b.strings)}
	if a.missing != nil || b.missing != nil {
		c.missing = make([]bool, a.Len()+b.Len())
		copy(c.missing, a.missing)
		copy(c.missing[a.Len():], b.missing)
	}
	return c
}
