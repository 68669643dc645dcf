package herding

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

var ctx = context.Background()

// mixtureT1 and its pool of grid points -6, -5.99, ..., 6 are the problem for
// which the golden numbers of this file were computed, by an independent program
// in double precision.
func mixtureT1(t testing.TB) (*rkhs.Mixture, rkhs.Embedding) {
	t.Helper()
	p, err := rkhs.NewIsotropicMixture([]float64{.5, .3, .2},
		mat.NewDense(3, 1, []float64{-2, .5, 3}), []float64{.5, 1, .25})
	if err != nil {
		t.Fatal(err)
	}
	e, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: math.Sqrt(.5)}, p)
	if err != nil {
		t.Fatal(err)
	}
	return p, e
}

func poolT1(t testing.TB) *Pool {
	t.Helper()
	_, e := mixtureT1(t)
	X := mat.NewDense(1201, 1, nil)
	for i := range 1201 {
		X.Set(i, 0, float64(i-600)/100)
	}
	pool, err := NewPool(ctx, e, X)
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

func build(t testing.TB, pool *Pool, n int, s *Settings) *Rule {
	t.Helper()
	r, err := FrankWolfe(ctx, pool, n, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g (tolerance %g)", what, got, want, tol)
	}
}

var goldenSteps = []struct {
	step  Step
	picks []float64
	mmd   [5]float64 // after 1, 2, 5, 10, 20 points
}{
	{Fixed, []float64{-1.88, .36, 2.82, -2.97, -1.04, 1.58, -2.03, 3.70},
		[5]float64{.70753746, .43090443, .13460632, .06094180, .03301919}},
	{Open, []float64{-1.88, .36, 2.83, -2.23, -.85, 1.44, -2.80, -1.47},
		[5]float64{.70753746, .54904715, .19989366, .13467844, .06741906}},
	{LineSearch, []float64{-1.88, .36, 2.81, -3.17, -.85, 1.62, 3.89, -2.46},
		[5]float64{.70753746, .41115732, .13084876, .04603868, .02392784}},
	{FullyCorrective, []float64{-1.88, .36, 2.81, -3.20, -.79, 1.51, 3.88, -2.58},
		[5]float64{.70753746, .41115732, .12561539, .01453337, 3.558e-4}},
}

func TestFrankWolfeGolden(t *testing.T) {
	pool := poolT1(t)
	for _, g := range goldenSteps {
		r := build(t, pool, 20, &Settings{Step: g.step})
		for i, want := range g.picks {
			if got := r.X.At(i, 0); math.Abs(got-want) > 1e-9 {
				t.Errorf("%v: point %d is %v, want %v", g.step, i+1, got, want)
			}
		}
		for i, n := range []int{1, 2, 5, 10, 20} {
			tol := 1e-6
			if g.step == FullyCorrective && n == 20 {
				tol = 0.01 * g.mmd[i]
			}
			near(t, g.step.String()+" MMD", r.MMD[n-1], g.mmd[i], tol)
		}
	}
}

func TestWeightsGolden(t *testing.T) {
	pool := poolT1(t)
	for _, g := range []struct {
		step Step
		w    []float64
	}{
		{LineSearch, []float64{.31799163, .21962385, .19538835, .12826226, .13873391}},
		{FullyCorrective, []float64{.33058553, .17697047, .21071638, .13806937, .14365825}},
	} {
		for _, r := range []rkhs.Measure{build(t, pool, 5, &Settings{Step: g.step}).Measure(),
			build(t, pool, 12, &Settings{Step: g.step}).At(5)} {
			for i, want := range g.w {
				near(t, g.step.String()+" weight", r.W[i], want, 1e-6)
			}
		}
	}
}

func TestSimplexQPGolden(t *testing.T) {
	K := mat.NewSymDense(3, []float64{1, .5, .2, .5, 1, .7, .2, .7, 1})
	for _, g := range []struct{ c, w []float64 }{
		{[]float64{.6, .3, .1}, []float64{.8, .0333333333, .1666666667}},
		{[]float64{.6, .55, .5}, []float64{.55, .0333333333, .4166666667}},
		{[]float64{.9, .3, 0}, []float64{1, 0, 0}},
		{[]float64{.3, .9, .8}, []float64{0, .6666666667, .3333333333}},
	} {
		w, err := SimplexQP(K, g.c)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range g.w {
			near(t, "weight", w[i], want, 1e-9)
		}
	}
}

func TestGreedyGolden(t *testing.T) {
	pool := poolT1(t)
	for _, g := range []struct {
		selection Selection
		picks     []float64
		mmd       [4]float64 // after 1, 2, 5, 10 points
		w         []float64  // after 5
		total     float64
	}{
		{WKH, []float64{-1.88, .01, 2.78, -3.05, 1.33, -.94, 3.82, -2.51},
			[4]float64{.33581186, .27218745, .11481903, .01922402},
			[]float64{.34187150, .17790266, .17498089, .11934009, .11195350}, .92604864},
		{SBQ, []float64{-1.88, .00, 2.78, -2.97, 1.30, -.98, 3.67, -2.55},
			[4]float64{.33581186, .27218352, .11323964, .01483189},
			[]float64{.33491271, .17691238, .17603199, .12189421, .11288800}, .92263928},
	} {
		r, err := Greedy(ctx, pool, 10, &GreedySettings{Selection: g.selection, Threshold: 1e-10})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range g.picks {
			near(t, g.selection.String()+" point", r.X.At(i, 0), want, 1e-9)
		}
		for i, n := range []int{1, 2, 5, 10} {
			near(t, g.selection.String()+" MMD", r.MMD[n-1], g.mmd[i], 1e-6)
		}
		five := r.At(5)
		for i, want := range g.w {
			near(t, g.selection.String()+" weight", five.W[i], want, 1e-6)
		}
		near(t, g.selection.String()+" total", five.TotalWeight(), g.total, 1e-6)
	}
}
