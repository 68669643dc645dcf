package table

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"gaucho/stdlib/internal/parallel"
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
	rows := sortRows(numbersTo[uint32](t.rows), cols, down)
	order := room[int](len(rows))
	parallel.Blocks(len(rows), numberBlock, func(_, lo, hi int) {
		for i, r := range rows[lo:hi] {
			order[lo+i] = int(r)
		}
	})
	return t.pick(order)
}

// sortRows sorts rows stably by columns upwards or downwards, the first column first.
func sortRows(rows []uint32, cols []*Column, down []bool) []uint32 {
	var all keys // of as many of the last columns as there is room for in 64 bits
	for k := len(cols) - 1; k >= 0; k-- {
		values, missing := cols[k].keys(down[k])
		for _, next := range []keys{values, missing} {
			if all.bits+next.bits > 64 {
				rows, all = radix(all, rows), keys{}
			}
			all = all.below(next)
		}
	}
	return radix(all, rows)
}

// keys are numbers of so many bits in the order of values, one for each row, or none where all values are equal.
type keys struct {
	of   []uint64
	bits int
}

// below returns keys that are sorted by next first, and then by k. It may change next.
func (k keys) below(next keys) keys {
	if k.bits == 0 {
		return next
	}
	if next.bits == 0 {
		return k
	}
	parallel.Blocks(len(k.of), numberBlock, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			next.of[i] = next.of[i]<<k.bits | k.of[i]
		}
	})
	return keys{next.of, k.bits + next.bits}
}

// keys returns keys of the values, upwards or downwards, and others that put what is missing last.
func (c *Column) keys(down bool) (values, missing keys) {
	of, none := c.keysUp(), anyMissing([]*Column{c})
	if slices.Contains(none, true) {
		missing = keys{make([]uint64, len(none)), 1}
	} else {
		none = nil
	}
	least, most := ends(of, none)
	parallel.Blocks(len(of), numberBlock, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			switch {
			case none != nil && none[i]:
				of[i], missing.of[i] = 0, 1
			case down:
				of[i] = most - of[i]
			default:
				of[i] -= least
			}
		}
	})
	if least >= most {
		return keys{}, missing
	}
	return keys{of, bits.Len64(most - least)}, missing
}

// ends returns the least and the greatest number that is not missing.
func ends(of []uint64, none []bool) (least, most uint64) {
	type pair struct{ least, most uint64 }
	blocks := make([]pair, parallel.Count(len(of), numberBlock))
	parallel.Blocks(len(of), numberBlock, func(b, lo, hi int) {
		p := pair{math.MaxUint64, 0}
		for i := lo; i < hi; i++ {
			if none == nil || !none[i] {
				p = pair{min(p.least, of[i]), max(p.most, of[i])}
			}
		}
		blocks[b] = p
	})
	least, most = math.MaxUint64, 0
	for _, p := range blocks {
		least, most = min(least, p.least), max(most, p.most)
	}
	return least, most
}

// keysUp returns numbers in the order of the values; those of missing ones are any.
func (c *Column) keysUp() []uint64 {
	keys := room[uint64](c.Len())
	var up func(i int) uint64
	switch c.kind {
	case Int:
		up = func(i int) uint64 { return signed(int64(c.ints[i])) }
	case Float:
		up = func(i int) uint64 { return floatKey(c.floats[i]) }
	case Bool:
		up = func(i int) uint64 { return uint64(truth(c.bools[i])) }
	default:
		code, distinct := number(c)
		rank := c.ranks(distinct)
		up = func(i int) uint64 { return rank[code[i]] }
	}
	parallel.Blocks(len(keys), numberBlock, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			keys[i] = up(i)
		}
	})
	return keys
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
	order := numbersTo[int](n)
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
// first. In a pass each block of rows goes to places of its own.
func radix(k keys, rows []uint32) []uint32 {
	if len(rows) == 0 || k.bits == 0 {
		return rows
	}
	from, to := room[keyed](len(rows)), room[keyed](len(rows))
	parallel.Blocks(len(rows), numberBlock, func(_, lo, hi int) {
		for i, r := range rows[lo:hi] {
			from[lo+i] = keyed{k.of[r], r}
		}
	})
	at := make([]histogram, parallel.Count(len(rows), numberBlock))
	for shift := 0; shift < k.bits; shift += digit {
		parallel.Blocks(len(rows), numberBlock, func(b, lo, hi int) { at[b].count(from[lo:hi], shift) })
		if places(at) {
			continue
		}
		parallel.Blocks(len(rows), numberBlock, func(b, lo, hi int) { at[b].move(to, from[lo:hi], shift) })
		from, to = to, from
	}
	parallel.Blocks(len(rows), numberBlock, func(_, lo, hi int) {
		for i, e := range from[lo:hi] {
			rows[lo+i] = e.row
		}
	})
	return rows
}

// A histogram has the numbers of rows of a block that have a digit, and then where they go.
type histogram [1 << digit]uint32

func (n *histogram) count(rows []keyed, shift int) {
	clear(n[:])
	for _, e := range rows {
		n[e.key>>shift%(1<<digit)]++
	}
}

// places makes places of the numbers of the blocks. It reports whether all rows have the same digit.
func places(blocks []histogram) (same bool) {
	next, some := uint32(0), 0
	for d := range blocks[0] {
		before := next
		for b := range blocks {
			blocks[b][d], next = next, next+blocks[b][d]
		}
		some += truth(next > before)
	}
	return some == 1
}

func (n *histogram) move(to, rows []keyed, shift int) {
	for _, e := range rows {
		d := e.key >> shift % (1 << digit)
		to[n[d]] = e
		n[d]++
	}
}
