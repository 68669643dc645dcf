package asm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMaxPlus compares the bits with those of the recursion as it is written, on each level, for numbers of states around the edges
// of a panel and rows around those of a call; some transitions are impossible, and what follows the last row stays as it is.
func TestMaxPlus(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, s := range []int{1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 33, 40} {
		for _, n := range []int{1, 2, 3, 50, chunk/(s*((s+7)/8)+1) + 2, 2*chunk/(s*((s+7)/8)+1) + 3} {
			m, start := make([]float64, s*s), make([]float64, n*s+9)
			for i := range m {
				if m[i] = math.Log(rng.Float64()); rng.IntN(6) == 0 {
					m[i] = math.Inf(-1)
				}
			}
			for i := range start {
				if start[i] = 3 * rng.NormFloat64(); rng.IntN(20) == 0 {
					start[i] = math.Inf(-1)
				}
			}
			want := slices.Clone(start)
			for i := 1; i < n; i++ {
				for k := range s {
					best := math.Inf(-1)
					for j := range s {
						best = max(best, want[(i-1)*s+j]+m[j*s+k])
					}
					want[i*s+k] += best
				}
			}
			for _, l := range Levels() {
				old := Force(l)
				got := slices.Clone(start)
				MaxPlus(got[:n*s], s, m)
				Force(old)
				if !slices.Equal(got, want) {
					t.Errorf("%d states, %d steps on %v: other scores, or what follows was overwritten", s, n, l)
				}
			}
		}
	}
}
