package em

import (
	"math"

	"gaucho/stdlib/vec"
)

// A Theory evaluates the bounds of chapter 2 of Yang 2018, for curves beside
// measured ones. The source leaves their constants open: C multiplies every bound,
// Decay is the constant in exponents.
type Theory struct {
	C, Decay float64
	Epsilon  float64 // mixing constant of the chain, in (0, 1]
	PiMin    float64 // least stationary probability
	States   int
}

// SymmetricTheory returns the theory of a symmetric model's chain, with constants
// 1: Epsilon = 1 - |2 zeta - 1|, PiMin = 1/2, two states.
func SymmetricTheory(zeta float64) Theory {
	return Theory{C: 1, Decay: 1, Epsilon: 1 - math.Abs(2*zeta-1), PiMin: 0.5, States: 2}
}

// rhoFilter is 1 - Epsilon PiMin.
func (t Theory) rhoFilter() float64 { return 1 - t.Epsilon*t.PiMin }

// Truncation returns phi(k)^2, the bound on the squared bias of a window of k steps
// to each side (eq. 2.24), for strong concavity lambda.
func (t Theory) Truncation(k int, lambda float64) float64 {
	s := float64(t.States)
	return t.C * s * s * s * s / (lambda * vec.Pow1(t.Epsilon, 9) * t.PiMin * t.PiMin) * vec.Pow1(t.rhoFilter(), float64(k))
}

// Approximation returns the bound on the distance of the expected Q function of n
// observations from that of windows (eq. 2.17): Truncation without lambda, plus C/n.
func (t Theory) Approximation(k, n int) float64 { return t.Truncation(k, 1) + t.C/float64(n) }

// Forgetting returns the bound of lemma 3 on the change of a state's posterior when
// observations at distance k and more are left out.
func (t Theory) Forgetting(k int) float64 {
	s := float64(t.States)
	return t.C * s * s / (vec.Pow1(t.Epsilon, 8) * t.PiMin) * vec.Pow1(t.rhoFilter(), float64(k))
}

// Mixes returns the bound of lemma 12 on the distance of the posterior of a state
// given observations k and more steps away from its law.
func (t Theory) Mixes(k int) float64 {
	return t.C * float64(t.States+1) * vec.Pow1(1-t.Epsilon, float64(k)) / vec.Pow1(t.PiMin*t.Epsilon, 3)
}

// phi2 is 1/log(1/(1-Epsilon)) + 1/Epsilon.
func (t Theory) phi2() float64 {
	first := 0.0 // a chain without memory: the limit
	if t.Epsilon < 1 {
		first = -1 / vec.Log1(1-t.Epsilon)
	}
	return first + 1/t.Epsilon
}

// Concavity returns the strong concavity of the Q function of the symmetric model:
// 1/sigma^2 in the mean and 1 - b^2 in beta, on |2 zeta - 1| <= b. (Section 2.5
// prints 2/3 of the latter.)
func Concavity(sigma, b float64) (mean, beta float64) { return 1 / (sigma * sigma), 1 - b*b }

// Stability returns the first-order stability constants of section 2.5: of the
// gradient in the mean with respect to mean and beta, and of that in beta.
func (t Theory) Stability(signal, sigma, b float64) (meanMean, meanBeta, betaMean, betaBeta float64) {
	eta2 := signal * signal / (sigma * sigma)
	common := t.C * t.phi2() * eta2 * vec.Exp1(-t.Decay*eta2)
	cross := math.Sqrt(signal*signal+sigma*sigma) * common
	return (eta2 + 1) * common, cross, cross, (1 + b) / (1 - b) * common
}

// Contraction returns kappa = C eta^2 (eta^2+1) e^(-Decay eta^2)/(1-b^2) (eq.
// 2.31), the factor by which the error falls in an iteration.
func (t Theory) Contraction(eta, b float64) float64 {
	q := eta * eta
	return t.C * q * (q + 1) * vec.Exp1(-t.Decay*q) / (1 - b*b)
}

// Window returns the number of steps that makes the truncation negligible for n
// observations (eq. 2.47a): log(C n/(Epsilon^3 PiMin^3 delta))/log(1/rhoFilter).
func (t Theory) Window(n int, delta float64) float64 {
	return vec.Log1(t.C*float64(n)/(vec.Pow1(t.Epsilon*t.PiMin, 3)*delta)) / -vec.Log1(t.rhoFilter())
}

// SampleErrors returns the bounds on the distances of the sample from the
// population operator with window k (eqs. 2.47b and c): of the mean in d dimensions
// and of beta, with probability 1 - delta.
func (t Theory) SampleErrors(n, d int, k, eta, sigma, delta float64) (mean, beta float64) {
	q, l := eta*eta+1, vec.Log1(k*k/delta)
	mean = t.C / sigma * vec.Pow1(q, 1.5) * l * math.Sqrt(k*k*k*float64(d)*vec.Log1(float64(n))/float64(n))
	beta = t.C / sigma * math.Sqrt(q) * math.Sqrt(k*k*k*l/float64(n))
	return mean, beta
}

// TruncationError returns phi_n, the bound on the sample truncation error (eq. 2.48).
func (t Theory) TruncationError(n, d int, signal, sigma, delta float64) float64 {
	m := float64(n)
	l := vec.Log1(t.C / vec.Pow1(t.Epsilon*t.PiMin, 3) * m / delta)
	r := signal / sigma
	return t.C * (math.Sqrt(float64(d)*l*l/(sigma*m)) + math.Sqrt(r*l*l/m) + r*math.Sqrt(delta/m))
}

// IterationsFor returns log(2 r/e)/log(1/kappa): after more iterations the
// optimisation error is below e, from a start in a ball of radius r (after theorem
// 2). NaN unless 0 < kappa < 1.
func IterationsFor(r, e, kappa float64) float64 {
	if !(kappa > 0 && kappa < 1) {
		return math.NaN()
	}
	return vec.Log1(2*r/e) / -vec.Log1(kappa)
}

// PopulationBound returns the bound of theorem 1(b) on the error after t
// iterations, kappa^t start + phi/(1-kappa); that of theorem 2 with the sum of its
// three errors for phi.
func PopulationBound(t int, start, kappa, phi float64) float64 {
	return vec.Pow1(kappa, float64(t))*start + phi/(1-kappa)
}
