package inference_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/inference"
	"gaucho/stdlib/rkhs"
)

// TestDefaultsOfFewObservations: nil settings, and settings without a batch, take three observations, though the default batch has 10 or more.
func TestDefaultsOfFewObservations(t *testing.T) {
	logistic := &inference.LogisticRegression{X: mat.NewDense(3, 1, []float64{1, -1, 2}), Y: []float64{1, -1, 1}, Scale: 1}
	mixture := &inference.TiedMixture{X: []float64{1, 2, 3}, Weight: 0.5, Sigma: 2.5, Scale1: 1, Scale2: 1}
	corpus := &inference.Corpus{Vocabulary: 2, Documents: [][]int{{0, 0}, {1}, {0, 1, 1, 1}}}
	rng := rand.New(rand.NewPCG(1, 1))
	ctx := context.Background()
	few := &inference.TopicSettings{Topics: 2, Steps: 2}
	X, y := mat.NewDense(3, 1, []float64{0, 1, 2}), []float64{0, 1, 4}
	for name, run := range map[string]func() error{
		"MirrorDescent": func() error {
			_, err := inference.MirrorDescent(ctx, mixture, &inference.Settings{Particles: 50, First: 50, KernelSteps: 2, Steps: 3}, rng)
			return err
		},
		"Langevin": func() error { _, err := inference.Langevin(ctx, logistic, nil, rng); return err },
		"SteinVariational": func() error {
			_, err := inference.SteinVariational(ctx, logistic, &inference.SteinSettings{Particles: 20, Steps: 3}, rng)
			return err
		},
		"MonteCarlo":              func() error { _, err := inference.MonteCarlo(ctx, mixture, nil, rng); return err },
		"Variational":             func() error { _, err := logistic.Variational(ctx, nil, rng); return err },
		"TiedMixture.Variational": func() error { _, err := mixture.Variational(ctx, nil, rng); return err },
		"NonparametricVariational": func() error {
			_, err := inference.NonparametricVariational(ctx, logistic, &inference.NonparametricSettings{Components: 5, Steps: 3}, rng)
			return err
		},
		"SparseGaussianProcess": func() error {
			_, err := inference.SparseGaussianProcess(ctx, rkhs.Gaussian{Bandwidth: 1}, X, y, &inference.SparseGPSettings{Particles: 1, Steps: 2}, rng)
			return err
		},
		"TopicVariational":   func() error { _, err := inference.TopicVariational(ctx, corpus, few, rng); return err },
		"TopicLangevin":      func() error { _, err := inference.TopicLangevin(ctx, corpus, few, 1, rng); return err },
		"TopicMirrorDescent": func() error { _, err := inference.TopicMirrorDescent(ctx, corpus, few, rng); return err },
		"TopicMonteCarlo":    func() error { _, err := inference.TopicMonteCarlo(ctx, corpus, few, rng); return err },
		"CollapsedGibbs":     func() error { _, err := inference.CollapsedGibbs(ctx, corpus, few, rng); return err },
	} {
		if err := run(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
