package boosting

import (
	"fmt"
	"math"

	"gaucho/stdlib/vec"
)

// A Loss is a function phi(y, f) of a response and the value that is to predict
// it, convex in f. Its methods work on n of each.
type Loss interface {
	// Check says what is wrong with responses.
	Check(y []float64) error
	// Value returns the mean of phi(y_i, f_i).
	Value(y, f []float64) float64
	// Gradient sets dst[i] to the derivative of phi in f at (y_i, f_i); dst may be f.
	Gradient(dst, y, f []float64)
	// Curvature sets dst[i] to the second derivative; dst may be f.
	Curvature(dst, y, f []float64)
	// Excess returns by how much the expected loss of f exceeds that of target,
	// averaged over the design, for responses whose expected loss target minimises.
	Excess(target, f []float64) float64
	// Constants returns bounds of the loss on |f| <= d.
	Constants(d float64) Constants
}

// Constants bound a loss: m <= phi” <= M and |phi'| <= B (lemma 17). What has no
// bound is +Inf.
type Constants struct {
	StronglyConvex float64 // m
	Smooth         float64 // M
	Gradient       float64 // B
}

// Squared is the loss (y-f)^2/2, of L2Boost. Its population minimiser is E[Y|x].
type Squared struct{}

// Logistic is the loss log(1 + e^(-yf)) of LogitBoost. Its population minimiser is
// log(p/(1-p)), p the probability of +1.
//
// With Trials = 0 responses are labels -1 and +1. Otherwise they are counts of
// successes in that many trials, and the loss is the sum Trials log(1 + e^f) - y f,
// or, with Mean, that over Trials.
type Logistic struct {
	Trials int
	Mean   bool
}

// Exponential is the loss e^(-yf) of AdaBoost. Its population minimiser is half
// of log(p/(1-p)). Trials and Mean are as for Logistic.
type Exponential struct {
	Trials int
	Mean   bool
}

var _, _, _ Loss = Squared{}, Logistic{}, Exponential{}

// Check says which response is not finite.
func (Squared) Check(y []float64) error {
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("boosting: response %d is %v, must be finite", i, v)
		}
	}
	return nil
}

// Value returns the mean of (y-f)^2/2.
func (Squared) Value(y, f []float64) float64 {
	return vec.SquaredDistance(y, f) / (2 * float64(len(y)))
}

// Gradient sets dst to f - y.
func (Squared) Gradient(dst, y, f []float64) { vec.Sub(dst, f, y) }

// Curvature sets dst to 1.
func (Squared) Curvature(dst, _, _ []float64) { vec.Fill(dst, 1) }

// Excess returns ||f - target||_n^2/2.
func (s Squared) Excess(target, f []float64) float64 { return s.Value(target, f) }

// Constants returns 1, 1 and +Inf.
func (Squared) Constants(float64) Constants { return Constants{1, 1, math.Inf(1)} }

// Check says which response is not a label or count.
func (l Logistic) Check(y []float64) error { return checkLabels(y, l.Trials) }

// Check says which response is not a label or count.
func (l Exponential) Check(y []float64) error { return checkLabels(y, l.Trials) }

func checkLabels(y []float64, trials int) error {
	if trials < 0 {
		return fmt.Errorf("boosting: trials is %d, must be at least 0", trials)
	}
	for i, v := range y {
		if trials == 0 && v != -1 && v != 1 {
			return fmt.Errorf("boosting: label %d is %v, must be -1 or 1", i, v)
		}
		if trials > 0 && (!(v >= 0 && v <= float64(trials)) || v != math.Trunc(v)) {
			return fmt.Errorf("boosting: count %d is %v, must be a whole number from 0 to %d", i, v, trials)
		}
	}
	return nil
}

// weight returns what multiplies the loss of one trial.
func weight(trials int, mean bool) float64 {
	if trials > 0 && mean {
		return 1 / float64(trials)
	}
	return 1
}

// Value returns the mean loss.
func (l Logistic) Value(y, f []float64) float64 {
	w, n, sum := weight(l.Trials, l.Mean), float64(l.Trials), 0.0
	var buf [256]float64
	for lo := 0; lo < len(y); lo += len(buf) {
		hi := min(lo+len(buf), len(y))
		e := buf[:hi-lo]
		for i, v := range f[lo:hi] {
			e[i] = -math.Abs(v)
		}
		vec.Exp(e, e)
		vec.Log1p(e, e)
		for i, v := range f[lo:hi] {
			if l.Trials == 0 {
				sum += e[i] + max(-y[lo+i]*v, 0)
			} else {
				sum += n*(e[i]+max(v, 0)) - y[lo+i]*v
			}
		}
	}
	return w * sum / float64(len(y))
}

// Gradient sets dst to -y/(1 + e^(yf)), or to Trials/(1 + e^-f) - y.
func (l Logistic) Gradient(dst, y, f []float64) {
	w := weight(l.Trials, l.Mean)
	if l.Trials == 0 {
		for i, v := range f {
			dst[i] = -y[i] * v
		}
		vec.Logistic(dst, dst)
		for i, v := range dst {
			dst[i] = -y[i] * v
		}
		return
	}
	vec.Logistic(dst, f)
	n := float64(l.Trials)
	for i, v := range dst {
		dst[i] = w * (n*v - y[i])
	}
}

