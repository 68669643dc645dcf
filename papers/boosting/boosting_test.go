package boosting

import (
	"math"
	"testing"

	"gaucho/papers"
	"gaucho/papers/studytest"
	"gaucho/stdlib/study"
)

// TestOverfitClaims checks what Yang 2018 says of figure 3.1: the error has its least inside the path and is far larger at
// its end.
func TestOverfitClaims(t *testing.T) {
	t.Parallel()
	res := studytest.Run(t, Overfit(papers.Small))
	for _, loss := range []string{"logistic", "exponential", "squared"} {
		p := res.Points("loss", loss)[0]
		paths, err := res.Paths(p, "error")
		if err != nil {
			t.Fatal(err)
		}
		times := recordTimes(p.Int("T"))
		curve := make([]float64, len(times))
		for _, path := range paths {
			for i, v := range path {
				curve[i] += v / float64(len(paths))
			}
		}
		at := 0
		for i, v := range curve {
			if v < curve[at] {
				at = i
			}
		}
		t.Logf("%s: least %.4g at %d, %.4g at the end", loss, curve[at], times[at], curve[len(curve)-1])
		if times[at] < 5 || times[at] > 500 {
			t.Errorf("%s: the mean curve is lowest at %d, want from 5 to 500", loss, times[at])
		}
		if curve[len(curve)-1] < 2*curve[at] { // three times at 5,000 iterations
			t.Errorf("%s: error %v at the end, least %v", loss, curve[len(curve)-1], curve[at])
		}
	}
}

// TestRulesClaims checks what Yang 2018 says of figures 3.2 and 3.3: T = (7n)^(2/3) follows the best stop with slope about
// -2/3, the exponents 1/3 and 1 fall more slowly.
func TestRulesClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	s := Rules(papers.Small)
	s.Points = study.Grid(study.Values("loss", "squared", "logistic", "exponential"), study.Values("n", 100, 800))
	s.Replications = 30
	res := studytest.Run(t, s)
	for _, loss := range []string{"squared", "logistic", "exponential"} {
		slope := func(field string) float64 {
			return math.Log(studytest.Mean(t, res, field, "loss", loss, "n", 800)/studytest.Mean(t, res, field, "loss", loss, "n", 100)) / math.Log(8)
		}
		good, over, under := slope("last 2/3"), slope("last 1"), slope("last 1/3")
		t.Logf("%s: slopes %.3f for 2/3, %.3f for 1, %.3f for 1/3, %.3f gold", loss, good, over, under, slope("gold"))
		if good < -0.9 || good > -0.5 {
			t.Errorf("%s: slope %v for exponent 2/3, want about -2/3", loss, good)
		}
		if over < -0.65 || over > -0.4 {
			t.Errorf("%s: slope %v for exponent 1, want about -1/2", loss, over)
		}
		if under < -0.5 {
			t.Errorf("%s: slope %v for exponent 1/3, want above -0.5", loss, under)
		}
	}
	gold, rule := studytest.Mean(t, res, "gold", "loss", "squared", "n", 800), studytest.Mean(t, res, "last 2/3", "loss", "squared", "n", 800)
	if rule > 2*gold {
		t.Errorf("error %v of the rule, best %v", rule, gold)
	}
	if over := studytest.Mean(t, res, "last 1", "loss", "squared", "n", 800); over < 1.8*rule {
		t.Errorf("error %v of exponent 1, %v of 2/3", over, rule)
	}
	if c := studytest.Mean(t, res, "last calibrated", "loss", "squared", "n", 800); c > 2*gold {
		t.Errorf("error %v of the calibrated rule, best %v", c, gold)
	}
}
