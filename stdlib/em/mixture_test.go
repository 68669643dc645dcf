package em

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestMixtureOutputs compares a chain with mixture outputs with the same law
// written as a chain on pairs of state and part.
func TestMixtureOutputs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 20))
	for _, kind := range kinds[1:] {
		parts := randomModel(6, kind, rng).Output.(*Gaussian)
		weights := mat.NewDense(2, 3, []float64{.2, .3, .5, .6, .1, .3})
		m := &Model{Start: []float64{.3, .7}, Transition: mat.NewDense(2, 2, []float64{.8, .2, .4, .6}),
			Output: &GaussianMixture{Weights: weights, Parts: parts}}
		pairs := &Model{Start: make([]float64, 6), Transition: mat.NewDense(6, 6, nil), Output: parts}
		for j := range 6 {
			pairs.Start[j] = m.Start[j/3] * weights.At(j/3, j%3)
			for k := range 6 {
				pairs.Transition.Set(j, k, m.Transition.At(j/3, k/3)*weights.At(k/3, k%3))
			}
		}
		x, _, err := m.Sample(40, rng)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Smooth(x)
		if err != nil {
			t.Fatal(err)
		}
		want, err := pairs.Smooth(x)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "log-likelihood", got.LogLikelihood, want.LogLikelihood, 1e-12)
		for i := range 40 {
			row := want.State.RawRowView(i)
			near(t, "posterior", got.State.At(i, 0), row[0]+row[1]+row[2], 1e-10)
		}
		if n, want := m.Parameters(), 1+2+2*2+parts.Parameters(); n != want {
			t.Errorf("%d parameters, want %d", n, want)
		}
	}
}

// TestPriors: the objective, with the log prior, does not fall for priors of every
// kind, and a strong prior has its way.
func TestPriors(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 20))
	prior := &GaussianPrior{Mean: []float64{1, -1}, MeanWeight: 3, Variance: 0.5, VarianceWeight: 4}
	for trial := range 12 {
		kind := kinds[1+trial%4]
		truth := randomModel(2, kind, rng)
		x, _, err := truth.Sample(80, rng)
		if err != nil {
			t.Fatal(err)
		}
		start, err := StartGaussian([]*mat.Dense{x}, 2, kind, rng)
		if err != nil {
			t.Fatal(err)
		}
		g := start.Output.(*Gaussian)
		g.Prior, g.Floor, g.Known = prior, nil, trial >= 8
		fits := map[string][]float64{}
		fit, err := BaumWelch(ctx, *start, x, &Settings{Iterations: 20, Tolerance: -1, MinVisits: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		fits["Baum-Welch"] = fit.Objective
		mixed, err := FitMixture(ctx, Mixture{Weights: []float64{.5, .5}, Output: &GaussianMixture{
			Weights: mat.NewDense(2, 1, []float64{1, 1}), Parts: g, Pseudo: 1}}, x, &Settings{Iterations: 20, Tolerance: -1, StartPseudo: 1})
		if err != nil {
			t.Fatal(err)
		}
		fits["mixture"] = mixed.Objective
		for name, objective := range fits {
			for i := 1; i < len(objective); i++ {
				if objective[i] < objective[i-1]-1e-9*math.Abs(objective[i-1]) {
					t.Errorf("%s, %s: objective falls from %v to %v", name, kind, objective[i-1], objective[i])
				}
			}
		}
		strong := *g
		strong.Known = false
		strong.Prior = &GaussianPrior{Mean: []float64{1, -1}, MeanWeight: 1e9, Variance: 0.5, VarianceWeight: 1e9}
		start.Output = &strong
		fit, err = BaumWelch(ctx, *start, x, &Settings{Iterations: 2, Tolerance: -1})
		if err != nil {
			t.Fatal(err)
		}
		o := fit.Model.Output.(*Gaussian)
		near(t, "mean under a strong prior", o.Means.At(1, 1), -1, 1e-6)
		v := 0.0
		if o.Variances != nil {
			v = o.Variances.At(0, 0)
		} else {
			v = o.Covariances[0].At(0, 0)
		}
		near(t, "variance under a strong prior", v, 0.5, 1e-5)
	}
}

// TestFarMeans: clusters a million standard deviations from the origin and from
// each other keep their digits.
func TestFarMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 20))
	for _, kind := range kinds[1:] {
		x := mat.NewDense(400, 2, nil)
		for i := range 400 {
			for a := range 2 {
				x.Set(i, a, 1e6*float64(1+i%2)+rng.NormFloat64())
			}
		}
		start, err := StartMixture(x, 2, kind, rng)
		if err != nil {
			t.Fatal(err)
		}
		start.Output.(*Gaussian).Floor = nil
		fit, err := FitMixture(ctx, *start, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		g := fit.Mixture.Output.(*Gaussian)
		var mean, square float64 // of cluster 0 in coordinate 0
		j := 0
		if g.Means.At(0, 0) > 1.5e6 {
			j = 1
		}
		for i := 0; i < 400; i += 2 {
			mean += (x.At(i, 0) - 1e6) / 200
		}
		for i := 0; i < 400; i += 2 {
			square += (x.At(i, 0) - 1e6 - mean) * (x.At(i, 0) - 1e6 - mean) / 200
		}
		near(t, "mean", g.Means.At(j, 0)-1e6, mean, 1e-8)
		switch kind {
		case Diagonal:
			near(t, "variance", g.Variances.At(j, 0), square, 1e-8)
		case Full:
			near(t, "variance", g.Covariances[j].At(0, 0), square, 1e-8)
		}
	}
}

