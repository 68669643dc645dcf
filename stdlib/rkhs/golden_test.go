package rkhs

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

var ctx = context.Background()

// mixtureT1 is a one-dimensional mixture whose embedding under the Gaussian
// kernel with bandwidth^2 = 0.5 an independent double-precision program computed.
func mixtureT1(t testing.TB) *Mixture {
	p, err := NewIsotropicMixture([]float64{.5, .3, .2},
		mat.NewDense(3, 1, []float64{-2, .5, 3}), []float64{.5, 1, .25})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mixtureT2(t testing.TB) *Mixture {
	p, err := NewMixture([]float64{.4, .6}, mat.NewDense(2, 2, []float64{0, 1, 2, -1}),
		[]*mat.SymDense{
			mat.NewSymDense(2, []float64{1, .3, .3, .5}),
			mat.NewSymDense(2, []float64{.8, -.2, -.2, 1.5}),
		})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mustEmbed(t testing.TB, k Kernel, p Distribution) Embedding {
	t.Helper()
	e, err := Embed(k, p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func evalAt(t testing.TB, e Embedding, x ...float64) float64 {
	t.Helper()
	var v [1]float64
	if err := e.EvalTo(ctx, v[:], mat.NewDense(1, len(x), x)); err != nil {
		t.Fatal(err)
	}
	return v[0]
}

func norm2(t testing.TB, e Embedding) float64 {
	t.Helper()
	v, err := e.Norm2(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g (tolerance %g)", what, got, want, tol)
	}
}

func TestMixtureEmbeddingGolden(t *testing.T) {
	e := mustEmbed(t, Gaussian{math.Sqrt(.5)}, mixtureT1(t))
	near(t, "T1 norm2", norm2(t, e), 0.255073784038, 1e-12)
	near(t, "T1 mu(0)", evalAt(t, e, 0), 0.207609393926, 1e-12)
	near(t, "T1 mu(-2)", evalAt(t, e, -2), 0.375119939110, 1e-12)
	near(t, "T1 mean", mixtureT1(t).Mean()[0], -0.25, 1e-12)
	e = mustEmbed(t, Gaussian{math.Sqrt(.7)}, mixtureT2(t))
	near(t, "T2 norm2", norm2(t, e), 0.167732428324, 1e-12)
	near(t, "T2 mu(.5,.5)", evalAt(t, e, .5, .5), 0.234699115092, 1e-12)
}
