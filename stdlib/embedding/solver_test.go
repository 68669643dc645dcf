package embedding

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rkhs"
)

var ctx = context.Background()

func normals(rng *rand.Rand, n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	return x
}

// mapped is a feature map given by a function of a point.
type mapped struct {
	count int
	f     func(dst, x []float64)
}

func (m mapped) Len() int { return m.count }

func (m mapped) Map(_ context.Context, X *mat.Dense) (*mat.Dense, error) {
	n, _ := X.Dims()
	out := mat.NewDense(n, m.count, nil)
	for i := range n {
		m.f(out.RawRowView(i), X.RawRowView(i))
	}
	return out, nil
}

// quadratic is the explicit feature map of (x.y + 1)^2 in the plane.
var quadratic = mapped{6, func(dst, x []float64) {
	r := math.Sqrt2
	copy(dst, []float64{x[0] * x[0], x[1] * x[1], r * x[0] * x[1], r * x[0], r * x[1], 1})
}}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance) {
			t.Errorf("%s: element %d is %v, want %v within %v", what, i, got[i], want[i], tolerance)
			return
		}
	}
}

// TestKernelFormIsFeatureForm compares Algorithm 4 in the kernel with the same algorithm in
// the exact features of the kernel, with penalties and projections, the mean included.
func TestKernelFormIsFeatureForm(t *testing.T) {
	k := rkhs.Polynomial{Degree: 2, Scale: 1, Offset: 1}
	for _, radius := range []float64{math.Inf(1), 0.4} {
		settings := DefaultSettings()
		settings.Eta, settings.Shift, settings.DualFactor = 0.3, 2, 1.5
		settings.Penalty, settings.DualPenalty = 0.1, 0.2
		settings.Radius, settings.DualRadius, settings.AverageFrom = radius, radius/2, 3
		f, u := must(NewKernel(k)), must(NewKernel(k))
		g, v := NewLinear(quadratic), NewLinear(quadratic)
		a := must(NewSolver(kernelmachine.Huber{Threshold: 1}, f, u, settings))
		b := must(NewSolver(kernelmachine.Huber{Threshold: 1}, g, v, settings))
		rng := rand.New(rand.NewPCG(1, 2))
		for range 30 {
			batch := &Batch{N: 3, Terms: []Term{{X: normals(rng, 6, 2)}, {X: normals(rng, 3, 2), Weights: []float64{1, -2, 0.5}}},
				Offset: []float64{0.1, 0.2, -0.3}, Dual: normals(rng, 3, 2), Y: []float64{1, -1, 2}}
			if err := errors.Join(a.Step(ctx, batch), b.Step(ctx, batch)); err != nil {
				t.Fatal(err)
			}
			for _, e := range []*Expansion{f, u} {
				limit := settings.Radius
				if e == u {
					limit = settings.DualRadius
				}
				if e.Norm() > limit*(1+1e-9) {
					t.Errorf("norm %v outside the ball of radius %v", e.Norm(), limit)
				}
			}
		}
		x := normals(rng, 5, 2)
		near(t, "f", must(f.Values(ctx, x)), must(g.Values(ctx, x)), 1e-9)
		near(t, "u", must(u.Values(ctx, x)), must(v.Values(ctx, x)), 1e-9)
		near(t, "mean f", must(f.Mean(ctx, x)), must(g.Mean(ctx, x)), 1e-9)
		near(t, "norm", []float64{f.Norm(), u.Norm()}, []float64{g.Norm(), v.Norm()}, 1e-9)
	}
}

