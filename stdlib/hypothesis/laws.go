package hypothesis

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
	"gaucho/stdlib/vec"
)

// KolmogorovSmirnov2 tests whether two independent samples have the same distribution, by the
// largest difference D of their distribution functions: R's ks.test(x, y), SciPy's ks_2samp.
// Exact, given the values, up to a million pairs of values: cost O(n m). Beyond, D has its
// limiting law.
func KolmogorovSmirnov2(x, y []float64) (*Result, error) {
	if err := check(1, x, y); err != nil {
		return nil, err
	}
	x, y = slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
	n, m := len(x), len(y)
	most, ends := 0, make([]bool, n+m+1)
	for i, j := 0, 0; i < n || j < m; {
		v := math.Inf(1)
		if i < n {
			v = x[i]
		}
		if j < m {
			v = min(v, y[j])
		}
		for i < n && x[i] == v {
			i++
		}
		for j < m && y[j] == v {
			j++
		}
		ends[i+j] = true // no run of same values goes on
		most = max(most, i*m-j*n, j*n-i*m)
	}
	pairs := float64(n) * float64(m)
	r := &Result{Test: "Two-sample Kolmogorov-Smirnov test", Null: "the samples have the same law", Symbol: "D", Statistic: float64(most) / pairs,
		Estimate: math.NaN(), N: []int{n, m}}
	r.noSides()
	if pairs <= 1e6 {
		r.P, r.Exact = touching(n, m, most, ends), true
	} else {
		r.P = kolmogorov(r.Statistic * math.Sqrt(pairs/float64(n+m)))
	}
	return r, nil
}

// SameLaw is KolmogorovSmirnov2.
//
// Deprecated: use [KolmogorovSmirnov2].
func SameLaw(x, y []float64) (*Result, error) { return KolmogorovSmirnov2(x, y) }

// touching returns the probability that, of all orders of n and m values alike, one has
// distribution functions that differ by most/(n m) or more at an end of a run of same
// values: from the probability for the first i and j values, of which the last is one of
// the i with probability i/(i+j).
func touching(n, m, most int, ends []bool) float64 {
	p := make([]float64, m+1)
	for i := range n + 1 {
		for j := range m + 1 {
			switch d := i*m - j*n; {
			case ends[i+j] && max(d, -d) >= most:
				p[j] = 1
			case i == 0 && j == 0:
				p[j] = 0
			case i == 0:
				p[j] = p[j-1]
			case j > 0:
				p[j] = (float64(i)*p[j] + float64(j)*p[j-1]) / float64(i+j)
			}
		}
	}
	return p[m]
}

// kolmogorov returns the probability that the largest distance of a Brownian bridge from
// 0 exceeds x: 2 sum over k of (-1)^(k-1) exp(-2 k^2 x^2), or where that converges slowly
// 1 less the sum over odd k of sqrt(2 pi)/x exp(-k^2 pi^2/(8 x^2)).
func kolmogorov(x float64) float64 {
	if x < 1 {
		p := 1.0
		for k := 1.0; k < 20; k += 2 {
			p -= math.Sqrt(2*math.Pi) / x * vec.Exp1(-k*k*math.Pi*math.Pi/(8*x*x))
		}
		return max(0, p)
	}
	p, sign := 0.0, 2.0
	for k := 1.0; k < 20; k++ {
		p += sign * vec.Exp1(-2*k*k*x*x)
		sign = -sign
	}
	return p
}

// KolmogorovSmirnov tests whether x has the law with the given continuous distribution
// function, such as distuv.UnitNormal.CDF, by the largest difference D from that of the
// sample. Parameters that were estimated from x make the p-value too large. Exact up to
// 10,000 values; beyond, D has its limiting law.
func KolmogorovSmirnov(x []float64, cdf func(float64) float64) (*Result, error) {
	if cdf == nil {
		return nil, fmt.Errorf("hypothesis: the distribution function is nil")
	}
	if err := check(1, x); err != nil {
		return nil, err
	}
	n, d := float64(len(x)), 0.0
	for i, v := range slices.Sorted(slices.Values(x)) {
		f := cdf(v)
		if !(f >= 0 && f <= 1) {
			return nil, fmt.Errorf("hypothesis: the distribution function of %v is %v, must be from 0 to 1", v, f)
		}
		d = max(d, f-float64(i)/n, float64(i+1)/n-f)
	}
	r := &Result{Test: "Kolmogorov-Smirnov test", Null: "the sample has the given law", Symbol: "D", Statistic: d, Estimate: math.NaN(), N: sizes(x)}
	r.noSides()
	switch {
	case len(x) > 10000:
		r.P = kolmogorov(d * math.Sqrt(n))
	case n*d*d > 4: // that both sides are so far has a probability of exp(-8 n d^2)
		r.P, r.Exact = min(1, 2*oneSidedSmirnov(len(x), d)), true
	default:
		r.P, r.Exact = max(0, 1-marsaglia(len(x), d)), true
	}
	return r, nil
}

// oneSidedSmirnov returns the probability that the distribution function of n values is
// above their law's by d or more somewhere (Birnbaum and Tingey 1951): d sum over j <=
// n(1-d) of choose(n, j) (d + j/n)^(j-1) (1 - d - j/n)^(n-j).
func oneSidedSmirnov(n int, d float64) float64 {
	p := 0.0
	for j := range n + 1 {
		rest := 1 - d - float64(j)/float64(n)
		if rest < 0 {
			break
		}
		l := logChoose(n, j) + float64(j-1)*vec.Log1(d+float64(j)/float64(n))
		if j < n {
			l += float64(n-j) * vec.Log1(rest)
		}
		p += d * vec.Exp1(l)
	}
	return p
}

