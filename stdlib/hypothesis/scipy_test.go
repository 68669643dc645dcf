package hypothesis

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A scipyCase is a test of testdata/scipy.json: samples, and what SciPy found.
type scipyCase struct {
	Test          string
	X, Y          []float64
	Groups        [][]float64
	Mean          float64
	Counts        [][]int
	Probabilities []float64
	Successes, N  int
	Probability   float64
	Want          map[string]float64
}

func (c *scipyCase) run() (*Result, error) {
	switch c.Test {
	case "OneSampleT":
		return OneSampleT(c.X, c.Mean)
	case "Anova":
		return Anova(c.Groups...)
	case "KruskalWallis":
		return KruskalWallis(c.Groups...)
	case "KolmogorovSmirnov":
		return KolmogorovSmirnov(c.X, distuv.UnitNormal.CDF)
	case "ShapiroWilk":
		return ShapiroWilk(c.X)
	case "Fisher":
		return Fisher(c.Counts[0][0], c.Counts[0][1], c.Counts[1][0], c.Counts[1][1])
	case "ChiSquared":
		counts := mat.NewDense(len(c.Counts), len(c.Counts[0]), nil)
		for i, row := range c.Counts {
			for j, n := range row {
				counts.Set(i, j, float64(n))
			}
		}
		return ChiSquared(counts)
	case "GoodnessOfFit":
		return GoodnessOfFit(c.Counts[0], c.Probabilities)
	case "Binomial":
		return Binomial(c.Successes, c.N, c.Probability)
	}
	return map[string]func(x, y []float64) (*Result, error){"WelchT": WelchT, "StudentT": StudentT, "PairedT": PairedT, "MannWhitney": MannWhitney,
		"SignedRank": SignedRank, "KolmogorovSmirnov2": KolmogorovSmirnov2, "Pearson": Pearson, "Spearman": Spearman}[c.Test](c.X, c.Y)
}

// TestSciPy compares with SciPy: testdata/truth.py has the commands.
func TestSciPy(t *testing.T) {
	data, err := os.ReadFile("testdata/scipy.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []scipyCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for i, c := range cases {
		r, err := c.run()
		if err != nil {
			t.Errorf("%d, %s: %v", i, c.Test, err)
			continue
		}
		got := map[string]float64{"statistic": r.Statistic, "p": r.P, "less": r.Less, "greater": r.Greater, "estimate": r.Estimate}
		got["low"], got["high"] = r.Confidence(0.9)
		if len(r.DF) > 0 {
			got["df"] = r.DF[0]
		}
		for key, want := range c.Want {
			seen[c.Test+" "+key]++
			if !near(got[key], want, c.tolerance()) {
				t.Errorf("%d, %s, n = %v: %s %v, SciPy's %v", i, c.Test, r.N, key, got[key], want)
			}
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d kinds of figures were compared", len(seen))
	}
}

// tolerance is how far figures may be apart, relatively: SciPy's Shapiro-Wilk computes with four-byte constants, and its
// Kolmogorov-Smirnov from 140 values on by an approximation with at least five digits.
func (c *scipyCase) tolerance() float64 {
	if c.Test == "ShapiroWilk" || c.Test == "KolmogorovSmirnov" && len(c.X) > 140 {
		return 1e-5
	}
	return 1e-9
}

func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*math.Abs(b) || math.Abs(a-b) < 1e-15
}
