package fdr

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gaucho/stdlib/bandit"
)

// TestCaptionMeans checks the means of the best caption and of its gap to the next
// against the generator's formula, 0.38 + 0.05 (1 + 1/2 + ... + 1/79) and 0.05 (the
// contests that it was fitted to have 0.616 +- 0.068 and 0.032), and the alternatives.
func TestCaptionMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 49))
	means, err := CaptionMeans(2000, 80, 0.4, rng)
	if err != nil {
		t.Fatal(err)
	}
	var top, gap, alternatives float64
	for _, m := range means {
		if !bandit.IsNull(m, 0) {
			alternatives++
			if r := slices.Index(m, slices.Max(m)); r < 1 || r > 5 {
				t.Fatalf("the best caption is at rank %d", r+1)
			}
		}
		s := slices.Clone(m)
		slices.Sort(s)
		top += s[79] / 2000
		gap += (s[79] - s[78]) / 2000
	}
	if math.Abs(top-0.6277) > 0.01 || math.Abs(gap-0.05) > 0.005 || alternatives != 800 {
		t.Errorf("top %v, gap %v, %v alternatives", top, gap, alternatives)
	}
	if _, err := CaptionMeans(10, 81, 0.4, rng); err == nil || !strings.Contains(err.Error(), "must be from 2 to 80") {
		t.Errorf("error %v", err)
	}
}

func TestReadCaptions(t *testing.T) {
	const table = "rank,contest,funny,somewhat_funny,unfunny\n1,520,10,20,30\n2,520,30,20,10\n1,521,0,1,3\n"
	contests, means, err := ReadCaptions(strings.NewReader(table))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(contests, []string{"520", "521"}) || len(means) != 2 ||
		!slices.Equal(means[0], []float64{50.0 / 60, 0.5}) || !slices.Equal(means[1], []float64{0.25}) {
		t.Errorf("contests %v with means %v", contests, means)
	}
	for says, table := range map[string]string{
		`must have "unfunny"`:        "contest,funny,somewhat_funny\n",
		`line 2: count is "x"`:       "contest,funny,somewhat_funny,unfunny\n1,x,1,1\n",
		"line 2: the caption has no": "contest,funny,somewhat_funny,unfunny\n1,0,0,0\n",
		"there are no captions":      "contest,funny,somewhat_funny,unfunny\n",
		"cannot read the captions":   "",
	} {
		if _, _, err := ReadCaptions(strings.NewReader(table)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one with %q", err, says)
		}
	}
}
