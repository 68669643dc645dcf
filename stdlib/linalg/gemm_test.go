package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gaucho/stdlib/internal/asm"
)

func randSlice(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// naive is the definition of gemm's bits.
func naive(m, n, k int, alpha float64, a, b view, beta float64, c []float64, ldc int, which part) {
	for i := range m {
		for j := range n {
			if which == upper && j < i || which == lower && j > i {
				continue
			}
			v := &c[i*ldc+j]
			if beta == 0 {
				*v = 0
			} else if beta != 1 {
				*v *= beta
			}
			for pc := 0; pc < k; pc += kc {
				acc := 0.0
				for l := pc; l < min(k, pc+kc); l++ {
					acc = math.FMA(a.p[i*a.rs+l*a.cs], b.p[l*b.rs+j*b.cs], acc)
				}
				if beta == 0 && pc == 0 {
					*v = alpha * acc
				} else {
					*v = math.FMA(alpha, acc, *v)
				}
			}
		}
	}
}

// onGoroutines runs f with 1, 2, 3 and 7 goroutines.
func onGoroutines(f func(procs int)) {
	old := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(old)
	for _, p := range []int{1, 2, 3, 7} {
		runtime.GOMAXPROCS(p)
		f(p)
	}
}

// TestGemmBits compares every bit with the definition, on each path, around the
// edges of all blocks, for transpositions, factors, triangles, long rows, with
// guards around C and NaN in it where it must not be read.
func TestGemmBits(t *testing.T) {
	shapes := [][3]int{{1, 1, 1}, {4, 12, 2}, {7, 23, 5}, {8, 24, 3}, {9, 25, 64}, {5, 13, 65}, {17, 49, 257}, {130, 31, 20}, {33, 40, 513}, {300, 20, 20}, {3, 260, 70}, {24, 1, 3}, {100, 1, 300}, {61, 2, 40}, {90, 5, 270}, {150, 12, 33}}
	for _, s := range shapes {
		for tr := range 4 {
			for _, beta := range []float64{0, 1, 0.5} {
				gemmCase(t, s[0], s[1], s[2], tr, beta, full)
			}
		}
	}
	for _, n := range []int{1, 8, 25, 61, 130} {
		for _, which := range []part{upper, lower} {
			for tr := range 4 {
				gemmCase(t, n, n, 35, tr, 0.5, which)
				gemmCase(t, n, n, 300, tr, 0, which)
			}
		}
	}
}

func gemmCase(t *testing.T, m, n, k, tr int, beta float64, which part) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(m), uint64(n)))
	const pad = 3
	a, b := view{randSlice(rng, (m+pad)*(k+pad)), k + pad, 1}, view{randSlice(rng, (k+pad)*(n+pad)), n + pad, 1}
	if tr&1 != 0 {
		a = view{a.p, 1, m + pad}
	}
	if tr&2 != 0 {
		b = view{b.p, 1, k + pad}
	}
	ldc := n + pad
	start := randSlice(rng, (m+2)*ldc)
	if beta == 0 {
		for i := range start {
			start[i] = math.NaN()
		}
	}
	want := append([]float64(nil), start...)
	naive(m, n, k, 1.25, a, b, beta, want[ldc:], ldc, which)
	for _, l := range asm.Levels() {
		old := asm.Force(l)
		c := append([]float64(nil), start...)
		gemm(m, n, k, 1.25, a, b, beta, c[ldc:], ldc, which)
		asm.Force(old)
		for i := range c {
			if math.Float64bits(c[i]) != math.Float64bits(want[i]) {
				t.Fatalf("%v: %d x %d x %d, transposition %d, beta %v, part %d: number %d,%d is %v, want %v",
					l, m, n, k, tr, beta, which, i/ldc-1, i%ldc, c[i], want[i])
			}
		}
	}
}

