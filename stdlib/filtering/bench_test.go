package filtering

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/herding"
)

// scalarModel is the model of the comparison with other libraries: an
// autoregression with noise, 1,000 steps.
func scalarModel(b *testing.B) (*Model, *mat.Dense) {
	m, _ := autoregression(b)
	_, Y, err := m.Simulate(1000, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		b.Fatal(err)
	}
	return model(b, m), Y
}

func BenchmarkBootstrap(b *testing.B) {
	m, Y := scalarModel(b)
	for _, c := range []struct {
		name string
		s    *Settings
	}{
		{"N=1e3", with(func(s *Settings) { s.Particles, s.Resampling, s.Threshold = 1000, Systematic, .5 })},
		{"N=1e5", with(func(s *Settings) { s.Particles, s.Resampling, s.Threshold = 100000, Systematic, .5 })},
		{"SQMC/N=8192", with(func(s *Settings) { s.Particles, s.Points = 8192, SequentialQMC })},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run(b, m, Y, c.s, 1)
			}
		})
	}
}

// BenchmarkHerding is sequential kernel herding on the nonlinear model, T = 100,
// N = 100, M = 5,000.
func BenchmarkHerding(b *testing.B) {
	m := NonlinearBenchmark()
	Y := nonlinearData(b, 100, 1)
	for _, step := range []herding.Step{herding.Fixed, herding.FullyCorrective} {
		b.Run(step.String(), func(b *testing.B) {
			for b.Loop() {
				run(b, m, Y, herd(100, step, .1, 5000), 1)
			}
		})
	}
}
