package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
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
func checkEigen(t *testing.T, what string, a *mat.SymDense, values []float64, v *mat.Dense) {
	t.Helper()
	n := a.SymmetricDim()
	size := max(mat.Max(a), -mat.Min(a))
	if size == 0 {
		size = 1
	}
	// In units of the size, so that squares of tiny elements do not vanish.
	scaled := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			scaled.SetSym(i, j, a.At(i, j)/size)
		}
	}
	unit := make([]float64, n)
	for i, x := range values {
		unit[i] = x / size
	}
	av, vd, vv := MulTransB(nil, mat.DenseCopyOf(scaled), mat.DenseCopyOf(v.T())), mat.DenseCopyOf(v), MulTransA(nil, v, v)
	for i := range n {
		for j := range n {
			vd.Set(i, j, v.At(i, j)*unit[j])
		}
		vv.Set(i, i, vv.At(i, i)-1)
	}
	av.Sub(av, vd)
	tol := 2e-15 * (float64(n) + 10) * max(1, math.Abs(unit[0]), math.Abs(unit[n-1]))
	if r := mat.Norm(av, 2); !(r < tol) {
		t.Errorf("%s: residual %.3g, must be below %.3g", what, r, tol)
	}
	tol = 2e-15 * (float64(n) + 10)
	if r := mat.Norm(vv, 2); !(r < tol) {
		t.Errorf("%s: orthogonality %.3g, must be below %.3g", what, r, tol)
	}
	for i := 1; i < n; i++ {
		if values[i] < values[i-1] {
			t.Fatalf("%s: eigenvalues %d and %d out of order", what, i-1, i)
		}
	}
}

// eigenCases are matrices that try the deflation, the secular equation and the
// scaling.
func eigenCases() map[string]*mat.SymDense {
	rng := rand.New(rand.NewPCG(1, 1))
	cases := map[string]*mat.SymDense{}
	for _, n := range []int{1, 2, 3, 31, 32, 33, 64, 65, 100, 257} {
		cases[fmt.Sprint("random ", n)] = randSym(rng, n)
	}
	n := 130
	add := func(name string, f func(i, j int) float64) {
		s := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				s.SetSym(i, j, f(i, j))
			}
		}
		cases[name] = s
	}
	add("zero", func(i, j int) float64 { return 0 })
	add("ones", func(i, j int) float64 { return 1 })
	add("identity", func(i, j int) float64 {
		if i == j {
			return 1
		}
		return 0
	})
	add("Wilkinson", func(i, j int) float64 {
		switch j - i {
		case 0:
			return math.Abs(float64(i) - float64(n-1)/2)
		case 1:
			return 1
		}
		return 0
	})
	add("glued Wilkinson", func(i, j int) float64 {
		switch j - i {
		case 0:
			return math.Abs(float64(i%13) - 6)
		case 1:
			if i%13 == 12 {
				return 1e-9
			}
			return 1
		}
		return 0
	})
	add("second differences", func(i, j int) float64 {
		switch j - i {
		case 0:
			return 2
		case 1:
			return -1
		}
		return 0
	})
	add("Gram", func(i, j int) float64 { return math.Exp(-float64((i-j)*(i-j)) / 200) })
	add("huge", func(i, j int) float64 { return 1e300 * rng.NormFloat64() })
	add("tiny", func(i, j int) float64 { return 1e-300 * rng.NormFloat64() })
	add("subnormal", func(i, j int) float64 { return float64(rng.IntN(1000)) * 5e-324 })
	add("graded", func(i, j int) float64 { return math.Pow(10, -float64(i+j)/10) * rng.NormFloat64() })
	add("block", func(i, j int) float64 {
		if i/10 == j/10 {
			return 1 + float64(i/10%3)
		}
		return 0
	})
	return cases
}

