package vec

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"gaucho/stdlib/internal/asm"
)

// levels calls f with each set of kernels that this machine has.
func levels(f func(l asm.Level)) {
	for _, l := range asm.Levels() {
		old := asm.Force(l)
		f(l)
		asm.Force(old)
	}
}

// sameBits is equality that takes all NaN for one.
func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// everywhere holds numbers of all exponents and signs, special points and their
// neighbours.
func everywhere() []float64 {
	rng := rand.New(rand.NewPCG(9, 9))
	x := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 0.5, 2, 709.5, 709.78, 709.79, 710, -708.4, -745.13, -745.14, -746,
		5e-324, -5e-324, 0x1p-1022, math.MaxFloat64, -math.MaxFloat64, 1e6, math.Nextafter(1e6, 2e6), 1e22, 0.075, 0.925, 1e-300, math.Nextafter(1, 0), math.Nextafter(1, 2)}
	for e := -1074; e < 1024; e++ {
		v := math.Ldexp(1+rng.Float64(), e)
		x = append(x, v, -v)
	}
	for range 4000 {
		x = append(x, rng.Float64(), 40*rng.NormFloat64(), 1500*rng.Float64()-750)
	}
	return x
}

// TestPaths compares all bits of all functions on each path with the functions
// of one number, at all places of a vector.
func TestPaths(t *testing.T) {
	x := everywhere()
	for _, f := range functions {
		levels(func(l asm.Level) {
			y := make([]float64, len(x))
			f.slice(y, x)
			for i, v := range x {
				if want := f.one(v); !sameBits(y[i], want) {
					t.Fatalf("%s on %v: f(%x) = %x, of one number %x", f.name, l, v, y[i], want)
				}
			}
		})
	}
}

// TestLengths tries every length up to 70 in place and apart, with guards that
// must stay.
func TestLengths(t *testing.T) {
	levels(func(l asm.Level) {
		for _, f := range functions {
			for n := range 71 {
				buf := make([]float64, n+16)
				for i := range buf {
					buf[i] = 0.25 + float64(i%5)/8
				}
				want := append([]float64(nil), buf...)
				for i := 8; i < 8+n; i++ {
					want[i] = f.one(buf[i])
				}
				f.slice(buf[8:8+n], buf[8:8+n])
				for i := range buf {
					if !sameBits(buf[i], want[i]) {
						t.Fatalf("%s on %v, length %d: element %d is %v, want %v", f.name, l, n, i-8, buf[i], want[i])
					}
				}
			}
		}
	})
}

