package linalg

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

var radials = []Radial{
	{Gaussian, 1.5, 0}, {Exponential, 2, 0}, {Matern32, 0.7, 0}, {Matern52, 1.1, 0}, {RationalQuadratic, 1.2, 0.8}, {RationalQuadratic, 1, 1},
	{InverseMultiquadric, 0.9, 0.5}, {InverseMultiquadric, 2, 1.3}, {Laplace, 3, 0},
}

// definition is k(x, y) as in the books.
func definition(r Radial, x, y []float64) float64 {
	s, l1 := 0.0, 0.0
	for k := range x {
		s += (x[k] - y[k]) * (x[k] - y[k])
		l1 += math.Abs(x[k] - y[k])
	}
	d := math.Sqrt(s) / r.Scale
	switch r.Profile {
	case Gaussian:
		return math.Exp(-d * d / 2)
	case Exponential:
		return math.Exp(-d)
	case Matern32:
		a := math.Sqrt(3) * d
		return (1 + a) * math.Exp(-a)
	case Matern52:
		a := math.Sqrt(5) * d
		return (1 + a + a*a/3) * math.Exp(-a)
	case RationalQuadratic:
		return math.Pow(1+d*d/(2*r.Shape), -r.Shape)
	case InverseMultiquadric:
		return math.Pow(1+d*d, -r.Shape)
	}
	return math.Exp(-l1 / r.Scale)
}

