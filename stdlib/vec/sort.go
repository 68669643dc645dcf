package vec

import (
	"cmp"
	"math"
	"slices"
)

// radixMin is the length from which distributing beats comparing.
const radixMin = 256

// ArgSort sets dst to the permutation that sorts x: x[dst[0]] <= x[dst[1]] and
// so on, NaN last, equal elements in their order; and returns it. nil is
// allocated. x is not changed. A radix sort of 11 bits a pass, which skips digits
// that all elements share: about 15 ns an element.
func ArgSort(dst []int, x []float64) []int {
	if dst == nil {
		dst = make([]int, len(x))
	}
	checkLen("ArgSort", len(x), len(dst))
	if len(x) < radixMin {
		for i := range dst {
			dst[i] = i
		}
		slices.SortStableFunc(dst, func(a, b int) int { return cmp.Compare(sortKey(x[a]), sortKey(x[b])) })
		return dst
	}
	items := make([]item, 2*len(x))
	from, to := items[:len(x)], items[len(x):]
	var counts [radixPasses][radixSize]int32
	for i, v := range x {
		k := sortKey(v)
		from[i] = item{k, i}
		for p := range radixPasses {
			counts[p][k>>(radixBits*p)&(radixSize-1)]++
		}
	}
	for p := range radixPasses {
		c, shift := &counts[p], radixBits*p
		if int(c[from[0].key>>shift&(radixSize-1)]) == len(x) {
			continue // all share the digit
		}
		at := int32(0)
		for d, n := range c {
			c[d], at = at, at+n
		}
		for _, it := range from {
			d := it.key >> shift & (radixSize - 1)
			to[c[d]] = it
			c[d]++
		}
		from, to = to, from
	}
	for i, it := range from {
		dst[i] = it.index
	}
	return dst
}

const (
	radixBits   = 11
	radixSize   = 1 << radixBits
	radixPasses = 6
)

type item struct {
	key   uint64
	index int
}

// sortKey is an integer in the order of floats: -0 equals 0, NaN is the largest.
func sortKey(x float64) uint64 {
	if x != x {
		return math.MaxUint64
	}
	b := math.Float64bits(x + 0) // -0 becomes 0
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}
