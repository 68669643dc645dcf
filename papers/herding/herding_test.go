package herding

import (
	"testing"

	"gaucho/papers"
	"gaucho/papers/studytest"
	"gaucho/stdlib/study"
)

// TestMixtureClaims checks what Lacoste-Julien et al. 2015 say of figure 1: FCFW is always best, FW is better than MC and
// QMC.
func TestMixtureClaims(t *testing.T) {
	s := Mixture(papers.Small)
	res := studytest.Run(t, s)
	var last, slope []float64
	for _, method := range []string{"MC", "QMC", "FW", "FCFW"} {
		p := res.Points("method", method)[0]
		m, err := res.Summary(p, "lastMMD")
		if err != nil {
			t.Fatal(err)
		}
		sl, err := res.Summary(p, "mmdSlope")
		if err != nil {
			t.Fatal(err)
		}
		last, slope = append(last, m.Median), append(slope, sl.Median)
	}
	if !(last[3] < last[2] && last[2] < last[1] && last[1] < last[0]) {
		t.Errorf("MMD of MC, QMC, FW, FCFW at the last N: %v, want a falling sequence", last)
	}
	if !(slope[3] < slope[2] && slope[2] < slope[0]) {
		t.Errorf("slopes of MC, QMC, FW, FCFW: %v, want FCFW steepest and FW below MC", slope)
	}
}

// TestFilterClaims checks what Lacoste-Julien et al. 2015 say of figures 2 and 7: on the linear model in three dimensions
// and on the jump model FCFW is better than FW, FW better than QMC, and that better than the bootstrap filter.
func TestFilterClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	for model, replications := range map[string]int{"lgss3": 6, "jmls": 30} {
		s := filters(model, papers.Small)
		s.Points = study.Grid(study.Values("model", model), study.Values("variance", 1.0), study.Values("method", "PF", "QMC", "FW", "FCFW"),
			study.Values("N", 50), study.Values("T", 50), study.Values("M", 1500), study.Values("reference", 0))
		s.Replications = replications
		got := studytest.Medians(t, s, "rmse")[0]
		if !(got[3] < got[2] && got[2] < got[1] && got[1] < got[0]) {
			t.Errorf("%s: median RMSE of PF, QMC, FW, FCFW is %.3v, want a falling sequence", model, got)
		}
	}
}

// TestDistributedClaims checks what Khanna et al. 2021 say of figure 1: free weights beat equal ones, and splitting the
// candidates over five parts costs little (the specification's prototype stayed within 0.91 to 1.13).
func TestDistributedClaims(t *testing.T) {
	s := Distributed(papers.Small)
	s.Points = study.Grid(study.Values("method", "MC", "Herding", "WKH", "SBQ", "WKH-5", "SBQ-5"), study.Values("M", 2000), study.Values("N", 50))
	got := studytest.Medians(t, s, "lastMMD")[0]
	if !(got[3] < got[1] && got[2] < got[1] && got[1] < got[0]) {
		t.Errorf("median MMD of MC, Herding, WKH, SBQ is %.3v, want herding below MC and free weights below herding", got[:4])
	}
	for i := range 2 {
		if ratio := got[4+i] / got[2+i]; ratio < 0.8 || ratio > 1.25 {
			t.Errorf("splitting over five parts multiplies the MMD by %.2f", ratio)
		}
	}
}

// TestFilterVariances: the width of the kernel changes nothing for the filters that have none, whose data and draws stay the
// same, and something for herding (Lacoste-Julien et al. 2015, figures 5 to 8).
func TestFilterVariances(t *testing.T) {
	s := filters("lgss3", papers.Small)
	s.Points = study.Grid(study.Values("model", "lgss3", "jmls", "nonlinear"), study.Values("variance", 0.01, 0.1, 1.0),
		study.Values("method", "PF", "QMC", "FW"), study.Values("N", 20), study.Values("T", 20), study.Values("M", 500), study.Values("reference", 2000))
	res := studytest.Run(t, s)
	for _, model := range []string{"lgss3", "jmls", "nonlinear"} {
		for _, method := range []string{"PF", "QMC", "FW"} {
			seen := map[float64]bool{}
			for _, p := range res.Points("model", model, "method", method) {
				sum, err := res.Summary(p, "rmse")
				if err != nil {
					t.Fatal(err)
				}
				seen[sum.Mean] = true
			}
			if want := map[bool]int{true: 3, false: 1}[method == "FW"]; len(seen) != want {
				t.Errorf("%s on %s has %d different errors for three widths, want %d", method, model, len(seen), want)
			}
		}
	}
}
