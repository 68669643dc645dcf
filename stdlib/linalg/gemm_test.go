package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func randSlice(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// naive is the definition of gemm's bits.
func naive(m, n, k int, alpha float64, a, b view, beta float64, c []float64, ldc int) {
	for i := range m {
		for j := range n {
			v := &c[i*ldc+j]
			if beta == 0 {
				*v = 0
			} else if beta != 1 {
				*v *= beta
			}
			for pc := 0; pc < k; pc += kc {
				acc := 0.0
				for l := pc; l < min(k, pc+kc); l++ {
					acc = math.FMA(a.p[i*a.rs+l*a.cs], b.p[l*b.rs+j*b.cs], acc)
				}
				if beta == 0 && pc == 0 {
					*v = alpha * acc
				} else {
					*v = math.FMA(alpha, acc, *v)
				}
			}
		}
	}
}

func TestQuick(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, s := range [][3]int{{1, 1, 1}, {7, 23, 5}, {8, 24, 3}, {9, 25, 300}, {130, 140, 70}, {300, 20, 20}, {20, 300, 513}} {
		for tr := range 4 {
			m, n, k := s[0], s[1], s[2]
			a, b := view{randSlice(rng, m*k), k, 1}, view{randSlice(rng, k*n), n, 1}
			if tr&1 != 0 {
				a = view{a.p, 1, m}
			}
			if tr&2 != 0 {
				b = view{b.p, 1, k}
			}
			for _, beta := range []float64{0, 1, 0.5} {
				c := randSlice(rng, m*n)
				want := append([]float64(nil), c...)
				naive(m, n, k, 1.25, a, b, beta, want, n)
				gemm(m, n, k, 1.25, a, b, beta, c, n, full)
				for i := range c {
					if c[i] != want[i] {
						t.Fatalf("%v tr %d beta %v: element %d is %v, want %v", s, tr, beta, i, c[i], want[i])
					}
				}
			}
		}
	}
}

var _ = mat.NewDense

func BenchmarkGemm(b *testing.B) {
	for _, s := range [][3]int{{64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 2}, {4096, 4096, 20}, {1024, 1024, 64}, {64, 1024, 1024}, {100000, 20, 20}} {
		m, n, k := s[0], s[1], s[2]
		rng := rand.New(rand.NewPCG(1, 1))
		x, y, z := view{randSlice(rng, m*k), k, 1}, view{randSlice(rng, k*n), n, 1}, make([]float64, m*n)
		b.Run(fmt.Sprint(s), func(b *testing.B) {
			for b.Loop() {
				gemm(m, n, k, 1, x, y, 0, z, n, full)
			}
			b.ReportMetric(2*float64(m)*float64(n)*float64(k)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOPS")
		})
	}
}
