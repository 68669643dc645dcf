package boosting

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

var bg = context.Background()

func design(t testing.TB, k rkhs.Kernel, x *mat.Dense) *Design {
	t.Helper()
	d, err := NewDesign(bg, k, x)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func spectrum(t testing.TB, d *Design) *Spectrum {
	t.Helper()
	s, err := d.Spectrum(bg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tol) {
			t.Fatalf("%s: %v at %d, want %v", what, got[i], i, want[i])
		}
	}
}

func run(t testing.TB, d *Design, y []float64, set func(*Settings)) *Path {
	t.Helper()
	s := DefaultSettings()
	set(s)
	p, err := Boost(bg, d, y, s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGolden checks iterates computed by hand for four points (the specification's
// prototype).
func TestGolden(t *testing.T) {
	d := design(t, rkhs.Min{Offset: 1}, Grid(4))
	for _, c := range []struct {
		loss Loss
		y    []float64
		t    int
		want []float64
	}{
		{Squared{}, []float64{1, 0, -1, 2}, 1, []float64{0.46875, 0.515625, 0.5625, 0.65625}},
		{Squared{}, []float64{1, 0, -1, 2}, 2, []float64{0.4211425781, 0.43359375, 0.4702148438, 0.626953125}},
		{Squared{}, []float64{1, 0, -1, 2}, 3, []float64{0.4324150085, 0.4199867249, 0.4520530701, 0.6731529236}},
		{Logistic{}, []float64{1, -1, -1, 1}, 2, []float64{0.0027464563, -0.0435792524, -0.0433046068, 0.0035703932}},
		{Exponential{}, []float64{1, -1, -1, 1}, 2, []float64{0.0214656253, -0.0679912496, -0.0658446871, 0.0279053129}},
	} {
		p := run(t, d, c.y, func(s *Settings) { s.Loss, s.Iterations = c.loss, c.t })
		near(t, "golden iterate", p.Last, c.want, 1e-9)
	}
}

// stream is the uniform stream of the reference numbers.
type stream uint64

func (s *stream) next() float64 {
	*s = stream(6364136223846793005*uint64(*s) + 1442695040888963407)
	return float64(uint64(*s)>>11) / (1 << 53)
}

// TestReference reproduces in-sample errors of a NumPy loop: kernel 1 + min, step
// 0.75, noise 0.5 Phi^-1(u), u from the stream of seed 11.
func TestReference(t *testing.T) {
	for _, c := range []struct {
		n                        int
		lambda, first, at37, low float64
		best                     int
		last                     float64
	}{
		{100, 1.355979047542, 0.0249789583, 0.0201700147, 0.0186788001, 80, 0.0385219941},
		{400, 1.352267421747, 0.0209350396, 0.0069859243, 0.0022587629, 133, 0.0086081451},
		{1600, 1.351342098476, 0.0203073532, 0.0071330055, 0.0006751550, 384, 0.0013127044},
	} {
		x := Grid(c.n)
		d := design(t, rkhs.Min{Offset: 1}, x)
		lambda, err := d.LambdaMax(bg)
		if err != nil || math.Abs(lambda-c.lambda) > 1e-9 {
			t.Errorf("n = %d: largest eigenvalue %v, %v; want %v", c.n, lambda, err, c.lambda)
		}
		target, noise := Kink(x), stream(11)
		y := make([]float64, c.n)
		for i, f := range target {
			y[i] = f + 0.5*vec.NormalQuantile1(noise.next())
		}
		p := run(t, d, y, func(s *Settings) { s.Iterations, s.Target = 2000, target })
		best, low, err := Oracle(p.Error)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "errors", []float64{p.Error[1], p.Error[37], low, p.Error[2000]}, []float64{c.first, c.at37, c.low, c.last}, 1e-9)
		if best != c.best {
			t.Errorf("n = %d: best at %d, want %d", c.n, best, c.best)
		}
	}
}

// slow is the update with a stored matrix, written out.
func slow(k rkhs.Kernel, x *mat.Dense, y []float64, loss Loss, step float64, T int) (last, mean []float64) {
	n, _ := x.Dims()
	last, mean = make([]float64, n), make([]float64, n)
	g := make([]float64, n)
	for range T {
		loss.Gradient(g, y, last)
		next := append([]float64(nil), last...)
		for i := range n {
			for j := range n {
				next[i] -= step * k.Eval(x.RawRowView(i), x.RawRowView(j)) / float64(n) * g[j]
			}
		}
		last = next
		for i := range n {
			mean[i] += last[i] / float64(T)
		}
	}
	return last, mean
}

func uniformRows(n, d int, rng *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.Float64())
		}
	}
	return x
}

