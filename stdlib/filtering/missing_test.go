package filtering

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/oracle"
)

// peer is testdata/statespace.json.
type peer struct {
	Filter struct {
		Y                        [][]*float64
		LLF                      []float64
		Filtered, Smoothed       [][]float64
		FilteredCov, SmoothedCov [][][]float64
	}
	AR struct {
		Y            [][]*float64
		LLF, A, Q, R float64
	}
}

func statsmodels(t *testing.T) *peer {
	t.Helper()
	out := new(peer)
	oracle.Read(t, "statespace.json", out)
	return out
}

func holes(y [][]*float64) *mat.Dense {
	out := mat.NewDense(len(y), len(y[0]), nil)
	for i, row := range y {
		for j, v := range row {
			if v == nil {
				out.Set(i, j, math.NaN())
			} else {
				out.Set(i, j, *v)
			}
		}
	}
	return out
}

func peerModel() *LinearGaussian {
	return &LinearGaussian{
		A: mat.NewDense(2, 2, []float64{0.9, 0.2, -0.1, 0.7}), C: mat.NewDense(3, 2, []float64{1, 0, 0.5, 1, 0, -1}),
		Q: mat.NewSymDense(2, []float64{0.5, 0.1, 0.1, 0.3}), R: mat.NewSymDense(3, []float64{0.4, 0.15, 0, 0.15, 0.6, -0.1, 0, -0.1, 0.3}),
		InitialMean: []float64{0.5, -0.2}, InitialCov: mat.NewSymDense(2, []float64{1, 0.2, 0.2, 0.8}), Missing: true,
	}
}

// TestKalmanMissing compares with statsmodels where rows are missing in part and whole.
func TestKalmanMissing(t *testing.T) {
	want, m := statsmodels(t).Filter, peerModel()
	Y := holes(want.Y)
	r := kalman(t, m, Y)
	means, covs, err := KalmanSmoother(m, r)
	if err != nil {
		t.Fatal(err)
	}
	for s := range want.Y {
		near(t, "log-likelihood", r.Increments[s], want.LLF[s], 1e-11)
		for i := range 2 {
			near(t, "filtered mean", r.Means.At(s, i), want.Filtered[s][i], 1e-11)
			near(t, "smoothed mean", means.At(s, i), want.Smoothed[s][i], 1e-11)
			for j := range 2 {
				near(t, "filtered covariance", r.Covs[s].At(i, j), want.FilteredCov[s][i][j], 1e-11)
				near(t, "smoothed covariance", covs[s].At(i, j), want.SmoothedCov[s][i][j], 1e-11)
			}
		}
	}
	m.Missing = false
	if _, err := Kalman(ctx, m, Y); err == nil || !strings.Contains(err.Error(), "is NaN, must be finite") {
		t.Errorf("without Missing: error is %v", err)
	}
	m.Missing = true
	Y.Set(3, 1, math.Inf(1))
	if _, err := Kalman(ctx, m, Y); err == nil || !strings.Contains(err.Error(), "observations[3,1] is +Inf, must be finite") {
		t.Errorf("infinity: error is %v", err)
	}
}

