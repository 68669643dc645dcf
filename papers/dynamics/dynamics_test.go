package dynamics

import (
	"testing"

	"gaucho/papers"
	"gaucho/papers/studytest"
	"gaucho/stdlib/study"
)

// TestDynamicsClaims checks what Dai 2018 says of figures 5.1, 5.2(a) and 5.3(a), on shorter runs.
func TestDynamicsClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	toy := Toy(papers.Small)
	toy.Points = study.Grid(study.Values("form", "features"), study.Values("batch", 20), study.Values("steps", 400))
	toy.Replications = 3
	ratios := studytest.Medians(t, toy, "errorRatio", "uRatio")
	if f := ratios[0][0]; f > 0.05 {
		t.Errorf("toy: the error of f falls to %v of what it was, want at most 0.05", f)
	}
	if u := ratios[1][0]; u > 0.4 {
		t.Errorf("toy: u falls to %v of what it was after 50 steps, want at most 0.4", u)
	}

	noisy := Measurements(papers.Default)
	noisy.Points, noisy.Replications = nil, 1
	for _, method := range []string{"dual", "sample average", "virtual samples"} {
		eta, n0 := 10.0, 10.0
		if method == "dual" {
			eta, n0 = 20, 1
		}
		noisy.Points = append(noisy.Points, study.NewPoint("method", method, "bandwidth", 0.05, "eta", eta, "n0", n0, "features", 400, "n", 10000, "passes", 4))
	}
	got := studytest.Medians(t, noisy, "error")[0]
	if got[0] > 0.006 || got[1] < 2*got[0] || got[2] < 8*got[0] {
		t.Errorf("measurements: error of dual, sample average, virtual samples %.4f, want at most 0.006, twice and eight times the first", got)
	}

	walk := Policy(papers.Small)
	walk.Points = study.Grid(study.Values("problem", "navigation"), study.Values("noise", 0.0), study.Values("method", "dual", "GTD2", "residual gradient"),
		study.Values("bandwidth", 0.1), study.Values("eta", 10.0), study.Values("n0", 10.0), study.Values("batches", 1000))
	errors := studytest.Medians(t, walk, "error", "zero")
	got, zero := errors[0], errors[1]
	if got[1] < 1.1*got[0] || got[2] < 2*got[1] || got[2] > 0.7*zero[2] {
		t.Errorf("navigation: Bellman error of dual, GTD2, residual gradient %.5f, want a rising sequence below that of 0, %.5f", got, zero)
	}
}
