package linalg

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func randDense(rng *rand.Rand, m, n int) *mat.Dense { return mat.NewDense(m, n, randSlice(rng, m*n)) }

// positive is a well-conditioned positive definite matrix.
func positive(rng *rand.Rand, n int) *mat.SymDense {
	s := SymRankK(nil, 1, randDense(rng, n, n+5), 0)
	for i := range n {
		s.SetSym(i, i, s.At(i, i)+float64(n))
	}
	return s
}

func TestMatrixVector(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range [][2]int{{1, 1}, {3, 5}, {33, 40}, {129, 7}, {300, 301}} {
		m, n := s[0], s[1]
		a, x, y := randDense(rng, m, n), randSlice(rng, n), randSlice(rng, m)
		var v mat.VecDense
		v.MulVec(a, mat.NewVecDense(n, x))
		near(t, "MulVec", everyWhere(t, "MulVec", func() []float64 { return MulVec(nil, a, x) }), v.RawVector().Data, 1e-12)
		var u mat.VecDense
		u.MulVec(a.T(), mat.NewVecDense(m, y))
		near(t, "MulTransVec", everyWhere(t, "MulTransVec", func() []float64 { return MulTransVec(nil, a, y) }), u.RawVector().Data, 1e-12)
		b := mat.DenseCopyOf(a)
		RankOne(b, 0.5, y, x)
		var w mat.Dense
		w.Outer(0.5, mat.NewVecDense(m, y), mat.NewVecDense(n, x))
		w.Add(&w, a)
		near(t, "RankOne", b.RawMatrix().Data, w.RawMatrix().Data, 1e-14)
	}
	for _, n := range []int{1, 2, 3, 4, 5, 7, 64, 127, 128, 131, 400} {
		a, x := randSym(rng, n), randSlice(rng, n)
		var v mat.VecDense
		v.MulVec(a, mat.NewVecDense(n, x))
		near(t, "SymMulVec", everyWhere(t, "SymMulVec", func() []float64 { return SymMulVec(nil, a, x) }), v.RawVector().Data, 1e-12)
		// The lower triangle, read alone.
		low := make([]float64, n*n)
		for i := range n {
			for j := range n {
				low[i*n+j] = math.NaN()
				if j <= i {
					low[i*n+j] = a.At(i, j)
				}
			}
		}
		near(t, "symv lower", everyWhere(t, "symv lower", func() []float64 {
			y := make([]float64, n)
			symv(n, 1, low, n, lower, x, 0, y)
			return y
		}), v.RawVector().Data, 1e-12)
	}
}

func TestProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	a, b := randDense(rng, 40, 30), randDense(rng, 30, 50)
	var want mat.Dense
	want.Mul(a, b)
	near(t, "Mul", Mul(nil, a, b).RawMatrix().Data, want.RawMatrix().Data, 1e-12)
	near(t, "MulTransA", MulTransA(nil, mat.DenseCopyOf(a.T()), b).RawMatrix().Data, want.RawMatrix().Data, 1e-12)
	near(t, "MulTransB", MulTransB(nil, a, mat.DenseCopyOf(b.T())).RawMatrix().Data, want.RawMatrix().Data, 1e-12)
	c := make([]float64, 40*50)
	Gemm(false, false, 40, 50, 30, 1, a.RawMatrix().Data, 30, b.RawMatrix().Data, 50, 0, c, 50)
	near(t, "Gemm", c, want.RawMatrix().Data, 1e-12)

	x, y := randDense(rng, 20, 30), randDense(rng, 20, 30)
	var xx, xy, both mat.Dense
	xx.Mul(x, x.T())
	xy.Mul(x, y.T())
	both.Add(&xy, xy.T())
	near(t, "SymRankK", mat.DenseCopyOf(SymRankK(nil, 1, x, 0)).RawMatrix().Data, xx.RawMatrix().Data, 1e-12)
	near(t, "SymRank2K", mat.DenseCopyOf(SymRank2K(nil, 1, x, y, 0)).RawMatrix().Data, both.RawMatrix().Data, 1e-12)
	near(t, "SymRankKTrans", mat.DenseCopyOf(SymRankKTrans(nil, 1, mat.DenseCopyOf(x.T()), 0)).RawMatrix().Data, xx.RawMatrix().Data, 1e-12)
}

