package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// function describes one function for the tests of accuracy.
type function struct {
	name   string
	slice  func(dst, src []float64)
	one    func(float64) float64
	truth  func(float64) *big.Float
	limit  float64
	ranges [][2]float64
	near   []float64 // points of which neighbours are tried
}

func sinSlice(i int) func(dst, src []float64) {
	return func(dst, src []float64) {
		var out [2][]float64
		out[i], out[1-i] = dst, make([]float64, len(src))
		SinCos(out[0], out[1], src)
	}
}

var multiplesOfHalfPi = func() (p []float64) {
	for k := 1; k < 40; k++ {
		p = append(p, float64(k)*math.Pi/2)
	}
	for _, k := range []float64{1e3, 12345, 99999, 636619} {
		p = append(p, k*math.Pi/2)
	}
	return p
}()

var functions = []function{
	{"Exp", Exp, Exp1, func(x float64) *big.Float { return bigExp(bf(x)) }, 1,
		[][2]float64{{-50, 0}, {-745.2, 709.79}, {-1, 1}}, []float64{0, 709.5, 709.78, -745.13, -708.4, 0.34657359027997264, 1.0397207708399179}},
	{"Expm1", Expm1, Expm11, bigExpm1, 1.5,
		[][2]float64{{-1, 1}, {-50, 709.79}, {-1e-3, 1e-3}, {-2, 2}}, []float64{0, 0.34657359027997264, -0.34657359027997264, 709.78, -37.4, 1.0397207708399179}},
	{"Log", Log, Log1, func(x float64) *big.Float { return bigLog(bf(x)) }, 1,
		[][2]float64{{0, 1}, {0.5, 2}, {0, 1e300}}, []float64{1, math.Sqrt2, math.Sqrt2 / 2, 0x1p-1022, 2}},
	{"Log1p", Log1p, Log1p1, bigLog1p, 1.5,
		[][2]float64{{-1, 1}, {-0.5, 2}, {-1e-3, 1e-3}, {0, 1e10}}, []float64{0, math.Sqrt2 - 1, math.Sqrt2/2 - 1, -0.999999, 1}},
	{"Sin", Sin, Sin1, func(x float64) *big.Float { s, _ := bigSinCos(x); return s }, 1,
		[][2]float64{{-100, 100}, {-1e6, 1e6}, {-0.8, 0.8}}, multiplesOfHalfPi},
	{"Cos", Cos, Cos1, func(x float64) *big.Float { _, c := bigSinCos(x); return c }, 1,
		[][2]float64{{-100, 100}, {-1e6, 1e6}, {-0.8, 0.8}}, multiplesOfHalfPi},
	{"SinCos sin", sinSlice(0), Sin1, func(x float64) *big.Float { s, _ := bigSinCos(x); return s }, 1.5,
		[][2]float64{{-10, 10}, {1e6, 1e9}, {1e15, 1e18}, {1e100, 1e308}}, multiplesOfHalfPi},
	{"SinCos cos", sinSlice(1), Cos1, func(x float64) *big.Float { _, c := bigSinCos(x); return c }, 1.5,
		[][2]float64{{-10, 10}, {1e6, 1e9}, {1e15, 1e18}, {1e200, 1e308}}, multiplesOfHalfPi},
	{"Tanh", Tanh, Tanh1, bigTanh, 1.5,
		[][2]float64{{-20, 20}, {-1, 1}, {-1e-3, 1e-3}}, []float64{0, 0.17328679513998632, 0.5493, 19.06, 22}},
	{"Logistic", Logistic, Logistic1, bigLogistic, 1.5,
		[][2]float64{{-40, 40}, {-2, 2}, {-745, 40}}, []float64{0, -708.5, -745, 36.7}},
	{"NormalQuantile", NormalQuantile, NormalQuantile1, bigQuantile, 1.5,
		[][2]float64{{0, 1}, {0, 0.1}, {0.9, 1}, {1e-16, 1e-9}}, []float64{0.075, 0.925, 0.5, 0.25, 1.4e-11}},
	{"Erf", Erf, Erf1, bigErf, 1.5,
		[][2]float64{{-1, 1}, {-6, 6}, {0.9, 1.5}}, []float64{0, 1, 5.92, 0.84375}},
}

