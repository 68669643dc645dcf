package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// A benchmark is one case: what make returns is timed beside the Python call
// peer, or beside what rival, gonum, returns. target is the largest share of
// the peer's time; zero if there is none.
type benchmark struct {
	name   string
	target float64
	peer   string
	scipy  bool // the call is SciPy's, not NumPy's
	make   func() func()
	rival  func() func()
}

// library is the name of what runs on the other side.
func (b benchmark) library() string {
	switch {
	case b.rival != nil:
		return "gonum"
	case b.scipy:
		return "SciPy"
	}
	return "NumPy"
}

var (
	rng = rand.New(rand.NewPCG(1, 1))
	ctx = context.Background()
)

func dense(m, n int) *mat.Dense {
	x := make([]float64, m*n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return mat.NewDense(m, n, x)
}

func positive(n int) *mat.SymDense {
	s := linalg.SymRankK(nil, 1, dense(n, n+5), 0)
	for i := range n {
		s.SetSym(i, i, s.At(i, i)+float64(n))
	}
	return s
}

func symmetric(n int) *mat.SymDense {
	a := dense(n, n)
	var s mat.Dense
	s.Add(a, a.T())
	return mat.NewSymDense(n, s.RawMatrix().Data)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func cases() []benchmark {
	var c []benchmark
	c = append(c, products()...)
	c = append(c, factorizations()...)
	c = append(c, functions()...)
	c = append(c, kernels()...)
	return append(c, underGonum()...)
}

func products() (c []benchmark) {
	for _, s := range []struct {
		m, n, k int
		target  float64
	}{
		{64, 64, 64, 1.1}, {128, 128, 128, 1.1}, {256, 256, 256, 1.1}, {1024, 1024, 1024, 1.1}, {2048, 2048, 2048, 1.1},
		{4096, 4096, 2, 1}, {4096, 4096, 20, 1}, {1024, 1024, 64, 1.1}, {64, 1024, 1024, 1.1}, {100000, 20, 20, 1},
	} {
		c = append(c, benchmark{
			name:   fmt.Sprintf("product %d x %d x %d", s.m, s.n, s.k),
			target: s.target,
			peer:   fmt.Sprintf("product(%d,%d,%d)", s.m, s.n, s.k),
			make: func() func() {
				a, b, d := dense(s.m, s.k), dense(s.k, s.n), mat.NewDense(s.m, s.n, nil)
				return func() { linalg.Mul(d, a, b) }
			},
		})
	}
	return append(c, benchmark{
		name: "product A A', 1024", target: 1.1, peer: "product_trans(1024)",
		make: func() func() {
			a := dense(1024, 1024)
			d := mat.NewDense(1024, 1024, nil)
			return func() { linalg.MulTransB(d, a, a) }
		},
	})
}

func factorizations() []benchmark {
	c := []benchmark{
		{name: "Cholesky 1024", target: 0.7, peer: "cholesky(1024)", make: cholesky},
		{name: "Cholesky 1024, in place", target: 1, peer: "cholesky_scipy(1024)", scipy: true, make: func() func() {
			a, b := positive(1024).RawSymmetric().Data, make([]float64, 1024*1024)
			return func() {
				copy(b, a)
				if !(linalg.LAPACK{}).Dpotrf(blas.Upper, 1024, b, 1024) {
					panic("not positive definite")
				}
			}
		}},
		{name: "Cholesky solve, 1024 right sides", target: 1, peer: "cholesky_solve(1024)", scipy: true, make: func() func() {
			f, b, x := must(linalg.NewCholesky(positive(1024))), dense(1024, 1024), mat.NewDense(1024, 1024, nil)
			return func() { f.SolveTo(x, b) }
		}},
		{name: "LU 1024", target: 3, peer: "lu(1024)", scipy: true, make: func() func() {
			a := dense(1024, 1024)
			return func() { must(linalg.NewLU(a)) }
		}},
		{name: "QR 1024", target: 3, peer: "qr(1024)", scipy: true, make: func() func() {
			a := dense(1024, 1024)
			return func() { linalg.NewQR(a) }
		}},
	}
	for _, n := range []int{256, 1024, 2000} {
		c = append(c,
			benchmark{name: fmt.Sprintf("eigenvalues %d", n), target: .9, peer: fmt.Sprintf("eigen(%d,False)", n), make: func() func() {
				a := symmetric(n)
				return func() { must(linalg.SymEigenValues(ctx, a)) }
			}},
			benchmark{name: fmt.Sprintf("eigenvalues and vectors %d", n), target: 4, peer: fmt.Sprintf("eigen(%d,True)", n), make: func() func() {
				a := symmetric(n)
				return func() {
					if _, _, err := linalg.SymEigen(ctx, a); err != nil {
						panic(err)
					}
				}
			}})
	}
	return c
}

func cholesky() func() {
	a := positive(1024)
	return func() { must(linalg.NewCholesky(a)) }
}

// functions are timed on 50,000 elements, which one goroutine does, as NumPy
// does all its functions.
func functions() (c []benchmark) {
	const n = 50000
	for _, f := range []struct {
		name   string
		f      func(dst, src []float64)
		lo, hi float64
		target float64
	}{
		{"exp", vec.Exp, -50, 0, 1.5}, {"log", vec.Log, 1e-3, 1, .8}, {"tanh", vec.Tanh, -20, 20, .8},
		{"sin", vec.Sin, -100, 100, 0.15}, {"cos", vec.Cos, -100, 100, 0.15},
		{"expm1", vec.Expm1, -1, 1, 0}, {"log1p", vec.Log1p, -0.5, 5, .8}, {"sqrt", vec.Sqrt, 0, 9, 0},
	} {
		c = append(c, benchmark{
			name: fmt.Sprintf("%s of %d", f.name, n), target: f.target,
			peer: fmt.Sprintf("unary('%s',%d,%v,%v)", f.name, n, f.lo, f.hi),
			make: func() func() {
				x, y := make([]float64, n), make([]float64, n)
				for i := range x {
					x[i] = f.lo + (f.hi-f.lo)*rng.Float64()
				}
				return func() { f.f(y, x) }
			},
		})
	}
	for _, g := range []struct {
		name, peer string
		f          func(x []float64)
	}{
		{"uniform numbers", "uniform(50000)", func(x []float64) { vec.FillUniform(x, 1, 2) }},
		{"normal numbers", "normal(50000)", func(x []float64) { vec.FillNormal(x, 1, 2) }},
	} {
		c = append(c, benchmark{name: g.name + " 50000", peer: g.peer, make: func() func() {
			x := make([]float64, n)
			return func() { g.f(x) }
		}})
	}
	return append(c, benchmark{name: "argsort of 100000", peer: "argsort(100000)", make: func() func() {
		x, idx := make([]float64, 100000), make([]int, 100000)
		vec.FillNormal(x, 1, 1)
		return func() { vec.ArgSort(idx, x) }
	}})
}

func kernels() (c []benchmark) {
	k := linalg.Radial{Profile: linalg.Gaussian, Scale: 1.5}
	for _, g := range []struct {
		d            int
		fresh, given float64
	}{{2, 1. / 5, 1. / 10}, {20, 1. / 4, 1. / 6}} {
		c = append(c,
			benchmark{name: fmt.Sprintf("Gram 4096, d = %d, fresh", g.d), target: g.fresh, peer: fmt.Sprintf("gram(%d,False)", g.d), make: func() func() {
				x := dense(4096, g.d)
				return func() { must(k.Gram(ctx, nil, x, linalg.NewPoints(x))) }
			}},
			benchmark{name: fmt.Sprintf("Gram 4096, d = %d, given", g.d), target: g.given, peer: fmt.Sprintf("gram(%d,True)", g.d), make: func() func() {
				x, dst := dense(4096, g.d), mat.NewDense(4096, 4096, nil)
				return func() { must(k.Gram(ctx, dst, x, linalg.NewPoints(x))) }
			}},
			benchmark{name: fmt.Sprintf("Gram row means 4096, d = %d", g.d), peer: fmt.Sprintf("row_means(%d)", g.d), make: func() func() {
				x := dense(4096, g.d)
				return func() { must(k.RowMeans(ctx, nil, x, linalg.NewPoints(x))) }
			}})
	}
	return append(c, benchmark{name: "random features 2^16 x 2^10, d = 20", target: 0.1, peer: "features(65536,20,1024)", make: func() func() {
		x, theta := dense(1<<16, 20), make([]float64, 1<<10)
		f := must(linalg.NewFeatures(dense(20, 1<<10), make([]float64, 1<<10), 0))
		vec.FillNormal(theta, 1, 1)
		return func() { must(f.MulVec(ctx, nil, x, theta)) }
	}})
}

// underGonum times gonum's mat with UseGonum, beside gonum alone and NumPy.
func underGonum() []benchmark {
	use := func(f func()) func() {
		return func() {
			linalg.UseGonum()
			f()
		}
	}
	plain := func(f func()) func() {
		return func() {
			blas64.Use(gonum.Implementation{})
			lapack64.Use(lapackgonum.Implementation{})
			f()
		}
	}
	mul := func() func() {
		a, b, d := dense(1024, 1024), dense(1024, 1024), mat.NewDense(1024, 1024, nil)
		return func() { d.Mul(a, b) }
	}
	chol := func() func() {
		a := positive(1024)
		return func() {
			var c mat.Cholesky
			c.Factorize(a)
		}
	}
	eigen := func() func() {
		a := symmetric(256)
		return func() {
			var e mat.EigenSym
			e.Factorize(a, true)
		}
	}
	return []benchmark{
		{name: "mat.Dense.Mul 1024", target: 0.1, make: func() func() { return use(mul()) }, rival: func() func() { return plain(mul()) }},
		{name: "mat.EigenSym 256", make: func() func() { return use(eigen()) }, rival: func() func() { return plain(eigen()) }},
		{name: "mat.Cholesky 1024", target: 2, peer: "cholesky(1024)", make: func() func() { return use(chol()) }},
	}
}
