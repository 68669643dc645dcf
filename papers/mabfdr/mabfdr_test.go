package mabfdr

import (
	"testing"

	"gaucho/papers"
	"gaucho/papers/studytest"
	"gaucho/stdlib/fdr"
)

// TestGaussianClaims checks what Yang 2018 says of figure 4.7: adaptive sampling has its power at a fraction of the pulls
// of uniform sampling, which uses up its budget as arms are added, and no null is rejected.
func TestGaussianClaims(t *testing.T) {
	t.Parallel()
	power := studytest.Run(t, Power(papers.Small))
	for _, preset := range []string{"paper", "program"} {
		if bdr := studytest.Mean(t, power, "BDR", "preset", preset, "method", "MAB", "M", 250); bdr < 0.95 {
			t.Errorf("%s: BDR of MAB at M = 250 is %v, want at least 0.95", preset, bdr)
		}
		if bdr := studytest.Mean(t, power, "BDR", "preset", preset, "method", "AB", "M", 250); bdr > 0.05 {
			t.Errorf("%s: BDR of AB at M = 250 is %v, want at most 0.05", preset, bdr)
		}
		if bdr := studytest.Mean(t, power, "BDR", "preset", preset, "method", "AB", "M", 800); bdr < 0.75 {
			t.Errorf("%s: BDR of AB at M = 800 is %v, want at least 0.75", preset, bdr)
		}
	}
	if bdr := studytest.Mean(t, power, "BDR", "preset", "program", "method", "MAB", "M", 160); bdr > 0.15 {
		t.Errorf("BDR of MAB at M = 160 is %v, want at most 0.15", bdr)
	}
	if pulls := studytest.Mean(t, power, "pulls", "preset", "program", "method", "MAB", "M", 400) / 60; pulls < 160 || pulls > 200 {
		t.Errorf("MAB takes %v pulls an experiment, want 160 to 200", pulls)
	}
	for _, p := range power.Points() {
		if s, err := power.Summary(p, "FDP"); err != nil || s.Max > 0 {
			t.Errorf("%v: FDP is %v, want 0; %v", p, s.Max, err)
		}
	}
	samples := studytest.Run(t, Samples(papers.Small))
	for _, preset := range []string{"paper", "program"} {
		for _, arms := range []int{10, 20, 40} {
			mab := studytest.Mean(t, samples, "pulls", "preset", preset, "method", "MAB", "arms", arms)
			ab := studytest.Mean(t, samples, "pulls", "preset", preset, "method", "AB", "arms", arms)
			t.Logf("%s, %d arms: MAB %.0f, AB %.0f pulls", preset, arms, mab, ab)
			if mab > 0.55*ab {
				t.Errorf("%s, %d arms: MAB takes %v pulls, AB %v, want at most 0.55 of them", preset, arms, mab, ab)
			}
		}
	}
}

// TestControlClaims checks what Yang 2018 says of figure 4.10: LORD keeps the false discovery rate, testing each
// hypothesis at alpha does not while alternatives are rare, and Bonferroni hardly rejects falsely.
func TestControlClaims(t *testing.T) {
	t.Parallel()
	res := studytest.Run(t, Control(papers.Small))
	for _, share := range []float64{0.1, 0.4, 0.8} {
		for _, rule := range []fdr.Method{fdr.LORD3, fdr.LORD15, fdr.LORDPlusPlus, fdr.Uncorrected, fdr.Bonferroni} {
			p := res.Points("rule", string(rule), "share", share)[0]
			v, err1 := res.Summary(p, "V")
			r, err2 := res.Summary(p, "R")
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			mfdr := v.Mean / (r.Mean + 1)
			t.Logf("share %v, %-12s mFDR %.3f, %.0f rejected", share, rule, mfdr, r.Mean)
			if rule != fdr.Uncorrected && mfdr > 0.1 {
				t.Errorf("%s: mFDR is %v at share %v, want at most 0.1", rule, mfdr, share)
			}
			if rule == fdr.Uncorrected && (share == 0.1 && mfdr < 0.2 || share == 0.8 && mfdr > 0.1) {
				t.Errorf("%s: mFDR is %v at share %v", rule, mfdr, share)
			}
		}
	}
}

// TestBernoulliClaims checks what Yang 2018 says of figure 4.8: as figure 4.7, at much larger truncation.
func TestBernoulliClaims(t *testing.T) {
	t.Parallel()
	power := studytest.Run(t, BernoulliPower(papers.Small))
	for _, c := range []struct {
		method      string
		budget      int
		least, most float64
	}{{"MAB", 7500, .95, 1}, {"AB", 7500, 0, .05}, {"AB", 25000, .85, 1}} {
		if bdr := studytest.Mean(t, power, "BDR", "method", c.method, "M", c.budget); bdr < c.least || bdr > c.most {
			t.Errorf("BDR of %s at M = %d is %v, want from %v to %v", c.method, c.budget, bdr, c.least, c.most)
		}
	}
	samples := studytest.Run(t, BernoulliSamples(papers.Small))
	if mab, ab := studytest.Mean(t, samples, "pulls", "method", "MAB", "arms", 20), studytest.Mean(t, samples, "pulls", "method", "AB", "arms", 20); mab > ab/2 {
		t.Errorf("MAB takes %v pulls at 20 arms, AB %v", mab, ab)
	}
}

// TestCaptionClaims checks figure 4.9 on generated contests: fewer pulls on every draw, and, where AB rejects only when
// it stopped by itself, more discoveries with many arms.
func TestCaptionClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	res := studytest.Run(t, Captions(papers.Small))
	for _, arms := range []int{10, 40} {
		mab, ab := studytest.Mean(t, res, "pulls", "method", "MAB", "arms", arms), studytest.Mean(t, res, "pulls", "method", "AB", "arms", arms)
		if mab >= ab {
			t.Errorf("%d arms: MAB takes %v pulls, AB %v", arms, mab, ab)
		}
	}
	if mab, ab := studytest.Mean(t, res, "BDR", "method", "MAB", "arms", 40), studytest.Mean(t, res, "BDR", "method", "AB-stop", "arms", 40); mab < ab-0.1 {
		t.Errorf("BDR of MAB %v, of AB that must stop %v", mab, ab)
	}
}
