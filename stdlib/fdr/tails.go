package fdr

import (
	"math"
	"slices"
	"sort"
)

// A tails is the sum of gamma(c-k) over keys k that lie before c, for a c that only grows. Keys that lie far before c
// are taken a block at a time: gamma is smooth there, so that the polynomial through its values at tailNodes places of
// the block agrees with it to about 1e-14, and the block's keys become weights of these places (Dutt, Gu & Rokhlin
// 1996, Fast algorithms for polynomial interpolation, integration and differentiation). Blocks are dyadic; one counts
// as far at twice its width. A sum costs O(log c), and O(keys) where gamma is not smooth.
type tails struct {
	table *gammaTable
	at    []int     // the keys, ascending and distinct
	times []float64 // how often each is there

	nodes  []tailNodes // of each height
	blocks [][]tailBlock
	terms  int // values of gamma summed so far
}

const (
	tailLeaf  = 64 // positions in the lowest blocks
	tailCount = 16 // nodes of a block
	tailApart = 2  // widths between a block and c from which the block is far
)

// A tailBlock is the keys from at[from] to at[to-1]: their weights on the block's nodes, or nil, where the keys are as few.
type tailBlock struct {
	from, to int
	weights  []float64
}

// tailNodes are whole numbers near Chebyshev's points of [0, width), and their barycentric weights.
type tailNodes struct {
	x [tailCount]int
	w [tailCount]float64
}

// smooth reports whether a polynomial through a few values of gamma stands for it far from its beginning.
func (g Gamma) smooth() bool {
	return g.Form == "log" || g.Form == "cubic" || g.Form == "power" && g.Power <= 4
}

// add enters a key, at least as large as all before.
func (t *tails) add(k int) {
	if n := len(t.at); n > 0 && t.at[n-1] == k {
		t.times[n-1]++
		return
	}
	t.at, t.times = append(t.at, k), append(t.times, 1)
}

// sum returns the sum of gamma(c-k).
func (t *tails) sum(c int) float64 {
	if !t.table.gamma.smooth() {
		from := 0
		if t.table.gamma.Form == "values" {
			from = sort.SearchInts(t.at, c-len(t.table.gamma.Values))
		}
		return t.direct(0, c, from, len(t.at))
	}
	height := 0
	for tailLeaf<<height < c {
		height++
	}
	for h := len(t.nodes); h <= height; h++ {
		t.nodes, t.blocks = append(t.nodes, newTailNodes(tailLeaf<<h)), append(t.blocks, nil)
	}
	return t.visit(0, c, height, 0)
}

// direct adds the terms of some keys.
func (t *tails) direct(sum float64, c, from, to int) float64 {
	t.terms += to - from
	for i := from; i < to; i++ {
		sum += t.times[i] * t.table.at(c-t.at[i])
	}
	return sum
}

// visit adds what block i of a height contributes, older keys first.
func (t *tails) visit(sum float64, c, height, i int) float64 {
	width := tailLeaf << height
	lo := i * width
	switch hi := lo + width; {
	case lo >= c:
		return sum
	case c-hi >= tailApart*width:
		for j := len(t.blocks[height]); j <= i; j++ {
			t.blocks[height] = append(t.blocks[height], t.block(height, j))
		}
		b := &t.blocks[height][i]
		if b.weights == nil {
			return t.direct(sum, c, b.from, b.to)
		}
		t.terms += tailCount
		t.table.at(c) // all that follow are there
		for m, x := range t.nodes[height].x {
			sum += b.weights[m] * t.table.w[c-lo-x]
		}
		return sum
	case height == 0:
		return t.direct(sum, c, sort.SearchInts(t.at, lo), sort.SearchInts(t.at, hi))
	}
	return t.visit(t.visit(sum, c, height-1, 2*i), c, height-1, 2*i+1)
}

// block makes block i of a height, to which no more keys come.
func (t *tails) block(height, i int) tailBlock {
	width := tailLeaf << height
	lo := i * width
	b := tailBlock{from: sort.SearchInts(t.at, lo), to: sort.SearchInts(t.at, lo+width)}
	if b.to-b.from <= tailCount {
		return b
	}
	b.weights = make([]float64, tailCount)
	for j := b.from; j < b.to; j++ {
		t.nodes[height].spread(b.weights, t.at[j]-lo, t.times[j])
	}
	return b
}

func newTailNodes(width int) (n tailNodes) {
	for m := range n.x {
		n.x[m] = int(math.Round(float64(width-1) / 2 * (1 - math.Cos(math.Pi*(float64(m)+0.5)/tailCount))))
	}
	for m, x := range n.x {
		n.w[m] = 1
		for _, y := range n.x {
			if x != y {
				n.w[m] *= float64(width) / 4 / float64(x-y)
			}
		}
	}
	return n
}

// spread adds to weights the values of Lagrange's polynomials at x, times a factor.
func (n *tailNodes) spread(weights []float64, x int, times float64) {
	if m := slices.Index(n.x[:], x); m >= 0 {
		weights[m] += times
		return
	}
	var all [tailCount]float64
	var sum float64
	for m, node := range n.x {
		all[m] = n.w[m] / float64(x-node)
		sum += all[m]
	}
	for m, v := range all {
		weights[m] += times * (v / sum)
	}
}
