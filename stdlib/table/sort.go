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
	return t.pick(integers(sortRows(numbersTo[uint32](t.rows), cols, down)))
}

// integers returns numbers of rows as Pick takes them.
func integers(rows []uint32) []int {
	out := room[int](len(rows))
	parallel.Blocks(len(rows), numberBlock, func(_, lo, hi int) {
		for i, r := range rows[lo:hi] {
			out[lo+i] = int(r)
		}
	})
	return out
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

// digit is how many bits of a key radix looks at in one pass. The places that rows go to in turn are so many lines of the caches:
// with 11 bits, which a key of 64 passes one time less, a million floats take a fifth longer.
const digit = 10

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
	at := make(histograms, parallel.Count(len(rows), numberBlock))
	for shift := 0; shift < k.bits; shift += digit {
		if at.count(from, shift) {
			continue
		}
		at.move(to, from, shift)
		from, to = to, from
	}
	parallel.Blocks(len(rows), numberBlock, func(_, lo, hi int) {
		for i, e := range from[lo:hi] {
			rows[lo+i] = e.row
		}
	})
	return rows
}

// sortFloats sorts values without NaN: many of them by their bits, [floatDigit] at a time from the lowest.
func sortFloats(x []float64) {
	if len(x) < numberBlock || slices.IsSorted(x) {
		slices.Sort(x)
		return
	}
	keys, next := room[uint64](len(x)), room[uint64](len(x))
	var counts [(64 + floatDigit - 1) / floatDigit][1 << floatDigit]int
	for i, v := range x {
		key := floatKey(v)
		keys[i] = key
		for d := range counts {
			counts[d][key>>(d*floatDigit)%(1<<floatDigit)]++
		}
	}
	for d := range counts {
		n, shift := &counts[d], d*floatDigit
		if n[keys[0]>>shift%(1<<floatDigit)] == len(keys) {
			continue // all have the same digit
		}
		at := 0
		for k, c := range n {
			n[k] = at
			at += c
		}
		for _, key := range keys {
			k := key >> shift % (1 << floatDigit)
			next[n[k]] = key
			n[k]++
		}
		keys, next = next, keys
	}
	for i, key := range keys {
		x[i] = floatOf(key)
	}
}

const floatDigit = 11 // bits

// floatOf returns the float whose [floatKey] is given.
func floatOf(key uint64) float64 {
	if key>>63 != 0 {
		return math.Float64frombits(key &^ (1 << 63))
	}
	return math.Float64frombits(^key)
}

// nth puts the value at x[k] that sorting would put there, none after it that is less, and none before it that is greater. x has no NaN.
// The cost is O(len(x)), and O(len(x) log len(x)) for values that an adversary put in order (Hoare 1961, Algorithm 65).
func nth(x []float64, k int) {
	lo, hi := 0, len(x) // the place is between
	for rounds := 2 * bits.Len(uint(len(x))); hi-lo > 16 && rounds > 0; rounds-- {
		a, b, c := x[lo], x[(lo+hi)/2], x[hi-1]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi-1
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j + 1
		case k >= i:
			lo = i
		default:
			return
		}
	}
	slices.Sort(x[lo:hi])
}

// A histogram has the numbers of rows of a block that have a digit, and then where they go.
type histogram [1 << digit]uint32

func (n *histogram) count(rows []keyed, shift int) {
	clear(n[:])
	for _, e := range rows {
		n[e.key>>shift%(1<<digit)]++
	}
}

// histograms are those of the blocks of some rows.
type histograms []histogram

// count says where the rows of each block go, by a digit. It reports whether all rows have the same one.
func (blocks histograms) count(rows []keyed, shift int) (same bool) {
	parallel.Blocks(len(rows), numberBlock, func(b, lo, hi int) { blocks[b].count(rows[lo:hi], shift) })
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

// move moves the rows to where count said.
func (blocks histograms) move(to, rows []keyed, shift int) {
	parallel.Blocks(len(rows), numberBlock, func(b, lo, hi int) { blocks[b].move(to, rows[lo:hi], shift) })
}

func (n *histogram) move(to, rows []keyed, shift int) {
	for _, e := range rows {
		d := e.key >> shift % (1 << digit)
		to[n[d]] = e
		n[d]++
	}
}
