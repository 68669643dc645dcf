package linalg

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func randSym(rng *rand.Rand, n int) *mat.SymDense {
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, rng.NormFloat64())
		}
	}
	return s
}

// checkEigen tests A V = V D, V'V = I and the order, against the size of A.
func checkEigen(t *testing.T, a *mat.SymDense, values []float64, v *mat.Dense) {
	t.Helper()
	n := a.SymmetricDim()
	var av, vd, vv mat.Dense
	av.Mul(a, v)
	vd.Mul(v, mat.NewDiagDense(n, values))
	av.Sub(&av, &vd)
	vv.Mul(v.T(), v)
	for i := range n {
		vv.Set(i, i, vv.At(i, i)-1)
	}
	size := mat.Norm(a, 2) + 1e-300
	tol := 1e-15 * 10 * math.Sqrt(float64(n)+10)
	if r := mat.Norm(&av, 2) / size; !(r < tol) {
		t.Errorf("n=%d: residual %.3g, must be below %.3g", n, r, tol)
	}
	if r := mat.Norm(&vv, 2); !(r < tol) {
		t.Errorf("n=%d: orthogonality %.3g, must be below %.3g", n, r, tol)
	}
	for i := 1; i < n; i++ {
		if values[i] < values[i-1] {
			t.Fatalf("n=%d: eigenvalues %d and %d out of order", n, i-1, i)
		}
	}
}

func TestSymEigen(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	ctx := context.Background()
	for _, n := range []int{1, 2, 3, 31, 33, 64, 65, 100, 257, 400} {
		a := randSym(rng, n)
		values, v, err := SymEigen(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		checkEigen(t, a, values, v)
		only, err := SymEigenValues(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		for i := range only {
			if math.Abs(only[i]-values[i]) > 1e-13*float64(n) {
				t.Errorf("n=%d: eigenvalue %d is %v alone and %v with vectors", n, i, only[i], values[i])
			}
		}
	}
}

func BenchmarkEigen(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{256, 1024, 2000} {
		a := randSym(rng, n)
		b.Run(fmt.Sprint("values ", n), func(b *testing.B) {
			for b.Loop() {
				SymEigenValues(context.Background(), a)
			}
		})
		b.Run(fmt.Sprint("vectors ", n), func(b *testing.B) {
			for b.Loop() {
				SymEigen(context.Background(), a)
			}
		})
	}
}