func TestSolveTri(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{1, 31, 32, 33, 70, 130} {
		for _, kind := range []mat.TriKind{mat.Upper, mat.Lower} {
			for _, trans := range []bool{false, true} {
				tri := mat.NewTriDense(n, kind, nil)
				for i := range n {
					for j := range n {
						if kind == mat.Upper && j >= i || kind == mat.Lower && j <= i {
							tri.SetTri(i, j, rng.NormFloat64()/float64(n))
						}
					}
					tri.SetTri(i, i, 2+rng.Float64())
				}
				x := randDense(rng, n, 37)
				var b mat.Dense
				if trans {
					b.Mul(tri.T(), x)
				} else {
					b.Mul(tri, x)
				}
				got := everyWhere(t, "SolveTri", func() []float64 {
					c := mat.DenseCopyOf(&b)
					if err := SolveTri(tri, trans, c); err != nil {
						t.Fatal(err)
					}
					return c.RawMatrix().Data
				})
				near(t, "SolveTri", got, x.RawMatrix().Data, 1e-12)
			}
		}
	}
	tri := mat.NewTriDense(2, mat.Upper, []float64{1, 2, 0, 0})
	if err := SolveTri(tri, false, mat.NewDense(2, 1, nil)); !errors.Is(err, Singular{1}) {
		t.Errorf("singular triangle: %v", err)
	}
}

// inverseError is the largest element of |A X - I|.
func inverseError(a mat.Matrix, x *mat.Dense) float64 {
	n, _ := a.Dims()
	var p mat.Dense
	p.Mul(a, x)
	for i := range n {
		p.Set(i, i, p.At(i, i)-1)
	}
	return mat.Max(&p) - mat.Min(&p)
}

func identity(n int) *mat.Dense {
	d := mat.NewDense(n, n, nil)
	for i := range n {
		d.Set(i, i, 1)
	}
	return d
}

func TestCholesky(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{1, 2, 31, 33, 64, 100, 200} {
		a := positive(rng, n)
		u := everyWhere(t, "Cholesky", func() []float64 {
			c, err := NewCholesky(a)
			if err != nil {
				t.Fatal(err)
			}
			return mat.DenseCopyOf(c.U()).RawMatrix().Data
		})
		ud := mat.NewDense(n, n, u)
		var uu mat.Dense
		uu.Mul(ud.T(), ud)
		near(t, "U'U", uu.RawMatrix().Data, mat.DenseCopyOf(a).RawMatrix().Data, 1e-12*float64(n))
		c, _ := NewCholesky(a)
		if e := inverseError(a, c.SolveTo(nil, identity(n))); e > 1e-12 {
			t.Errorf("n=%d: A X - I is %v", n, e)
		}
		x := randSlice(rng, n)
		b := SymMulVec(nil, a, x)
		near(t, "SolveVecTo", c.SolveVecTo(nil, b), x, 1e-12)
		h := c.HalfSolveVecTo(nil, b)
		if q, want := mat.Dot(mat.NewVecDense(n, h), mat.NewVecDense(n, h)), mat.Dot(mat.NewVecDense(n, x), mat.NewVecDense(n, b)); math.Abs(q-want) > 1e-10*want {
			t.Errorf("n=%d: half solution has square %v, want %v", n, q, want)
		}
		var g mat.Cholesky
		g.Factorize(a)
		if math.Abs(c.LogDet()-g.LogDet()) > 1e-10*float64(n) {
			t.Errorf("n=%d: log determinant %v, gonum's %v", n, c.LogDet(), g.LogDet())
		}
		// Lower as well, which only gonum's interface asks for.
		low := mat.DenseCopyOf(a).RawMatrix().Data
		if err := potrf(n, low, n, lower); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j := range i + 1 {
				if math.Abs(low[i*n+j]-u[j*n+i]) > 1e-12*float64(n) {
					t.Fatalf("n=%d: L[%d][%d] is %v, U' has %v", n, i, j, low[i*n+j], u[j*n+i])
				}
			}
		}
	}
}

func TestCholeskyChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	n := 40
	a := positive(rng, n)
	c, err := NewCholesky(a)
	if err != nil {
		t.Fatal(err)
	}
	x := randSlice(rng, n)
	c.Update(x)
	var b mat.SymDense
	b.SymRankOne(a, 1, mat.NewVecDense(n, x))
	if e := inverseError(&b, c.SolveTo(nil, identity(n))); e > 1e-12 {
		t.Errorf("after Update: A X - I is %v", e)
	}
	if err := c.Downdate(x); err != nil {
		t.Fatal(err)
	}
	if e := inverseError(a, c.SolveTo(nil, identity(n))); e > 1e-12 {
		t.Errorf("after Downdate: A X - I is %v", e)
	}
	for i := range x {
		x[i] *= 1e3
	}
	before := c.U()
	if err := c.Downdate(x); err == nil {
		t.Error("Downdate by too much is no error")
	}
	if !mat.Equal(before, c.U()) {
		t.Error("a failed Downdate changed the factor")
	}
	// Row by row from nothing.
	grown := &Cholesky{}
	for i := range n {
		row := make([]float64, i+1)
		for j := range row {
			row[j] = a.At(i, j)
		}
		if err := grown.Extend(row); err != nil {
			t.Fatal(err)
		}
	}
	if e := inverseError(a, grown.SolveTo(nil, identity(n))); e > 1e-12 {
		t.Errorf("grown: A X - I is %v", e)
	}
	row := append(a.RawSymmetric().Data[:n:n], 0)
	copy(row, mat.Row(nil, 0, mat.DenseCopyOf(a)))
	row[n] = a.At(0, 0) // a repeated point
	var npd NotPositiveDefinite
	if err := grown.Extend(row); err == nil || !errors.As(err, &npd) || npd.Pivot != n {
		// Rounding may leave a tiny positive rest: then the matrix is what it is.
		if err != nil || grown.Len() != n+1 {
			t.Errorf("a repeated point: %v", err)
		}
	}
}

