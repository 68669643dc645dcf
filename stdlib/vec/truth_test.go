package vec

import (
	"math"
	"math/big"
	"sync"
)

// The truth of the tests: the functions in multiple precision, from their
// Taylor series. math is no truth: its Exp overflows too early on amd64 and its
// Log is wrong for subnormals there.

const prec = 300

func bf(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

func fresh() *big.Float { return new(big.Float).SetPrec(prec) }

// bigExp is e^x: the series of x/2^k, squared k times.
func bigExp(x *big.Float) *big.Float {
	k := max(x.MantExp(nil)+8, 0)
	r := fresh().SetMantExp(x, -k)
	sum, term := bf(1), bf(1)
	for i := 1; i < 200; i++ {
		term.Mul(term, r)
		term.Quo(term, bf(float64(i)))
		sum.Add(sum, term)
		if term.Sign() == 0 || term.MantExp(nil) < -prec-10 {
			break
		}
	}
	for range k {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog is ln x by Halley's iteration on e^y = x.
func bigLog(x *big.Float) *big.Float {
	m := new(big.Float)
	e := x.MantExp(m)
	f, _ := m.Float64()
	y := bf(math.Log(f) + float64(e)*math.Ln2)
	for range 4 {
		ey := bigExp(y)
		d := fresh().Sub(x, ey)
		d.Mul(d, bf(2))
		d.Quo(d, fresh().Add(x, ey))
		y.Add(y, d)
	}
	return y
}

// bigTiny sums x - c2 x^2 + ... for arguments so small that four terms do.
func bigTiny(x float64, c ...float64) *big.Float {
	sum, p := bf(0), bf(1)
	for _, k := range c {
		p = fresh().Mul(p, bf(x))
		sum.Add(sum, fresh().Quo(p, bf(k)))
	}
	return sum
}

const tiny = 0x1p-60

func bigExpm1(x float64) *big.Float {
	if math.Abs(x) < tiny {
		return bigTiny(x, 1, 2, 6, 24)
	}
	return fresh().Sub(bigExp(bf(x)), bf(1))
}

func bigLog1p(x float64) *big.Float {
	if math.Abs(x) < tiny {
		return bigTiny(x, 1, -2, 3, -4)
	}
	return bigLog(fresh().Add(bf(1), bf(x)))
}

func bigTanh(x float64) *big.Float {
	if math.Abs(x) < tiny {
		return bf(x)
	}
	e := bigExp(bf(2 * x))
	return fresh().Quo(fresh().Sub(e, bf(1)), fresh().Add(e, bf(1)))
}

func bigLogistic(x float64) *big.Float {
	return fresh().Quo(bf(1), fresh().Add(bf(1), bigExp(bf(-x))))
}

// bigErf is the Taylor series of erf, good for |x| <= 7.
func bigErf(x float64) *big.Float {
	z := fresh().Mul(bf(x), bf(x))
	sum, term := bf(0), bf(x)
	for i := range 400 {
		sum.Add(sum, fresh().Quo(term, bf(float64(2*i+1))))
		term.Mul(term, z)
		term.Quo(term, bf(-float64(i+1)))
		if term.Sign() == 0 || i > 60 && term.MantExp(nil) < -prec {
			break
		}
	}
	sum.Mul(sum, bf(2))
	return sum.Quo(sum, fresh().Sqrt(bigPi()))
}

// bigErfc is 1 - erf x for x >= 0: the series, or far out the continued fraction
// e^-z/sqrt(pi) 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + ...)))).
func bigErfc(x *big.Float) *big.Float {
	if f, _ := x.Float64(); f < 6 {
		z := fresh().Mul(x, x)
		sum, term := bf(0), fresh().Set(x)
		for i := range 400 {
			sum.Add(sum, fresh().Quo(term, bf(float64(2*i+1))))
			term.Mul(term, z)
			term.Quo(term, bf(-float64(i+1)))
			if term.Sign() == 0 || i > 60 && term.MantExp(nil) < -prec {
				break
			}
		}
		sum.Mul(sum, bf(2))
		sum.Quo(sum, fresh().Sqrt(bigPi()))
		return fresh().Sub(bf(1), sum)
	}
	v := fresh().Set(x)
	for k := 400; k > 0; k-- {
		v = fresh().Add(x, fresh().Quo(bf(float64(k)/2), v))
	}
	e := bigExp(fresh().Neg(fresh().Mul(x, x)))
	e.Quo(e, fresh().Sqrt(bigPi()))
	return e.Quo(e, v)
}

// bigQuantile is Newton's method in log Phi from the function under test, whose
// error is so small that two steps give all the precision that matters.
func bigQuantile(p float64) *big.Float {
	m := bf(p)
	if p > 0.5 {
		m = fresh().Sub(bf(1), m)
	}
	if p == 0.5 {
		return bf(0)
	}
	x := bf(math.Abs(NormalQuantile1(p)))
	root2 := fresh().Sqrt(bf(2))
	for range 3 {
		// tail = erfc(x/sqrt 2)/2; x += (tail - m)/density, with 1/2 of the
		// second order left out.
		tail := bigErfc(fresh().Quo(x, root2))
		tail.Quo(tail, bf(2))
		density := bigExp(fresh().Quo(fresh().Mul(x, x), bf(-2)))
		density.Quo(density, fresh().Sqrt(fresh().Mul(bf(2), bigPi())))
		x = fresh().Add(x, fresh().Quo(fresh().Sub(tail, m), density))
	}
	if p < 0.5 {
		x.Neg(x)
	}
	return x
}

const piPrec = 1600

// pi by Machin: 16 atan(1/5) - 4 atan(1/239).
var bigPi = sync.OnceValue(func() *big.Float {
	atan := func(n int64) *big.Float {
		q := new(big.Float).SetPrec(piPrec).SetInt64(n)
		p := new(big.Float).SetPrec(piPrec).Quo(new(big.Float).SetPrec(piPrec).SetInt64(1), q)
		sum := new(big.Float).SetPrec(piPrec)
		q2 := new(big.Float).SetPrec(piPrec).SetInt64(n * n)
		for i := int64(0); p.Sign() != 0 && p.MantExp(nil) > -piPrec-10; i++ {
			t := new(big.Float).SetPrec(piPrec).Quo(p, new(big.Float).SetPrec(piPrec).SetInt64(2*i+1))
			if i%2 == 0 {
				sum.Add(sum, t)
			} else {
				sum.Sub(sum, t)
			}
			p.Quo(p, q2)
		}
		return sum
	}
	four := new(big.Float).SetPrec(piPrec).SetInt64(4)
	a := new(big.Float).SetPrec(piPrec).Mul(atan(5), four)
	a.Sub(a, atan(239))
	return a.Mul(a, four)
})

// bigSinCos reduces x by pi/2 in 1600 bits and sums both series.
func bigSinCos(x float64) (sin, cos *big.Float) {
	half := new(big.Float).SetPrec(piPrec).Quo(bigPi(), new(big.Float).SetInt64(2))
	q := new(big.Float).SetPrec(piPrec).Quo(new(big.Float).SetFloat64(x), half)
	q.Add(q, new(big.Float).SetFloat64(math.Copysign(0.5, x)))
	n, _ := q.Int(nil)
	r := new(big.Float).SetPrec(piPrec).Mul(new(big.Float).SetPrec(piPrec).SetInt(n), half)
	r.Sub(new(big.Float).SetPrec(piPrec).SetFloat64(x), r)
	r = fresh().Set(r)
	series := func(first int) *big.Float {
		sum, term := bf(0), bf(1)
		for i := 1; i <= first; i++ {
			term.Mul(term, r)
		}
		for i := first; ; i += 2 {
			sum.Add(sum, term)
			term.Mul(term, r)
			term.Mul(term, r)
			term.Quo(term, bf(-float64((i+1)*(i+2))))
			if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-prec {
				return sum
			}
		}
	}
	s, c := series(1), series(0)
	switch new(big.Int).And(n, big.NewInt(3)).Int64() {
	case 0:
		return s, c
	case 1:
		return c, s.Neg(s)
	case 2:
		return s.Neg(s), c.Neg(c)
	}
	return c.Neg(c), s
}

// ulps is |got - want| in units in the last place of want.
func ulps(got float64, want *big.Float) float64 {
	if math.IsNaN(got) {
		return math.Inf(1)
	}
	if math.IsInf(got, 0) {
		// Right if the rounded truth is infinite.
		w, _ := want.Float64()
		if w == got {
			return 0
		}
		return math.Inf(1)
	}
	e := max(want.MantExp(nil)-53, -1074)
	if want.Sign() == 0 {
		e = -1074
	}
	d := fresh().Sub(bf(got), want)
	d.SetMantExp(d, -e)
	u, _ := d.Float64()
	return math.Abs(u)
}
