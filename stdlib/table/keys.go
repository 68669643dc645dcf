package table

import (
	"math"
	"math/bits"
	"slices"

	"gaucho/stdlib/internal/parallel"
)

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
	var up func(i int) uint64
	switch nanos, unit := c.nanoseconds(); {
	case unit != 0:
		up = func(i int) uint64 { return signed(nanos[i] / unit) }
	case c.kind == Int:
		up = func(i int) uint64 { return signed(int64(c.ints[i])) }
	case c.kind == Float:
		up = func(i int) uint64 { return floatKey(c.floats[i]) }
	case c.kind == Bool:
		up = func(i int) uint64 { return uint64(truth(c.bools[i])) }
	case stack{c}.many():
		return c.ranks(numbersTo[uint32](c.Len()))
	default:
		code, distinct := stack{c}.blockwise()
		rank := c.ranks(distinct)
		up = func(i int) uint64 { return rank[code[i]] }
	}
	keys := room[uint64](c.Len())
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

// units are those in which times may be counted, in nanoseconds, each a multiple of the next.
var units = [...]int64{24 * 3600e9, 1e9, 1e6, 1e3, 1}

// nanoseconds returns times as nanoseconds since 1970, and the largest unit of which all are multiples; 0 where the column holds
// others, or times that are too far away. Those of missing ones are any.
func (c *Column) nanoseconds() (nanos []int64, unit int64) {
	if c.kind != Time {
		return nil, 0
	}
	const far = 9_000_000_000 // seconds, 285 years
	nanos = make([]int64, len(c.times))
	index := make([]int, parallel.Count(len(nanos), numberBlock)) // of the unit of each block
	parallel.Blocks(len(nanos), numberBlock, func(b, lo, hi int) {
		u := 0
		for i, t := range c.times[lo:hi] {
			if c.Missing(lo + i) {
				continue
			}
			if s := t.Unix(); s < -far || s > far {
				u = len(units)
				break
			}
			v := t.UnixNano()
			for v%units[u] != 0 {
				u++
			}
			nanos[lo+i] = v
		}
		index[b] = u
	})
	if u := slices.Max(append(index, 0)); u < len(units) {
		return nanos, units[u]
	}
	return nil, 0
}

// ranks returns places in the order of some texts or times, given by their rows: equal for equal values, any for missing ones.
func (c *Column) ranks(rows []uint32) []uint64 {
	order, again := numbersTo[uint32](len(rows)), make([]bool, len(rows))
	c.arrange(order, again, rows)
	rank := make([]uint64, len(rows))
	for i := 1; i < len(order); i++ {
		rank[order[i]] = rank[order[i-1]] + uint64(1-truth(again[i]))
	}
	return rank
}

// arrange sorts numbers of rows by the rows' values, and says of each whether its value is that of the one before. They are sorted by a
// key that few have in common, and then by comparison; where many texts have the same key, by what follows it.
func (c *Column) arrange(order []uint32, again []bool, rows []uint32) {
	if len(order) == 0 {
		return
	}
	first := c.firstKeys(order, rows)
	unsorted := slices.Clone(order)
	by := radix(keys{first, 64}, numbersTo[uint32](len(order)))
	for i, k := range by {
		order[i] = unsorted[k]
	}
	compare := c.order(false)
	for lo, hi := 0, 0; lo < len(order); lo = hi {
		key := first[by[lo]]
		for hi < len(order) && first[by[hi]] == key {
			hi++
		}
		same, marks := order[lo:hi], again[lo:hi]
		if c.kind == String && len(same) > 1<<digit && key%256 > keyBytes {
			c.arrange(same, marks, rows)
			continue
		}
		slices.SortFunc(same, func(a, b uint32) int { return compare(int(rows[a]), int(rows[b])) })
		for i := 1; i < len(same); i++ {
			marks[i] = compare(int(rows[same[i-1]]), int(rows[same[i]])) == 0
		}
	}
}

// firstKeys returns keys in the order of the values of numbered rows, equal for some: of times their seconds, of texts what follows
// that which all begin with.
func (c *Column) firstKeys(numbers, rows []uint32) []uint64 {
	out := make([]uint64, len(numbers))
	key := func(row uint32) uint64 { return signed(c.times[row].Unix()) }
	if c.kind == String {
		common := c.common(numbers, rows)
		key = func(row uint32) uint64 { return textKey(c.strings[row][common:]) }
	}
	parallel.Blocks(len(out), numberBlock, func(_, lo, hi int) {
		for i, k := range numbers[lo:hi] {
			out[lo+i] = key(rows[k])
		}
	})
	return out
}

// common returns the number of bytes with which all texts of numbered rows begin.
func (c *Column) common(numbers, rows []uint32) int {
	first := c.strings[rows[numbers[0]]]
	n := len(first)
	for _, k := range numbers {
		s := c.strings[rows[k]]
		n = min(n, len(s))
		for s[:n] != first[:n] {
			n--
		}
	}
	return n
}

// keyBytes is how many bytes of a text its key has.
const keyBytes = 7

// textKey returns the first bytes of a text and their number, one more where there are more: keys in the order of the texts, equal
// for those that have more and begin alike.
func textKey(s string) uint64 {
	var key uint64
	for i := range min(len(s), keyBytes) {
		key |= uint64(s[i]) << (56 - 8*i)
	}
	return key | uint64(min(len(s), keyBytes+1))
}