// TestDoublyStochasticMean checks that a step with fresh random features is the kernel's
// step in the mean over features.
func TestDoublyStochasticMean(t *testing.T) {
	k := rkhs.Gaussian{Bandwidth: 0.8}
	rng := rand.New(rand.NewPCG(3, 4))
	x, at, c := normals(rng, 4, 2), normals(rng, 3, 2), []float64{1, -0.5, 2, 0.3}
	exact := must(NewKernel(k))
	must(exact.Forward(ctx, x))
	if err := exact.Move(ctx, 1, c); err != nil {
		t.Fatal(err)
	}
	want := must(exact.Values(ctx, at))
	const runs = 4000
	values := make([][]float64, len(want))
	for range runs {
		e := must(NewDoublyStochastic(k, 2, rng))
		must(e.Forward(ctx, x))
		if err := e.Move(ctx, 1, c); err != nil {
			t.Fatal(err)
		}
		for i, v := range must(e.Values(ctx, at)) {
			values[i] = append(values[i], v)
		}
	}
	for i := range want {
		m, sd := stat.MeanStdDev(values[i], nil)
		if math.Abs(m-want[i]) > 4*sd/math.Sqrt(runs) {
			t.Errorf("mean %v at point %d, want %v within four standard errors of %v", m, i, want[i], sd/math.Sqrt(runs))
		}
	}
	if e := must(NewDoublyStochastic(k, 2, rng)); !math.IsNaN(e.Norm()) {
		t.Error("doubly stochastic functions have a norm")
	}
}

// TestTiedIsGTD2 compares the solver on Bellman residuals, f and u in the same features, with
// the formulas of GTD2.
func TestTiedIsGTD2(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	settings := DefaultSettings()
	settings.Eta, settings.Shift = 0.5, 3
	v, u := NewLinear(quadratic), NewLinear(quadratic)
	s := must(NewSolver(kernelmachine.Squared{}, v, u, settings))
	var theta, eta [6]float64
	for step := 1; step <= 50; step++ {
		now, next, reward := normals(rng, 1, 2), normals(rng, 1, 2), []float64{rng.Float64()}
		if err := s.Step(ctx, must(Bellman(&Transitions{States: now, Next: next}, reward, 0.9))); err != nil {
			t.Fatal(err)
		}
		// GTD2 as Sutton et al. 2009 write it.
		var p, q [6]float64
		quadratic.f(p[:], now.RawRowView(0))
		quadratic.f(q[:], next.RawRowView(0))
		delta, at := reward[0], 0.0
		for j := range theta {
			delta += theta[j] * (0.9*q[j] - p[j])
			at += eta[j] * p[j]
		}
		g := 0.5 / (3 + math.Sqrt(float64(step)))
		for j := range theta {
			theta[j] -= g * at * (0.9*q[j] - p[j])
			eta[j] += g * (delta - at) * p[j]
		}
	}
	near(t, "theta", v.Weights(), theta[:], 1e-11)
	near(t, "eta", u.Weights(), eta[:], 1e-11)
}

