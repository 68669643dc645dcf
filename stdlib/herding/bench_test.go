package herding

import "testing"

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
