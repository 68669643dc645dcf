package hypothesis

import (
	"math"
	"math/big"
	"testing"
)

// TestFisherBruteForce compares with sums of exact probabilities over all tables of the same sums, for all tables of up to 12 cases.
func TestFisherBruteForce(t *testing.T) {
	chance := func(row, column, n, i int) *big.Rat {
		ways := new(big.Int).Mul(new(big.Int).Binomial(int64(column), int64(i)), new(big.Int).Binomial(int64(n-column), int64(row-i)))
		return new(big.Rat).SetFrac(ways, new(big.Int).Binomial(int64(n), int64(row)))
	}
	for code := range 7 * 7 * 7 * 7 {
		a, b, c, d := code%7, code/7%7, code/49%7, code/343
		r, err := Fisher(a, b, c, d)
		if err != nil {
			continue
		}
		row, column, n := a+b, a+c, a+b+c+d
		p, less, greater := new(big.Rat), new(big.Rat), new(big.Rat)
		seen := chance(row, column, n, a)
		for i := max(0, row+column-n); i <= min(row, column); i++ {
			v := chance(row, column, n, i)
			if v.Cmp(seen) <= 0 {
				p.Add(p, v)
			}
			if i <= a {
				less.Add(less, v)
			}
			if i >= a {
				greater.Add(greater, v)
			}
		}
		for name, v := range map[string][2]float64{"p": {r.P, float(p)}, "less": {r.Less, float(less)}, "greater": {r.Greater, float(greater)}} {
			if math.Abs(v[0]-v[1]) > 1e-13*v[1] {
				t.Errorf("Fisher(%d, %d, %d, %d): %s %v, want %v", a, b, c, d, name, v[0], v[1])
			}
		}
	}
}

func float(r *big.Rat) float64 {
	x, _ := r.Float64()
	return x
}

// TestLargeCounts compares with sums of probabilities by log-gammas of 45 digits (mpmath 1.3.0); R 4.2.2's fisher.test has
// 6.126212713e-178 for the first.
func TestLargeCounts(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-12*want }
	for _, c := range []struct {
		a, b, c, d       int
		p, less, greater float64
	}{
		{5829225, 5692693, 5760959, 5760959, 6.1262127126241154e-178, 1, 3.0631063563120577e-178},
		{4000000, 3990000, 4000100, 4010000, 6.525153103461192e-7, 0.99999967463709618, 3.2704687881745791e-7},
		{300, 1700, 10, 990, 5.3848194207285602e-43, 1, 4.1411006694382018e-43},
		{1e9, 1e9 + 60000, 1e9, 1e9, 0.34280141933893486, 0.17140432956678175, 0.8286117588415991},
		{0, 1000000, 20, 3000000, 0.0071131569155689967, 0.0031712674354073023, 1},
	} {
		r, err := Fisher(c.a, c.b, c.c, c.d)
		if err != nil || math.Abs(r.P-c.p) > 3e-12*c.p || !(math.Abs(r.Less-c.less) <= 3e-12*c.less) || !(math.Abs(r.Greater-c.greater) <= 3e-12*c.greater) {
			t.Errorf("Fisher(%d, %d, %d, %d): %+v, %v", c.a, c.b, c.c, c.d, r, err)
		}
	}
	for _, c := range []struct {
		k, n int
		p, P float64
	}{
		{100000, 1000000, 0.1, 1}, {100900, 1000000, 0.1, 0.0027294455297398716}, {0, 50, 0.1, 0.0083736963432300252}, {50, 50, 0.1, 1.0000000000000028e-50},
		{499, 1000, 0.5, 0.9747749818216392}, {3, 1e9, 1e-9, 0.080301396979424347}, {99000000, 1e9, 0.1, 0},
	} {
		if r, err := Binomial(c.k, c.n, c.p); err != nil || !near(r.P, c.P) {
			t.Errorf("Binomial(%d, %d, %v): %v, want %v, %v", c.k, c.n, c.p, r.P, c.P, err)
		}
	}
	if _, err := Fisher(math.MaxInt, 1, 1, 1); err == nil {
		t.Error("counts whose sum is no int: no error")
	}
}

// TestConstantButForRounding: samples of values that are the same, or whose differences are but for rounding, have no error.
func TestConstantButForRounding(t *testing.T) {
	same := func(v float64, n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = v
		}
		return x
	}
	for _, v := range []float64{0.1, 0.3, 1, 36.6, 1013.25, 1e-170, 1e170} {
		for n := 2; n < 30; n++ {
			for name, f := range map[string]func() (*Result, error){
				"Anova":      func() (*Result, error) { return Anova(same(v, n), same(3*v, n+1)) },
				"WelchT":     func() (*Result, error) { return WelchT(same(v, n), same(3*v, n+1)) },
				"StudentT":   func() (*Result, error) { return StudentT(same(v, n), same(3*v, n)) },
				"OneSampleT": func() (*Result, error) { return OneSampleT(same(v, n), 0) },
				"PairedT": func() (*Result, error) {
					return PairedT([]float64{3 * v, 4 * v, 7 * v}, []float64{2 * v, 3 * v, 6 * v})
				},
				"Pearson": func() (*Result, error) { return Pearson(same(v, n+1), append(same(v, n), 2*v)) },
			} {
				if r, err := f(); err == nil {
					t.Errorf("%s of %d times %v: statistic %v, p %v, no error", name, n, v, r.Statistic, r.P)
				}
			}
		}
	}
	if r, err := PairedT([]float64{.3, .4, .7}, []float64{.2, .3, .6}); err == nil {
		t.Errorf("differences of 0.1: %v, no error", r.Statistic)
	}
	if _, err := Anova([]float64{1, 1 + 1e-12}, []float64{2, 2}); err != nil {
		t.Errorf("values that differ by 1e-12: %v", err)
	}
}