func TestNotPositiveDefinite(t *testing.T) {
	for _, n := range []int{5, 40, 100} {
		for _, p := range []int{0, 3, n - 1} {
			a := identity(n)
			a.Set(p, p, -2)
			_, err := NewCholeskyDense(a, 0)
			if !errors.Is(err, NotPositiveDefinite{p, -2}) {
				t.Errorf("n=%d: error %v, want pivot %d", n, err, p)
			}
			if _, err := NewCholeskyDense(a, 3); err != nil {
				t.Errorf("n=%d: with a shift of 3: %v", n, err)
			}
		}
	}
}

func TestLU(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, n := range []int{1, 2, 15, 16, 17, 33, 100, 150} {
		a := randDense(rng, n, n)
		everyWhere(t, "LU", func() []float64 {
			f, err := NewLU(a)
			if err != nil {
				t.Fatal(err)
			}
			return f.a
		})
		f, _ := NewLU(a)
		x := randDense(rng, n, 3)
		var b mat.Dense
		b.Mul(a, x)
		cond := mat.Cond(a, 2)
		near(t, "LU solve", f.SolveTo(nil, &b).RawMatrix().Data, x.RawMatrix().Data, 1e-14*cond*float64(n))
		near(t, "LU solve vector", f.SolveVecTo(nil, mat.Col(nil, 1, &b)), mat.Col(nil, 1, x), 1e-14*cond*float64(n))
		want, sign := mat.LogDet(a)
		got, s := f.LogDet()
		if s != sign || math.Abs(got-want) > 1e-10*float64(n) {
			t.Errorf("n=%d: log determinant %v sign %v, gonum's %v, %v", n, got, s, want, sign)
		}
	}
	if _, err := NewLU(mat.NewDense(2, 2, []float64{1, 2, 2, 4})); !errors.Is(err, Singular{1}) {
		t.Errorf("singular matrix: %v", err)
	}
}

func TestQR(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, s := range [][2]int{{1, 1}, {5, 3}, {40, 40}, {100, 33}, {200, 70}} {
		m, n := s[0], s[1]
		a := randDense(rng, m, n)
		q := NewQR(a).Q(nil)
		everyWhere(t, "QR", func() []float64 { return NewQR(a).a })
		var qr, qq mat.Dense
		qr.Mul(q, NewQR(a).R())
		near(t, "Q R", qr.RawMatrix().Data, a.RawMatrix().Data, 1e-12)
		qq.Mul(q.T(), q)
		near(t, "Q'Q", qq.RawMatrix().Data, identity(n).RawMatrix().Data, 1e-13)
		b := randDense(rng, m, 2)
		x, err := NewQR(a).SolveTo(nil, b)
		if err != nil {
			t.Fatal(err)
		}
		// The residual is orthogonal to the columns.
		var res, normal mat.Dense
		res.Mul(a, x)
		res.Sub(b, &res)
		normal.Mul(a.T(), &res)
		near(t, "A'(b - A x)", normal.RawMatrix().Data, make([]float64, 2*n), 1e-10)
	}
}

func TestRefused(t *testing.T) {
	a, b := mat.NewDense(3, 4, nil), mat.NewDense(3, 5, nil)
	sq := mat.NewDense(3, 3, nil)
	for name, f := range map[string]func(){
		"inner dimensions": func() { Mul(nil, a, b) },
		"dst shape":        func() { MulTransA(mat.NewDense(2, 2, nil), a, b) },
		"dst is a":         func() { Mul(sq, sq, mat.NewDense(3, 3, nil)) },
		"dst overlaps b":   func() { Mul(sq, mat.NewDense(3, 3, nil), sq) },
		"vector length":    func() { MulVec(nil, a, make([]float64, 3)) },
		"vector in place":  func() { x := make([]float64, 3); MulVec(x, sq, x) },
		"rank one":         func() { RankOne(a, 1, make([]float64, 4), make([]float64, 4)) },
		"not square":       func() { NewLU(a) },
		"wide QR":          func() { NewQR(a) },
		"solve rows":       func() { c, _ := NewCholeskyDense(identity(2), 0); c.SolveTo(nil, a) },
	} {
		func() {
			defer func() {
				if s, ok := recover().(string); !ok || len(s) < 8 || s[:8] != "linalg: " {
					t.Errorf("%s: panic %q", name, s)
				}
			}()
			f()
		}()
	}
	for _, v := range sq.RawMatrix().Data {
		if v != 0 {
			t.Error("a refused product wrote")
		}
	}
}
