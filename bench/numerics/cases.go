//go:build unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

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
// peer, or beside what rival returns. target is the largest ratio of times, on
// AVX2 avx2 if given.
type benchmark struct {
	name         string
	target, avx2 float64
	peer         string
	make         func() func()
	rival        func() func()
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
		m, n, k      int
		target, avx2 float64
	}{
		{64, 64, 64, 1.6, 0}, {128, 128, 128, 1.4, 0}, {256, 256, 256, 1.4, 0}, {1024, 1024, 1024, 1.1, 1.25}, {2048, 2048, 2048, 1.1, 1.25},
		{4096, 4096, 2, 1, 0}, {4096, 4096, 20, 1, 0}, {1024, 1024, 64, 1.15, 0}, {64, 1024, 1024, 1.15, 0}, {100000, 20, 20, 1, 0},
	} {
		c = append(c, benchmark{
			name:   fmt.Sprintf("product %d x %d x %d", s.m, s.n, s.k),
			target: s.target, avx2: s.avx2,
			peer: fmt.Sprintf("product(%d,%d,%d)", s.m, s.n, s.k),
			make: func() func() {
				a, b, d := dense(s.m, s.k), dense(s.k, s.n), mat.NewDense(s.m, s.n, nil)
				return func() { linalg.Mul(d, a, b) }
			},
		})
	}
	return append(c, benchmark{
		name: "product A A', 1024", target: 1.25, peer: "product_trans(1024)",
		make: func() func() {
			a := dense(1024, 1024)
			d := mat.NewDense(1024, 1024, nil)
			return func() { linalg.MulTransB(d, a, a) }
		},
	})
}

func factorizations() []benchmark {
	c := []benchmark{
		{name: "Cholesky 1024 (numpy)", target: 0.7, peer: "cholesky(1024)", make: cholesky},
		{name: "Cholesky 1024 in place (scipy)", target: 1, peer: "cholesky_scipy(1024)", make: func() func() {
			a, b := positive(1024).RawSymmetric().Data, make([]float64, 1024*1024)
			return func() {
				copy(b, a)
				if !(linalg.LAPACK{}).Dpotrf(blas.Upper, 1024, b, 1024) {
					panic("not positive definite")
				}
			}
		}},
		{name: "Cholesky solve, 1024 right sides", target: 1, peer: "cholesky_solve(1024)", make: func() func() {
			f, b, x := must(linalg.NewCholesky(positive(1024))), dense(1024, 1024), mat.NewDense(1024, 1024, nil)
			return func() { f.SolveTo(x, b) }
		}},
		{name: "LU 1024", target: 3, peer: "lu(1024)", make: func() func() {
			a := dense(1024, 1024)
			return func() { must(linalg.NewLU(a)) }
		}},
		{name: "QR 1024", target: 3, peer: "qr(1024)", make: func() func() {
			a := dense(1024, 1024)
			return func() { linalg.NewQR(a) }
		}},
	}
	for _, n := range []int{256, 1024, 2000} {
		values, vectors := 0.0, 0.0
		if n == 1024 {
			values, vectors = 2, 4
		}
		c = append(c,
			benchmark{name: fmt.Sprintf("eigenvalues %d", n), target: values, peer: fmt.Sprintf("eigen(%d,False)", n), make: func() func() {
				a := symmetric(n)
				return func() { must(linalg.SymEigenValues(ctx, a)) }
			}},
			benchmark{name: fmt.Sprintf("eigenvalues and vectors %d", n), target: vectors, peer: fmt.Sprintf("eigen(%d,True)", n), make: func() func() {
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
		{"exp", vec.Exp, -50, 0, 1.5}, {"log", vec.Log, 1e-3, 1, 1.5}, {"tanh", vec.Tanh, -20, 20, 1.25},
		{"sin", vec.Sin, -100, 100, 0.15}, {"cos", vec.Cos, -100, 100, 0.15},
		{"expm1", vec.Expm1, -1, 1, 0}, {"log1p", vec.Log1p, -0.5, 5, 0}, {"sqrt", vec.Sqrt, 0, 9, 0},
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
		d                              int
		fresh, freshAVX2, given, means float64
	}{{2, 1. / 5, 1. / 4, 1. / 10, 0}, {20, 1. / 4, 1 / 2.5, 1. / 6, 0}} {
		c = append(c,
			benchmark{name: fmt.Sprintf("Gram 4096, d = %d, fresh", g.d), target: g.fresh, avx2: g.freshAVX2, peer: fmt.Sprintf("gram(%d,False)", g.d), make: func() func() {
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

// underGonum times gonum's mat with and without UseGonum, and with it beside
// NumPy.
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
		{name: "mat.Dense.Mul 1024, gonum's own", target: 0.1, make: func() func() { return use(mul()) }, rival: func() func() { return plain(mul()) }},
		{name: "mat.EigenSym 256, gonum's own", make: func() func() { return use(eigen()) }, rival: func() func() { return plain(eigen()) }},
		{name: "mat.Cholesky 1024 (numpy)", target: 2, peer: "cholesky(1024)", make: func() func() { return use(chol()) }},
	}
}

// limits prints what the machine can do: products in the first caches, which
// run at the speed of the multiply units, and memory written.
func limits() {
	threads := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	const m, n, k, rounds = 64, 24, 256, 2000
	start := time.Now()
	for range threads {
		wg.Go(func() {
			a, b, c := make([]float64, m*k), make([]float64, k*n), make([]float64, m*n)
			for range rounds {
				linalg.Gemm(false, false, m, n, k, 1, a, k, b, n, 0, c, n)
			}
		})
	}
	wg.Wait()
	flops := 2 * float64(m*n*k) * rounds * float64(threads) / time.Since(start).Seconds()
	x := make([]float64, 1<<24)
	best := time.Hour
	for range 5 {
		start = time.Now()
		for w := range threads {
			part := x[w*len(x)/threads : (w+1)*len(x)/threads]
			wg.Go(func() { vec.Fill(part, 1) })
		}
		wg.Wait()
		best = min(best, time.Since(start))
	}
	fmt.Printf("limits: products in cache %.0f GFLOP/s, memory written %.1f GB/s\n", flops/1e9, 8*float64(len(x))/best.Seconds()/1e9)
}