func TestSpecial(t *testing.T) {
	inf, nan, neg := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		name string
		f    func(float64) float64
		x, y float64
	}{
		{"Exp1", Exp1, 0, 1}, {"Exp1", Exp1, inf, inf}, {"Exp1", Exp1, -inf, 0}, {"Exp1", Exp1, nan, nan}, {"Exp1", Exp1, 709.79, inf},
		{"Exp1", Exp1, -745.14, 0}, {"Exp1", Exp1, -745.13, 5e-324}, {"Exp1", Exp1, 709.5, 1.3549863193146328e+308},
		{"Expm11", Expm11, 0, 0}, {"Expm11", Expm11, neg, neg}, {"Expm11", Expm11, -inf, -1}, {"Expm11", Expm11, inf, inf}, {"Expm11", Expm11, 5e-324, 5e-324}, {"Expm11", Expm11, nan, nan},
		{"Log1", Log1, 0, -inf}, {"Log1", Log1, neg, -inf}, {"Log1", Log1, -1, nan}, {"Log1", Log1, -inf, nan}, {"Log1", Log1, inf, inf}, {"Log1", Log1, nan, nan},
		{"Log1", Log1, 1, 0}, {"Log1", Log1, 5e-324, -744.4400719213812},
		{"Log1p1", Log1p1, 0, 0}, {"Log1p1", Log1p1, neg, neg}, {"Log1p1", Log1p1, -1, -inf}, {"Log1p1", Log1p1, -1.5, nan}, {"Log1p1", Log1p1, inf, inf}, {"Log1p1", Log1p1, 5e-324, 5e-324},
		{"Sin1", Sin1, neg, neg}, {"Sin1", Sin1, inf, nan}, {"Cos1", Cos1, -inf, nan}, {"Cos1", Cos1, neg, 1}, {"Sin1", Sin1, nan, nan}, {"Sin1", Sin1, 5e-324, 5e-324},
		{"Tanh1", Tanh1, neg, neg}, {"Tanh1", Tanh1, inf, 1}, {"Tanh1", Tanh1, -inf, -1}, {"Tanh1", Tanh1, nan, nan}, {"Tanh1", Tanh1, 5e-324, 5e-324},
		{"Logistic1", Logistic1, 0, 0.5}, {"Logistic1", Logistic1, inf, 1}, {"Logistic1", Logistic1, -inf, 0}, {"Logistic1", Logistic1, nan, nan},
		{"Erf1", Erf1, neg, neg}, {"Erf1", Erf1, inf, 1}, {"Erf1", Erf1, -inf, -1}, {"Erf1", Erf1, nan, nan},
		{"Erfc1", Erfc1, 0, 1}, {"Erfc1", Erfc1, inf, 0}, {"Erfc1", Erfc1, -inf, 2}, {"Erfc1", Erfc1, nan, nan},
		{"NormalQuantile1", NormalQuantile1, 0.5, 0}, {"NormalQuantile1", NormalQuantile1, 0, -inf}, {"NormalQuantile1", NormalQuantile1, 1, inf},
		{"NormalQuantile1", NormalQuantile1, -0.1, nan}, {"NormalQuantile1", NormalQuantile1, 1.1, nan}, {"NormalQuantile1", NormalQuantile1, nan, nan},
		{"Cosh1", Cosh1, inf, inf}, {"Sinh1", Sinh1, -inf, -inf}, {"Sinh1", Sinh1, neg, neg}, {"Cosh1", Cosh1, 0, 1},
	} {
		if y := c.f(c.x); !sameBits(y, c.y) {
			t.Errorf("%s(%v) = %v, want %v", c.name, c.x, y, c.y)
		}
	}
	for _, x := range []float64{-inf, -2, -1, -0.5, neg, 0, 0.5, 1, 2, 3, inf, nan, math.MaxFloat64, 5e-324} {
		for _, y := range []float64{-inf, -3, -2, -1, -0.5, neg, 0, 0.5, 1, 2, 3, 1e300, inf, nan} {
			got, want := Pow1(x, y), math.Pow(x, y)
			if !sameBits(got, want) && math.Abs(got-want) > 4e-16*math.Abs(want) {
				t.Errorf("Pow1(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	lengths := []int{100, 4095, 4096, 4097, 10000}
	for n := range 70 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		a, b := make([]float64, n), make([]float64, n)
		sum, dot, dist, top := 0.0, 0.0, 0.0, math.Inf(-1)
		for i := range a {
			a[i], b[i] = rng.NormFloat64(), rng.NormFloat64()
			sum, dot, top = sum+a[i], dot+a[i]*b[i], max(top, a[i])
			dist += (a[i] - b[i]) * (a[i] - b[i])
		}
		var first [4]float64
		levels(func(l asm.Level) {
			got := [4]float64{Sum(a), Dot(a, b), SquaredDistance(a, b), Max(a)}
			if l == asm.Best() {
				first = got
			}
			for i, want := range []float64{sum, dot, dist, top} {
				if got[i] != first[i] {
					t.Errorf("n=%d on %v: reduction %d has other bits", n, l, i)
				}
				if math.Abs(got[i]-want) > 1e-12*float64(n+1) {
					t.Errorf("n=%d on %v: reduction %d is %v, want %v", n, l, i, got[i], want)
				}
			}
			if n > 0 {
				old := a[n/2]
				a[n/2] = math.NaN()
				if !math.IsNaN(Max(a)) {
					t.Errorf("n=%d on %v: Max with NaN is %v", n, l, Max(a))
				}
				a[n/2] = old
			}
		})
	}
}

func TestLogSumExp(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{nil, -inf}, {[]float64{-inf, -inf}, -inf}, {[]float64{3}, 3}, {[]float64{1000, 1000}, 1000 + math.Ln2},
		{[]float64{-1e4, -1e4, -1e4}, -1e4 + math.Log(3)}, {[]float64{inf, 1}, inf}, {[]float64{math.NaN(), 1}, math.NaN()}, {[]float64{-inf, 2}, 2},
	} {
		if got := LogSumExp(c.x); !sameBits(got, c.want) && !(math.Abs(got-c.want) < 1e-12) {
			t.Errorf("LogSumExp(%v) = %v, want %v", c.x, got, c.want)
		}
	}
	x := []float64{1, 2, 3, -inf}
	Softmax(x, x)
	for i, want := range []float64{0.09003057317038046, 0.24472847105479764, 0.6652409557748218, 0} {
		if math.Abs(x[i]-want) > 1e-15 {
			t.Errorf("softmax element %d is %v, want %v", i, x[i], want)
		}
	}
}

func TestArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	levels(func(l asm.Level) {
		for n := range 80 {
			a, b, dst := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range a {
				a[i], b[i], dst[i] = rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
			}
			for _, c := range []struct {
				name string
				run  func()
				want func(i int, d float64) float64
			}{
				{"Add", func() { Add(dst, a, b) }, func(i int, _ float64) float64 { return a[i] + b[i] }},
				{"Sub", func() { Sub(dst, a, b) }, func(i int, _ float64) float64 { return a[i] - b[i] }},
				{"Mul", func() { Mul(dst, a, b) }, func(i int, _ float64) float64 { return a[i] * b[i] }},
				{"Div", func() { Div(dst, a, b) }, func(i int, _ float64) float64 { return a[i] / b[i] }},
				{"Scale", func() { Scale(dst, 1.7, a) }, func(i int, _ float64) float64 { return 1.7 * a[i] }},
				{"Offset", func() { Offset(dst, 1.7, a) }, func(i int, _ float64) float64 { return 1.7 + a[i] }},
				{"Axpy", func() { Axpy(dst, 1.7, a) }, func(i int, d float64) float64 { return math.FMA(1.7, a[i], d) }},
				{"Fill", func() { Fill(dst, 3) }, func(int, float64) float64 { return 3 }},
			} {
				before := append([]float64(nil), dst...)
				c.run()
				for i, v := range dst {
					if v != c.want(i, before[i]) {
						t.Fatalf("%s on %v, n=%d: element %d is %v, want %v", c.name, l, n, i, v, c.want(i, before[i]))
					}
				}
			}
		}
	})
}

