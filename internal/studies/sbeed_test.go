package studies

import (
	"context"
	"testing"

	"gaucho/stdlib/study"
)

// TestTabularClaims checks what Dai 2018 says of eta: with exact expectations the error of V falls as eta grows and is gone
// at 1.
func TestTabularClaims(t *testing.T) {
	t.Parallel()
	s := sbeedTabular(Small)
	s.Points = study.Grid(study.Values("problem", "whole", "convex"), study.Values("expectations", "population"),
		study.Values("eta", 0.0, 0.5, 1.0), study.Values("updates", 1), study.Values("exact updates", 10000))
	res, err := s.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range []string{"whole", "convex"} {
		last := 1e9
		for _, p := range res.Points("problem", problem, "expectations", "population") {
			m, err := res.Summary(p, "error")
			if err != nil {
				t.Fatal(err)
			}
			if m.Mean >= last {
				t.Errorf("%v: error %v, want less than %v at the eta before", p, m.Mean, last)
			}
			last = m.Mean
		}
		if last > 1e-3 {
			t.Errorf("%s: error %v at eta = 1, want at most 1e-3", problem, last)
		}
	}
}
