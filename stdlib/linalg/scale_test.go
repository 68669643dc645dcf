package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestQRScales: columns of any size, the same and different ones, have the factors and the least-squares solution of columns of size
// one, up to their sizes.
func TestQRScales(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	for _, n := range []int{2, 40} {
		m := n + n/2
		a, b := randDense(rng, m, n), randDense(rng, m, 1)
		want := must(NewQR(a).SolveTo(nil, b))
		for _, e := range []int{-300, -200, -162, -155, 153, 154, 160, 200, 300} {
			for name, size := range map[string]func(j int) float64{
				"the same":  func(int) float64 { return math.Pow(10, float64(e)) },
				"different": func(j int) float64 { return math.Pow(10, float64(e*(j%3-1))) },
			} {
				c := mat.NewDense(m, n, nil)
				c.Apply(func(_, j int, v float64) float64 { return v * size(j) }, a)
				f := NewQR(c)
				q := f.Q(nil)
				var gram mat.Dense
				gram.Mul(q.T(), q)
				for i := range n {
					gram.Set(i, i, gram.At(i, i)-1)
				}
				if d := mat.Max(&gram); !(d < 1e-13) {
					t.Errorf("n %d, size 1e%d, %s: Q is %g from orthonormal", n, e, name, d)
				}
				x, err := f.SolveTo(nil, b)
				if err != nil {
					t.Errorf("n %d, size 1e%d, %s: %v", n, e, name, err)
					continue
				}
				for j := range n {
					if got := x.At(j, 0) * size(j); !(math.Abs(got-want.At(j, 0)) <= 1e-11*(1+math.Abs(want.At(j, 0)))) {
						t.Errorf("n %d, size 1e%d, %s: x[%d] is %v, want %v", n, e, name, j, got, want.At(j, 0))
					}
				}
			}
		}
	}
}

// TestQRTinyRest: a column that is all but explained leaves a rest whose squares vanish, and Q is orthonormal all the same.
func TestQRTinyRest(t *testing.T) {
	q := NewQR(mat.NewDense(4, 2, []float64{1, 1, 0, 3e-163, 0, 4e-163, 0, 12e-163})).Q(nil)
	if d := mat.Dot(q.ColView(1), q.ColView(1)); math.Abs(d-1) > 1e-15 || math.Abs(q.At(2, 1)/q.At(1, 1)-4./3) > 1e-15 {
		t.Errorf("column 1 is %v", mat.Formatted(q.ColView(1).T()))
	}
}

// TestQRThroughGonum: gonum's QR on this package's factorization, at any size.
func TestQRThroughGonum(t *testing.T) {
	UseGonum()
	want := []float64{-3. / 14, 0.5} // by the normal equations
	for _, size := range []float64{1e-300, 1e-200, 1, 1e154, 1e200} {
		a := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 7})
		a.Scale(size, a)
		var qr mat.QR
		qr.Factorize(a)
		var x mat.Dense
		if err := qr.SolveTo(&x, false, mat.NewDense(3, 1, []float64{1, 2, 2})); err != nil {
			t.Fatal(err)
		}
		for j, w := range want {
			if got := x.At(j, 0) * size; math.Abs(got-w) > 1e-13 {
				t.Errorf("size %g: x[%d] is %v, want %v", size, j, got, w)
			}
		}
	}
}

func BenchmarkQR(b *testing.B) {
	for _, d := range [][2]int{{100, 10}, {1000, 100}, {500, 500}} {
		a := randDense(rand.New(rand.NewPCG(1, 1)), d[0], d[1])
		b.Run(fmt.Sprintf("%dx%d", d[0], d[1]), func(b *testing.B) {
			for b.Loop() {
				NewQR(a)
			}
		})
	}
}

// TestQRCollinear: columns that others explain are an error, and those that are only close are not.
func TestQRCollinear(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 2))
	for _, size := range []float64{1e-200, 1, 1e200} {
		for m := 3; m < 200; m += 7 {
			a := randDense(rng, m, 3)
			for i := range m {
				a.Set(i, 0, a.At(i, 0)*size)
				a.Set(i, 2, 3*a.At(i, 0)-0.7*size*a.At(i, 1))
			}
			var s Singular
			if x, err := NewQR(a).SolveTo(nil, randDense(rng, m, 1)); !errors.As(err, &s) {
				t.Errorf("%d rows of size %g: %v, no error", m, size, mat.Formatted(x.T()))
			}
			a.Set(m/2, 2, a.At(m/2, 2)+1e-12*size)
			if _, err := NewQR(a).SolveTo(nil, randDense(rng, m, 1)); err != nil {
				t.Errorf("%d rows of size %g, 1e-12 apart: %v", m, size, err)
			}
		}
	}
}

// TestTopEigenLowRank: matrices U diag(w) U' of few distinct eigenvalues, of which many are 0, at every scale.
func TestTopEigenLowRank(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(21, 3))
	ones := func(n int) []float64 {
		w := make([]float64, n)
		for i := range w {
			w[i] = 1
		}
		return w
	}
	const n = 50
	for name, w := range map[string][]float64{
		"identity": ones(n), "one": ones(1), "two": {3, 1}, "rank 3": {5.95, 2, 1}, "tiny rest": {1, 1e-13, 1e-15},
		"rank 20": ones(20), "two distinct": append([]float64{7, 7, 7}, ones(n-3)...), "falling": {1, 1e-3, 1e-6, 1e-9, 1e-12},
	} {
		u := NewQR(randDense(rng, n, n)).Q(nil)
		if name == "identity" || name == "one" {
			u.Zero()
			for i := range n {
				u.Set(i, i, 1)
			}
		}
		for _, size := range []float64{1, 1e-170, 1e-165, 1e165, 1e-290, 1e290} {
			a := mat.NewSymDense(n, nil)
			for c, v := range w {
				for i := range n {
					for j := i; j < n; j++ {
						a.SetSym(i, j, a.At(i, j)+size*v*u.At(i, c)*u.At(j, c))
					}
				}
			}
			for k := 1; k <= 3; k++ {
				values, v, err := TopEigen(ctx, rand.New(rand.NewPCG(1, 1)), Times(a), n, k, nil)
				if err != nil {
					t.Errorf("%s times %g, k %d: %v", name, size, k, err)
					continue
				}
				for c, got := range values {
					want := 0.0
					if c < len(w) {
						want = w[c]
					}
					if !(math.Abs(got/size-want) < 1e-9*w[0]) {
						t.Errorf("%s times %g, k %d: eigenvalue %d is %v, want %v", name, size, k, c, got/size, want)
					}
					var av mat.VecDense
					av.MulVec(a, v.ColView(c))
					av.AddScaledVec(&av, -got, v.ColView(c))
					for i := range n {
						if !(math.Abs(av.AtVec(i)/size) < 1e-8*w[0]) {
							t.Fatalf("%s times %g, k %d: vector %d is none", name, size, k, c)
						}
					}
				}
			}
		}
	}
}
