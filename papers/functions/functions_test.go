package functions

import (
	"testing"

	"gaucho/papers"
	"gaucho/papers/studytest"
	"gaucho/stdlib/study"
)

// TestFunctionsClaims checks what chapter 3 of Dai 2018 says of its experiments, at small size: doubly stochastic gradients
// beat low ranks on the radial wave and stay near NORMA, and are no worse than a network on its own inputs.
func TestFunctionsClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	best := func(res *study.Results, field string, match ...any) float64 {
		t.Helper()
		least := 0.0
		for i, p := range res.Points(match...) {
			s, err := res.Summary(p, field)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 || s.Mean < least {
				least = s.Mean
			}
		}
		if least == 0 {
			t.Fatalf("no point matches %v", match)
		}
		return least
	}
	ridge := studytest.Run(t, Ridge(papers.Small))
	doubly, norma := best(ridge, "error", "method", "doubly"), best(ridge, "error", "method", "NORMA")
	if doubly > 5*norma {
		t.Errorf("error of doubly stochastic ridge regression is %v, NORMA's %v", doubly, norma)
	}
	for _, method := range []string{"r-ridge", "n-ridge"} {
		if low := best(ridge, "error", "method", method, "rank", 64); low < 5*doubly {
			t.Errorf("error of %s of rank 64 is %v, that of doubly stochastic gradients %v", method, low, doubly)
		}
	}
	classes := studytest.Run(t, Classes(papers.Small))
	if d, n := best(classes, "final", "method", "doubly"), best(classes, "final", "method", "network"); d > n+0.01 {
		t.Errorf("kernel logistic regression errs in %v, the network in %v", d, n)
	}
	molecules := studytest.Run(t, Molecules(papers.Small))
	if d, n := best(molecules, "all", "method", "doubly"), best(molecules, "all", "method", "network"); d > 1.1*n {
		t.Errorf("error of energies is %v, the network's %v", d, n)
	}
}