// TestFitLinearPeer compares with the maximum likelihood that statsmodels and scipy
// find for an autoregression in noise with missing numbers.
func TestFitLinearPeer(t *testing.T) {
	want := statsmodels(t).AR
	one := mat.NewDense(1, 1, []float64{1})
	start := &LinearGaussian{A: mat.NewDense(1, 1, []float64{0.5}), C: one, Q: symIdentity(1), R: symIdentity(1),
		InitialMean: []float64{0}, InitialCov: symIdentity(1), Missing: true}
	fit, err := FitLinear(ctx, start, holes(want.Y), &FitSettings{Iterations: 5000, Tolerance: 1e-12, KeepC: true})
	if err != nil {
		t.Fatal(err)
	}
	theirs := *start
	theirs.A, theirs.Q, theirs.R = mat.NewDense(1, 1, []float64{want.A}), mat.NewSymDense(1, []float64{want.Q}), mat.NewSymDense(1, []float64{want.R})
	near(t, "log-likelihood at the peer's maximum", kalman(t, &theirs, holes(want.Y)).LogLikelihood, want.LLF, 1e-10)
	// EM gains by about 0.99 of the last gain, which is 1e-12 where it stops.
	near(t, "log-likelihood", fit.LogLikelihood[len(fit.LogLikelihood)-1], want.LLF, 1e-9)
	near(t, "A", fit.Model.A.At(0, 0), want.A, 1e-4)
	near(t, "Q", fit.Model.Q.At(0, 0), want.Q, 2e-4)
	near(t, "R", fit.Model.R.At(0, 0), want.R, 2e-4)
	if start.A.At(0, 0) != 0.5 || start.Q.At(0, 0) != 1 {
		t.Error("the start has changed")
	}
}

// TestFitLinearRises: with all matrices free, dependent noise and numbers missing in
// part, the likelihood rises in every iteration, which wrong moments would not do, and
// its derivatives end at 0.
func TestFitLinearRises(t *testing.T) {
	Y := holes(statsmodels(t).Filter.Y)
	for name, set := range map[string]*FitSettings{
		"all free": {Iterations: 200, Tolerance: None},
		"A kept":   {Iterations: 200, Tolerance: None, KeepA: true},
		"C kept":   {Iterations: 200, Tolerance: None, KeepC: true},
		"Q, R":     {Iterations: 200, Tolerance: None, KeepQ: true, KeepR: true},
	} {
		fit, err := FitLinear(ctx, peerModel(), Y, set)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		l := fit.LogLikelihood
		if len(l) != 201 || !(l[200] > l[0]+0.1) {
			t.Errorf("%s: log-likelihoods from %v to %v in %d", name, l[0], l[len(l)-1], len(l)-1)
		}
		for i := 1; i < len(l); i++ {
			if l[i] < l[i-1]-1e-10*math.Abs(l[i-1]) {
				t.Errorf("%s: log-likelihood falls from %v to %v", name, l[i-1], l[i])
			}
		}
	}
	// The derivatives need data enough that R is not singular at the maximum.
	m := peerModel()
	_, Y, err := m.Simulate(150, rand.New(rand.NewPCG(1, 95)))
	if err != nil {
		t.Fatal(err)
	}
	hide := rand.New(rand.NewPCG(2, 95))
	Y.Apply(func(_, _ int, v float64) float64 {
		if hide.Float64() < 0.25 {
			return math.NaN()
		}
		return v
	}, Y)
	fit, err := FitLinear(ctx, m, Y, &FitSettings{Iterations: 3000, Tolerance: 1e-10, KeepC: true, KeepQ: true})
	if err != nil {
		t.Fatal(err)
	}
	at := func() float64 { return kalman(t, fit.Model, Y).LogLikelihood }
	for _, i := range []int{0, 1} {
		for _, j := range []int{0, 1} {
			const h = 1e-5
			v, r := fit.Model.A.At(i, j), fit.Model.R.At(i, j+1)
			fit.Model.A.Set(i, j, v+h)
			up := at()
			fit.Model.A.Set(i, j, v-h)
			down := at()
			fit.Model.A.Set(i, j, v)
			near(t, "derivative by A", (up-down)/(2*h), 0, 1e-3)
			fit.Model.R.SetSym(i, j+1, r+h)
			up = at()
			fit.Model.R.SetSym(i, j+1, r-h)
			down = at()
			fit.Model.R.SetSym(i, j+1, r)
			near(t, "derivative by R", (up-down)/(2*h), 0, 1e-3)
		}
	}
	if _, err := FitLinear(ctx, peerModel(), mat.NewDense(1, 3, nil), nil); err == nil {
		t.Error("one observation, no error")
	}
	if _, err := FitLinear(ctx, nil, Y, nil); err == nil {
		t.Error("no start, no error")
	}
}
