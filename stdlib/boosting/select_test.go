package boosting

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// TestCrossValidate compares one fold's losses with boosting by hand, and finds a
// stop that is not far from the oracle's.
func TestCrossValidate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	x := uniformRows(120, 1, rng)
	y := Squared{}.Draw(Kink(x), 0.02, rng)
	k := rkhs.Min{Offset: 1}
	cv, err := CrossValidate(bg, k, Data{x, y}, 6, nil, rand.New(rand.NewPCG(3, 3)))
	if err != nil {
		t.Fatal(err)
	}
	order := rand.New(rand.NewPCG(3, 3)).Perm(120)
	mean := 0.0
	for q := range 6 {
		out := Data{x, y}.rows(order[20*q : 20*q+20])
		in := Data{x, y}.rows(append(append([]int(nil), order[:20*q]...), order[20*q+20:]...))
		p := run(t, design(t, k, in.X), in.Y, func(s *Settings) { s.Iterations = 50 })
		f, err := p.Model.Predict(bg, out.X)
		if err != nil {
			t.Fatal(err)
		}
		mean += Squared{}.Value(out.Y, f) / 6
	}
	if math.Abs(cv.Loss[50]-mean) > 1e-12 {
		t.Errorf("loss %v at iteration 50, want %v", cv.Loss[50], mean)
	}
	p := run(t, design(t, k, x), y, func(s *Settings) { s.Target = Kink(x) })
	_, least, err := Oracle(p.Error)
	if err != nil || p.Error[cv.Best] > 2*least {
		t.Errorf("error %v at the chosen iteration %d, oracle %v, %v", p.Error[cv.Best], cv.Best, least, err)
	}
	if cv.OneStdErr > cv.Best {
		t.Errorf("one standard error at %d, best at %d", cv.OneStdErr, cv.Best)
	}
	if _, err := CrossValidate(bg, k, Data{x, y}, 1, nil, rng); err == nil || !strings.Contains(err.Error(), "folds is 1") {
		t.Errorf("error %v", err)
	}
}

// TestROC compares the area with the share of pairs in order.
func TestROC(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	scores, labels := make([]float64, 80), make([]float64, 80)
	for i := range scores {
		labels[i] = float64(2*rng.IntN(2) - 1)
		scores[i] = math.Round(3*(rng.NormFloat64()+0.5*labels[i])) / 3 // with ties
	}
	c, err := ROC(scores, labels)
	if err != nil {
		t.Fatal(err)
	}
	var pairs, wins float64
	for i := range scores {
		for j := range scores {
			if labels[i] > 0 && labels[j] < 0 {
				pairs++
				switch {
				case scores[i] > scores[j]:
					wins++
				case scores[i] == scores[j]:
					wins += 0.5
				}
			}
		}
	}
	if math.Abs(c.Area-wins/pairs) > 1e-12 {
		t.Errorf("area %v, want %v", c.Area, wins/pairs)
	}
	last := len(c.Threshold) - 1
	if c.TruePositive[last] != 1 || c.FalsePositive[last] != 1 || c.TruePositive[0] != 0 {
		t.Errorf("curve ends at (%v, %v)", c.FalsePositive[last], c.TruePositive[last])
	}
	for i, threshold := range c.Threshold {
		tp, all := 0.0, 0.0
		for j, s := range scores {
			if labels[j] > 0 {
				all++
				if s >= threshold {
					tp++
				}
			}
		}
		if math.Abs(tp/all-c.TruePositive[i]) > 1e-12 {
			t.Errorf("true positives %v at threshold %v, want %v", c.TruePositive[i], threshold, tp/all)
		}
	}
	if _, err := ROC(scores[:2], []float64{1, 1}); err == nil || !strings.Contains(err.Error(), "must be some of both") {
		t.Errorf("error %v", err)
	}
}

// TestStumps compares the first stump with all candidates, checks the bound on the
// training error, the weights' property, and a problem that one stump solves.
func TestStumps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	const n = 200
	x := uniformRows(n, 3, rng)
	labels := make([]float64, n)
	for i := range labels {
		labels[i] = -1
		if x.At(i, 0)+x.At(i, 1) > 1 != (rng.Float64() < 0.05) {
			labels[i] = 1
		}
	}
	c, err := Stumps(bg, x, labels, 60)
	if err != nil {
		t.Fatal(err)
	}
	least := 1.0
	for a := range 3 {
		for i := range n {
			for _, vote := range []float64{-1, 1} {
				s, wrong := Stump{a, x.At(i, a), vote}, 0.0
				for r := range n {
					if s.at(x.At(r, a))*labels[r] < 0 {
						wrong += 1.0 / n
					}
				}
				least = min(least, wrong)
			}
		}
	}
	if math.Abs(c.Error[0]-least) > 1e-12 {
		t.Errorf("first stump errs on %v, best on %v", c.Error[0], least)
	}
	for i, e := range c.Error {
		if e > c.Bound[i]+1e-12 {
			t.Errorf("error %v above its bound %v after %d rounds", e, c.Bound[i], i+1)
		}
		if got := ErrorRate(c.Predict(x, i+1), labels); got != e {
			t.Errorf("error rate %v of predictions, %v recorded", got, e)
		}
	}
	if last := c.Error[len(c.Error)-1]; last > 0.1 {
		t.Errorf("training error %v after 60 rounds", last)
	}
	easy, err := Stumps(bg, mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []float64{-1, -1, 1, 1}, 10)
	if err != nil || len(easy.Stumps) != 1 || easy.Stumps[0].Threshold != 2.5 {
		t.Errorf("stumps %+v, %v; want one at 2.5", easy, err)
	}
	if _, err := Stumps(bg, mat.NewDense(2, 1, []float64{1, 1}), []float64{-1, 1}, 3); err == nil || !strings.Contains(err.Error(), "better than chance") {
		t.Errorf("error %v", err)
	}
}