// marsaglia returns the probability that D of n values is below d, from the n-th power of
// a matrix (Marsaglia, Tsang and Wang 2003). Cost O((n d)^3 log n).
func marsaglia(n int, d float64) float64 {
	k := int(float64(n)*d) + 1
	size, h := 2*k-1, float64(k)-float64(n)*d
	a := mat.NewDense(size, size, nil)
	for i := range size {
		for j := range min(i+2, size) {
			v := 1.0
			if j == 0 {
				v -= vec.Pow1(h, float64(i+1))
			}
			if i == size-1 {
				v -= vec.Pow1(h, float64(size-j))
			}
			if i == size-1 && j == 0 && 2*h > 1 {
				v += vec.Pow1(2*h-1, float64(size))
			}
			factorial, _ := math.Lgamma(float64(i - j + 2))
			a.Set(i, j, v*vec.Exp1(-factorial))
		}
	}
	// exp(logs) times the power so far, and times the square at hand: both within range.
	power, logPower, logA := mat.NewDense(size, size, nil), 0.0, 0.0
	for i := range size {
		power.Set(i, i, 1)
	}
	next := mat.NewDense(size, size, nil)
	for e := n; e > 0; e >>= 1 {
		if e&1 == 1 {
			next.Mul(power, a)
			power, next = next, power
			logPower += logA + rescale(power)
		}
		if e > 1 {
			next.Mul(a, a)
			a, next = next, a
			logA = 2*logA + rescale(a)
		}
	}
	factorial, _ := math.Lgamma(float64(n) + 1)
	return power.At(k-1, k-1) * vec.Exp1(logPower+factorial-float64(n)*vec.Log1(float64(n)))
}

// rescale divides a matrix by its largest element and returns the logarithm of that.
func rescale(a *mat.Dense) float64 {
	most := mat.Max(a)
	a.Scale(1/most, a)
	return vec.Log1(most)
}

// ShapiroWilk tests whether the law of x is normal, with any mean and variance (Royston
// 1995, algorithm AS R94), for 3 to 5,000 values. W is near 1 for normal ones.
func ShapiroWilk(x []float64) (*Result, error) {
	if err := check(3, x); err != nil {
		return nil, err
	}
	if len(x) > 5000 {
		return nil, fmt.Errorf("hypothesis: sample 1 has %d values, must have at most 5000: the p-value is known for these", len(x))
	}
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	if scale.Constant(x) {
		return nil, fmt.Errorf("hypothesis: all values of sample 1 are the same")
	}
	x = scale.Divided(x, scale.Of(x))
	weights := shapiroWeights(n)
	mean := sum(x) / float64(n)
	top, squares := 0.0, 0.0
	for i, v := range x {
		squares += (v - mean) * (v - mean)
		if i < n/2 {
			top += weights[i] * (x[n-1-i] - v)
		}
	}
	r := &Result{Test: "Shapiro-Wilk test", Null: "the law is normal", Symbol: "W", Statistic: min(1, top*top/squares), Estimate: math.NaN(), N: sizes(x)}
	r.noSides()
	r.P = shapiroP(r.Statistic, n)
	return r, nil
}

// shapiroWeights returns the weights of the distances between the i-th largest and the
// i-th smallest value: the normal scores, corrected at the ends by polynomials in
// 1/sqrt(n).
func shapiroWeights(n int) []float64 {
	w := make([]float64, n/2)
	if n == 3 {
		w[0] = math.Sqrt(0.5)
		return w
	}
	squares := 0.0
	for i := range w {
		w[i] = -vec.NormalQuantile1((float64(i) + 0.625) / (float64(n) + 0.25))
		squares += 2 * w[i] * w[i]
	}
	root, small := math.Sqrt(squares), 1/math.Sqrt(float64(n))
	first := w[0]/root + polynomial(small, 0, .221157, -.147981, -2.07119, 4.434685, -2.706056)
	if n <= 5 {
		rest := math.Sqrt((squares - 2*w[0]*w[0]) / (1 - 2*first*first))
		w[0] = first
		for i := 1; i < len(w); i++ {
			w[i] /= rest
		}
		return w
	}
	second := w[1]/root + polynomial(small, 0, .042981, -.293762, -1.752461, 5.682633, -3.582633)
	rest := math.Sqrt((squares - 2*w[0]*w[0] - 2*w[1]*w[1]) / (1 - 2*first*first - 2*second*second))
	w[0], w[1] = first, second
	for i := 2; i < len(w); i++ {
		w[i] /= rest
	}
	return w
}

// shapiroP returns the probability of a W that is less, by a normal law of a function of W.
func shapiroP(w float64, n int) float64 {
	if n == 3 {
		return max(0, 6/math.Pi*(math.Asin(math.Sqrt(w))-math.Asin(math.Sqrt(0.75))))
	}
	y, size := vec.Log1p1(-w), float64(n)
	if n > 11 {
		l := vec.Log1(size)
		return upperNormal((y - polynomial(l, -1.5861, -.31082, -.083751, .0038915)) / vec.Exp1(polynomial(l, -.4803, -.082676, .0030302)))
	}
	bound := polynomial(size, -2.273, .459)
	if y >= bound {
		return 0
	}
	return upperNormal((-vec.Log1(bound-y) - polynomial(size, .544, -.39978, .025054, -6.714e-4)) / vec.Exp1(polynomial(size, 1.3822, -.77857, .062767, -.0020322)))
}

// polynomial returns the sum of c[i] x^i.
func polynomial(x float64, c ...float64) float64 {
	s := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		s = s*x + c[i]
	}
	return s
}
