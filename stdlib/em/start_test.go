package em

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestStarts fits one to four states to a chain of three from k-means++ starts:
// BIC chooses three, whose means are found.
func TestStarts(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	truth := &Model{
		Start:      []float64{1, 0, 0},
		Transition: mat.NewDense(3, 3, []float64{.9, .05, .05, .1, .8, .1, .2, .2, .6}),
		Output:     &Gaussian{Means: mat.NewDense(3, 1, []float64{-4, 0, 5}), Kind: Diagonal, Variances: mat.NewDense(3, 1, []float64{1, 1, 1})},
	}
	var x []*mat.Dense
	for range 3 {
		seq, _, err := truth.Sample(400, rng)
		if err != nil {
			t.Fatal(err)
		}
		x = append(x, seq)
	}
	best, bestBIC := 0, math.Inf(1)
	for s := 1; s <= 4; s++ {
		var starts []*Model
		for range 4 {
			m, err := StartGaussian(x, s, Diagonal, rng)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Check(); err != nil {
				t.Fatal(err)
			}
			starts = append(starts, m)
		}
		fit, err := BestOf(ctx, starts, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range starts {
			other, err := BaumWelchAll(ctx, *m, x, nil)
			if err != nil || other.Objective[len(other.Objective)-1] > fit.Objective[len(fit.Objective)-1] {
				t.Errorf("a start ends better than the best; %v", err)
			}
		}
		bic := fit.Model.BIC(fit.LogLikelihood[len(fit.LogLikelihood)-1], 1200)
		if bic < bestBIC {
			best, bestBIC = s, bic
		}
		if s == 3 {
			means := mat.Col(nil, 0, fit.Model.Output.(*Gaussian).Means)
			slices.Sort(means)
			for j, want := range []float64{-4, 0, 5} {
				if math.Abs(means[j]-want) > 0.3 {
					t.Errorf("means are %v", means)
				}
			}
		}
	}
	if best != 3 {
		t.Errorf("BIC chooses %d states", best)
	}
	for _, kind := range []Kind{Spherical, Full, Tied} {
		m, err := StartGaussian(x, 3, kind, rng)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := BaumWelchAll(ctx, *m, x, nil); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestStartErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 0))
	x := []*mat.Dense{mat.NewDense(3, 1, []float64{1, 2, 3})}
	for name, f := range map[string]func() error{
		"no states":    func() error { _, err := StartGaussian(x, 0, Full, rng); return err },
		"many states":  func() error { _, err := StartGaussian(x, 4, Full, rng); return err },
		"kind":         func() error { _, err := StartGaussian(x, 2, "x", rng); return err },
		"rng":          func() error { _, err := StartGaussian(x, 2, Full, nil); return err },
		"no sequences": func() error { _, err := StartGaussian(nil, 2, Full, rng); return err },
		"equal":        func() error { _, err := StartGaussian([]*mat.Dense{mat.NewDense(3, 1, nil)}, 2, Full, rng); return err },
		"no starts":    func() error { _, err := BestOf(ctx, nil, x, nil); return err },
		"bad start":    func() error { _, err := BestOf(ctx, []*Model{{}}, x, nil); return err },
	} {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestConstantColumn: a column that never changes has no variance of its own, whatever its value and length: the other column's fit
// is that beside zeros.
func TestConstantColumn(t *testing.T) {
	for _, v := range []float64{1, 5, 0.1, 36.6, 1013.25} {
		for n := 10; n < 60; n += 7 {
			x, zeros := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil)
			for i := range n {
				x.SetRow(i, []float64{math.Sin(float64(i * i)), v})
				zeros.SetRow(i, []float64{x.At(i, 0), 0})
			}
			fit := func(x *mat.Dense) *Gaussian {
				m, err := StartGaussian([]*mat.Dense{x}, 2, Diagonal, rand.New(rand.NewPCG(1, 1)))
				if err != nil {
					t.Fatal(err)
				}
				return m.Output.(*Gaussian)
			}
			got, want := fit(x), fit(zeros)
			for a := range 2 {
				if math.Abs(got.Floor[a]-want.Floor[a]) > 1e-12*want.Floor[a] {
					t.Errorf("%v, %d rows: floor %d is %v, want %v", v, n, a, got.Floor[a], want.Floor[a])
				}
			}
		}
	}
	same := mat.NewDense(1000, 1, nil)
	same.Apply(func(int, int, float64) float64 { return 5 }, same)
	if _, err := StartGaussian([]*mat.Dense{same}, 2, Diagonal, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("a thousand fives: no error")
	}
}