// Curvature sets dst to p (1-p), p = 1/(1 + e^-f), for each trial.
func (l Logistic) Curvature(dst, _, f []float64) {
	w := weight(l.Trials, l.Mean) * float64(max(l.Trials, 1))
	vec.Logistic(dst, f)
	for i, p := range dst {
		dst[i] = w * p * (1 - p)
	}
}

// Excess is the Kullback-Leibler divergence of the responses' laws, averaged.
func (l Logistic) Excess(target, f []float64) float64 {
	// log(1+e^f) - log(1+e^t) - p (f-t), in blocks
	w, sum := weight(l.Trials, l.Mean)*float64(max(l.Trials, 1)), 0.0
	var a, b, c [256]float64
	for lo := 0; lo < len(f); lo += len(a) {
		hi := min(lo+len(a), len(f))
		u, v, p := a[:hi-lo], b[:hi-lo], c[:hi-lo]
		softplus(u, f[lo:hi])
		softplus(v, target[lo:hi])
		vec.Logistic(p, target[lo:hi])
		for i := range u {
			sum += u[i] - v[i] - p[i]*(f[lo+i]-target[lo+i])
		}
	}
	return w * sum / float64(len(f))
}

// softplus sets dst to log(1 + e^u).
func softplus(dst, u []float64) {
	for i, v := range u {
		dst[i] = -math.Abs(v)
	}
	vec.Exp(dst, dst)
	vec.Log1p(dst, dst)
	for i, v := range u {
		dst[i] += max(v, 0)
	}
}

// Constants returns 1/(e^d + e^-d + 2), 1/4 and 1, for each trial.
func (l Logistic) Constants(d float64) Constants {
	w := weight(l.Trials, l.Mean) * float64(max(l.Trials, 1))
	return Constants{w / (2 + 2*vec.Cosh1(d)), w / 4, w}
}

// successes returns the numbers of +1 and -1 of a response.
func (l Exponential) successes(y float64) (plus, minus float64) {
	if l.Trials > 0 {
		return y, float64(l.Trials) - y
	}
	return (1 + y) / 2, (1 - y) / 2
}

// terms calls use with e^-f and e^f of f[i] for each i, in blocks.
func (l Exponential) terms(f []float64, use func(i int, down, up float64)) {
	var down [256]float64
	for lo := 0; lo < len(f); lo += len(down) {
		hi := min(lo+len(down), len(f))
		e := down[:hi-lo]
		vec.Scale(e, -1, f[lo:hi])
		vec.Exp(e, e)
		for i, v := range e {
			use(lo+i, v, 1/v)
		}
	}
}

// times returns weight e, 0 for a weight of 0 even if e is infinite.
func times(weight, e float64) float64 {
	if weight == 0 {
		return 0
	}
	return weight * e
}

// Value returns the mean loss.
func (l Exponential) Value(y, f []float64) float64 {
	sum := 0.0
	l.terms(f, func(i int, down, up float64) {
		plus, minus := l.successes(y[i])
		sum += times(plus, down) + times(minus, up)
	})
	return weight(l.Trials, l.Mean) * sum / float64(len(y))
}

// Gradient sets dst to -y e^(-yf), summed over trials.
func (l Exponential) Gradient(dst, y, f []float64) {
	w := weight(l.Trials, l.Mean)
	l.terms(f, func(i int, down, up float64) {
		plus, minus := l.successes(y[i])
		dst[i] = w * (times(minus, up) - times(plus, down))
	})
}

// Curvature sets dst to e^(-yf), summed over trials.
func (l Exponential) Curvature(dst, y, f []float64) {
	w := weight(l.Trials, l.Mean)
	l.terms(f, func(i int, down, up float64) {
		plus, minus := l.successes(y[i])
		dst[i] = w * (times(minus, up) + times(plus, down))
	})
}

// Excess returns the mean of p e^-f + (1-p) e^f - 2 sqrt(p (1-p)), p = 1/(1 +
// e^(-2 target)).
func (l Exponential) Excess(target, f []float64) float64 {
	w, sum := weight(l.Trials, l.Mean)*float64(max(l.Trials, 1)), 0.0
	for i, t := range target {
		// With c = 1/(2 cosh t): p = c e^t, so the sum is 2c (cosh(f-t) - 1).
		s := vec.Sinh1((f[i] - t) / 2)
		sum += 2 * s * s / vec.Cosh1(t)
	}
	return w * sum / float64(len(f))
}

// Constants returns e^-d, e^d and e^d, for each trial.
func (l Exponential) Constants(d float64) Constants {
	w := weight(l.Trials, l.Mean) * float64(max(l.Trials, 1))
	e := vec.Exp1(d)
	return Constants{w / e, w * e, w * e}
}
