package bandit

import (
	"math"

	"gaucho/stdlib/vec"
)

// The constants of lil'UCB: epsilon and beta as in the experiments of Jamieson et
// al. 2014, and lambda = ((2+beta)/beta)^2.
const (
	lilEpsilon = 0.01
	lilBeta    = 1.0
	lilLambda  = 9.0
)

// lilDelta returns the confidence at which lil'UCB errs with probability at most
// delta: theorem 2 bounds that by 4 sqrt(c d) + 4 c d for confidence d, c = (2+e)/e
// (1/log(1+e))^(1+e).
func lilDelta(delta float64) float64 {
	c := (2 + lilEpsilon) / lilEpsilon * vec.Pow1(1/vec.Log1p1(lilEpsilon), 1+lilEpsilon)
	root := math.Sqrt(1+delta) - 1
	return root * root / (4 * c)
}

// pullLil pulls the arm with the largest upper confidence bound of lil'UCB. Only
// bounds of arms pulled since the last round are computed anew.
func (r *Race) pullLil() {
	best, at := math.Inf(-1), 0
	for i, n := range r.count {
		if u := &r.upper[i]; u.count != n {
			t := float64(n)
			l := vec.Log1(vec.Log1((1+lilEpsilon)*t) / r.lil)
			u.count = n
			u.bound = r.mean[i] + (1+lilBeta)*(1+math.Sqrt(lilEpsilon))*r.sigma*math.Sqrt(2*(1+lilEpsilon)*l/t)
		}
		if r.upper[i].bound > best {
			best, at = r.upper[i].bound, i
		}
	}
	r.pull(at)
}

// An upper is a bound of lil'UCB after a number of pulls.
type upper struct {
	count int
	bound float64
}

// judgeLil stops when an arm has lambda times as many pulls as all others, which
// is then the answer.
func (r *Race) judgeLil() {
	for i, n := range r.count {
		if float64(n) >= 1+lilLambda*float64(r.total-n) {
			r.best, r.stopped = i, true
		}
	}
}

// pullActive pulls every arm that is not eliminated.
func (r *Race) pullActive() {
	for i, out := range r.eliminated {
		if !out {
			r.pull(i)
		}
	}
}

// judgeElimination eliminates arms whose mean is twice the radius sigma sqrt(2
// log(4 n t^2/delta)/t) below the best, for n arms after t pulls of each that is
// left. It stops when one is left, or when the radius shows that the best is
// within Epsilon of all.
func (r *Race) judgeElimination() {
	n, t := float64(len(r.count)), float64(r.count[r.best])
	radius := r.sigma * math.Sqrt(2*(vec.Log1(4*n*t*t)+r.negLog)/t)
	left := 0
	for i, out := range r.eliminated {
		if !out && r.mean[i] < r.mean[r.best]-2*radius {
			r.eliminated[i] = true
		}
		if !r.eliminated[i] {
			left++
		}
	}
	r.stopped = left == 1 || 2*radius <= r.settings.Epsilon
}

// bestActive returns the empirical best of the arms that are left.
func (r *Race) bestActive() int {
	best := -1
	for i, out := range r.eliminated {
		if !out && (best < 0 || r.mean[i] > r.mean[best]) {
			best = i
		}
	}
	return best
}

// resamples is how often top-two Thompson sampling looks for a second arm by
// drawing again; then it takes the one that evidence separates least.
const resamples = 100

// pullTopTwo draws means from the posteriors N(mean, sigma^2/pulls) and pulls the
// arm with the largest, or, with probability 1/2, the first other arm that is the
// largest of another draw.
func (r *Race) pullTopTwo() {
	leader := r.thompson()
	if r.rng.Float64() < 0.5 {
		r.pull(leader)
		return
	}
	for range resamples {
		if i := r.thompson(); i != leader {
			r.pull(i)
			return
		}
	}
	challenger, least := -1, 0.0
	for i, m := range r.mean {
		if i == leader {
			continue
		}
		gap := max(r.mean[leader]-m, 0)
		cost := gap * gap / (1/float64(r.count[leader]) + 1/float64(r.count[i]))
		if challenger < 0 || cost < least {
			challenger, least = i, cost
		}
	}
	r.pull(challenger)
}

// thompson returns the arm with the largest draw from its posterior.
func (r *Race) thompson() int {
	best, at := math.Inf(-1), 0
	for i, m := range r.mean {
		if v := m + r.sigma/math.Sqrt(float64(r.count[i]))*r.rng.NormFloat64(); v > best {
			best, at = v, i
		}
	}
	return at
}