func TestSymEigen(t *testing.T) {
	ctx := context.Background()
	for name, a := range eigenCases() {
		n := a.SymmetricDim()
		values, v, err := SymEigen(ctx, a)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name != "subnormal" { // eigenvalues are rounded to multiples of 5e-324
			checkEigen(t, name, a, values, v)
		}
		size := max(math.Abs(values[0]), math.Abs(values[n-1]))
		for _, from := range []int{n, n + 1} {
			only, err := valuesFrom(ctx, a, from)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			near(t, fmt.Sprint(name, " values alone, by a band from ", from), only, values, 1e-15*float64(n+10)*size+5e-324)
		}
	}
	a := eigenCases()["second differences"]
	values, err := SymEigenValues(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	n := len(values)
	for k, x := range values {
		s := math.Sin(math.Pi * float64(k+1) / float64(2*(n+1)))
		if math.Abs(x-4*s*s) > 1e-14 {
			t.Errorf("eigenvalue %d is %v, want %v", k, x, 4*s*s)
		}
	}
}

// valuesFrom computes eigenvalues by a band matrix from a size on.
func valuesFrom(ctx context.Context, a *mat.SymDense, from int) ([]float64, error) {
	defer func(n int) { bandFrom = n }(bandFrom)
	bandFrom = from
	return SymEigenValues(ctx, a)
}

// TestQLValuesAgree: the eigenvalues without roots are those with them, for matrices that are hard in one way each:
// with many zeros, with a diagonal of zeros, of all sizes of elements, with pairs that nearly agree, of powers of two,
// whose differences cancel exactly.
func TestQLValuesAgree(t *testing.T) {
	var rng *rand.Rand
	power := func(int, int) float64 { return math.Ldexp(1, -rng.IntN(70)) }
	kinds := map[string]struct{ d, e func(i, n int) float64 }{
		"normal":    {func(int, int) float64 { return rng.NormFloat64() }, func(int, int) float64 { return rng.NormFloat64() }},
		"integers":  {func(int, int) float64 { return float64(rng.IntN(3) - 1) }, func(int, int) float64 { return float64(rng.IntN(3) - 1) }},
		"paths":     {func(int, int) float64 { return 0 }, func(int, int) float64 { return float64(min(rng.IntN(9), 1)) }},
		"sizes":     {func(int, int) float64 { return math.Exp(-20 * rng.Float64()) }, func(int, int) float64 { return math.Exp(-40 * rng.Float64()) }},
		"clusters":  {func(int, int) float64 { return 1 }, power},
		"powers":    {func(int, int) float64 { return float64(rng.IntN(3)) }, power},
		"off":       {func(int, int) float64 { return 0 }, power},
		"Wilkinson": {func(i, n int) float64 { return math.Abs(float64(2*i-n+1)) / float64(n) }, func(_, n int) float64 { return 2 / float64(n) }},
		"falling":   {func(i, _ int) float64 { return math.Ldexp(1, -i) }, func(i, _ int) float64 { return math.Ldexp(0.7, -i) }},
		"rising":    {func(i, n int) float64 { return math.Ldexp(1, i-n) }, func(i, n int) float64 { return math.Ldexp(0.7, i-n) }},
	}
	for name, kind := range kinds {
		rng = rand.New(rand.NewPCG(5, 2))
		for range 2000 {
			n := 1 + rng.IntN(40)
			d, e := make([]float64, n), make([]float64, n-1)
			for i := range n {
				d[i] = kind.d(i, n)
				if i < n-1 {
					e[i] = kind.e(i, n)
				}
			}
			values, want := slices.Clone(d), slices.Clone(d)
			if err := qlValues(values, e); err != nil {
				t.Fatalf("%s, %d: %v", name, n, err)
			}
			if err := qlImplicit(want, e, make([]float64, n), 1, 0, 1); err != nil {
				t.Fatal(err)
			}
			slices.Sort(want)
			near(t, name, values, want, 3e-14)
		}
	}
}

func TestSymEigenBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	a := randSym(rng, 300)
	everyWhere(t, "SymEigen", func() []float64 {
		values, v, err := SymEigen(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		only, err := valuesFrom(context.Background(), a, 300)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Concat(values, v.RawMatrix().Data, only)
	})
}

// TestSymEigenValuesStopped cancels at every stage of the way by a band.
func TestSymEigenValuesStopped(t *testing.T) {
	a := randSym(rand.New(rand.NewPCG(6, 6)), 200)
	looks := &countdown{Context: context.Background(), left: math.MaxInt}
	if _, err := valuesFrom(looks, a, 0); err != nil {
		t.Fatal(err)
	}
	all := math.MaxInt - looks.left
	for _, left := range []int{0, 1, all / 2, all - 2} {
		if _, err := valuesFrom(&countdown{Context: context.Background(), left: left}, a, 0); err != context.Canceled {
			t.Errorf("cancelled at look %d of %d: %v", left, all, err)
		}
	}
}

// A countdown is cancelled after some looks at its error.
type countdown struct {
	context.Context
	mu   sync.Mutex
	left int
}

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestSymEigenRefused(t *testing.T) {
	a := randSym(rand.New(rand.NewPCG(3, 3)), 5)
	a.SetSym(1, 3, math.NaN())
	if _, err := SymEigenValues(context.Background(), a); err == nil {
		t.Error("NaN: no error")
	}
	a.SetSym(1, 3, math.Inf(-1))
	if _, _, err := SymEigen(context.Background(), a); err == nil {
		t.Error("Inf: no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a.SetSym(1, 3, 0)
	if _, _, err := SymEigen(ctx, a); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestTopEigen(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(4, 4))
	x := randDense(rng, 300, 2)
	r := Radial{Gaussian, 0.5, 0}
	p := NewPoints(x)
	g := must(r.Gram(ctx, nil, x, p))
	sym := mat.NewSymDense(300, g.RawMatrix().Data)
	all, err := SymEigenValues(ctx, sym)
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]Symmetric{
		"stored": Times(sym),
		"radial": func(ctx context.Context, dst, b *mat.Dense) error { _, err := r.Mul(ctx, dst, x, p, b); return err },
	} {
		values, v, err := TopEigen(ctx, rand.New(rand.NewPCG(5, 5)), a, 300, 10, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, got := range values {
			if want := all[299-i]; math.Abs(got-want) > 1e-9*all[299] {
				t.Errorf("%s: eigenvalue %d is %v, want %v", name, i, got, want)
			}
		}
		res := Mul(nil, g, v)
		for i := range 300 {
			for c, x := range values {
				res.Set(i, c, res.At(i, c)-x*v.At(i, c))
			}
		}
		if e := mat.Norm(res, 2); e > 1e-8*all[299] {
			t.Errorf("%s: residual %v", name, e)
		}
	}
	// Few and all eigenvalues, negative ones, an early end.
	small := randSym(rng, 12)
	want, _ := SymEigenValues(ctx, small)
	for _, k := range []int{1, 5, 12} {
		values, _, err := TopEigen(ctx, rng, Times(small), 12, k, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range values {
			if math.Abs(got-want[11-i]) > 1e-10 {
				t.Errorf("k=%d: eigenvalue %d is %v, want %v", k, i, got, want[11-i])
			}
		}
	}
	flat := randSym(rng, 400)
	var nc NotConverged
	if _, _, err := TopEigen(ctx, rng, Times(flat), 400, 3, &TopSettings{Tolerance: 1e-14, Extra: None, Blocks: 3, Restarts: None}); !errors.As(err, &nc) || nc.Products != 3 {
		t.Errorf("no restarts: %v", err)
	}
	for name, f := range map[string]func() error{
		"k 0":       func() error { _, _, err := TopEigen(ctx, rng, Times(small), 12, 0, nil); return err },
		"k above n": func() error { _, _, err := TopEigen(ctx, rng, Times(small), 12, 13, nil); return err },
		"tolerance -1": func() error {
			_, _, err := TopEigen(ctx, rng, Times(small), 12, 1, &TopSettings{Tolerance: -1, Blocks: 3})
			return err
		},
	} {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func BenchmarkEigen(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{256, 1024, 2000} {
		a := randSym(rng, n)
		b.Run(fmt.Sprint("values ", n), func(b *testing.B) {
			for b.Loop() {
				must(SymEigenValues(context.Background(), a))
			}
		})
		b.Run(fmt.Sprint("vectors ", n), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := SymEigen(context.Background(), a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