// TestGemmGoroutines compares the bits of large products on 1 to 7 goroutines.
func TestGemmGoroutines(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, s := range [][3]int{{200, 210, 300}, {2000, 20, 50}, {30, 3000, 40}} {
		m, n, k := s[0], s[1], s[2]
		a, b := view{randSlice(rng, m*k), k, 1}, view{randSlice(rng, k*n), n, 1}
		var want []float64
		onGoroutines(func(p int) {
			c := make([]float64, m*n)
			gemm(m, n, k, 1, a, b, 0, c, n, full)
			if want == nil {
				want = c
			}
			equalBits(t, fmt.Sprintf("%v on %d goroutines", s, p), c, want)
		})
	}
	// A A' is done by halves, A B' is not: equal bits.
	for _, n := range []int{127, 128, 131, 300} {
		x := randSlice(rng, n*50)
		c, d := make([]float64, n*n), make([]float64, n*n)
		a := view{x, 50, 1}
		gemm(n, n, 50, 0.5, a, a.t(), 0, c, n, full)
		gemm(n, n, 50, 0.5, a, view{append([]float64(nil), x...), 50, 1}.t(), 0, d, n, full)
		equalBits(t, fmt.Sprint("A A' ", n), c, d)
	}
	n, k := 300, 200
	a := view{randSlice(rng, n*k), k, 1}
	for _, which := range []part{upper, lower} {
		var want []float64
		onGoroutines(func(p int) {
			c := make([]float64, n*n)
			gemm(n, n, k, 1, a, a.t(), 0, c, n, which)
			if want == nil {
				want = c
			}
			equalBits(t, fmt.Sprintf("triangle on %d goroutines", p), c, want)
		})
	}
}

func equalBits(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) && !(got[i] != got[i] && want[i] != want[i]) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// everyWhere runs f on each path with 1 and 3 goroutines and compares what it
// returns.
func everyWhere(t *testing.T, what string, f func() []float64) []float64 {
	t.Helper()
	var want []float64
	for _, l := range asm.Levels() {
		for _, procs := range []int{1, 3} {
			oldLevel, oldProcs := asm.Force(l), runtime.GOMAXPROCS(procs)
			got := f()
			asm.Force(oldLevel)
			runtime.GOMAXPROCS(oldProcs)
			if want == nil {
				want = got
			}
			equalBits(t, fmt.Sprintf("%s, %v, %d goroutines", what, l, procs), got, want)
		}
	}
	return want
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol) {
			t.Fatalf("%s: element %d is %v, want %v within %v", what, i, got[i], want[i], tol)
		}
	}
}

// BenchmarkGradient is that of a layer with few outputs, for 1,280 rows.
func BenchmarkGradient(b *testing.B) {
	const rows = 1280
	for _, s := range [][2]int{{100, 1}, {64, 1}, {64, 4}, {500, 6}} {
		in, out := s[0], s[1]
		rng := rand.New(rand.NewPCG(1, 1))
		x, d, grad := view{randSlice(rng, rows*in), 1, in}, view{randSlice(rng, rows*out), out, 1}, make([]float64, in*out)
		b.Run(fmt.Sprint(s), func(b *testing.B) {
			for b.Loop() {
				gemm(in, out, rows, 1, x, d, 0, grad, out, full)
			}
		})
	}
}

func BenchmarkGemm(b *testing.B) {
	for _, s := range [][3]int{{64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 2}, {4096, 4096, 20}, {1024, 1024, 64}, {64, 1024, 1024}, {100000, 20, 20}} {
		m, n, k := s[0], s[1], s[2]
		rng := rand.New(rand.NewPCG(1, 1))
		x, y, z := view{randSlice(rng, m*k), k, 1}, view{randSlice(rng, k*n), n, 1}, make([]float64, m*n)
		b.Run(fmt.Sprint(s), func(b *testing.B) {
			for b.Loop() {
				gemm(m, n, k, 1, x, y, 0, z, n, full)
			}
			b.ReportMetric(2*float64(m)*float64(n)*float64(k)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOPS")
		})
	}
}
