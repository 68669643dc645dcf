package em

import (
	"math"
	"testing"

	"gaucho/papers"
	"gaucho/papers/studytest"
	"gaucho/stdlib/study"
)

// TestConvergenceClaims checks what Yang 2018 says of figure 2.3: both errors fall at a linear rate, the statistical one
// to a floor of order sqrt(d/n). That starts end at different points does not happen at this signal.
func TestConvergenceClaims(t *testing.T) {
	t.Parallel()
	res := studytest.Run(t, Convergence(papers.Small))
	p := res.Points()[0]
	floor, err := res.Summary(p, "error")
	if err != nil || floor.Median < 0.08 || floor.Median > 0.13 {
		t.Errorf("median error %v, %v; want about sqrt(d/n) = 0.1", floor.Median, err)
	}
	for field, most := range map[string]float64{"reached": 6, "apart 25": 1e-8, "apart 200": 1e-12} {
		if s, err := res.Summary(p, field); err != nil || s.Max > most {
			t.Errorf("%s is up to %v, %v; want at most %v", field, s.Max, err, most)
		}
	}
	if s, err := res.Summary(p, "straight"); err != nil || s.Min < 0.99 {
		t.Errorf("a line explains %v of the log error on some path, %v; want 0.99", s.Min, err)
	}
}

// TestStraightness: a linear rate, one that doubles the digits, and a single step.
func TestStraightness(t *testing.T) {
	for _, c := range []struct {
		path []float64
		want float64
	}{
		{[]float64{1, 1e-2, 1e-4, 1e-6}, 1},
		{[]float64{1e-1, 1e-2, 1e-4, 1e-8, 1e-16}, 1296. / 1488},
		{[]float64{1, 1, 1, 1, 1e-11, 1e-11, 1e-11, 1e-11, 0, 0}, 7744. / 10164},
	} {
		if got := straightness(c.path, 1e-17); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("straightness of %v is %v, want %v", c.path, got, c.want)
		}
	}
}

// TestSignalClaims checks what Yang 2018 says of figure 2.4: convergence is linear, and faster the larger the signal.
func TestSignalClaims(t *testing.T) {
	t.Parallel()
	s := Signal(papers.Small)
	s.Replications = 16
	res := studytest.Run(t, s)
	before := 1.0
	for eta, limits := range map[float64][2]float64{1.5: {.22, .45}, 2: {.08, .2}, 3: {0, .03}} {
		if m, err := res.Summary(res.Points("eta", eta)[0], "rate"); err != nil || m.Median < limits[0] || m.Median > limits[1] {
			t.Errorf("rate %v at eta = %v, %v; want within %v", m.Median, eta, err, limits)
		}
	}
	for _, eta := range []float64{.75, 1, 1.5, 2, 3} {
		m, err := res.Summary(res.Points("eta", eta)[0], "rate")
		if err != nil {
			t.Fatal(err)
		}
		if m.Median >= before {
			t.Errorf("rate %v at eta = %v, %v at the one before", m.Median, eta, before)
		}
		before = m.Median
	}
}

// TestRatesClaims checks the error's order sqrt(d/n) (corollary 2), in n from 1000 to 8000 at d = 5.
func TestRatesClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	s := Rates(papers.Small)
	s.Points = []study.Point{study.NewPoint("along", "n", "n", 1000, "d", 5), study.NewPoint("along", "n", "n", 8000, "d", 5), study.NewPoint("along", "d", "n", 1000, "d", 80)}
	s.Replications = 30
	res := studytest.Run(t, s)
	errorAt := func(n, d int) float64 { return studytest.Mean(t, res, "mean", "n", n, "d", d) }
	for name, c := range map[string]struct{ larger, smaller, times float64 }{
		"n": {errorAt(1000, 5), errorAt(8000, 5), 8}, "d": {errorAt(1000, 80), errorAt(1000, 5), 16},
	} {
		if slope := math.Log(c.larger/c.smaller) / math.Log(c.times); math.Abs(slope-0.5) > 0.1 {
			t.Errorf("the error changes with the power %v of %s, want 1/2", slope, name)
		}
	}
}

// TestMemoryClaims checks that using the chain pays, most at a weak signal.
func TestMemoryClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	s := Memory(papers.Small)
	s.Replications = 40
	res := studytest.Run(t, s)
	for eta, least := range map[float64]float64{0.75: 1.08, 1.5: 1} {
		ratio := studytest.Mean(t, res, "independent", "eta", eta) / studytest.Mean(t, res, "chain", "eta", eta)
		if ratio < least {
			t.Errorf("error of EM without the chain over that with it is %v at eta = %v, want at least %v", ratio, eta, least)
		}
	}
}