// TestLoop compares every kind of design with the loop, on points in no order.
func TestLoop(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, c := range append(labelled, squared) {
		for _, k := range []rkhs.Kernel{rkhs.Min{Offset: 1}, rkhs.Scaled{Factor: 0.5, Kernel: rkhs.Min{}}, rkhs.Gaussian{Bandwidth: 0.3}} {
			x := uniformRows(23, 1, rng)
			y := c.draw(make([]float64, 23), rng)
			want, mean := slow(k, x, y, c.loss, 0.2, 9)
			p := run(t, design(t, k, x), y, func(s *Settings) { s.Loss, s.Step, s.Iterations = c.loss, 0.2, 9 })
			near(t, c.name, p.Last, want, 1e-12)
			near(t, c.name+" average", p.Averaged, mean, 1e-12)
			for name, m := range map[string]struct {
				model *Model
				at    []float64
			}{"last": {p.Model, want}, "averaged": {p.AveragedModel, mean}} {
				got, err := m.model.Predict(bg, x)
				if err != nil {
					t.Fatal(err)
				}
				near(t, c.name+" predictions of the "+name, got, m.at, 1e-12)
			}
		}
	}
}

// TestLatent compares with gradient descent on z = n^(-1/2) (K+)^(1/2) f (eq. 3.38).
func TestLatent(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const n, T, step = 30, 40, 0.3
	x := uniformRows(n, 2, rng)
	d := design(t, rkhs.Gaussian{Bandwidth: 0.4}, x)
	s := spectrum(t, d)
	y := Logistic{}.Draw(make([]float64, n), rng)
	z, f, g := make([]float64, len(s.Values)), make([]float64, n), make([]float64, n)
	values := func() {
		c := make([]float64, len(z))
		for j, mu := range s.Values {
			c[j] = math.Sqrt(mu) * z[j]
		}
		copy(f, s.Combine(c))
	}
	for range T {
		values()
		Logistic{}.Gradient(g, y, f)
		for j, v := range s.Coordinates(g) {
			z[j] -= step * math.Sqrt(s.Values[j]) * v
		}
	}
	values()
	p := run(t, d, y, func(s *Settings) { s.Loss, s.Step, s.Iterations = Logistic{}, step, T })
	near(t, "iterate", p.Last, f, 1e-10)
	if want := math.Sqrt(vec.Dot(z, z)); math.Abs(p.Norm[T]-want) > 1e-9 || math.Abs(p.Model.Norm()-want) > 1e-9 || math.Abs(s.Norm(f)-want) > 1e-6 {
		t.Errorf("norms %v, %v, %v of the last iterate, want %v", p.Norm[T], p.Model.Norm(), s.Norm(f), want)
	}
}

