package studies

import (
	"context"
	"testing"

	"gaucho/stdlib/study"
)

// TestSmall runs every study at its smallest size.
func TestSmall(t *testing.T) {
	for _, s := range All(Small) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			res, err := s.Run(context.Background(), &study.Settings{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(s.Points) * s.Replications; res.Len() != n {
				t.Errorf("%d records, want %d", res.Len(), n)
			}
		})
	}
}

// TestMixtureClaims checks what Lacoste-Julien et al. 2015 say of figure 1: FCFW is always best, FW is better than MC and
// QMC.
func TestMixtureClaims(t *testing.T) {
	s := mixture(Small)
	res, err := s.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
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
