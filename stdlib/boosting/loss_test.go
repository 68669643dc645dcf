package boosting

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gaucho/stdlib/vec"
)

type drawn struct {
	name   string
	loss   Loss
	target func(p float64) float64 // population minimiser for a probability of success
	draw   func(target []float64, rng *rand.Rand) []float64
}

func logit(p float64) float64 { return vec.Log1(p / (1 - p)) }

var labelled = []drawn{
	{"logistic", Logistic{}, logit, Logistic{}.Draw},
	{"logistic sum of 5", Logistic{Trials: 5}, logit, Logistic{Trials: 5}.Draw},
	{"logistic mean of 5", Logistic{Trials: 5, Mean: true}, logit, Logistic{Trials: 5}.Draw},
	{"exponential", Exponential{}, func(p float64) float64 { return logit(p) / 2 }, Exponential{}.Draw},
	{"exponential mean of 3", Exponential{Trials: 3, Mean: true}, func(p float64) float64 { return logit(p) / 2 }, Exponential{Trials: 3}.Draw},
}

var squared = drawn{"squared", Squared{}, nil, func(target []float64, rng *rand.Rand) []float64 { return Squared{}.Draw(target, 1, rng) }}

// TestDerivatives compares gradients and curvatures with central differences.
func TestDerivatives(t *testing.T) {
	const h = 1e-5
	for _, c := range append(labelled, squared) {
		rng := rand.New(rand.NewPCG(1, 1))
		f := []float64{-2.5, -0.3, 0, 0.7, 3, 1, -1, 0.1}
		y := c.draw(make([]float64, len(f)), rng)
		if err := c.loss.Check(y); err != nil {
			t.Fatal(err)
		}
		g, k := make([]float64, len(f)), make([]float64, len(f))
		c.loss.Gradient(g, y, f)
		c.loss.Curvature(k, y, f)
		for i := range f {
			at := func(v float64) float64 { return c.loss.Value(y[i:i+1], []float64{v}) }
			slope := (at(f[i]+h) - at(f[i]-h)) / (2 * h)
			if math.Abs(slope-g[i]) > 1e-6*(1+math.Abs(g[i])) {
				t.Errorf("%s: gradient %v at %v, difference quotient %v", c.name, g[i], f[i], slope)
			}
			up, down := make([]float64, 1), make([]float64, 1)
			c.loss.Gradient(up, y[i:i+1], []float64{f[i] + h})
			c.loss.Gradient(down, y[i:i+1], []float64{f[i] - h})
			if q := (up[0] - down[0]) / (2 * h); math.Abs(q-k[i]) > 1e-6*(1+math.Abs(k[i])) {
				t.Errorf("%s: curvature %v at %v, difference quotient %v", c.name, k[i], f[i], q)
			}
		}
	}
}

// TestConstants checks the bounds of lemma 17 on a grid of the interval.
func TestConstants(t *testing.T) {
	for _, c := range append(labelled, squared) {
		for _, d := range []float64{0.5, 2} {
			k := c.loss.Constants(d)
			for i := range 41 {
				f := []float64{d * (float64(i)/20 - 1)}
				for _, y := range [][]float64{{-1}, {1}, {0}, {3}, {5}} {
					if c.loss.Check(y) != nil {
						continue
					}
					g, h := make([]float64, 1), make([]float64, 1)
					c.loss.Gradient(g, y, f)
					c.loss.Curvature(h, y, f)
					if math.Abs(g[0]) > k.Gradient*(1+1e-12) || h[0] < k.StronglyConvex*(1-1e-12) || h[0] > k.Smooth*(1+1e-12) {
						t.Errorf("%s at y = %v, f = %v: gradient %v, curvature %v, bounds %+v", c.name, y, f, g, h, k)
					}
				}
			}
		}
	}
}

