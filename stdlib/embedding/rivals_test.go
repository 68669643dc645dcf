package embedding

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/nn"
	"gaucho/stdlib/rkhs"
)

// TestNetworkGradient compares the step of a network with finite differences of the
// saddle point's objective in its parameters.
func TestNetworkGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	net := must(nn.NewMLP([]int{2, 5, 1}, nn.Tanh, rng))
	f := must(NewNetwork(net, nil))
	x, c := normals(rng, 4, 2), []float64{0.5, -1, 2, 0.3}
	params := net.Params()
	before := append([]float64(nil), params...)
	objective := func() float64 {
		sum := 0.0
		for i, v := range must(f.Values(ctx, x)) {
			sum += c[i] * v
		}
		return sum
	}
	want := make([]float64, len(params))
	const h = 1e-6
	for j := range params {
		params[j] = before[j] + h
		up := objective()
		params[j] = before[j] - h
		want[j] = 0.9*before[j] + (up-objective())/(2*h)
		params[j] = before[j]
	}
	must(f.Forward(ctx, x))
	if err := f.Move(ctx, 0.9, c); err != nil {
		t.Fatal(err)
	}
	near(t, "parameters", params, want, 1e-7)
	f.Count(2)
	first := must(f.Values(ctx, x))
	near(t, "mean", must(f.Mean(ctx, x)), first, 1e-12)
	f.Scale(0)
	if v := must(f.Values(ctx, x)); v[0] != v[1] {
		t.Errorf("values %v after scaling by 0, want a constant", v)
	}
	near(t, "mean after the last step", must(f.Mean(ctx, x)), first, 1e-12)
}

// measurements are noisy ones (Dai 2018, section 5.6.1): x is measured with an error of 0.05,
// and y belongs to what x was before.
func measurements(rng *rand.Rand, n int) (x *mat.Dense, y []float64) {
	x, y = mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		clean := rng.Float64() - 0.5
		x.Set(i, 0, clean+0.05*rng.NormFloat64())
		y[i] = signal(clean) + 0.01*rng.NormFloat64()
	}
	return x, y
}

func signal(x float64) float64 {
	return (math.Sin(3.53*math.Pi*x)+math.Cos(7.7*math.Pi*x))*math.Exp(-1.6*math.Pi*math.Abs(x)) + 3*x*x
}

// copiesOf returns m draws of N(x, 0.05^2) for each row.
func copiesOf(rng *rand.Rand, x *mat.Dense, m int) *mat.Dense {
	n, _ := x.Dims()
	z := mat.NewDense(n*m, 1, nil)
	for j := range n * m {
		z.Set(j, 0, x.At(j/m, 0)+0.05*rng.NormFloat64())
	}
	return z
}

// signalError is the mean squared error of f on inputs without noise.
func signalError(f Function, mean bool) float64 {
	const n = 201
	at, sum := mat.NewDense(n, 1, nil), 0.0
	for i := range n {
		at.Set(i, 0, float64(i)/(n-1)-0.5)
	}
	values := f.Values
	if mean {
		values = f.Mean
	}
	for i, v := range must(values(ctx, at)) {
		d := v - signal(at.At(i, 0))
		sum += d * d / n
	}
	return sum
}

