package hypothesis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// orders calls f with each way to choose n of the values, and the rest.
func orders(values []float64, n int, f func(x, y []float64)) {
	for mask := range 1 << len(values) {
		var x, y []float64
		for i, v := range values {
			if mask>>i&1 == 1 {
				x = append(x, v)
			} else {
				y = append(y, v)
			}
		}
		if len(x) == n {
			f(x, y)
		}
	}
}

// TestPermutations compares p-values with the share of all assignments of the values to the samples that are as extreme, also
// where values are the same.
func TestPermutations(t *testing.T) {
	for _, values := range [][]float64{{3, 1, 4, 15, 9, 2, 6, 5, 35, 8, 97, 93}, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 9}} {
		const n = 5
		x, y := values[:n], values[n:]
		law, err := KolmogorovSmirnov2(x, y)
		if err != nil {
			t.Fatal(err)
		}
		rank, err := MannWhitney(x, y)
		if err != nil {
			t.Fatal(err)
		}
		all, far, less, greater := 0.0, 0.0, 0.0, 0.0
		orders(values, n, func(x, y []float64) {
			all++
			d := 0.0
			for _, v := range values {
				d = max(d, math.Abs(below(x, v)-below(y, v)))
			}
			if d > law.Statistic-1e-9 {
				far++
			}
			u := pairsAbove(x, y)
			if u <= rank.Statistic {
				less++
			}
			if u >= rank.Statistic {
				greater++
			}
		})
		if !near(law.P, far/all, 1e-12) {
			t.Errorf("%v: same law p %v, by enumeration %v", values, law.P, far/all)
		}
		if rank.Exact && (!near(rank.Less, less/all, 1e-12) || !near(rank.Greater, greater/all, 1e-12)) {
			t.Errorf("%v: ranks %v and %v, by enumeration %v and %v", values, rank.Less, rank.Greater, less/all, greater/all)
		}
	}
}

// pairsAbove counts the pairs in which the value of x is above, half for the same.
func pairsAbove(x, y []float64) float64 {
	u := 0.0
	for _, a := range x {
		for _, b := range y {
			switch {
			case a > b:
				u++
			case a == b:
				u += 0.5
			}
		}
	}
	return u
}

// TestExactRanks compares two-sided p-values with the share of all assignments whose U is as far from its mean.
func TestExactRanks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		a, b := make([]float64, 1+rng.IntN(6)), make([]float64, 1+rng.IntN(6))
		for i := range a {
			a[i] = rng.Float64()
		}
		for i := range b {
			b[i] = rng.Float64() + 0.3
		}
		mean, far, all := float64(len(a)*len(b))/2, 0.0, 0.0
		u := math.Abs(pairsAbove(a, b) - mean)
		orders(slices.Concat(a, b), len(a), func(x, y []float64) {
			all++
			if math.Abs(pairsAbove(x, y)-mean) >= u {
				far++
			}
		})
		r, err := MannWhitney(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.P-far/all) > 1e-12 {
			t.Errorf("%v %v: p is %v, want %v", a, b, r.P, far/all)
		}
	}
}

// TestTies has the value of the formula by hand: x = 1 2 2, y = 2 3 3 has U = 1, ties 24 + 6 = 30 over groups of 3 and 2,
// sigma^2 = 9/12 (7 - 30/30) = 4.5, z = (3.5 - 0.5)/sqrt(4.5) = sqrt 2.
func TestTies(t *testing.T) {
	r, err := MannWhitney([]float64{1, 2, 2}, []float64{2, 3, 3})
	if err != nil {
		t.Fatal(err)
	}
	if want := math.Erfc(1); math.Abs(r.P-want) > 1e-12 {
		t.Errorf("p is %v, want %v", r.P, want)
	}
}

// below is the share of values that are at most v.
func below(x []float64, v float64) float64 {
	n := 0.0
	for _, a := range x {
		if a <= v {
			n++
		}
	}
	return n / float64(len(x))
}