// TestGapRate fits the rate of theorem 22: 20 trigonometric features, balls, no penalty, and
// the exact gap of the mean functions.
func TestGapRate(t *testing.T) {
	t.Parallel()
	const p, most = 20, 1 << 13
	features := mapped{p, func(dst, x []float64) {
		dst[0] = 1
		for j := 1; j < p; j++ {
			a := math.Pi * float64((j+1)/2) * x[0]
			dst[j] = math.Sqrt2 * math.Sin(a)
			if j%2 == 1 {
				dst[j] = math.Sqrt2 * math.Cos(a)
			}
		}
	}}
	// E[phi_j(z) | x] = shrink_j phi_j(x) for z = x + 0.1 e, and the phi are orthonormal.
	shrink := make([]float64, p)
	for j := range shrink {
		shrink[j] = math.Exp(-0.005 * math.Pi * math.Pi * math.Pow(float64((j+1)/2), 2))
	}
	for _, eta := range []float64{0.1, 0.3} {
		sum := map[int]float64{}
		for seed := range uint64(6) {
			rng := rand.New(rand.NewPCG(seed, 7))
			star, norm := make([]float64, p), 0.0
			for j := range star {
				star[j] = rng.NormFloat64() / float64(1+j)
				norm += star[j] * star[j]
			}
			norm = math.Sqrt(norm)
			settings := DefaultSettings()
			settings.Eta, settings.Shift, settings.Radius, settings.DualRadius = eta, None, 2*norm, 2*norm
			f, u := NewLinear(features), NewLinear(features)
			s := must(NewSolver(kernelmachine.Squared{}, f, u, settings))
			phi := make([]float64, p)
			for step := 1; step <= most; step++ {
				x := 2*rng.Float64() - 1
				y := 0.1 * rng.NormFloat64()
				features.f(phi, []float64{x})
				for j := range star {
					y += star[j] * shrink[j] * phi[j]
				}
				point := mat.NewDense(1, 1, []float64{x})
				copies := mat.NewDense(1, 1, []float64{x + 0.1*rng.NormFloat64()})
				// u is a function of x alone: y is noise given x.
				if err := s.Step(ctx, must(Invariance(copies, point, []float64{y}))); err != nil {
					t.Fatal(err)
				}
				if step >= 1<<8 && step&(step-1) == 0 {
					sum[step] += gap(f.MeanWeights(), u.MeanWeights(), star, shrink, 2*norm)
				}
			}
		}
		var x, y []float64
		for step, v := range sum {
			x, y = append(x, math.Log(float64(step))), append(y, math.Log(v))
		}
		_, slope := stat.LinearRegression(x, y, nil, false)
		if slope > -0.4 || slope < -0.8 {
			t.Errorf("eta %v: slope of the gap %v, want about -0.56", eta, slope)
		}
	}
}

// gap is max over u' of Phi(f, u') less min over f' of Phi(f', u) in balls of radius d, for
// Phi(f, u) = u'(S f - S f*) - |u|^2/2 with the diagonal S.
func gap(f, u, star, shrink []float64, d float64) float64 {
	r2, b2, value := 0.0, 0.0, 0.0
	for j := range f {
		r := shrink[j] * (f[j] - star[j])
		r2 += r * r
		b := shrink[j] * u[j]
		b2 += b * b
		value -= b*star[j] + u[j]*u[j]/2
	}
	best := r2 / 2
	if r := math.Sqrt(r2); r > d {
		best = d*r - d*d/2
	}
	return best - (value - d*math.Sqrt(b2))
}

