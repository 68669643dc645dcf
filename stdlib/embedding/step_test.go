package embedding_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/embedding"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rkhs"
)

// TestStepIsTheFormula: a step of a solver on tables is that of its documentation, with penalties and another step size of u.
func TestStepIsTheFormula(t *testing.T) {
	ctx := context.Background()
	s, next := mat.NewDense(3, 1, []float64{0, 1, 2}), mat.NewDense(3, 1, []float64{1, 2, 0})
	F, U := []float64{1, 2, 3}, []float64{0.5, -1, 2}
	f, u := table(t, s, F), table(t, s, U)
	solver, err := embedding.NewSolver(kernelmachine.Squared{}, f, u, &embedding.Settings{Eta: 1, Shift: 9, Power: 1, Penalty: 0.2, DualPenalty: 0.3, DualFactor: 2})
	if err != nil {
		t.Fatal(err)
	}
	b, err := embedding.Bellman(&embedding.Transitions{States: s, Next: next}, []float64{1, 1, 1}, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	b.Dual = s
	if err := solver.Step(ctx, b); err != nil {
		t.Fatal(err)
	}
	const gamma = 0.1
	wantF, wantU := make([]float64, 3), make([]float64, 3)
	for i := range 3 {
		wantF[i], wantU[i] = (1-gamma*0.2)*F[i], (1-2*gamma*0.3)*U[i]
	}
	for i := range 3 {
		j := (i + 1) % 3
		wantF[j] -= gamma / 3 * U[i] * 0.5
		wantF[i] += gamma / 3 * U[i]
		wantU[i] += 2 * gamma / 3 * (1 + 0.5*F[j] - F[i] - U[i])
	}
	for name, c := range map[string]struct {
		f    *embedding.Table
		want []float64
	}{"f": {f, wantF}, "u": {u, wantU}} {
		for i, v := range c.f.Weights() {
			if math.Abs(v-c.want[i]) > 1e-15 {
				t.Errorf("%s is %v, want %v", name, c.f.Weights(), c.want)
				break
			}
		}
	}
}

// table is a function of three states with the values.
func table(t *testing.T, s *mat.Dense, values []float64) *embedding.Table {
	t.Helper()
	f, err := embedding.NewTable(3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Forward(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	if err := f.Move(context.Background(), 1, values); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestNothingGiven: methods that are given nothing, or are called before there is something to move, say so.
func TestNothingGiven(t *testing.T) {
	ctx := context.Background()
	s := mat.NewDense(3, 1, []float64{0, 1, 2})
	f, u := table(t, s, []float64{1, 2, 3}), table(t, s, []float64{1, 2, 3})
	solver, err := embedding.NewSolver(kernelmachine.Squared{}, f, u, nil)
	if err != nil {
		t.Fatal(err)
	}
	descent, err := embedding.NewDescent(kernelmachine.Squared{}, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	conditional, err := embedding.NewConditional(ctx, rkhs.Gaussian{Bandwidth: 1}, s, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	phi, err := rkhs.NewRandomFeatures(rkhs.Gaussian{Bandwidth: 1}, 1, 4, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	greedy := func(q embedding.Function, s *mat.Dense) error { _, err := embedding.Greedy(ctx, q, s, 2); return err }
	for name, err := range map[string]error{
		"Step":             solver.Step(ctx, nil),
		"Run":              solver.Run(ctx, 3, nil),
		"Descent.Step":     descent.Step(ctx, nil),
		"Move":             embedding.NewLinear(phi).Move(ctx, 1, []float64{1}),
		"Greedy":           greedy(f, nil),
		"Greedy's q":       greedy(nil, s),
		"conditional":      func() error { _, err := conditional.Bellman(ctx, s, s, nil, []float64{1, 2, 3}, nil, 0.9); return err }(),
		"conditional's s":  func() error { _, err := conditional.Bellman(ctx, nil, s, s, []float64{1, 2, 3}, nil, 0.9); return err }(),
		"Residuals' batch": func() error { _, err := embedding.Residuals(ctx, f, nil, false); return err }(),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "embedding: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