// TestMeasurements trains functions of every form on noisy measurements (Dai 2018, section
// 5.6.1) and their rivals.
func TestMeasurements(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	rng := rand.New(rand.NewPCG(22, 1))
	random := func(p, d int) *rkhs.RandomFeatures {
		return must(rkhs.NewRandomFeatures(rkhs.Gaussian{Bandwidth: 0.05}, d, p, rng))
	}
	copies := 10
	batch := func() *Batch {
		x, y := measurements(rng, 50)
		return must(Invariance(copiesOf(rng, x, copies), must(Join(x, 0.05, y)), y))
	}
	dual := DefaultSettings()
	dual.Eta, dual.Shift, dual.DualFactor, dual.AverageFrom = 20, 1, 0.3, 400
	steps := 800
	run := func(f, u Function) float64 {
		s := must(NewSolver(kernelmachine.Squared{}, f, u, dual))
		if err := s.Run(ctx, steps, func(int) (*Batch, error) { return batch(), nil }); err != nil {
			t.Fatal(err)
		}
		return signalError(f, true)
	}
	linear := run(NewLinear(random(200, 1)), NewLinear(random(200, 2)))
	few := run(NewLinear(random(20, 1)), NewLinear(random(20, 2)))
	if linear > 0.015 || few < linear {
		t.Errorf("random features: mean squared error %v with 200 of them, %v with 20", linear, few)
	}
	descend := func(split bool) float64 {
		f := NewLinear(random(200, 1))
		s := DefaultSettings()
		s.Eta, s.Shift = 10, 10
		d := must(NewDescent(kernelmachine.Squared{}, f, s))
		for range steps {
			b := batch()
			if split {
				b = must(b.Split())
			}
			if err := d.Step(ctx, b); err != nil {
				t.Fatal(err)
			}
		}
		return signalError(f, false)
	}
	if average, virtual := descend(false), descend(true); average < 1.3*linear || virtual < 3*linear {
		t.Errorf("mean squared error %v: sample average %v, virtual samples %v", linear, average, virtual)
	}
	dual.Eta, dual.Shift, dual.DualFactor, dual.AverageFrom = 10, 10, 1, 100
	steps, copies = 200, 2
	fresh := func(d uint64) Function {
		return must(NewDoublyStochastic(rkhs.Gaussian{Bandwidth: 0.05}, 64, rand.New(rand.NewPCG(d, 9))))
	}
	if e := run(fresh(1), fresh(2)); e > 0.03 {
		t.Errorf("doubly stochastic: mean squared error %v", e)
	}
}

// TestHybrid trains a network against random features.
func TestHybrid(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(23, 1))
	net := must(nn.NewMLP([]int{1, 64, 32, 1}, nn.Tanh, rng))
	for j := range 64 { // the signal has a wave length of a quarter
		net.Params()[j], net.Params()[64+j] = 10*rng.NormFloat64(), 3*rng.NormFloat64()
	}
	f := must(NewNetwork(net, nn.NewAdam(2e-3)))
	u := NewLinear(must(rkhs.NewRandomFeatures(rkhs.Gaussian{Bandwidth: 0.05}, 2, 200, rng)))
	settings := DefaultSettings()
	settings.Eta, settings.Shift = 10, 1
	settings.AverageFrom = 3000
	s := must(NewSolver(kernelmachine.Squared{}, f, u, settings))
	err := s.Run(ctx, 4000, func(int) (*Batch, error) {
		x, y := measurements(rng, 50)
		return Invariance(copiesOf(rng, x, 2), must(Join(x, 0.05, y)), y)
	})
	if err != nil {
		t.Fatal(err)
	}
	if e := signalError(f, true); e > 0.04 {
		t.Errorf("mean squared error %v", e)
	}
}

// signs returns the four sign flips of a point of the plane.
func signs(x []float64) *mat.Dense {
	return mat.NewDense(4, 2, []float64{x[0], x[1], -x[0], x[1], x[0], -x[1], -x[0], -x[1]})
}

// TestInvariance compares learning with all copies of each point with ridge regression under
// the invariant kernel.
func TestInvariance(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(24, 1))
	base := rkhs.Gaussian{Bandwidth: 1}
	k := Invariant{base, signs}
	const n = 40
	x, y := normals(rng, n, 2), make([]float64, n)
	for i := range y {
		y[i] = math.Cos(2*x.At(i, 0))*x.At(i, 1)*x.At(i, 1) + 0.1*rng.NormFloat64()
	}
	flipped := mat.NewDense(n, 2, nil)
	flipped.Apply(func(i, j int, v float64) float64 { return v * float64(1-2*((i+j)%2)) }, x)
	gram := must(rkhs.Gram(ctx, k, x, nil))
	near(t, "Gram matrix after flips", must(rkhs.Gram(ctx, k, flipped, x)).RawMatrix().Data, gram.RawMatrix().Data, 1e-12)

	const nu = 0.02
	want := must(must(kernelmachine.Ridge(ctx, k, x, y, nu)).Predict(ctx, x))
	copies := mat.NewDense(4*n, 2, nil)
	for i := range n {
		copies.Slice(4*i, 4*i+4, 0, 2).(*mat.Dense).Copy(signs(x.RawRowView(i)))
	}
	// A dual table has a value for each point: the dual space is as rich as can be.
	index := mat.NewDense(n, 1, nil)
	for i := range n {
		index.Set(i, 0, float64(i))
	}
	f, u := NewLinear(must(kernelmachine.NewNystrom(ctx, base, copies, 60, rng))), must(NewTable(n))
	settings := DefaultSettings()
	settings.Eta, settings.Shift, settings.Penalty, settings.DualFactor = 1, None, nu, n
	settings.Power = None // the whole data in every step: no noise
	settings.AverageFrom = 1000
	s := must(NewSolver(kernelmachine.Squared{}, f, u, settings))
	b := must(Invariance(copies, index, y))
	for step := range 2000 {
		if step%200 == 0 {
			nested, virtual := squares(f, b), squares(f, must(b.Split()))
			if virtual < nested-1e-12 {
				t.Errorf("step %d: the objective of virtual samples %v, below the nested one %v", step, virtual, nested)
			}
		}
		if err := s.Step(ctx, b); err != nil {
			t.Fatal(err)
		}
	}
	got := must(Residuals(ctx, f, b, true))
	distance := 0.0
	for i := range got {
		distance += (got[i] - want[i]) * (got[i] - want[i]) / n
	}
	if v := stat.Variance(y, nil); distance > 0.02*v {
		t.Errorf("mean squared distance to ridge %v, want at most 2 %% of the variance %v", distance, v)
	}
}