// TestUlp compares with multiple precision at random points of each range, at
// the neighbours of special points, and at all exponents.
func TestUlp(t *testing.T) {
	points := 3000
	if testing.Short() {
		points = 500
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, f := range functions {
		var x []float64
		for _, r := range f.ranges {
			for range points / len(f.ranges) {
				x = append(x, r[0]+(r[1]-r[0])*rng.Float64())
			}
		}
		for _, p := range f.near {
			for _, d := range []float64{0, 1e-9, -1e-9, 1e-13, -1e-12} {
				x = append(x, p+d)
			}
			x = append(x, math.Nextafter(p, 1e300), math.Nextafter(p, -1e300))
		}
		for e := -1074; e < 1023; e += 7 {
			v := math.Ldexp(1+rng.Float64(), e)
			x = append(x, v, -v)
		}
		y := make([]float64, len(x))
		f.slice(y, x)
		worst, where := 0.0, 0.0
		for i, v := range x {
			if !inDomain(f.name, v) {
				continue
			}
			if y1 := f.one(v); math.Float64bits(y1) != math.Float64bits(y[i]) && y1 == y1 {
				t.Fatalf("%s(%v): slice %v, scalar %v", f.name, v, y[i], y1)
			}
			if u := ulps(y[i], f.truth(v)); u > worst {
				worst, where = u, v
			}
		}
		t.Logf("%-10s %.3f ulp at %v", f.name, worst, where)
		if worst > f.limit {
			t.Errorf("%s: %.3f ulp at %v (%x), must be at most %v", f.name, worst, where, where, f.limit)
		}
	}
}

// inDomain leaves out what TestSpecial checks and where the truth is slow.
func inDomain(name string, x float64) bool {
	switch name {
	case "Log":
		return x > 0
	case "Log1p":
		return x > -1
	case "Exp", "Expm1", "Logistic":
		return math.Abs(x) < 800
	case "Tanh":
		return math.Abs(x) < 300
	case "NormalQuantile":
		return x > 0 && x < 1
	case "Erf":
		return math.Abs(x) < 7
	case "Sin", "Cos":
		return math.Abs(x) <= 1e6
	}
	return true
}

func TestPowUlp(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	worst := 0.0
	for i := range 3000 {
		var x, y float64
		switch i % 3 {
		case 0:
			x, y = math.Exp2(20*rng.NormFloat64()), 10*rng.NormFloat64()
		case 1:
			x, y = 1+1e-3*rng.NormFloat64(), 1e5*rng.NormFloat64()
		case 2:
			x, y = math.Ldexp(rng.Float64(), -1074+rng.IntN(2000)), rng.NormFloat64()
		}
		if x <= 0 {
			continue
		}
		p := fresh().Mul(bf(y), bigLog(bf(x)))
		if f, _ := p.Float64(); math.Abs(f) > 744 {
			continue
		}
		want := bigExp(p)
		if u := ulps(Pow1(x, y), want); u > worst {
			worst = u
			if u > 1 {
				t.Errorf("Pow1(%v, %v) = %v, %.3f ulp off", x, y, Pow1(x, y), u)
			}
		}
	}
	t.Logf("Pow1 %.3f ulp", worst)
}

// TestMoreUlp tests the functions that exist for one number only.
func TestMoreUlp(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	half := func(f func(e, inverse *big.Float) *big.Float) func(x float64) *big.Float {
		return func(x float64) *big.Float {
			e := bigExp(bf(x))
			return fresh().Quo(f(e, fresh().Quo(bf(1), e)), bf(2))
		}
	}
	for _, f := range []struct {
		name   string
		f      func(float64) float64
		truth  func(float64) *big.Float
		lo, hi float64
		limit  float64
	}{
		{"Erfc1", Erfc1, func(x float64) *big.Float {
			if x < 0 {
				return fresh().Sub(bf(2), bigErfc(bf(-x)))
			}
			return bigErfc(bf(x))
		}, -6, 26.5, 3},
		{"Cosh1", Cosh1, half(func(e, i *big.Float) *big.Float { return fresh().Add(e, i) }), -710, 710, 2},
		{"Cosh1", Cosh1, half(func(e, i *big.Float) *big.Float { return fresh().Add(e, i) }), -3, 3, 2},
		{"Sinh1", Sinh1, half(func(e, i *big.Float) *big.Float { return fresh().Sub(e, i) }), -710, 710, 2.5},
		{"Sinh1", Sinh1, half(func(e, i *big.Float) *big.Float { return fresh().Sub(e, i) }), -3, 3, 2.5},
	} {
		worst, where := 0.0, 0.0
		for range 1000 {
			x := f.lo + (f.hi-f.lo)*rng.Float64()
			if u := ulps(f.f(x), f.truth(x)); u > worst {
				worst, where = u, x
			}
		}
		t.Logf("%s %.3f ulp at %v", f.name, worst, where)
		if worst > f.limit {
			t.Errorf("%s: %.3f ulp at %v, must be at most %v", f.name, worst, where, f.limit)
		}
	}
}
