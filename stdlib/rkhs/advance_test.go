package rkhs

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/asm"
)

// TestAdvance compares the fused pass with the sum of its parts, one point at a
// time, bit by bit, with all vector units, on lengths around whole panels.
func TestAdvance(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, d := range []int{1, 2, 5} {
		X := mat.NewDense(700, d, nil)
		for i := range X.RawMatrix().Data {
			X.RawMatrix().Data[i] = 3 * rng.NormFloat64()
		}
		y := X.RawRowView(17)
		for _, k := range []Kernel{Gaussian{Bandwidth: .8}, Laplace{Bandwidth: 2}, Normalized{Kernel: Polynomial{Degree: 2, Offset: 1}}} {
			p := NewPoints(k, X)
			for _, c := range []struct{ lo, n int }{{0, 700}, {64, 1}, {32, 33}, {5, 600}, {512, 188}} {
				g, z, want := make([]float64, c.n), make([]float64, c.n), make([]float64, c.n)
				for i := range g {
					g[i], z[i] = rng.Float64(), rng.Float64()
				}
				const keep, w, factor = .75, .25, .875
				p.Column(want, c.lo, y)
				best := math.Inf(-1)
				for i, v := range want {
					want[i] = math.FMA(w, v, keep*g[i])
					best = max(best, math.FMA(-factor, want[i], z[i]))
				}
				for _, l := range asm.Levels() {
					old := asm.Force(l)
					got := append([]float64(nil), g...)
					top := p.Advance(got, c.lo, y, keep, w, z, factor)
					asm.Force(old)
					if math.Float64bits(top) != math.Float64bits(best) {
						t.Errorf("%v, d=%d, %v on %v: largest %v, want %v", k, d, c, l, top, best)
					}
					for i := range got {
						if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
							t.Fatalf("%v, d=%d, %v on %v: sum %d is %v, want %v", k, d, c, l, i, got[i], want[i])
						}
					}
				}
			}
		}
	}
}

// TestAdvanceNaN: a score that is no number is not lost among others.
func TestAdvanceNaN(t *testing.T) {
	p := NewPoints(Gaussian{Bandwidth: 1}, mat.NewDense(100, 1, nil))
	for _, l := range asm.Levels() {
		old := asm.Force(l)
		for at := range 100 {
			g := make([]float64, 100)
			g[at] = math.NaN()
			if v := p.Advance(g, 0, []float64{0}, 1, 1, make([]float64, 100), 1); !math.IsNaN(v) {
				t.Errorf("on %v: largest is %v with NaN at %d", l, v, at)
			}
		}
		asm.Force(old)
	}
}