// TestMixture compares posteriors with Bayes' rule and selects the number of
// components by BIC; lost components are reported.
func TestMixture(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 20))
	truth := &Mixture{Weights: []float64{.5, .3, .2}, Output: unit(mat.NewDense(3, 2, []float64{0, 0, 5, 0, 0, 5}), Diagonal)}
	x, _, err := truth.Sample(600, rng)
	if err != nil {
		t.Fatal(err)
	}
	post, logLik, err := truth.Posterior(x)
	if err != nil {
		t.Fatal(err)
	}
	logB, sum := make([]float64, 1800), 0.0
	if err := truth.Output.LogDensity(logB, x); err != nil {
		t.Fatal(err)
	}
	for i := range 600 {
		total := 0.0
		for j, w := range truth.Weights {
			total += w * math.Exp(logB[3*i+j])
		}
		near(t, "posterior", post.At(i, 1), .3*math.Exp(logB[3*i+1])/total, 1e-10)
		sum += math.Log(total)
	}
	near(t, "log-likelihood", logLik, sum, 1e-12)
	best, at := math.Inf(1), 0
	for k := 1; k <= 5; k++ {
		var starts []*Mixture
		for range 3 {
			m, err := StartMixture(x, k, Diagonal, rng)
			if err != nil {
				t.Fatal(err)
			}
			starts = append(starts, m)
		}
		fit, err := BestMixture(ctx, starts, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		if b := fit.Mixture.BIC(fit.LogLikelihood[len(fit.LogLikelihood)-1], 600); b < best {
			best, at = b, k
		}
	}
	if at != 3 {
		t.Errorf("BIC selects %d components, want 3", at)
	}
	far := &Mixture{Weights: []float64{.5, .5}, Output: unit(mat.NewDense(2, 2, []float64{0, 0, 1e3, 1e3}), Diagonal)}
	fit, err := FitMixture(ctx, *far, x, &Settings{Iterations: 3, Tolerance: -1, MinVisits: 1e-6})
	if err != nil || len(fit.Lost) == 0 || fit.Lost[0].State != 1 {
		t.Errorf("lost %+v, %v; want component 1", fit, err)
	}
}

func TestMixtureErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 20))
	x := mat.NewDense(4, 2, []float64{0, 1, 2, 3, 4, 5, 6, 7})
	good := unit(mat.NewDense(2, 2, []float64{0, 0, 1, 1}), Diagonal)
	for says, f := range map[string]func() error{
		"weights sums to 0.9, must be 1": func() error {
			_, err := FitMixture(ctx, Mixture{Weights: []float64{.5, .4}, Output: good}, x, nil)
			return err
		},
		"output has 2 states, must have 1": func() error {
			_, err := FitMixture(ctx, Mixture{Weights: []float64{1}, Output: good}, x, nil)
			return err
		},
		"sequence is empty": func() error {
			_, err := FitMixture(ctx, Mixture{Weights: []float64{.5, .5}, Output: good}, &mat.Dense{}, nil)
			return err
		},
		"must have 2 x 2 parts": func() error {
			return (&GaussianMixture{Weights: mat.NewDense(2, 2, []float64{.5, .5, .5, .5}), Parts: good}).Check()
		},
		"row 0 of the parts' weights sums to 1.5": func() error {
			return (&GaussianMixture{Weights: mat.NewDense(1, 2, []float64{.5, 1}), Parts: good}).Check()
		},
		"parts is 0, must be at least 1": func() error {
			_, err := StartGaussianMixture([]*mat.Dense{x}, 1, 0, Full, rng)
			return err
		},
		"mean of the prior has 1 numbers, must have 2": func() error {
			g := *good
			g.Prior = &GaussianPrior{Mean: []float64{1}}
			return g.Check()
		},
		"there are no starts": func() error { _, err := BestMixture(ctx, nil, x, nil); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one with %q", err, says)
		}
	}
	m, err := StartGaussianMixture([]*mat.Dense{x}, 1, 2, Full, rng)
	if err != nil || m.Check() != nil {
		t.Errorf("start %+v, %v", m, err)
	}
}