// TestDescent checks that the loss does not rise for steps up to 1/(M lambda_max),
// and that squared loss converges below 2/lambda_max and is refused above.
func TestDescent(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	x := uniformRows(40, 2, rng)
	d := design(t, rkhs.Gaussian{Bandwidth: 0.3}, x)
	lambda, err := d.LambdaMax(bg)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []drawn{squared, labelled[0], labelled[1]} {
		y := c.draw(make([]float64, 40), rng)
		p := run(t, d, y, func(s *Settings) {
			s.Loss, s.Iterations = c.loss, 300
			s.Step = 1 / (c.loss.Constants(math.Inf(1)).Smooth * lambda)
		})
		for i := 1; i < len(p.Loss); i++ {
			if p.Loss[i] > p.Loss[i-1]+1e-15 {
				t.Fatalf("%s: loss rises from %v to %v at iteration %d", c.name, p.Loss[i-1], p.Loss[i], i)
			}
		}
	}
	y := Squared{}.Draw(make([]float64, 40), 1, rng)
	p := run(t, d, y, func(s *Settings) { s.Step, s.Iterations = 1.96/lambda, 3000 })
	if p.Loss[3000] > p.Loss[0] {
		t.Errorf("loss %v after step 1.96/lambda_max, began at %v", p.Loss[3000], p.Loss[0])
	}
	s := DefaultSettings()
	s.Step = 2.03 / lambda
	if _, err := Boost(bg, d, y, s); err == nil || !strings.Contains(err.Error(), "must be below 2/(M lambda_max)") {
		t.Errorf("step 2.03/lambda_max: error %v", err)
	}
}

// TestDiverged checks that a step that exponential loss cannot take is reported.
func TestDiverged(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	x := Grid(20)
	y := Exponential{}.Draw(make([]float64, 20), rng)
	s := DefaultSettings()
	s.Loss, s.Step = Exponential{}, 40
	_, err := Boost(bg, design(t, rkhs.Min{Offset: 1}, x), y, s)
	var diverged *Diverged
	if !errors.As(err, &diverged) || diverged.Step != 40 || !(diverged.Largest > 50) {
		t.Errorf("error %v, want that it diverged", err)
	}
}

// TestNewton boosts five points for long: logistic and exponential loss with
// repeated labels reach the minimiser that Newton's method finds.
func TestNewton(t *testing.T) {
	x := mat.NewDense(5, 1, []float64{0.1, 0.3, 0.5, 0.8, 1})
	k := rkhs.Gaussian{Bandwidth: 0.2}
	y := []float64{1, 3, 2, 4, 2} // of 5
	d := design(t, k, x)
	for _, loss := range []Loss{Logistic{Trials: 5}, Exponential{Trials: 5, Mean: true}} {
		p := run(t, d, y, func(s *Settings) { s.Loss, s.Iterations = loss, 20000 })
		f := make([]float64, 5) // K has full rank: the minimiser of each loss by itself
		for range 50 {
			g, h := make([]float64, 5), make([]float64, 5)
			loss.Gradient(g, y, f)
			loss.Curvature(h, y, f)
			for i := range f {
				f[i] -= g[i] / h[i]
			}
		}
		near(t, "limit", p.Last, f, 1e-6)
		for i := 1; i < len(p.Loss); i++ {
			if p.Loss[i] > p.Loss[i-1]+1e-14 {
				t.Fatalf("%T: loss rises at iteration %d", loss, i)
			}
		}
	}
}

// TestBasicInequality checks lemma 14 at every step: m = M = 1, lambda_max <= 1.
func TestBasicInequality(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	const n = 30
	x := Grid(n)
	d := design(t, rkhs.Scaled{Factor: 0.5, Kernel: rkhs.Min{Offset: 1}}, x)
	s := spectrum(t, d)
	target := Kink(x)
	star := s.Coordinates(target)
	for _, step := range []float64{1, 0.75, 0.3} {
		for range 20 {
			y := Squared{}.Draw(target, 0.5, rng)
			settings := DefaultSettings()
			settings.Step = step
			b, err := NewBooster(bg, d, y, settings)
			if err != nil {
				t.Fatal(err)
			}
			norms := func() (hilbert, empirical, noise float64) {
				for j, v := range s.Coordinates(b.Fitted()) {
					v -= star[j]
					hilbert += v * v / s.Values[j]
				}
				for i, f := range b.Fitted() {
					empirical += (f - target[i]) * (f - target[i]) / n
					noise += (y[i] - target[i]) * (f - target[i]) / n
				}
				return hilbert, empirical, noise
			}
			before, _, _ := norms()
			for range 40 {
				if err := b.Step(); err != nil {
					t.Fatal(err)
				}
				after, empirical, noise := norms()
				if gap := empirical/2 - (before-after)/(2*step) - noise; gap > 1e-9 {
					t.Fatalf("step %v, iteration %d: the left side exceeds the right by %v", step, b.Iteration(), gap)
				}
				before = after
			}
		}
	}
}

