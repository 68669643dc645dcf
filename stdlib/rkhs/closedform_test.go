package rkhs

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestInnerEmbeddingsAgreeWithExactRules embeds product rules that are exact for the
// kernels' polynomials.
func TestInnerEmbeddingsAgreeWithExactRules(t *testing.T) {
	mixture := mustMixture3(t)
	box, err := NewBox([]float64{-1, .5, 0}, []float64{.3, 2, 1})
	if err != nil {
		t.Fatal(err)
	}
	fine, err1 := mixture.Quadrature(6)
	cells, err2 := box.Quadrature(6)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	X := uniformPoints(9, 3, 8)
	for _, k := range []Kernel{Polynomial{Degree: 1, Scale: 2, Offset: 1}, Polynomial{Degree: 2, Scale: .3, Offset: 1}, Polynomial{Degree: 5, Scale: .5, Offset: .2},
		DotProduct{[]float64{.1, 0, 2, 0, .3}}} {
		for _, c := range []struct {
			p    Distribution
			rule Measure
		}{{mixture, fine}, {box, cells}} {
			e, rule := mustEmbed(t, k, c.p), mustEmbed(t, k, c.rule)
			name := typeName(k) + " " + typeName(c.p)
			got, want := make([]float64, 9), make([]float64, 9)
			if err1, err2 := e.EvalTo(ctx, got, X), rule.EvalTo(ctx, want, X); err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			for i, v := range want {
				near(t, name, got[i], v, 1e-11*(1+math.Abs(v)))
			}
			v := norm2(t, rule)
			near(t, name+" norm2", norm2(t, e), v, 1e-11*v)
		}
	}
}

// TestLaplaceEmbeddingIsAProduct compares a Gaussian with independent coordinates with
// the product over them, and a mixture of two with their sums.
func TestLaplaceEmbeddingIsAProduct(t *testing.T) {
	k := Laplace{.6}
	mean, deviation := [2][2]float64{{.3, -1}, {1, .2}}, [2][2]float64{{.5, 2}, {.1, 0}}
	line := func(j, i int) Embedding {
		p, err := NewNormal([]float64{mean[j][i]}, mat.NewSymDense(1, []float64{deviation[j][i] * deviation[j][i]}))
		if err != nil {
			t.Fatal(err)
		}
		return mustEmbed(t, k, p)
	}
	var covs []*mat.SymDense
	for _, s := range deviation {
		covs = append(covs, mat.NewSymDense(2, []float64{s[0] * s[0], 0, 0, s[1] * s[1]}))
	}
	p, err := NewMixture([]float64{.25, .75}, mat.NewDense(2, 2, []float64{.3, -1, 1, .2}), covs)
	if err != nil {
		t.Fatal(err)
	}
	e := mustEmbed(t, k, p)
	for _, x := range [][]float64{{0, 0}, {1, -3}, {.9, .2}} {
		got := make([]float64, 1)
		if err := e.EvalTo(ctx, got, mat.NewDense(1, 2, x)); err != nil {
			t.Fatal(err)
		}
		want := .25*evalAt(t, line(0, 0), x[0])*evalAt(t, line(0, 1), x[1]) + .75*evalAt(t, line(1, 0), x[0])*evalAt(t, line(1, 1), x[1])
		near(t, "two coordinates", got[0], want, 1e-14)
	}
	// The norm by the mean of the embedding at draws: within five standard errors.
	const n = 200_000
	X := p.Sample(rand.New(rand.NewPCG(4, 2)), n)
	mu := make([]float64, n)
	if err := e.EvalTo(ctx, mu, X); err != nil {
		t.Fatal(err)
	}
	var sum, square float64
	for _, v := range mu {
		sum += v / n
		square += v * v / n
	}
	near(t, "norm2", norm2(t, e), sum, 5*math.Sqrt((square-sum*sum)/n))
	if _, err := Embed(k, mustMixture3(t)); err == nil {
		t.Error("a mixture with correlated coordinates has a closed form")
	}
}

// TestSmoothedAtExtremes compares the smoothed kernels with quadrature over many
// ratios of the deviation to the bandwidth, on both sides of where the form changes.
func TestSmoothedAtExtremes(t *testing.T) {
	for _, k := range []Kernel{Laplace{1}, Matern{Nu: 1.5, Bandwidth: 1}, Matern{Nu: 2.5, Bandwidth: 1}} {
		f, _ := decayOf(k, 1)
		for _, deviation := range []float64{.1, .5, 1, 5, 6, 8.5, 8.9, 15, 40, 1e3, 1e6} {
			for _, steps := range []float64{0, .01, .5, 1, 4, 12} {
				delta := steps * deviation
				value := func(r float64) float64 {
					z := (r - delta) / deviation
					return f.at(f.rate*math.Abs(r)) * math.Exp(-z*z/2) / (deviation * math.Sqrt(2*math.Pi))
				}
				var want float64
				for lo, h := 0., min(40, 40*deviation); lo < min(400, delta+30*deviation); lo += h {
					want += panels(value, lo, lo+h) + panels(value, -lo-h, -lo)
				}
				near(t, typeName(k), f.smoothed(delta, deviation)/want, 1, 1e-9)
			}
		}
		for _, r := range []float64{0, .5, 3} { // nothing to smooth
			near(t, typeName(k)+" narrow", f.smoothed(r, 1e-9), f.at(f.rate*r), 2e-9)
			near(t, typeName(k)+" point", f.smoothed(r, 0), f.at(f.rate*r), 0)
		}
	}
}

// TestTinyAndHugeBoxes has the limits: a box that is a point for the kernel, and one
// beside which the kernel is a point.
func TestTinyAndHugeBoxes(t *testing.T) {
	for _, c := range []struct {
		k    Kernel
		mass float64 // the integral over the line, 0 if it has no such limit
	}{{Gaussian{1}, math.Sqrt(2 * math.Pi)}, {Laplace{1}, 2}, {Matern{Nu: .5, Bandwidth: 1}, 2}, {Matern{Nu: 1.5, Bandwidth: 1}, 4 / math.Sqrt(3)},
		{Matern{Nu: 2.5, Bandwidth: 1}, 16 / (3 * math.Sqrt(5))}, {Cauchy{1}, math.Pi}, {Spline{Order: 2, Free: true}, 0}} {
		for _, l := range []float64{1e-12, 1e-7, 1e-3} {
			box, err := NewBox([]float64{.5}, []float64{.5 + l})
			if err != nil {
				t.Fatal(err)
			}
			e := mustEmbed(t, c.k, box)
			point := []float64{.5 + l/2}
			near(t, typeName(c.k)+" tiny", evalAt(t, e, .8), c.k.Eval([]float64{.8}, point), 1e-6)
			near(t, typeName(c.k)+" tiny norm2", norm2(t, e), c.k.Eval(point, point), l)
		}
		if c.mass == 0 {
			continue
		}
		box, err := NewBox([]float64{-1e9}, []float64{1e9})
		if err != nil {
			t.Fatal(err)
		}
		e := mustEmbed(t, c.k, box)
		near(t, typeName(c.k)+" huge", evalAt(t, e, 3)*2e9/c.mass, 1, 1e-6)
		near(t, typeName(c.k)+" huge norm2", norm2(t, e)*2e9/c.mass, 1, 1e-6)
	}
}