func TestRefused(t *testing.T) {
	x := make([]float64, 100)
	for name, f := range map[string]func(){
		"lengths differ":       func() { Exp(x[:3], x[:4]) },
		"dst overlaps src":     func() { Exp(x[1:11], x[:10]) },
		"Dot of other lengths": func() { Dot(x[:3], x[:4]) },
		"SinCos of one":        func() { SinCos(x[:5], x[4:9], x[20:25]) },
		"Add overlaps":         func() { Add(x[2:12], x[:10], x[50:60]) },
		"ArgSort length":       func() { ArgSort(make([]int, 3), x) },
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.HasPrefix(fmt.Sprint(r), "vec: ") {
					t.Errorf("%s: panic is %v", name, r)
				}
			}()
			f()
		}()
	}
}

// TestParallel compares a long slice, done by several goroutines, with pieces.
func TestParallel(t *testing.T) {
	n := 3*grain + 17
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	FillNormal(x, 1, 2)
	Exp(y, x)
	for lo := 0; lo < n; lo += 1000 {
		Exp(z[lo:min(lo+1000, n)], x[lo:min(lo+1000, n)])
	}
	for i := range y {
		if y[i] != z[i] {
			t.Fatalf("element %d differs", i)
		}
	}
}

// TestGodebug runs this binary again with the vector paths switched off from
// outside and compares a hash over all functions.
func TestGodebug(t *testing.T) {
	h := fnv.New64a()
	x := everywhere()
	y := make([]float64, len(x))
	for _, f := range functions {
		f.slice(y, x)
		for _, v := range y {
			if v != v {
				v = 0
			}
			fmt.Fprintf(h, "%x ", math.Float64bits(v))
		}
	}
	FillNormal(y, 7, 8)
	fmt.Fprintf(h, "%x", y)
	line := fmt.Sprintf("hash=%x", h.Sum64())
	if want := os.Getenv("VEC_PATH"); want != "" {
		fmt.Printf("%s path=%v\n", line, asm.Current())
		return
	}
	for godebug, most := range map[string]asm.Level{"cpu.avx512f=off": asm.AVX2, "cpu.all=off": asm.Portable} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestGodebug$")
		cmd.Env = append(os.Environ(), "VEC_PATH=1", "GODEBUG="+strings.Trim(os.Getenv("GODEBUG")+","+godebug, ","))
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%s path=%v\n", line, min(most, asm.Best()))
		if !strings.HasPrefix(string(out), want) {
			t.Errorf("GODEBUG=%s: %q, want %q", godebug, out, want)
		}
	}
}
