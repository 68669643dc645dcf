package em

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func benchModel(b *testing.B, kind Kind) (*Model, *mat.Dense) {
	const s, d, n = 8, 10, 100000
	rng := rand.New(rand.NewPCG(6, 0))
	g := &Gaussian{Means: mat.NewDense(s, d, nil), Kind: kind, Variances: mat.NewDense(s, d, nil)}
	m := &Model{Start: make([]float64, s), Transition: mat.NewDense(s, s, nil), Output: g}
	for j := range s {
		m.Start[j] = 1.0 / s
		for k := range s {
			m.Transition.Set(j, k, 0.2/(s-1))
		}
		m.Transition.Set(j, j, 0.8)
		eye := mat.NewSymDense(d, nil)
		for a := range d {
			g.Means.Set(j, a, 3*rng.NormFloat64())
			g.Variances.Set(j, a, 1)
			eye.SetSym(a, a, 1)
		}
		if kind == Full {
			g.Covariances = append(g.Covariances, eye)
		}
	}
	x, _, err := m.Sample(n, rng)
	if err != nil {
		b.Fatal(err)
	}
	return m, x
}

// BenchmarkBaumWelch times 5 iterations (and the expectation that ends them) at 8 states,
// 10 dimensions, 10^5 steps.
func BenchmarkBaumWelch(b *testing.B) {
	for _, kind := range []Kind{Diagonal, Full} {
		b.Run(string(kind), func(b *testing.B) {
			m, x := benchModel(b, kind)
			for b.Loop() {
				if _, err := BaumWelch(ctx, *m, x, &Settings{Iterations: 5, Tolerance: math.Inf(-1)}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()/5/float64(b.N), "s/iteration")
		})
	}
}

func BenchmarkViterbi(b *testing.B) {
	m, x := benchModel(b, Diagonal)
	for b.Loop() {
		if _, _, err := m.Viterbi(x); err != nil {
			b.Fatal(err)
		}
	}
}
