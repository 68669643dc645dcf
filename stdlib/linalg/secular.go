package linalg

import (
	"math"

	"gaucho/stdlib/internal/asm"
)

// A secular equation 1 + sum_j w_j/(d_j - x) = 0 with ascending poles d and
// positive weights w has one root above each pole, below the next.
type secular struct{ d, w []float64 }

// root finds root i and sets delta[j] = d_j - root, each to high relative
// accuracy: all is computed from the nearer pole. The iteration is the middle
// way of Li 1993 (LAPACK's dlaed4), kept inside a shrinking bracket.
func (q secular) root(i int, delta []float64) float64 {
	k := len(q.d)
	if k == 1 {
		delta[0] = -q.w[0]
		return q.d[0] + q.w[0]
	}
	origin, tau, lo, hi := q.start(i)
	asm.Offset(delta, -q.d[origin], q.d)
	last := math.Inf(1)
	for step := range 120 {
		f := q.evaluate(i, delta, tau)
		v := f.value()
		if math.Abs(v) <= epsilon*f.err || hi-lo <= 2*epsilon*math.Abs(tau) {
			break
		}
		if v < 0 {
			lo = tau
		} else {
			hi = tau
		}
		next := tau + f.step(i == k-1, delta[i]-tau, delta[min(i+1, k-1)]-tau)
		slow := step%3 == 2 && math.Abs(v) > 0.1*last
		if !(next > lo && next < hi) || slow {
			next = 0.5 * (lo + hi)
		}
		if step%3 == 2 {
			last = math.Abs(v)
		}
		if next == tau {
			break
		}
		tau = next
	}
	asm.Offset(delta, -tau, delta)
	return q.d[origin] + tau
}

// start chooses the pole to count from, a first guess and a bracket, by the
// sign in the middle of the interval.
func (q secular) start(i int) (origin int, tau, lo, hi float64) {
	k := len(q.d)
	if i == k-1 {
		sum := asm.Sum(q.w)
		// Between w_i (the pole alone) and the sum of all.
		return i, 0.5 * (q.w[i] + sum), 0, sum * (1 + 4*epsilon)
	}
	gap := q.d[i+1] - q.d[i]
	mid := 0.5 * gap
	c := 1.0
	for j, w := range q.w {
		if j != i && j != i+1 {
			c += w / ((q.d[j] - q.d[i]) - mid)
		}
	}
	wi, wn := q.w[i], q.w[i+1]
	f := c - wi/mid + wn/mid
	if f >= 0 {
		a, b := float64(c*gap)+wi+wn, float64(wi*gap)
		root := math.Sqrt(math.Abs(float64(a*a) - float64(4*b*c)))
		if a > 0 {
			tau = 2 * b / (a + root)
		} else {
			tau = (a - root) / (2 * c)
		}
		origin, lo, hi = i, 0, mid
	} else {
		a, b := float64(c*gap)-wi-wn, float64(wn*gap)
		root := math.Sqrt(math.Abs(float64(a*a) + float64(4*b*c)))
		if a < 0 {
			tau = 2 * b / (a - root)
		} else {
			tau = -(a + root) / (2 * c)
		}
		origin, lo, hi = i+1, -mid, 0
	}
	if !(tau > lo && tau < hi) {
		tau = 0.5 * (lo + hi)
	}
	return origin, tau, lo, hi
}

// A sample is the secular function at a point: the terms up to i and beyond,
// with derivatives, and a bound of the rounding error in units of epsilon.
type sample struct{ psi, dpsi, phi, dphi, err float64 }

func (s sample) value() float64 { return 1 + s.psi + s.phi }

func (q secular) evaluate(i int, delta []float64, tau float64) sample {
	var s sample
	w := q.w[:len(delta)]
	for j := 0; j <= i; j++ {
		inv := 1 / (delta[j] - tau)
		t := float64(w[j] * inv)
		s.psi += t
		s.dpsi += float64(t * inv)
		s.err -= s.psi
	}
	for j := len(delta) - 1; j > i; j-- {
		inv := 1 / (delta[j] - tau)
		t := float64(w[j] * inv)
		s.phi += t
		s.dphi += float64(t * inv)
		s.err += s.phi
	}
	s.err += float64(8*(s.phi-s.psi)) + 2 + float64(math.Abs(tau)*(s.dpsi+s.dphi))
	return s
}

// step is the way to the root of the rational function that matches both sums
// and their derivatives, with poles at a and b from here.
func (s sample) step(last bool, a, b float64) float64 {
	f := s.value()
	if last {
		return a * f / (f - float64(a*s.dpsi))
	}
	c := f - float64(a*s.dpsi) - float64(b*s.dphi)
	p := float64((a+b)*f) - float64(float64(a*b)*(s.dpsi+s.dphi))
	r := float64(float64(a*b) * f)
	root := math.Sqrt(math.Abs(float64(p*p) - float64(4*r*c)))
	if p <= 0 {
		return (p - root) / (2 * c)
	}
	return 2 * r / (p + root)
}
