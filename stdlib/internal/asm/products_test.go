package asm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestProducts compares the bits of what products are made of on each level with portable Go, for lengths around the blocks of
// each kernel, and that nothing beyond them is written.
func TestProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	const stride = 80
	draw := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	a, x, y, alpha := draw(50*stride), draw(stride), draw(stride), draw(7)
	for n := 1; n < stride; n++ {
		outputs := func() []float64 {
			axpy, rows, both := slices.Clone(y), slices.Clone(y), slices.Clone(y)
			var dots [4]float64
			Axpy(axpy[:n], alpha[0], x)
			AxpyRows(rows[:n], alpha, a, stride)
			Symv4(&dots, both[:n], a, stride, x[:n], (*[4]float64)(alpha))
			return slices.Concat(axpy, rows, both, dots[:], []float64{Dot(x[:n], y)})
		}
		sameOnLevels(t, n, outputs)
	}
	// A is read by rows and by columns, B with a stride of its own, in blocks of every size.
	for _, k := range []int{0, 1, 2, 37} {
		sameOnLevels(t, k, func() []float64 {
			mr, nr := Tile()
			c := slices.Clone(a[:12*stride])
			for m := 1; m <= 8; m++ {
				for n := 1; n <= 24; n++ {
					add := (m+n)%2 == 0
					for i := 0; i < m; i += mr {
						for j := 0; j < n; j += nr {
							Gemm(k, a[i*stride:], stride, 1, a[5*stride+j:], stride-1, c[i*stride+j:], stride, alpha[1], add, min(mr, m-i), min(nr, n-j))
							Gemm(k, a[i:], 1, stride, a[5*stride+j:], stride-1, c[i*stride+j+30:], stride, alpha[2], add, min(mr, m-i), min(nr, n-j))
						}
					}
				}
			}
			return c
		})
	}
}

// TestDots compares products of rows with those of one row at a time, for lengths around the blocks of the kernels.
func TestDots(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	const stride, most = 4200, 9
	a := make([]float64, most*stride)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	x := a[7:]
	lengths := []int{4095, 4096, 4097, 4200}
	for n := range 100 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		sameOnLevels(t, n, func() []float64 {
			out := []float64{}
			for rows := range most + 1 {
				dst := make([]float64, rows+1) // the last one stays
				Dots(dst[:rows], a[:max(0, (rows-1)*stride+n)], stride, x[:n])
				for r := range rows {
					if want := Dot(a[r*stride:r*stride+n], x[:n]); dst[r] != want {
						t.Fatalf("%d elements, row %d of %d: %v, alone %v", n, r, rows, dst[r], want)
					}
				}
				out = append(out, dst...)
			}
			return out
		})
	}
}

// TestOddsProducts compares with math's exponentials, and the levels with each other, for numbers around whole vectors.
func TestOddsProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	x := make([]float64, 11)
	for j := range x {
		x[j] = 3 * rng.NormFloat64()
	}
	for n := range 70 {
		c0, c1 := make([]float64, n), make([]float64, n)
		for i := range n {
			c0[i], c1[i] = 5*rng.NormFloat64(), rng.NormFloat64()
		}
		if n > 2 {
			c0[1], c1[1] = math.Inf(-1), 0
		}
		sameOnLevels(t, n, func() []float64 {
			var out []float64
			for m := 1; m <= len(x); m += 5 {
				dst := make([]float64, n+1) // the last one stays
				OddsProducts(dst[:n], c0, c1, x[:m])
				for i, a := range c0 {
					want := 1.0
					for _, v := range x[:m] {
						want *= 1 + math.Exp(a+c1[i]*v)
					}
					if math.Abs(dst[i]-want) > 1e-13*want {
						t.Fatalf("%d numbers, element %d of %d: %v, want %v", m, i, n, dst[i], want)
					}
				}
				out = append(out, dst...)
			}
			return out
		})
	}
}

func sameOnLevels(t *testing.T, n int, outputs func() []float64) {
	t.Helper()
	defer Force(Force(Portable))
	want := outputs()
	for _, l := range Levels() {
		Force(l)
		if !slices.Equal(outputs(), want) {
			t.Errorf("size %d: %v differs from portable Go", n, l)
		}
	}
}