func TestRadial(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	ctx := context.Background()
	for _, s := range [][3]int{{1, 1, 1}, {5, 33, 2}, {7, 64, 3}, {70, 100, 20}, {130, 200, 1}} {
		m, n, d := s[0], s[1], s[2]
		x, y := randDense(rng, m, d), randDense(rng, n, d)
		w, v, block := randSlice(rng, n), randSlice(rng, m), randDense(rng, n, 5)
		for _, r := range radials {
			name := fmt.Sprint(r, s)
			want := make([]float64, m*n)
			for i := range m {
				for j := range n {
					want[i*n+j] = definition(r, x.RawRowView(i), y.RawRowView(j))
				}
			}
			p := NewPoints(y)
			g := everyWhere(t, name+" Gram", func() []float64 {
				g, err := r.Gram(ctx, nil, x, p)
				if err != nil {
					t.Fatal(err)
				}
				return g.RawMatrix().Data
			})
			near(t, name+" Gram", g, want, 1e-14)
			gm := mat.NewDense(m, n, g)
			for i := range m {
				for j := range n {
					if k := r.At(x.RawRowView(i), y.RawRowView(j)); k != gm.At(i, j) {
						t.Fatalf("%s: At(%d, %d) is %v, Gram has %v", name, i, j, k, gm.At(i, j))
					}
				}
			}
			equalBits(t, name+" Row", r.Row(nil, x.RawRowView(m-1), p), gm.RawRowView(m-1))
			near(t, name+" MulVec", everyWhere(t, name+" MulVec", func() []float64 { return must(r.MulVec(ctx, nil, x, p, w)) }), MulVec(nil, gm, w), 1e-12)
			ones := make([]float64, n)
			for i := range ones {
				ones[i] = 1 / float64(n)
			}
			near(t, name+" RowMeans", everyWhere(t, name+" RowMeans", func() []float64 { return must(r.RowMeans(ctx, nil, x, p)) }), MulVec(nil, gm, ones), 1e-13)
			near(t, name+" Mul", everyWhere(t, name+" Mul", func() []float64 { return must(r.Mul(ctx, nil, x, p, block)).RawMatrix().Data }), Mul(nil, gm, block).RawMatrix().Data, 1e-12)
			want2 := mat.Inner(mat.NewVecDense(m, v), gm, mat.NewVecDense(n, w))
			if got := must(r.Sum(ctx, v, x, p, w)); math.Abs(got-want2) > 1e-11 {
				t.Errorf("%s: Sum is %v, want %v", name, got, want2)
			}
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestGramExact: the diagonal is 1 and the matrix symmetric, exactly, also for
// points far from the origin, and streaming stores write the same.
func TestGramExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	n := 1100 // 9.7 MB: beyond streamBytes
	x := randDense(rng, n, 3)
	for i := range n {
		x.Set(i, 0, x.At(i, 0)+1e6)
	}
	r := Radial{Gaussian, 1, 0}
	g := must(r.Gram(context.Background(), nil, x, NewPoints(x)))
	for i := range n {
		if g.At(i, i) != 1 {
			t.Fatalf("diagonal %d is %v", i, g.At(i, i))
		}
		for j := range i {
			if g.At(i, j) != g.At(j, i) {
				t.Fatalf("elements %d, %d differ", i, j)
			}
		}
		if i%100 == 0 {
			equalBits(t, "row", g.RawRowView(i), r.Row(nil, x.RawRowView(i), NewPoints(x)))
		}
	}
	d := must(SquaredDistances(context.Background(), nil, x, NewPoints(x)))
	for _, p := range [][2]int{{0, 1}, {5, 1000}, {1099, 3}} {
		s := 0.0
		for k, a := range x.RawRowView(p[0]) {
			s += (a - x.At(p[1], k)) * (a - x.At(p[1], k))
		}
		if got := d.At(p[0], p[1]); math.Abs(got-s) > 1e-15*s {
			t.Errorf("squared distance %v is %v, want %v", p, got, s)
		}
	}
}

func TestRadialRefused(t *testing.T) {
	ctx := context.Background()
	x, p := mat.NewDense(2, 2, nil), NewPoints(mat.NewDense(3, 2, nil))
	for name, r := range map[string]Radial{
		"scale 0": {Gaussian, 0, 0}, "scale NaN": {Gaussian, math.NaN(), 0}, "shape 0": {RationalQuadratic, 1, 0}, "profile": {Profile(99), 1, 1},
	} {
		if _, err := r.Gram(ctx, nil, x, p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	r := Radial{Gaussian, 1, 0}
	if _, err := r.Gram(ctx, nil, mat.NewDense(2, 3, nil), p); err == nil {
		t.Error("dimensions differ: no error")
	}
	if _, err := r.MulVec(ctx, nil, x, p, make([]float64, 2)); err == nil {
		t.Error("weights: no error")
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := r.Gram(done, nil, x, p); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	ctx := context.Background()
	for _, s := range [][3]int{{1, 1, 1}, {10, 3, 20}, {130, 5, 300}, {70, 20, 513}} {
		n, d, count := s[0], s[1], s[2]
		x, w, phase := randDense(rng, n, d), randDense(rng, d, count), randSlice(rng, count)
		f := must(NewFeatures(w, phase, 0))
		want := mat.NewDense(n, count, nil)
		want.Mul(x, w)
		want.Apply(func(_, j int, v float64) float64 { return math.Sqrt(2/float64(count)) * math.Cos(v+phase[j]) }, want)
		phi := mat.NewDense(n, count, everyWhere(t, "Map", func() []float64 { return must(f.Map(ctx, nil, x)).RawMatrix().Data }))
		near(t, "Map", phi.RawMatrix().Data, want.RawMatrix().Data, 1e-13)
		theta, r := randSlice(rng, count), randSlice(rng, n)
		near(t, "MulVec", everyWhere(t, "MulVec", func() []float64 { return must(f.MulVec(ctx, nil, x, theta)) }), MulVec(nil, phi, theta), 1e-12)
		near(t, "TransMulVec", everyWhere(t, "TransMulVec", func() []float64 { return must(f.TransMulVec(ctx, nil, x, r)) }), MulTransVec(nil, phi, r), 1e-12)
		tb, rb := randDense(rng, count, 4), randDense(rng, n, 4)
		near(t, "Mul", everyWhere(t, "Mul", func() []float64 { return must(f.Mul(ctx, nil, x, tb)).RawMatrix().Data }), Mul(nil, phi, tb).RawMatrix().Data, 1e-12)
		near(t, "TransMul", everyWhere(t, "TransMul", func() []float64 { return must(f.TransMul(ctx, nil, x, rb)).RawMatrix().Data }), MulTransA(nil, phi, rb).RawMatrix().Data, 1e-12)
	}
	if _, err := NewFeatures(mat.NewDense(2, 3, nil), make([]float64, 2), 0); err == nil {
		t.Error("phases: no error")
	}
	f := must(NewFeatures(mat.NewDense(2, 3, nil), make([]float64, 3), 1))
	if _, err := f.MulVec(ctx, nil, mat.NewDense(4, 3, nil), make([]float64, 3)); err == nil {
		t.Error("dimension: no error")
	}
	if _, err := f.TransMulVec(ctx, nil, mat.NewDense(4, 2, nil), make([]float64, 3)); err == nil {
		t.Error("numbers: no error")
	}
}

func BenchmarkGram(b *testing.B) {
	for _, d := range []int{2, 20, 100} {
		rng := rand.New(rand.NewPCG(1, 1))
		x := randDense(rng, 4096, d)
		r := Radial{Gaussian, 1.5, 0}
		b.Run(fmt.Sprint("fresh d=", d), func(b *testing.B) {
			for b.Loop() {
				must(r.Gram(context.Background(), nil, x, NewPoints(x)))
			}
		})
		dst := mat.NewDense(4096, 4096, nil)
		b.Run(fmt.Sprint("given d=", d), func(b *testing.B) {
			for b.Loop() {
				must(r.Gram(context.Background(), dst, x, NewPoints(x)))
			}
		})
		b.Run(fmt.Sprint("means d=", d), func(b *testing.B) {
			for b.Loop() {
				must(r.RowMeans(context.Background(), nil, x, NewPoints(x)))
			}
		})
	}
}

func BenchmarkFeatures(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	n, d, count := 1<<16, 20, 1<<10
	x := randDense(rng, n, d)
	f := must(NewFeatures(randDense(rng, d, count), randSlice(rng, count), 0))
	theta := randSlice(rng, count)
	b.Run("forward", func(b *testing.B) {
		for b.Loop() {
			must(f.MulVec(context.Background(), nil, x, theta))
		}
	})
	r := randSlice(rng, n)
	b.Run("adjoint", func(b *testing.B) {
		for b.Loop() {
			must(f.TransMulVec(context.Background(), nil, x, r))
		}
	})
}
