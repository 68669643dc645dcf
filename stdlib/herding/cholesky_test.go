package herding

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestCholeskyUpdates runs 500 random operations and compares the factor with
// one computed afresh after each.
func TestCholeskyUpdates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	var f cholesky
	var K [][]float64 // the matrix that f should be the factor of
	for op := range 500 {
		n := len(K)
		switch c := rng.IntN(4); {
		case n < 3 || (c < 2 && n < 40):
			for i := range K {
				K[i] = append(K[i], 0)
			}
			row := make([]float64, n+1)
			for i := range n {
				row[i] = rng.NormFloat64()
				K[i][n] = row[i]
			}
			row[n] = 60 + rng.Float64()
			K = append(K, row)
			work := make([]float64, n)
			pivot := f.pivot(work, row[:n], row[n])
			f.extend(work, pivot)
		default:
			r := rng.IntN(n)
			K = append(K[:r], K[r+1:]...)
			for i := range K {
				K[i] = append(K[i][:r], K[i][r+1:]...)
			}
			f.delete(r)
		}
		for i := range K {
			for j := range i + 1 {
				var s float64
				for l := range j + 1 {
					s += f.rows[i][l] * f.rows[j][l]
				}
				if math.Abs(s-K[i][j]) > 1e-10*60 {
					t.Fatalf("operation %d: (LL')[%d,%d] = %v, want %v", op, i, j, s, K[i][j])
				}
			}
		}
		if len(K) == 0 {
			continue
		}
		b, x := make([]float64, len(K)), make([]float64, len(K))
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		f.solveLower(x, b)
		f.solveUpper(x, x)
		for i := range K {
			s := -b[i]
			for j, v := range x {
				s += K[i][j] * v
			}
			near(t, "residual of a solution", s, 0, 1e-10)
		}
	}
}

// TestSimplexQPAgainstEnumeration solves random problems on every face of the
// simplex and takes the best: the quadratic program by brute force.
func TestSimplexQPAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	for range 300 {
		n := 1 + rng.IntN(7)
		rank := 1 + rng.IntN(n+1)
		A := mat.NewDense(n, rank, nil)
		c := make([]float64, n)
		for i := range n {
			for j := range rank {
				A.Set(i, j, rng.NormFloat64())
			}
			c[i] = rng.NormFloat64()
		}
		var K mat.SymDense
		K.SymOuterK(1, A)
		w, err := SimplexQP(&K, c)
		if err != nil {
			t.Fatal(err)
		}
		var sum float64
		for _, v := range w {
			sum += v
			if v < 0 {
				t.Fatalf("weight %v", v)
			}
		}
		near(t, "sum of weights", sum, 1, 1e-12)
		near(t, "objective", objective(&K, c, w), enumerate(&K, c), 1e-9)
	}
}

func objective(K *mat.SymDense, c, w []float64) float64 {
	var s float64
	for i := range w {
		s -= 2 * c[i] * w[i]
		for j := range w {
			s += w[i] * w[j] * K.At(i, j)
		}
	}
	return s
}

// enumerate minimises over the affine hull of every subset of the vertices and
// keeps the best minimiser that lies in the simplex. Singular faces may be left
// out: one of their own faces has an equal minimum.
func enumerate(K *mat.SymDense, c []float64) float64 {
	n := len(c)
	best := math.Inf(1)
	for set := 1; set < 1<<n; set++ {
		var index []int
		for i := range n {
			if set>>i&1 == 1 {
				index = append(index, i)
			}
		}
		m := len(index)
		kkt := mat.NewDense(m+1, m+1, nil)
		rhs := mat.NewVecDense(m+1, nil)
		for a, i := range index {
			for b, j := range index {
				kkt.Set(a, b, K.At(i, j))
			}
			kkt.Set(a, m, 1)
			kkt.Set(m, a, 1)
			rhs.SetVec(a, c[i])
		}
		rhs.SetVec(m, 1)
		var x mat.VecDense
		if err := x.SolveVec(kkt, rhs); err != nil {
			continue
		}
		w := make([]float64, n)
		inside := true
		for a, i := range index {
			w[i] = x.AtVec(a)
			inside = inside && w[i] >= -1e-12
		}
		if inside {
			best = math.Min(best, objective(K, c, w))
		}
	}
	return best
}

func TestSimplexQPErrors(t *testing.T) {
	K := mat.NewSymDense(2, []float64{1, 0, 0, 1})
	for _, c := range []struct {
		k    *mat.SymDense
		c    []float64
		want string
	}{
		{K, []float64{1}, "herding: linear term has length 1 for a 2 x 2 matrix, must be equal and positive"},
		{K, []float64{1, math.NaN()}, "herding: linear term 1 is NaN, must be finite"},
		{mat.NewSymDense(1, []float64{-1}), []float64{1}, "herding: matrix[0,0] is -1, must not be negative"},
	} {
		if _, err := SimplexQP(c.k, c.c); err == nil || err.Error() != c.want {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
}