func TestConjugates(t *testing.T) {
	losses := []kernelmachine.DualLoss{
		kernelmachine.Squared{}, kernelmachine.Huber{Threshold: 1}, kernelmachine.EpsilonInsensitive{Epsilon: 0.3}, kernelmachine.Quantile{Tau: 0.7},
		kernelmachine.Hinge{}, kernelmachine.SquaredHinge{}, kernelmachine.SmoothHinge{Width: 0.5}, kernelmachine.Logistic{},
	}
	for _, loss := range losses {
		c := must(newConjugate(loss))
		for _, y := range []float64{-1, 1} {
			value := func(v float64) float64 { return loss.Value([]float64{v}, []float64{y}) }
			for _, v := range []float64{-2.1, -0.6, 0.35, 0.8, 1.7} {
				// Fenchel's equality at u = l'(v), and v as the slope of l* where it has one.
				var u [1]float64
				loss.Gradient(u[:], []float64{v}, []float64{y})
				star := loss.Conjugate(-u[0], y)
				if math.Abs(u[0]*v-value(v)-star) > 1e-9 {
					t.Errorf("%T at v = %v, y = %v: u v = %v, l + l* = %v", loss, v, y, u[0]*v, value(v)+star)
				}
				lo, hi := c.domain(y)
				if u[0] < lo-1e-6 || u[0] > hi+1e-6 {
					t.Errorf("%T: derivative %v outside the domain [%v, %v]", loss, u[0], lo, hi)
				}
				if lo+1e-3 < u[0] && u[0] < hi-1e-3 {
					const h = 1e-6
					want := (loss.Conjugate(-(u[0]+h), y) - loss.Conjugate(-(u[0]-h), y)) / (2 * h)
					if got := c.slope(u[0], y); u[0] != 0 && math.Abs(got-want) > 1e-5 {
						t.Errorf("%T: slope of l* at %v, y = %v is %v, want %v", loss, u[0], y, got, want)
					}
				}
			}
			// Outside the domain u is cut and brought back.
			if lo, hi := c.domain(y); !math.IsInf(hi, 1) {
				slope, cut := c.rise(0, hi+1, y)
				if inner, _ := c.rise(0, hi, y); cut != hi || math.Abs(slope-inner+1) > 1e-9 {
					t.Errorf("%T: above [%v, %v] u is cut to %v and rises by %v, want %v", loss, lo, hi, cut, slope, inner-1)
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	x, y := mat.NewDense(2, 1, []float64{0, 1}), []float64{0, 1}
	table := func() *Table { return must(NewTable(2)) }
	solver := func() *Solver { return must(NewSolver(kernelmachine.Squared{}, table(), table(), nil)) }
	f := table()
	bad := DefaultSettings()
	bad.Eta = -1
	ball := DefaultSettings()
	ball.Radius = 1
	random := must(NewDoublyStochastic(rkhs.Gaussian{Bandwidth: 1}, 4, rand.New(rand.NewPCG(1, 1))))
	_, same := NewSolver(kernelmachine.Squared{}, f, f, nil)
	_, eta := NewSolver(kernelmachine.Squared{}, f, table(), bad)
	_, norm := NewSolver(kernelmachine.Squared{}, random, table(), ball)
	_, sizes := NewTable(2, 0)
	_, rewards := Bellman(&Transitions{States: x, Next: x}, []float64{1}, 0.9)
	_, discount := Bellman(&Transitions{States: x, Next: x}, y, 1.5)
	_, lambda := NewConditional(ctx, rkhs.Gaussian{Bandwidth: 1}, x, 0)
	_, split := (&Batch{N: 2, Terms: []Term{{X: x}}, Offset: y}).Split()
	for _, c := range []struct {
		err  error
		want string
	}{
		{same, "embedding: f and u are *embedding.Table and *embedding.Table, must be two functions"},
		{eta, "embedding: eta is -1, must be positive"},
		{norm, "embedding: radius is 1 for a *embedding.Expansion, must be infinite: it has no norm"},
		{sizes, "embedding: size 1 is 0, must be positive and the table at most 2^31 cells"},
		{rewards, "embedding: 1 rewards for 2 transitions"},
		{discount, "embedding: discount is 1.5, must be from 0 to 1"},
		{lambda, "embedding: lambda is 0, must be positive"},
		{split, "embedding: a batch to split has 1 terms, must have one, without Mix, weights and offsets"},
		{solver().Step(ctx, &Batch{N: 2, Terms: []Term{{X: x}}}), "embedding: a batch has no Dual, must have 2 rows"},
		{solver().Step(ctx, &Batch{N: 2, Terms: []Term{{X: mat.NewDense(3, 1, nil)}}, Dual: x}), "embedding: term 0 has 3 points for 2 samples, must be as many for each"},
		{solver().Step(ctx, &Batch{N: 2, Terms: []Term{{X: x}}, Dual: x, Y: []float64{1, math.NaN()}}), "embedding: sample 1: target is NaN, must be finite"},
		{solver().Step(ctx, &Batch{N: 2, Terms: []Term{{X: mat.NewDense(2, 1, []float64{0, 2})}}, Dual: x}), "embedding: coordinate 0 of point 1 is 2, must be a whole number from 0 to 1"},
		{solver().Step(ctx, &Batch{N: 2, Terms: []Term{{X: x}}, Dual: x, Offset: []float64{0, 1e9}}), "embedding: a residual is 1e+09 before step 1: the step size, 0.909 there, is too large; make it smaller, or batches larger"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := solver().Step(cancelled, &Batch{N: 2, Terms: []Term{{X: x}}, Dual: x}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after cancelling", err)
	}
}
