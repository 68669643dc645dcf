package distributions

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"gaucho/stdlib/inference"
	"gaucho/stdlib/rkhs"
)

// TestHamiltonianIsThePosterior compares draws with those of Gibbs sampling by Polya-Gamma variables, on 40 points, where the
// posterior is far from its normal approximation, and checks the measures of [beside] on a sample that is moved and twice as wide.
func TestHamiltonianIsThePosterior(t *testing.T) {
	t.Parallel()
	ctx, rng := context.Background(), rand.New(rand.NewPCG(7, 7))
	const n, draws = 40, 4000
	model := &inference.LogisticRegression{X: mat.NewDense(n, 2, nil), Y: make([]float64, n), Scale: 3}
	for i := range n {
		model.X.SetRow(i, []float64{1 + rng.NormFloat64(), rng.NormFloat64()})
		model.Y[i] = 1
		if model.X.At(i, 0)+0.3*rng.NormFloat64() < 0.5 {
			model.Y[i] = -1
		}
	}
	got, err := hamiltonian(ctx, model, draws, rng)
	if err != nil {
		t.Fatal(err)
	}
	want, err := model.Gibbs(ctx, 500, 20000, rng)
	if err != nil {
		t.Fatal(err)
	}
	for j := range 2 {
		m, sd := stat.MeanStdDev(mat.Col(nil, j, got), nil)
		wm, ws := stat.MeanStdDev(mat.Col(nil, j, want.X), nil)
		if math.Abs(m-wm) > 0.15*ws || math.Abs(sd/ws-1) > 0.12 {
			t.Errorf("coordinate %d has mean %v and standard deviation %v, by Gibbs sampling %v and %v", j, m, sd, wm, ws)
		}
	}
	moved := mat.DenseCopyOf(got)
	for j := range 2 {
		m := stat.Mean(mat.Col(nil, j, got), nil)
		for i := range draws {
			moved.Set(i, j, m+2*(got.At(i, j)-m))
		}
	}
	width, off, _, err := beside(ctx, rkhs.Uniform(moved), got)
	if err != nil || math.Abs(width-2) > 0.01 || off > 1e-9 {
		t.Errorf("a sample twice as wide has width %v, %v off; %v", width, off, err)
	}
}