func TestKeepAndValidation(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	x, z := uniformRows(40, 1, rng), uniformRows(15, 1, rng)
	y, held := Squared{}.Draw(Kink(x), 0.5, rng), Squared{}.Draw(Kink(z), 0.5, rng)
	for _, k := range []rkhs.Kernel{rkhs.Min{Offset: 1}, rkhs.Gaussian{Bandwidth: 0.2}} {
		p := run(t, design(t, k, x), y, func(s *Settings) { s.Keep, s.Iterations, s.Validation = true, 30, &Data{z, held} })
		for i := 1; i <= 30; i++ {
			f, err := p.At(i).Predict(bg, z)
			if err != nil {
				t.Fatal(err)
			}
			if want := (Squared{}).Value(held, f); math.Abs(want-p.Validation[i]) > 1e-12 {
				t.Fatalf("validation loss %v at %d, want %v", p.Validation[i], i, want)
			}
		}
	}
	p := run(t, design(t, rkhs.Gaussian{Bandwidth: 0.02}, x), y, func(s *Settings) {
		s.Iterations, s.Validation, s.Patience = 5000, &Data{z, held}, 20
	})
	best, _, err := Oracle(p.Validation)
	if err != nil || len(p.Validation)-1 >= 5000 || len(p.Validation)-1-best < 20 && argMin(p.Validation) != 0 {
		t.Errorf("stopped after %d iterations with the best at %d, %v; patience 20", len(p.Validation)-1, best, err)
	}
}

func TestBadInput(t *testing.T) {
	d := design(t, rkhs.Min{Offset: 1}, Grid(3))
	y := []float64{1, 2, 3}
	for says, change := range map[string]func(*Settings){
		"step is -1, must be positive":             func(s *Settings) { s.Step = -1 },
		"iterations is -1, must be at least 1":     func(s *Settings) { s.Iterations = -1 },
		"label 1 is 2, must be -1 or 1":            func(s *Settings) { s.Loss = Logistic{} },
		"2 values of the target for 3 points":      func(s *Settings) { s.Target = y[:2] },
		"patience is 3":                            func(s *Settings) { s.Patience = 3 },
		"1 validation responses for 3 points":      func(s *Settings) { s.Validation = &Data{Grid(3), y[:1]} },
		"points have 2 columns, must have 1":       func(s *Settings) { s.Validation = &Data{mat.NewDense(3, 2, nil), y} },
		"limit is -1, must be positive":            func(s *Settings) { s.Limit = -1 },
		"point 0 is 2, must be in [0, 1] for the ": func(s *Settings) { s.Validation = &Data{mat.NewDense(1, 1, []float64{2}), y[:1]} },
	} {
		s := DefaultSettings()
		change(s)
		if _, err := Boost(bg, d, y, s); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one with %q", err, says)
		}
	}
	if _, err := new(Model).Predict(bg, Grid(3)); err == nil || !strings.Contains(err.Error(), "has not been fitted") {
		t.Errorf("error %v of a model without a fit", err)
	}
	if _, err := Boost(bg, d, y[:2], nil); err == nil || !strings.Contains(err.Error(), "2 responses for 3 points") {
		t.Errorf("error %v", err)
	}
	if _, err := NewDesign(bg, rkhs.Gaussian{}, Grid(3)); err == nil {
		t.Error("no error for a bandwidth of 0")
	}
	if _, err := NewDesign(bg, rkhs.Min{}, mat.NewDense(1, 1, []float64{math.NaN()})); err == nil || !strings.Contains(err.Error(), "must be finite") {
		t.Errorf("error %v for NaN", err)
	}
	cancelled, cancel := context.WithCancel(bg)
	cancel()
	if _, err := Boost(cancelled, d, y, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after cancelling", err)
	}
}
