package em

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/oracle"
)

// flat draws n points of R^2 near a line.
func flat(n int, rng *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		x.SetRow(i, []float64{rng.NormFloat64(), 0.05 * rng.NormFloat64()})
	}
	return x
}

func checkRises(t *testing.T, name string, objective []float64, numbers int) {
	t.Helper()
	for i := 1; i < len(objective); i++ {
		if objective[i] < objective[i-1]-1e-10*(float64(numbers)+math.Abs(objective[i-1])) {
			t.Errorf("%s: objective falls by %v in iteration %d", name, objective[i-1]-objective[i], i)
			return
		}
	}
}

// TestObjectiveNeverFalls fits too many states to few points, of which some are on a
// line, from 100 starts of each kind, as a chain, a mixture and a chain of mixtures.
func TestObjectiveNeverFalls(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 40))
		x := flat(60, rng)
		if seed%4 == 0 { // exactly collinear
			for i := range 60 {
				x.Set(i, 1, 2*x.At(i, 0))
			}
		}
		for _, kind := range kinds[1:] {
			name := string(kind)
			m, err := StartGaussian([]*mat.Dense{x}, 4, kind, rng)
			if err != nil {
				t.Fatal(err)
			}
			fit, err := BaumWelch(ctx, *m, x, nil)
			if err != nil {
				t.Errorf("%s, seed %d: %v", name, seed, err)
				continue
			}
			checkRises(t, name, fit.Objective, 120)
			if err := fit.Model.Output.(*Gaussian).checkFloor(); err != nil {
				t.Errorf("%s, seed %d: %v", name, seed, err)
			}
			mix, err := StartMixture(x, 4, kind, rng)
			if err != nil {
				t.Fatal(err)
			}
			mix.Output.(*Gaussian).Prior = &GaussianPrior{MeanWeight: float64(seed % 3), VarianceWeight: float64(seed % 2), Variance: 0.01}
			mixed, err := FitMixture(ctx, *mix, x, &Settings{Iterations: 40, Tolerance: -1, MinVisits: 1e-6})
			if err != nil {
				t.Errorf("%s mixture, seed %d: %v", name, seed, err)
				continue
			}
			checkRises(t, name+" mixture", mixed.Objective, 120)
			if seed%5 > 0 {
				continue
			}
			m, err = StartGaussianMixture([]*mat.Dense{x}, 2, 2, kind, rng)
			if err != nil {
				t.Fatal(err)
			}
			if fit, err = BaumWelch(ctx, *m, x, nil); err != nil {
				t.Errorf("%s chain of mixtures, seed %d: %v", name, seed, err)
				continue
			}
			checkRises(t, name+" chain of mixtures", fit.Objective, 120)
		}
	}
}

// TestFloorIsTheConstrainedMaximum compares the M-step under a floor with random
// covariances that respect it.
func TestFloorIsTheConstrainedMaximum(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 0))
	random := func(d int, low float64) *mat.SymDense {
		a := mat.NewDense(d, d, nil)
		for i := range d {
			for j := range d {
				a.Set(i, j, rng.NormFloat64())
			}
			a.Set(i, d-1, low*a.At(i, d-1))
		}
		c := mat.NewSymDense(d, nil)
		c.SymOuterK(1, a)
		return c
	}
	objective := func(s, c *mat.SymDense) float64 {
		var chol mat.Cholesky
		if !chol.Factorize(s) {
			return math.Inf(-1)
		}
		var solved mat.Dense
		if err := chol.SolveTo(&solved, c); err != nil {
			return math.Inf(-1)
		}
		return -chol.LogDet() - mat.Trace(&solved)
	}
	active := 0
	for range 60 {
		d := 1 + rng.IntN(3)
		g := &Gaussian{Kind: Full, Floor: make([]float64, d)}
		for a := range g.Floor {
			g.Floor[a] = math.Exp(2 * rng.NormFloat64())
		}
		c := random(d, 0.1)
		best := mat.NewSymDense(d, nil)
		best.CopySym(c)
		if err := g.raise(best); err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(best, c, 1e-12) {
			active++
		}
		most := objective(best, c)
		for trial := range 2000 {
			// The floor plus anything without negative eigenvalues, near the best and far from it.
			s := random(d, rng.Float64())
			step := math.Exp(-float64(trial % 12))
			for a := range d {
				for b := a; b < d; b++ {
					v := step * s.At(a, b)
					if trial%2 == 0 {
						v += (1 - step) * best.At(a, b)
						if a == b {
							v += step * g.Floor[a]
						}
					} else if a == b {
						v += g.Floor[a]
					}
					s.SetSym(a, b, v)
				}
			}
			if got := objective(s, c); got > most+1e-10*math.Abs(most) {
				t.Fatalf("a covariance above the floor has objective %v, the M-step %v", got, most)
			}
		}
	}
	if active < 20 {
		t.Errorf("the floor binds in %d of 60 cases", active)
	}
}

