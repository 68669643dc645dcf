package distributions

import (
	"testing"

	"gaucho/papers"
	"gaucho/papers/studytest"
)

// TestMixtureClaims checks what Dai 2018 says of figure 4.1: particle mirror descent finds both modes every time
// and ends nearer the posterior than SMC; a run of Gibbs sampling or SGLD, and variational inference, has one mode.
func TestMixtureClaims(t *testing.T) {
	t.Parallel()
	res := studytest.Run(t, Mixture(papers.Small))
	mean := map[string]float64{}
	for _, method := range []string{"PMD", "SMC", "Gibbs", "SGLD", "SVI"} {
		p := res.Points("method", method)[0]
		m, err := res.Summary(p, "finalVariation")
		if err != nil {
			t.Fatal(err)
		}
		mean[method] = m.Mean
		masses, err := res.Floats(p, "firstMode")
		if err != nil {
			t.Fatal(err)
		}
		for _, mass := range masses {
			if least := min(mass, 1-mass); method == "PMD" && least < 0.3 || method == "SVI" && least > 0.1 {
				t.Errorf("%s: the lesser mode has mass %v, want at least 0.3 for PMD and at most 0.1 for SVI", method, least)
			}
		}
	}
	for method, v := range mean {
		if method != "PMD" && v <= mean["PMD"] {
			t.Errorf("mean total variation of %s %v, want more than that of PMD, %v", method, v, mean["PMD"])
		}
	}
}

// TestLogisticClaims checks what section 4.6.2 says: particle mirror descent ends with the accuracy of the best.
func TestLogisticClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	res := studytest.Run(t, Logistic(papers.Small))
	final := map[string]float64{}
	for _, method := range []string{"PMD", "Laplace", "SVI"} {
		m, err := res.Summary(res.Points("method", method)[0], "final")
		if err != nil {
			t.Fatal(err)
		}
		final[method] = m.Mean
	}
	if final["PMD"] < final["Laplace"]-0.005 {
		t.Errorf("accuracy of particle mirror descent %v, want within 0.005 of that at the mode, %v", final["PMD"], final["Laplace"])
	}
}

// TestProcessClaims checks what appendix B.8.1 and section 4.6.3 say: the mean comes no
// farther from the true function than that of stochastic variational inference and nearer than that of a subset.
func TestProcessClaims(t *testing.T) {
	t.Parallel()
	res := studytest.Run(t, Process(papers.Small))
	final := map[string]float64{}
	for _, method := range []string{"PMD", "SVI", "subset"} {
		m, err := res.Summary(res.Points("data", "wave", "method", method, "noise", 0.01)[0], "final")
		if err != nil {
			t.Fatal(err)
		}
		final[method] = m.Mean
	}
	if final["PMD"] > 1.1*final["SVI"] || final["PMD"] > final["subset"] {
		t.Errorf("errors %v, want that of PMD at most 1.1 times that of SVI and that of the subset", final)
	}
}
