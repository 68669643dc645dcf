package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/lapack"
	reference "gonum.org/v1/gonum/lapack/gonum"
)

// TestSVD checks that the factors multiply to the matrix, that vectors are orthonormal, and that the values are those of
// gonum's own implementation, for matrices with values that are hard to tell apart or from zero.
func TestSVD(t *testing.T) { onEachPath(t, testSVD) }

func testSVD(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(m, n int) []float64 {
		a := make([]float64, m*n)
		for i := range a {
			a[i] = rng.NormFloat64()
		}
		return a
	}
	each := func(m, n int, f func(i, j int) float64) []float64 {
		a := make([]float64, m*n)
		for i := range m {
			for j := range n {
				a[i*n+j] = f(i, j)
			}
		}
		return a
	}
	lowRank := make([]float64, 60*50)
	gemm(60, 50, 3, 1, view{random(60, 3), 3, 1}, view{random(3, 50), 50, 1}, 0, lowRank, 50, full)
	for _, c := range []struct {
		name string
		m, n int
		a    []float64
	}{
		{"square", 70, 70, random(70, 70)},
		{"a little tall", 61, 50, random(61, 50)},
		{"tall", 120, 33, random(120, 33)},
		{"wide", 33, 120, random(33, 120)},
		{"rank 3", 60, 50, lowRank},
		{"ones", 40, 40, each(40, 40, func(i, j int) float64 { return 1 })},
		{"identity", 40, 40, each(40, 40, func(i, j int) float64 { return map[bool]float64{true: 1}[i == j] })},
		{"Hilbert", 30, 30, each(30, 30, func(i, j int) float64 { return 1 / float64(i+j+1) })},
		{"graded downwards", 40, 40, each(40, 40, func(i, j int) float64 { return rng.NormFloat64() * math.Pow(10, -float64(i)/2) })},
		{"graded upwards", 40, 40, each(40, 40, func(i, j int) float64 { return rng.NormFloat64() * math.Pow(10, float64(j)/2) })},
		{"a zero column", 40, 40, each(40, 40, func(i, j int) float64 {
			if j == 7 {
				return 0
			}
			return rng.NormFloat64()
		})},
		{"nilpotent", 30, 30, each(30, 30, func(i, j int) float64 { return map[bool]float64{true: 2}[j == i+1] })},
		{"tiny", 30, 20, each(30, 20, func(i, j int) float64 { return rng.NormFloat64() * 1e-300 })},
		{"huge", 30, 20, each(30, 20, func(i, j int) float64 { return rng.NormFloat64() * 1e300 })},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, job := range []lapack.SVDJob{lapack.SVDAll, lapack.SVDStore} {
				checkSVD(t, job, c.m, c.n, c.a)
			}
		})
	}
}

func checkSVD(t *testing.T, job lapack.SVDJob, m, n int, a []float64) {
	t.Helper()
	k := min(m, n)
	left, right := k, k
	if job == lapack.SVDAll {
		left, right = m, n
	}
	type dgesvd interface {
		Dgesvd(jobU, jobVT lapack.SVDJob, m, n int, a []float64, lda int, s, u []float64, ldu int, vt []float64, ldvt int, work []float64, lwork int) bool
	}
	decompose := func(by dgesvd, jobU, jobVT lapack.SVDJob) (s, u, vt []float64) {
		s, u, vt = make([]float64, k), make([]float64, m*left), make([]float64, right*n)
		work := make([]float64, 8*(m+n))
		if !by.Dgesvd(jobU, jobVT, m, n, append([]float64(nil), a...), n, s, u, left, vt, n, work, len(work)) {
			t.Fatal("the values did not settle")
		}
		return
	}
	s, u, vt := decompose(LAPACK{}, job, job)
	theirs, _, _ := decompose(reference.Implementation{}, lapack.SVDNone, lapack.SVDNone)
	bound := 50 * epsilon * float64(m+n) * theirs[0]
	for i := range s {
		if math.Abs(s[i]-theirs[i]) > bound || s[i] < 0 || i > 0 && s[i] > s[i-1] {
			t.Errorf("job %c: value %d is %g, want %g", job, i, s[i], theirs[i])
		}
	}
	for _, only := range []lapack.SVDJob{lapack.SVDNone, job} {
		alone, uAlone, _ := decompose(LAPACK{}, only, lapack.SVDNone)
		same := fmt.Sprint(alone) == fmt.Sprint(s) && (only == lapack.SVDNone || fmt.Sprint(uAlone) == fmt.Sprint(u))
		if !same {
			t.Errorf("job %c, %c without right vectors: the rest changes", job, only)
		}
	}
	var plain gonum.Implementation
	gram := func(name string, r, c int, x []float64, trans blas.Transpose, other blas.Transpose, size int) {
		g := make([]float64, size*size)
		inner := r + c - size
		plain.Dgemm(trans, other, size, size, inner, 1, x, c, x, c, 0, g, size)
		for i := range size {
			g[i*size+i]--
		}
		if e := largest(g); !(e <= 50*epsilon*float64(m+n)) {
			t.Errorf("job %c: %s is orthonormal but for %g", job, name, e)
		}
	}
	gram("U", m, left, u, blas.Trans, blas.NoTrans, left)
	gram("V", right, n, vt, blas.NoTrans, blas.Trans, right)
	us := make([]float64, m*k)
	for i := range m {
		for j := range k {
			us[i*k+j] = u[i*left+j] * (s[j] / theirs[0])
		}
	}
	rest := make([]float64, m*n)
	for i, x := range a {
		rest[i] = x / theirs[0]
	}
	plain.Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, -1, us, k, vt, n, 1, rest, n)
	if e := largest(rest); !(e <= 50*epsilon*float64(m+n)) {
		t.Errorf("job %c: the factors differ from the matrix by %g of its norm", job, e)
	}
}

// TestSVDBits checks that neither the instructions nor the number of processors show.
func TestSVDBits(t *testing.T) {
	defer func(a float64, b int) { serialWork, serialArea = a, b }(serialWork, serialArea)
	serialWork, serialArea = 0, 0
	UseGonum()
	const m, n = 170, 150
	rng := rand.New(rand.NewPCG(3, 4))
	a := make([]float64, m*n)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	want := ""
	onEachPath(t, func(t *testing.T) {
		for _, procs := range []int{1, 2, 5} {
			before := runtime.GOMAXPROCS(procs)
			s, u, vt, work := make([]float64, n), make([]float64, m*n), make([]float64, n*n), make([]float64, 8*(m+n))
			ok := LAPACK{}.Dgesvd(lapack.SVDStore, lapack.SVDStore, m, n, append([]float64(nil), a...), n, s, u, n, vt, n, work, len(work))
			runtime.GOMAXPROCS(before)
			got := fmt.Sprint(ok, s, u, vt)
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%d processors: other bits", procs)
			}
		}
	})
}
