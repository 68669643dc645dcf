package herding

import (
	"hash/fnv"
	"math"
	"testing"
)

// TestFrozenBits pins rules to the last bit, so that a change that moves them is
// seen, and so that every amd64 processor agrees, whichever vector instructions it
// has. (Other architectures may fuse a product and a sum.) Change the numbers only
// with a reason that the commit gives.
func TestFrozenBits(t *testing.T) {
	want := map[string]uint64{
		"fixed":            0x29aac662a133a44c,
		"open":             0x6da6a195b0e1e097,
		"line search":      0x6ed2dd79c4e8561f,
		"fully corrective": 0x2cfd3792c28bcdc2,
		"away steps":       0x3218dd904bfd70ec,
		"pairwise":         0x5ff9ad071f37bc72,
		"WKH":              0xbed3b16acb5098cd,
		"WKH signed":       0xbed3b16acb5098cd,
		"WKH herding":      0x4e7c65080cdbc90f,
		"SBQ":              0x899cdc78a232f595,
		"P-greedy":         0xb103a293e8a1b8bf,
	}
	_, pool := mixtureProblem(t, 1, 20, 3, 600, 1)
	check := func(name string, r *Rule) {
		h := fnv.New64a()
		for _, x := range [][]float64{r.W, r.MMD, r.X.RawMatrix().Data} {
			for _, v := range x {
				b := math.Float64bits(v)
				for i := range 8 {
					h.Write([]byte{byte(b >> (8 * i))})
				}
			}
		}
		if got := h.Sum64(); got != want[name] {
			t.Errorf("%s: hash of points, weights and trace is %#x, was %#x", name, got, want[name])
		}
	}
	for s := Fixed; s <= Pairwise; s++ {
		check(s.String(), build(t, pool, 40, &Settings{Step: s}))
	}
	for s := SBQ; s <= PGreedy; s++ {
		check(s.String(), greedyRule(t, pool, 40, s))
	}
}
