package em

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/oracle"
)

// TestPredictive compares one-step-ahead laws and forecasts with a program in R.
func TestPredictive(t *testing.T) {
	var peer struct {
		X, Y, State, Mean, SD, Low, High []float64
		CountsLow                        []float64 `json:"counts_low"`
		CountsHigh                       []float64 `json:"counts_high"`
	}
	oracle.Read(t, "predictive.json", &peer)
	chain := func(o Output) *Model {
		return &Model{Start: []float64{.3, .7}, Transition: mat.NewDense(2, 2, []float64{.9, .1, .25, .75}), Output: o}
	}
	column := func(x []float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }
	near := func(name string, got *mat.Dense, want []float64) {
		t.Helper()
		if n, _ := got.Dims(); n != len(want) {
			t.Fatalf("%s has %d rows, want %d", name, n, len(want))
		}
		for i, v := range want {
			if math.Abs(got.At(i, 0)-v) > 1e-9 {
				t.Errorf("%s of observation %d is %v, R has %v", name, i, got.At(i, 0), v)
			}
		}
	}
	p, err := chain(&Gaussian{Means: column([]float64{-1, 2}), Kind: Diagonal, Variances: column([]float64{.64, 2.25})}).Predictive(column(peer.X), 3)
	if err != nil {
		t.Fatal(err)
	}
	low, high, err := p.Interval(.9)
	if err != nil {
		t.Fatal(err)
	}
	near("state", p.State, peer.State)
	near("mean", p.Mean, peer.Mean)
	near("sd", p.SD, peer.SD)
	near("low", low, peer.Low)
	near("high", high, peer.High)
	counts, err := chain(&Poisson{Rate: column([]float64{2, 7})}).Predictive(column(peer.Y), 3)
	if err != nil {
		t.Fatal(err)
	}
	if low, high, err = counts.Interval(.9); err != nil {
		t.Fatal(err)
	}
	near("low count", low, peer.CountsLow)
	near("high count", high, peer.CountsHigh)
}

// TestPredictiveCovers: on data of the model, intervals hold the share that they promise, in each coordinate.
func TestPredictiveCovers(t *testing.T) {
	m := &Model{Start: []float64{.5, .5}, Transition: mat.NewDense(2, 2, []float64{.95, .05, .1, .9}), Output: &Gaussian{
		Means: mat.NewDense(2, 2, []float64{-2, 100, 2, 130}), Kind: Full,
		Covariances: []*mat.SymDense{mat.NewSymDense(2, []float64{1, .5, .5, 100}), mat.NewSymDense(2, []float64{2, -1, -1, 50})}}}
	const n = 20000
	x, _, err := m.Sample(n, rand.New(rand.NewPCG(5, 5)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predictive(x, 0)
	if err != nil {
		t.Fatal(err)
	}
	low, high, err := p.Interval(.8)
	if err != nil {
		t.Fatal(err)
	}
	for c := range 2 {
		held := 0
		for i := range n {
			if v := x.At(i, c); low.At(i, c) <= v && v <= high.At(i, c) {
				held++
			}
		}
		if share := float64(held) / n; math.Abs(share-.8) > 4*math.Sqrt(.8*.2/n) {
			t.Errorf("intervals of coordinate %d hold %v of the observations, want 0.8", c, share)
		}
	}
}

func TestPredictiveRefuses(t *testing.T) {
	m := &Model{Start: []float64{1}, Transition: mat.NewDense(1, 1, []float64{1}), Output: &Categorical{Prob: mat.NewDense(1, 2, []float64{.5, .5})}}
	if _, err := m.Predictive(Symbols([]int{0, 1}), 0); err == nil {
		t.Error("symbols have predictive intervals")
	}
	m.Output = &Poisson{Rate: mat.NewDense(1, 1, []float64{3})}
	x := mat.NewDense(2, 1, []float64{1, 2})
	if _, err := m.Predictive(x, -1); err == nil {
		t.Error("h of -1 is taken")
	}
	p, err := m.Predictive(x, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []float64{0, 1, math.NaN()} {
		if _, _, err := p.Interval(bad); err == nil {
			t.Errorf("an interval of probability %v", bad)
		}
	}
}