// squares is the mean of half the squared error of the residuals.
func squares(f Function, b *Batch) float64 {
	sum := 0.0
	for i, r := range must(Residuals(ctx, f, b, false)) {
		sum += (r - b.Y[i]) * (r - b.Y[i]) / (2 * float64(b.N))
	}
	return sum
}

// TestConditional compares estimated conditional expectations of linear-Gaussian dynamics
// with the exact ones, and evaluates a policy with them.
func TestConditional(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(25, 1))
	const m, slope, noise, discount = 300, 0.7, 0.2, 0.5
	states, next := normals(rng, m, 1), mat.NewDense(m, 1, nil)
	for i := range m {
		next.Set(i, 0, slope*states.At(i, 0)+noise*rng.NormFloat64())
	}
	kernel := rkhs.Gaussian{Bandwidth: 1}
	at := mat.NewDense(41, 1, nil)
	for i := range 41 {
		at.Set(i, 0, float64(i-20)/20)
	}
	phi := must(rkhs.NewRandomFeatures(kernel, 1, 300, rng))
	for name, c := range map[string]*Conditional{
		"kernel": must(NewConditional(ctx, kernel, states, 1e-4)), "features": must(NewFeatureConditional(ctx, phi, states, 1e-4)),
	} {
		rng := rand.New(rand.NewPCG(25, 2)) // the same, whatever the order
		tau := must(c.Weights(ctx, at))
		for i := range 41 {
			got, square := 0.0, 0.0
			for j, w := range tau.RawRowView(i) {
				z := next.At(j, 0)
				got += w * z
				square += w * z * z
			}
			mean := slope * at.At(i, 0)
			if math.Abs(got-mean) > 0.05 || math.Abs(square-mean*mean-noise*noise) > 0.07 {
				t.Errorf("%s: E z and E z^2 given %v are %v, %v, want %v, %v", name, at.At(i, 0), got, square, mean, mean*mean+noise*noise)
			}
		}
		// The value of the reward s^2: a s^2 + b with a = 1 + discount slope^2 a.
		v := NewLinear(quadraticLine)
		settings := DefaultSettings()
		settings.Eta, settings.Shift, settings.Power = 100, 1000, 1
		d := must(NewDescent(kernelmachine.Squared{}, v, settings))
		for range 500 {
			s := normals(rng, 5, 1)
			reward := make([]float64, 5)
			for i := range reward {
				reward[i] = s.At(i, 0) * s.At(i, 0)
			}
			if err := d.Step(ctx, must(c.Bellman(ctx, s, s, next, reward, nil, discount))); err != nil {
				t.Fatal(err)
			}
		}
		a := 1 / (1 - discount*slope*slope)
		want := []float64{discount * a * noise * noise / (1 - discount), 0, a}
		near(t, name+": value", v.Weights(), want, 0.15)
	}
}

var quadraticLine = mapped{3, func(dst, x []float64) { dst[0], dst[1], dst[2] = 1, x[0], x[0]*x[0] }}
