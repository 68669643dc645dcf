package bandit

import (
	"math"

	"gaucho/internal/scale"
	"gaucho/stdlib/vec"
)

// maxLog is -log of the smallest p-value reported, 1e-300.
var maxLog = -vec.Log1(1e-300)

// test holds what an always-valid p-value needs besides means and counts.
type test struct {
	epsilon, sigma       float64 // sigma times Settings.Factor
	armLog, controlLog   float64 // -log of the shares of the level: log 2K and log 2, or log(K+1)
	negLog               float64 // -log P, P the running minimum
	armBeta, controlBeta float64 // confidence(negLog + share), for both sides
}

func newTest(k int, epsilon, sigma float64, split Split) *test {
	t := &test{epsilon: epsilon, sigma: sigma}
	t.armLog, t.controlLog = shares(k, split)
	t.set(0)
	return t
}

// shares returns log of the numbers by which delta is divided for the lower
// bounds of arms and for the upper bound of the control.
func shares(k int, split Split) (arm, control float64) {
	if split == Symmetric {
		l := vec.Log1(float64(k + 1))
		return l, l
	}
	return vec.Log1(2 * float64(k)), vec.Log1(2)
}

func (t *test) set(negLog float64) {
	t.negLog = negLog
	t.armBeta = confidence(negLog + t.armLog)
	t.controlBeta = confidence(negLog + t.controlLog)
}

// value returns the p-value.
func (t *test) value() float64 {
	if t.negLog == 0 {
		return 1
	}
	return vec.Exp1(-t.negLog)
}

// update lowers P to sup{g : mean_i - phi(n_i, g/2K) <= mean_0 + phi(n_0, g/2) +
// epsilon} if that is below it. The inequality is tried at P first; mostly it
// holds, and nothing is to be done.
func (t *test) update(mean0 float64, n0 int, mean float64, n int) {
	gap := mean - mean0 - t.epsilon
	if gap <= 0 {
		return
	}
	unit := scale.For(t.sigma)
	gap /= unit
	// sqrt(ai (confidence_i + li)) + sqrt(a0 (confidence_0 + l0)) are the radii, over the unit.
	s := 2 * (t.sigma / unit) * (t.sigma / unit)
	ai, li := s/float64(n), loglog(n)
	a0, l0 := s/float64(n0), loglog(n0)
	if math.Sqrt(ai*(t.armBeta+li))+math.Sqrt(a0*(t.controlBeta+l0)) >= gap {
		return
	}
	radii := func(x float64) float64 {
		return math.Sqrt(ai*(confidence(x+t.armLog)+li)) + math.Sqrt(a0*(confidence(x+t.controlLog)+l0)) - gap
	}
	if radii(maxLog) < 0 {
		t.set(maxLog)
		return
	}
	// radii is constant up to free, and from there increasing and concave, so
	// that Newton's steps from the left do not pass the root.
	free := max(logFloor-min(t.armLog, t.controlLog), t.negLog)
	if radii(free) >= 0 {
		t.set(bisect(radii, t.negLog, free))
		return
	}
	x := free
	for range 60 {
		u, v := x+t.armLog, x+t.controlLog
		ri := math.Sqrt(ai * (confidence(u) + li))
		r0 := math.Sqrt(a0 * (confidence(v) + l0))
		step := (gap - ri - r0) / (ai*(1+3/u)/(2*ri) + a0*(1+3/v)/(2*r0))
		if !(step > 1e-13*x) {
			break
		}
		x += step
	}
	t.set(min(x, maxLog))
}

// bisect returns the least x in [lo, hi] at which the non-decreasing f is not
// negative, from the right.
func bisect(f func(float64) float64, lo, hi float64) float64 {
	for range 60 {
		mid := lo + (hi-lo)/2
		if f(mid) >= 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// PValue returns the p-value of "no arm's mean exceeds the control's by more than
// epsilon" (Yang 2018, eq. 4.5) from one arm of k and the control: means and
// numbers of sigma-sub-Gaussian rewards at one moment. It is valid at that
// moment and, with a running minimum over moments and arms, at all of them. It
// is cut at 1e-300. NaN if a number of rewards or k is below 1.
func PValue(control float64, controlPulls int, arm float64, armPulls, k int, epsilon, sigma float64) float64 {
	if controlPulls < 1 || armPulls < 1 || k < 1 {
		return math.NaN()
	}
	t := newTest(k, epsilon, sigma, ByControl)
	t.update(control, controlPulls, arm, armPulls)
	return t.value()
}
