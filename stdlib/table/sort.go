package table

import (
	"math"
	"slices"
	"strings"
)

// SortBy returns the rows sorted by the named columns, the first one first. A minus before a name sorts downwards. Missing
// values come last either way, and rows that are equal keep their order. The cost is O(rows) for each column, with that of
// sorting the distinct values of a column of strings.
func (t *Table) SortBy(names ...string) *Table {
	cols, down := make([]*Column, len(names)), make([]bool, len(names))
	for k, name := range names {
		rest, minus := strings.CutPrefix(name, "-")
		if down[k] = minus && !t.Has(name); down[k] {
			name = rest
		}
		cols[k] = t.Column(name)
	}
	rows := sortedRows(t.rows, cols, down)
	order := make([]int, len(rows))
	for i, r := range rows {
		order[i] = int(r)
	}
	return t.pick(order)
}

// sortedRows returns the numbers of n rows, sorted by columns upwards or downwards, the first column first.
func sortedRows(n int, cols []*Column, down []bool) []uint32 {
	rows := make([]uint32, n)
	for i := range rows {
		rows[i] = uint32(i)
	}
	for k := len(cols) - 1; k >= 0; k-- { // stable from the last column to the first
		rows = cols[k].missingLast(radix(cols[k].keys(down[k]), rows))
	}
	return rows
}

// keys returns numbers in the order of the values, upwards or downwards.
func (c *Column) keys(down bool) []uint64 {
	keys := make([]uint64, c.Len())
	switch c.kind {
	case Int:
		for i, v := range c.ints {
			keys[i] = signed(int64(v))
		}
	case Float:
		for i, v := range c.floats {
			keys[i] = floatKey(v)
		}
	case Bool:
		for i, v := range c.bools {
			keys[i] = uint64(truth(v))
		}
	default:
		code, distinct := number(c)
		rank := c.ranks(distinct)
		for i, k := range code {
			keys[i] = rank[k]
		}
	}
	if down {
		for i := range keys {
			keys[i] = ^keys[i]
		}
	}
	return keys
}

// missingLast puts the rows without a value after the others.
func (c *Column) missingLast(rows []uint32) []uint32 {
	missing := anyMissing([]*Column{c})
	if !slices.Contains(missing, true) {
		return rows
	}
	var out, last []uint32
	for _, r := range rows {
		if missing[r] {
			last = append(last, r)
		} else {
			out = append(out, r)
		}
	}
	return append(out, last...)
}

// signed maps integers to numbers in the same order.
func signed(v int64) uint64 { return uint64(v) ^ 1<<63 }

// floatKey maps floats to numbers in the same order: both zeros are equal, and negative numbers have their bits turned.
func floatKey(v float64) uint64 {
	b := math.Float64bits(v + 0)
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// ranks returns the place in the order of each of some values.
func (c *Column) ranks(values []place) []uint64 {
	n := len(values)
	order := numbersTo(n)
	compare := c.order(false)
	slices.SortFunc(order, func(a, b int) int { return compare(values[a].row, values[b].row) })
	rank := make([]uint64, n)
	for r, k := range order {
		rank[k] = uint64(r)
	}
	return rank
}

// digit is how many bits of a key radix looks at in one pass.
const digit = 11

// A keyed is a row with its key: moved together, they are read in order.
type keyed struct {
	key uint64
	row uint32
}

// radix returns rows sorted by their keys, stably, by one pass of counting for every digit in which keys differ, the lowest
// first.
func radix(keys []uint64, rows []uint32) []uint32 {
	if len(rows) == 0 {
		return rows
	}
	all, any := keys[0], keys[0]
	from, to := make([]keyed, len(rows)), make([]keyed, len(rows))
	for i, r := range rows {
		k := keys[r]
		all, any = all&k, any|k
		from[i] = keyed{k, r}
	}
	for shift := 0; shift < 64; shift += digit {
		if (all^any)>>shift&(1<<digit-1) == 0 {
			continue
		}
		var at [1 << digit]uint32
		for _, k := range keys {
			at[k>>shift&(1<<digit-1)]++
		}
		next := uint32(0)
		for d, n := range at {
			at[d] = next
			next += n
		}
		for _, e := range from {
			d := e.key >> shift & (1<<digit - 1)
			to[at[d]] = e
			at[d]++
		}
		from, to = to, from
	}
	for i, e := range from {
		rows[i] = e.row
	}
	return rows
}
