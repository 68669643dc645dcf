package herding

import (
	"testing"

	"gaucho/stdlib/rkhs"
)

// BenchmarkFrankWolfe is the paper's size: K = 100, d = 2, M = 50,000.
func BenchmarkFrankWolfe(b *testing.B) {
	_, pool := mixtureProblem(b, 1, 100, 2, 50000, 1)
	for _, c := range []struct {
		name string
		step Step
		n    int
	}{{"Fixed/200", Fixed, 200}, {"Fixed/1000", Fixed, 1000}, {"LineSearch/200", LineSearch, 200}, {"FullyCorrective/200", FullyCorrective, 200}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				build(b, pool, c.n, &Settings{Step: c.step})
			}
		})
	}
}

func BenchmarkSamplePool(b *testing.B) {
	for b.Loop() {
		mixtureProblem(b, 1, 100, 2, 50000, 1)
	}
}

// BenchmarkSubset is herding of 8,192 points in the plane to 256, with the
// embedding of the sample.
func BenchmarkSubset(b *testing.B) {
	X := streamPoints(5, 8192, 2)
	for b.Loop() {
		pool := discretePool(b, rkhs.Gaussian{Bandwidth: .5}, X, nil)
		build(b, pool, 256, &Settings{Repulsion: true})
	}
}

// BenchmarkSBQ is sequential Bayesian quadrature with 500 of 10,000 points.
func BenchmarkSBQ(b *testing.B) {
	_, pool := mixtureProblem(b, 1, 100, 2, 10000, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Greedy(ctx, pool, 500, nil); err != nil {
			b.Fatal(err)
		}
	}
}
