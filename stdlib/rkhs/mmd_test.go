package rkhs

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// bruteMMD2 is the double sum, written out.
func bruteMMD2(k Kernel, p, q Measure) float64 {
	pair := func(a, b Measure) float64 {
		var s float64
		for i := range a.Len() {
			for j := range b.Len() {
				s += a.weight(i) * b.weight(j) * k.Eval(a.X.RawRowView(i), b.X.RawRowView(j))
			}
		}
		return s
	}
	return pair(p, p) - 2*pair(p, q) + pair(q, q)
}

func TestMMDAgreesWithDoubleSum(t *testing.T) {
	p := Measure{uniformPoints(30, 2, 1), make([]float64, 30)}
	q := Measure{uniformPoints(600, 2, 2), nil}
	for i := range p.W {
		p.W[i] = float64(i%5) - 1 // signed
	}
	for name, k := range allKernels(t) {
		if name == "fisher" || name == "labelled" {
			continue // of other dimensions
		}
		want := bruteMMD2(k, p, q)
		for _, pair := range [][2]Measure{{p, q}, {q, p}} {
			got, err := MMD2(ctx, mustEmbed(t, k, pair[0]), pair[1])
			if err != nil {
				t.Fatal(name, err)
			}
			near(t, name, got, want, 1e-9*(1+want))
		}
		self, err := MMD2(ctx, mustEmbed(t, k, q), q)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name+" of a measure to itself", self, 0, 1e-13)
	}
}

// TestMonteCarloLaw: n E MMD^2 = 1 - |mu_p|^2 for independent draws.
func TestMonteCarloLaw(t *testing.T) {
	const n, runs = 50, 2000
	p := mixtureT2(t)
	e := mustEmbed(t, Gaussian{1}, p)
	rng := rand.New(rand.NewPCG(5, 1))
	var s, s2 float64
	for range runs {
		v, err := MMD2(ctx, e, Uniform(p.Sample(rng, n)))
		if err != nil {
			t.Fatal(err)
		}
		s += v * n
		s2 += v * n * v * n
	}
	mean := s / runs
	near(t, "n E MMD^2", mean, 1-norm2(t, e), 4*math.Sqrt((s2/runs-mean*mean)/runs))
}

func TestTwoSampleEstimates(t *testing.T) {
	k := Gaussian{.5}
	X, Y := uniformPoints(60, 2, 1), uniformPoints(45, 2, 2)
	biased, err := MMD2Biased(ctx, k, X, Y)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "biased", biased, bruteMMD2(k, Measure{X: X}, Measure{X: Y}), 1e-13)
	var xx, yy, xy float64
	for i := range 60 {
		for j := range 60 {
			if i != j {
				xx += k.Eval(X.RawRowView(i), X.RawRowView(j)) / (60 * 59)
			}
		}
		for j := range 45 {
			xy += k.Eval(X.RawRowView(i), Y.RawRowView(j)) / (60 * 45)
		}
	}
	for i := range 45 {
		for j := range 45 {
			if i != j {
				yy += k.Eval(Y.RawRowView(i), Y.RawRowView(j)) / (45 * 44)
			}
		}
	}
	unbiased, err := MMD2Unbiased(ctx, k, X, Y)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "unbiased", unbiased, xx+yy-2*xy, 1e-13)

	// Block estimates: the whole sample as one block is the U-statistic; the
	// mean over many blocks is unbiased.
	one, _, err := MMD2Block(ctx, k, X.Slice(0, 45, 0, 2).(*mat.Dense), Y, 45)
	if err != nil {
		t.Fatal(err)
	}
	all, err := MMD2Unbiased(ctx, k, X.Slice(0, 45, 0, 2).(*mat.Dense), Y)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "one block", one, all, 1e-15)
	p := mixtureT2(t)
	rng := rand.New(rand.NewPCG(1, 9))
	q, err := NewNormal([]float64{1, 0}, identity(2))
	if err != nil {
		t.Fatal(err)
	}
	inner, err := MixtureInner(ctx, k, p, q)
	if err != nil {
		t.Fatal(err)
	}
	exact := norm2(t, mustEmbed(t, k, p)) + norm2(t, mustEmbed(t, k, q)) - 2*inner
	mean, stderr, err := MMD2Block(ctx, k, p.Sample(rng, 40000), q.Sample(rng, 40000), 20)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "block estimate", mean, exact, 4*stderr)
	if _, _, err := MMD2Block(ctx, k, X, Y, 5); err == nil {
		t.Error("no error for samples of different sizes")
	}
}
