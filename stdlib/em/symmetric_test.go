package em

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSmoothSymmetric checks values summed by brute force over 2^4 paths.
func TestSmoothSymmetric(t *testing.T) {
	sign, same, logSum := SmoothSymmetric([]float64{0.3, -1.2, 2.0, 0.1}, 0.3)
	for i, want := range []float64{0.596209054203, -0.938141218725, 0.980925422761, -0.305236503383} {
		near(t, fmt.Sprint("sign ", i), sign[i], want, 1e-12)
	}
	for i, want := range []float64{0.198090458792, 0.037730172271, 0.342798972846} {
		near(t, fmt.Sprint("same ", i+1), same[i+1], want, 1e-12)
	}
	near(t, "log sum", logSum, 2.308931184876, 1e-12)
}

// TestSymmetricIsModel compares with the general smoother, at extreme parameters
// too.
func TestSymmetricIsModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	for _, zeta := range []float64{0.01, 0.2, 0.5, 0.8, 0.99} {
		for _, size := range []float64{0, 1, 22} {
			m := &Symmetric{Mean: []float64{size, -size / 2}, Zeta: zeta, Sigma: 1}
			x, z, err := m.Sample(60, rng)
			if err != nil || slices.ContainsFunc(z, func(v int) bool { return v != 1 && v != -1 }) {
				t.Fatal(z, err)
			}
			p, err := m.Model().Smooth(x)
			if err != nil {
				t.Fatal(err)
			}
			s := DefaultSymmetricSettings()
			s.Iterations = None
			fit, err := FitSymmetric(ctx, *m, x, s)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "log-likelihood", 60*fit.LogLikelihood[0], p.LogLikelihood, 1e-11)
			gamma := make([]float64, 60)
			for i := range gamma {
				gamma[i] = size*x.At(i, 0) - size/2*x.At(i, 1)
			}
			sign, same, _ := SmoothSymmetric(gamma, zeta)
			stays := 0.0
			for i := range sign {
				near(t, "sign", sign[i], p.State.At(i, 1)-p.State.At(i, 0), 1e-10)
				if i > 0 {
					stays += same[i]
				}
			}
			near(t, "expected stays", stays, p.Pairs.At(0, 0)+p.Pairs.At(1, 1), 1e-10)
		}
	}
}

// ball draws the setting of figures 2.3 and 2.4 (d = 10, zeta = 0.2) and a start
// in the ball of a quarter of the mean's norm.
func ball(rng *rand.Rand, size float64) (truth, start Symmetric) {
	direction := func(r float64) []float64 {
		v, norm := make([]float64, 10), 0.0
		for a := range v {
			v[a] = rng.NormFloat64()
			norm += v[a] * v[a]
		}
		for a := range v {
			v[a] *= r / math.Sqrt(norm)
		}
		return v
	}
	truth = Symmetric{Mean: direction(size), Zeta: 0.2, Sigma: 1}
	start = Symmetric{Mean: direction(size / 4 * math.Pow(rng.Float64(), 0.1)), Zeta: 0.5, Sigma: 1}
	for a, v := range truth.Mean {
		start.Mean[a] += v
	}
	return truth, start
}

func distance(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(s)
}

// TestFigure23: the optimisation error is below 1e-8 by iteration 25 and the
// statistical error at its floor, about sigma sqrt(d/n), by iteration 6; the
// likelihood does not fall; the contraction at |mean| = 1.5 is near 0.32.
func TestFigure23(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	var errors []float64
	late, rates := 0, []float64(nil)
	const sets = 30
	for range sets {
		truth, start := ball(rng, 1.5)
		x, _, err := truth.Sample(1000, rng)
		if err != nil {
			t.Fatal(err)
		}
		s := DefaultSymmetricSettings()
		s.Tolerance = None
		fit, err := FitSymmetric(ctx, start, x, s)
		if err != nil {
			t.Fatal(err)
		}
		final := fit.Model().Mean
		errors = append(errors, distance(final, truth.Mean))
		if distance(fit.Path[25].Mean, final) > 1e-8 || math.Abs(math.Log10(distance(fit.Path[6].Mean, truth.Mean)/errors[len(errors)-1])) > 0.02 {
			late++
		}
		rates = append(rates, math.Pow(distance(fit.Path[12].Mean, final)/distance(fit.Path[6].Mean, final), 1.0/6))
		for i := 1; i < len(fit.LogLikelihood); i++ {
			if fit.LogLikelihood[i] < fit.LogLikelihood[i-1]-1e-12 {
				t.Fatalf("likelihood falls at %d", i)
			}
		}
	}
	slices.Sort(errors)
	slices.Sort(rates)
	t.Logf("median error %.4f, contraction %.3f, %d late", errors[sets/2], rates[sets/2], late)
	if m := errors[sets/2]; m < 0.085 || m > 0.12 {
		t.Errorf("median error is %v, want 0.085 to 0.12", m)
	}
	if late > 1 {
		t.Errorf("%d of %d runs late", late, sets)
	}
	if r := rates[sets/2]; r < 0.22 || r > 0.45 {
		t.Errorf("contraction is %v, want 0.22 to 0.45", r)
	}
}