// TestPopulation computes the expected loss by summing over the responses: it is
// least at the target, and Excess is its difference, between m/2 and M/2 of the
// squared distance.
func TestPopulation(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, c := range labelled {
		trials := 0
		switch l := c.loss.(type) {
		case Logistic:
			trials = l.Trials
		case Exponential:
			trials = l.Trials
		}
		for range 100 {
			p := 0.2 + 0.6*rng.Float64()
			expected := func(f float64) float64 {
				if trials == 0 {
					return p*c.loss.Value([]float64{1}, []float64{f}) + (1-p)*c.loss.Value([]float64{-1}, []float64{f})
				}
				sum := 0.0
				for k := range trials + 1 {
					binomial, _ := math.Lgamma(float64(trials + 1))
					a, _ := math.Lgamma(float64(k + 1))
					b, _ := math.Lgamma(float64(trials - k + 1))
					mass := math.Exp(binomial - a - b + float64(k)*math.Log(p) + float64(trials-k)*math.Log(1-p))
					sum += mass * c.loss.Value([]float64{float64(k)}, []float64{f})
				}
				return sum
			}
			star, f := c.target(p), 4*rng.Float64()-2
			want := expected(f) - expected(star)
			got := c.loss.Excess([]float64{star}, []float64{f})
			if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
				t.Fatalf("%s: excess %v at p = %v, f = %v, want %v", c.name, got, p, f, want)
			}
			k := c.loss.Constants(max(math.Abs(f), math.Abs(star)))
			q := (f - star) * (f - star) / 2
			if got < k.StronglyConvex*q*(1-1e-9) || got > k.Smooth*q*(1+1e-9) {
				t.Fatalf("%s: excess %v, must be within [m/2, M/2] of the squared distance: %v to %v", c.name, got, k.StronglyConvex*q, k.Smooth*q)
			}
		}
	}
}

// TestDraw checks that drawn responses have the mean that the target says.
func TestDraw(t *testing.T) {
	const n = 200000
	target := make([]float64, n)
	vec.Fill(target, 0.4)
	rng := rand.New(rand.NewPCG(3, 1))
	for _, c := range []struct {
		y    []float64
		mean float64
		sd   float64
	}{
		{Squared{}.Draw(target, 0.5, rng), 0.4, math.Sqrt(0.5)},
		{Logistic{}.Draw(target, rng), 2*vec.Logistic1(0.4) - 1, 1},
		{Logistic{Trials: 5}.Draw(target, rng), 5 * vec.Logistic1(0.4), math.Sqrt(1.25)},
		{Exponential{}.Draw(target, rng), 2*vec.Logistic1(0.8) - 1, 1},
	} {
		if got := vec.Sum(c.y) / n; math.Abs(got-c.mean) > 5*c.sd/math.Sqrt(n) {
			t.Errorf("mean %v of drawn responses, want %v", got, c.mean)
		}
	}
}

// TestDivergence checks eq. 3.37 against sums over the responses, and the bound.
func TestDivergence(t *testing.T) {
	f, g := []float64{0.3, -1}, []float64{-0.5, 0.4}
	want := 0.0
	for i := range f {
		p, q := vec.Logistic1(f[i]), vec.Logistic1(g[i])
		want += 5 * (p*math.Log(p/q) + (1-p)*math.Log((1-p)/(1-q)))
	}
	got, bound, err := Divergence(Logistic{Trials: 5}, f, g, 1)
	if err != nil || math.Abs(got-want) > 1e-12 || bound < got {
		t.Errorf("divergence %v below %v, %v; want %v", got, bound, err, want)
	}
	got, bound, err = Divergence(Squared{}, f, g, 2)
	if err != nil || math.Abs(got-(0.64+1.96)/4) > 1e-15 || bound < got {
		t.Errorf("divergence %v below %v, %v; want %v", got, bound, err, (0.64+1.96)/4)
	}
	if _, _, err := Divergence(Exponential{}, f, g, 1); err == nil {
		t.Error("no error for exponential loss")
	}
}

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		loss Loss
		y    []float64
		says string
	}{
		{Squared{}, []float64{1, math.NaN()}, "response 1 is NaN, must be finite"},
		{Logistic{}, []float64{1, 0}, "label 1 is 0, must be -1 or 1"},
		{Exponential{}, []float64{2}, "label 0 is 2, must be -1 or 1"},
		{Logistic{Trials: 5}, []float64{6}, "count 0 is 6, must be a whole number from 0 to 5"},
		{Exponential{Trials: 5}, []float64{1.5}, "count 0 is 1.5, must be a whole number from 0 to 5"},
		{Logistic{Trials: -1}, []float64{1}, "trials is -1, must be at least 0"},
	} {
		if err := c.loss.Check(c.y); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%T: error %v, want one with %q", c.loss, err, c.says)
		}
	}
}

// TestLargeValues checks that nothing overflows where the loss is finite.
func TestLargeValues(t *testing.T) {
	y, f := []float64{1, -1}, []float64{-800, -800}
	if v := (Logistic{}).Value(y, f); math.Abs(v-400) > 1e-9 {
		t.Errorf("logistic loss %v, want 400", v)
	}
	g := make([]float64, 2)
	(Logistic{}).Gradient(g, y, f)
	if g[0] != -1 || g[1] != 0 {
		t.Errorf("gradient %v, want [-1 0]", g)
	}
}