// TestPublished are figures of R's documentation: the sleep of ten patients (Student 1908), and a lady who tastes tea (Fisher 1935).
func TestPublished(t *testing.T) {
	first := []float64{.7, -1.6, -.2, -1.2, -.1, 3.4, 3.7, .8, 0, 2}
	second := []float64{1.9, .8, 1.1, .1, -.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	welch, _ := WelchT(first, second)
	paired, _ := PairedT(first, second)
	tea, _ := Fisher(3, 1, 1, 3)
	low, high := welch.Confidence(0.95)
	for what, c := range map[string][2]float64{
		"t":      {-1.8608, welch.Statistic},
		"df":     {17.776, welch.DF[0]},
		"p":      {0.07939, welch.P},
		"low":    {-3.3654832, low},
		"high":   {0.2054832, high},
		"paired": {0.002833, paired.P},
		"tea":    {0.4857, tea.P},
	} {
		if !near(c[1], c[0], 1e-4) {
			t.Errorf("%s is %v, published %v", what, c[1], c[0])
		}
	}
}

// TestTails: small p-values have all their digits. Of ten values all above ten others, one order in choose(20, 10) is as extreme;
// 40 differences of one sign are one case of 2^40.
func TestTails(t *testing.T) {
	var low, high, one []float64
	for i := range 40 {
		low, high, one = append(low, float64(i)), append(high, float64(i)+100.5), append(one, float64(i)+1)
	}
	rank, _ := MannWhitney(low[:10], high[:10])
	law, _ := KolmogorovSmirnov2(low[:10], high[:10])
	signed, _ := SignedRank(one, nil)
	far, _ := KolmogorovSmirnov(slices.Repeat([]float64{0}, 30), func(float64) float64 { return 0.99 })
	for what, c := range map[string][2]float64{
		"ranks":      {rank.Less, 1.0 / 184756},
		"both ways":  {rank.P, 2.0 / 184756},
		"laws":       {law.P, 2.0 / 184756},
		"signs":      {signed.Greater, math.Pow(2, -40)},
		"one sample": {far.P, 2 * math.Pow(0.01, 30)}, // all values are in a hundredth of the law, at either end
	} {
		if !near(c[0], c[1], 1e-9) {
			t.Errorf("%s: p %v, must be %v", what, c[0], c[1])
		}
	}
}

// TestLimits: where the exact law ends the limiting one is near.
func TestLimits(t *testing.T) {
	for _, d := range []float64{0.006, 0.009, 0.0136, 0.0195} {
		exact, limit := 1-marsaglia(10000, d), kolmogorov(d*100)
		if 10000*d*d > 4 {
			exact = 2 * oneSidedSmirnov(10000, d)
		}
		if math.Abs(exact-limit) > 0.004 {
			t.Errorf("D = %v: exact %v, in the limit %v", d, exact, limit)
		}
	}
	for _, x := range []float64{0.9999999, 1.0000001} { // both series
		if p := kolmogorov(x); math.Abs(p-0.26999967) > 1e-6 {
			t.Errorf("Kolmogorov's law at %v is %v", x, p)
		}
	}
}

// TestRefused: what is wrong with data is said.
func TestRefused(t *testing.T) {
	nan := math.NaN()
	of := func(_ *Result, err error) error { return err }
	for want, err := range map[string]error{
		"sample 2 has 1 values, must have at least 2":      of(WelchT([]float64{1, 2}, []float64{1})),
		"value 1 of sample 1 is NaN":                       of(OneSampleT([]float64{1, nan}, 0)),
		"mean is NaN":                                      of(OneSampleT([]float64{1, 2}, nan)),
		"pairs of 2 and 3 values":                          of(PairedT([]float64{1, 2}, []float64{1, 2, 3})),
		"all values of a sample are the same: their":       of(WelchT([]float64{1, 1}, []float64{2, 2})),
		"number of samples is 1":                           of(Anova([]float64{1, 2})),
		"2 samples have 2 values":                          of(Anova([]float64{1}, []float64{2})),
		"the values of each sample are all the same":       of(Anova([]float64{1, 1}, []float64{2, 2})),
		"all values of both samples are the same":          of(MannWhitney([]float64{1, 1}, []float64{1})),
		"all differences are 0":                            of(SignedRank([]float64{1, 1}, []float64{1, 1})),
		"all values of all samples are the same":           of(KruskalWallis([]float64{1, 1}, []float64{1})),
		"all values of a sample are the same: there":       of(Pearson([]float64{1, 1, 1}, []float64{1, 2, 3})),
		"4 successes in 3 trials":                          of(Binomial(4, 3, 0.5)),
		"probability is 1, must be above 0":                of(Binomial(2, 3, 1)),
		"row 1 has no cases":                               of(ChiSquared(mat.NewDense(2, 2, []float64{1, 2, 0, 0}))),
		"column 0 has no cases":                            of(ChiSquared(mat.NewDense(2, 2, []float64{0, 2, 0, 3}))),
		"count 1, 0 is 0.5, must be a whole number":        of(ChiSquared(mat.NewDense(2, 2, []float64{1, 2, 0.5, 3}))),
		"the table of counts is nil":                       of(ChiSquared(nil)),
		"has 2 rows and 1 columns, must have at least 2":   of(ChiSquared(mat.NewDense(2, 1, []float64{1, 2}))),
		"a row or column has no cases":                     of(Fisher(0, 0, 1, 2)),
		"2 counts and 3 probabilities":                     of(GoodnessOfFit([]int{1, 2}, []float64{.2, .3, .5})),
		"probabilities have the sum 0.9":                   of(GoodnessOfFit([]int{1, 2}, []float64{.4, .5})),
		"all counts are 0":                                 of(GoodnessOfFit([]int{0, 0}, nil)),
		"the distribution function is nil":                 of(KolmogorovSmirnov([]float64{1}, nil)),
		"the distribution function of 1 is 2":              of(KolmogorovSmirnov([]float64{1}, func(float64) float64 { return 2 })),
		"all values of sample 1 are the same":              of(ShapiroWilk([]float64{1, 1, 1})),
		"sample 1 has 2 values, must have at least 3":      of(ShapiroWilk([]float64{1, 2})),
		"sample 1 has 5001 values, must have at most 5000": of(ShapiroWilk(make([]float64, 5001))),
		"count 0 is -1, must be at least 0":                of(GoodnessOfFit([]int{-1, 2}, nil)),
		"counts are 1, -2, 3 and 4, must be at least 0":    of(Fisher(1, -2, 3, 4)),
		"value 0 of sample 2 is +Inf":                      of(KolmogorovSmirnov2([]float64{1}, []float64{math.Inf(1)})),
		"sample 1 has 0 values, must have at least 1":      of(KolmogorovSmirnov2(nil, []float64{1})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
