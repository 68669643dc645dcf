package dynamics

import (
	"context"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/study"
)

// Features returns the study of what figure 5.3 of Dai 2018 leaves open: how much of the gain over GTD2 is due to the number
// of features, 2^10 instead of 2^8, and how much to the freedom of the dual; what a bandwidth of its own, relative to V's,
// does for the dual; and how a kernel MDP does on the swing-up and the arm, with the residual gradient's steps and two
// bandwidths. The noise is the smaller one of [Policy], and the other settings are Policy's too. Settings are chosen by the
// error on other states than those of "error".
func Features(size papers.Size) *study.Study {
	batches, replications := 4000, 10
	switch size {
	case papers.Small:
		batches, replications = 64, 1
	case papers.Default:
		batches, replications = 1000, 5
	}
	var points []study.Point
	for _, problem := range []struct {
		name           string
		noise          float64
		bandwidth, eta float64
		n0             float64
		kernels        []float64 // of the kernel MDP
	}{{"navigation", 0, .1, 10, 10, []float64{.1}}, {"swing-up", .05, 1, 100, 50, []float64{.5, 1}}, {"arm", .02, 1, 100, 50, []float64{1, 5}}} {
		add := func(method string, features int, bandwidth, dual float64) {
			points = append(points, study.NewPoint("problem", problem.name, "noise", problem.noise, "method", method, "features", features,
				"bandwidth", bandwidth, "dual", dual, "eta", problem.eta, "n0", problem.n0, "batches", batches))
		}
		for _, features := range []int{1 << 8, 1 << 10} {
			add("GTD2", features, problem.bandwidth, 1)
			for _, dual := range []float64{.5, 1, 2} {
				if features == 1<<10 || dual == 1 {
					add("dual", features, problem.bandwidth, dual)
				}
			}
		}
		for _, bandwidth := range problem.kernels {
			add("kernel MDP", 1<<8, bandwidth, 1)
		}
	}
	return &study.Study{
		Name: papers.Name("dynamics-features", size), Version: "1", Seed: 54, Replications: replications, Seconds: 3,
		About:  "Bellman error with equal numbers of features and with bandwidths of the dual's own (after Dai 2018, figure 5.3)",
		Points: points, Paired: []string{"method", "features", "bandwidth", "dual"},
		Replicate: func(ctx context.Context, pt study.Point, rng *rand.Rand) (study.Record, error) {
			run := policyRun{method: pt.Text("method"), bandwidth: pt.Float("bandwidth"), dual: pt.Float("dual"), eta: pt.Float("eta"), n0: pt.Float("n0"),
				features: pt.Int("features"), batches: pt.Int("batches"), batch: 20}
			p := newDecided(pt.Text("problem"), pt.Float("noise"), rng)
			return run.do(ctx, p, pt.Text("problem"), rng)
		},
	}
}