// TestFigure24: the contraction is slow for weak and fast for strong signals.
func TestFigure24(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 0))
	last := 1.0
	for _, size := range []float64{0.75, 1, 1.5, 2, 3} {
		var rates []float64
		for range 7 {
			truth, start := ball(rng, size)
			x, _, err := truth.Sample(1000, rng)
			if err != nil {
				t.Fatal(err)
			}
			s := DefaultSymmetricSettings()
			s.Iterations, s.Tolerance = 250, 1e-15
			fit, err := FitSymmetric(ctx, start, x, s)
			if err != nil {
				t.Fatal(err)
			}
			t1, t2, e1, e2 := -1, -1, 0.0, 0.0
			for i, p := range fit.Path {
				e := distance(p.Mean, fit.Model().Mean)
				if e < 1e-2 && t1 < 0 {
					t1, e1 = i, e
				}
				if e < 1e-8 && t2 < 0 {
					t2, e2 = i, e
				}
			}
			rates = append(rates, math.Pow(e2/e1, 1/float64(t2-t1)))
		}
		slices.Sort(rates)
		t.Logf("|mean| %v: contraction %.3f", size, rates[3])
		if rates[3] >= last {
			t.Errorf("contraction at %v is %v, not below %v", size, rates[3], last)
		}
		last = rates[3]
	}
	if last > 0.03 {
		t.Errorf("contraction at |mean| = 3 is %v, want at most 0.03", last)
	}
}

// TestSymmetries: mean 0 is fixed, the sign carries over, and a window of 16 does what the
// whole sequence does.
func TestSymmetries(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 0))
	truth, start := ball(rng, 1.5)
	x, _, err := truth.Sample(500, rng)
	if err != nil {
		t.Fatal(err)
	}
	s := DefaultSymmetricSettings()
	s.Iterations = 10
	zero, err := FitSymmetric(ctx, Symmetric{Mean: make([]float64, 10), Zeta: 0.3, Sigma: 1}, x, s)
	if err != nil || !zero.Converged || distance(zero.Model().Mean, make([]float64, 10)) != 0 || math.Abs(zero.Model().Zeta-0.3) > 1e-15 {
		t.Errorf("mean 0 moves to %v, %v", zero.Model(), err)
	}
	plus, err := FitSymmetric(ctx, start, x, s)
	if err != nil {
		t.Fatal(err)
	}
	flipped := start
	flipped.Mean = slices.Clone(start.Mean)
	for a := range flipped.Mean {
		flipped.Mean[a] *= -1
	}
	minus, err := FitSymmetric(ctx, flipped, x, s)
	if err != nil {
		t.Fatal(err)
	}
	for a, v := range plus.Model().Mean {
		near(t, "flipped mean", -minus.Model().Mean[a], v, 1e-13)
	}
	s.Iterations = 1
	full, _ := FitSymmetric(ctx, truth, x, s)
	last := math.Inf(1)
	for _, k := range []int{0, 2, 4, 8, 16} {
		s.Window = k
		if k == 0 {
			s.Window = None
		}
		w, err := FitSymmetric(ctx, truth, x, s)
		if err != nil {
			t.Fatal(err)
		}
		gap := distance(w.Model().Mean, full.Model().Mean)
		if gap >= last || k == 8 && gap > 1e-5 || k == 16 && gap > 1e-12 {
			t.Errorf("window %d: the mean differs by %v, by %v at the last", k, gap, last)
		}
		last = gap
	}
}

func TestSymmetricErrors(t *testing.T) {
	ok := Symmetric{Mean: []float64{1}, Zeta: 0.5, Sigma: 1}
	x := mat.NewDense(3, 1, []float64{1, 2, 3})
	for _, c := range []struct {
		m    Symmetric
		x    *mat.Dense
		s    *SymmetricSettings
		want string
	}{
		{Symmetric{Zeta: .5, Sigma: 1}, x, nil, "mean is empty"},
		{Symmetric{Mean: []float64{math.Inf(1)}, Zeta: .5, Sigma: 1}, x, nil, "mean has +Inf"},
		{Symmetric{Mean: []float64{1}, Zeta: 1, Sigma: 1}, x, nil, "zeta is 1"},
		{Symmetric{Mean: []float64{1}, Zeta: .5}, x, nil, "sigma is 0"},
		{ok, nil, nil, "sequence is empty"},
		{ok, mat.NewDense(1, 1, nil), nil, "sequence has 1 observation"},
		{ok, mat.NewDense(2, 2, nil), nil, "sequence has 2 columns"},
		{ok, x, &SymmetricSettings{Bound: 1}, "bound is 1"},
		{ok, x, &SymmetricSettings{Window: -2}, "window is -2"},
		{ok, x, &SymmetricSettings{Bound: .5, Iterations: -2}, "iterations is -2"},
	} {
		if _, err := FitSymmetric(ctx, c.m, c.x, c.s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
}