// TestScales compares likelihoods with those of hmmlearn and scikit-learn on columns
// of scales 1000 and 0.1.
func TestScales(t *testing.T) {
	var want struct {
		X            [][]float64
		HMM, Mixture map[string]float64
	}
	oracle.Read(t, "scales.json", &want)
	x, s := oracle.Matrix(want.X), &Settings{Iterations: 1000, Tolerance: 1e-10, MinVisits: 1e-6}
	for name, kind := range sklearnKinds {
		if kind == Spherical {
			continue
		}
		start, err := StartGaussian([]*mat.Dense{x}, 2, kind, rand.New(rand.NewPCG(42, 0)))
		if err != nil {
			t.Fatal(err)
		}
		fit, err := BaumWelch(ctx, *start, x, s)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name+": log-likelihood of the chain", fit.LogLikelihood[len(fit.LogLikelihood)-1], want.HMM[name], 1e-7)
		mix, err := StartMixture(x, 2, kind, rand.New(rand.NewPCG(42, 0)))
		if err != nil {
			t.Fatal(err)
		}
		mixed, err := FitMixture(ctx, *mix, x, s)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name+": log-likelihood of the mixture", mixed.LogLikelihood[len(mixed.LogLikelihood)-1], want.Mixture[name], 1e-7)
		g := fit.Model.Output.(*Gaussian)
		v := 0.0
		if kind == Diagonal {
			v = g.Variances.At(0, 1)
		} else {
			v = g.Covariances[0].At(1, 1)
		}
		if math.Abs(v-0.01) > 0.002 { // its standard error is 0.01 sqrt(2/200) = 0.001
			t.Errorf("%s: variance of the small column is %v, want 0.01", name, v)
		}
	}
}

// wrongFit is an output whose Fit is no M-step.
type wrongFit struct{ *Gaussian }

func (w wrongFit) Fit(x, weight []*mat.Dense, lost []bool) (Output, error) {
	g := *w.Gaussian
	g.Means = mat.DenseCopyOf(g.Means)
	g.Means.Set(0, 0, g.Means.At(0, 0)+10)
	return wrongFit{&g}, nil
}

func TestFallIsAnError(t *testing.T) {
	x := flat(30, rand.New(rand.NewPCG(43, 0)))
	output := wrongFit{unit(mat.NewDense(2, 2, []float64{0, 0, 1, 0}), Diagonal)}
	m := Model{Start: []float64{.5, .5}, Transition: mat.NewDense(2, 2, []float64{.5, .5, .5, .5}), Output: output}
	var fall *Fall
	if _, err := BaumWelch(ctx, m, x, nil); !errors.As(err, &fall) || fall.Iteration != 1 {
		t.Errorf("chain: error is %v, want a fall in iteration 1", err)
	}
	if _, err := FitMixture(ctx, Mixture{Weights: []float64{.5, .5}, Output: output}, x, nil); !errors.As(err, &fall) {
		t.Errorf("mixture: error is %v, want a fall", err)
	}
}

func TestFloorErrors(t *testing.T) {
	x := flat(30, rand.New(rand.NewPCG(44, 0)))
	for want, change := range map[string]func(g *Gaussian){
		"floor has 1 variances, must have one for each of 2": func(g *Gaussian) { g.Floor = []float64{1} },
		"floor of the variance of coordinate 1 is 0":         func(g *Gaussian) { g.Floor = []float64{1, 0} },
		"in coordinate 1 starts at 1, must be at least the floor 2": func(g *Gaussian) {
			g.Floor = []float64{.1, 2}
		},
		"starts with a variance of 0.5 floors": func(g *Gaussian) {
			*g = *unit(g.Means, Full)
			g.Floor = []float64{.1, 2}
		},
	} {
		g := unit(mat.NewDense(1, 2, nil), Diagonal)
		change(g)
		_, err := FitMixture(ctx, Mixture{Weights: []float64{1}, Output: g}, x, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
}
