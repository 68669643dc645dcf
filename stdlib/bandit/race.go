package bandit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/vec"
)

// A Sampler says which arms a round pulls and when to stop.
type Sampler string

const (
	// Adaptive is algorithm 1: the empirical best h and its strongest rival l,
	// with epsilon > 0 the control and its strongest rival too.
	Adaptive Sampler = "adaptive"
	// Uniform pulls all arms in turn and stops as Adaptive does.
	Uniform Sampler = "uniform"
	// LUCB pulls h and l, and stops when the lower bound of h is above all other
	// upper bounds, without regard to the control (Kalyanakrishnan, Tewari,
	// Auer & Stone 2012). With epsilon = 0 and the same split it pulls and stops
	// as Adaptive.
	LUCB Sampler = "LUCB"
	// Elimination pulls all arms in turn that are not yet eliminated, until one is
	// left (successive elimination of Even-Dar, Mannor & Mansour 2006, algorithm 3,
	// for sub-Gaussian rewards).
	Elimination Sampler = "elimination"
	// LilUCB pulls the arm with the largest upper bound of law-of-iterated-logarithm
	// type, and stops when one arm has had nine times the pulls of all others
	// (lil'UCB of Jamieson, Malloy, Nowak & Bubeck 2014).
	LilUCB Sampler = "lil'UCB"
	// TopTwo is top-two Thompson sampling (Russo 2020) with normal posteriors: of two
	// arms that draws from the posterior say may be best, it pulls one by the toss
	// of a coin. After 100 draws that agree the second is the arm that the evidence
	// separates least (Shang, de Heide, Kaufmann, Menard & Valko 2020). It stops as
	// LUCB does, so that its error probability is known.
	TopTwo Sampler = "top-two"
)

// Samplers lists the samplers.
var Samplers = []Sampler{Adaptive, Uniform, LUCB, Elimination, LilUCB, TopTwo}

// A Split divides the error probability delta over the bounds of the arms.
type Split string

const (
	// ByControl gives delta/2K to each lower bound and delta/2 to each upper
	// bound, for K arms besides the control (algorithm 1).
	ByControl Split = "control"
	// Symmetric gives delta/(K+1) to each bound, as the program published with
	// the chapter does.
	Symmetric Split = "symmetric"
)

// Settings of an experiment. Fields that are zero have the values of [DefaultSettings].
type Settings struct {
	// Sampler and Split: Adaptive and ByControl by default.
	Sampler Sampler `json:"sampler"`
	Split   Split   `json:"split"`
	// Epsilon is by how much an arm must beat the control, and how far the answer
	// may be from the best arm; at least 0, the default.
	Epsilon float64 `json:"epsilon"`
	// Budget is the largest number of pulls, by default a million. With epsilon
	// 0 and two best arms nothing else ends the experiment.
	Budget int `json:"budget"`
	// Initial is how often each arm is pulled before bounds are looked at; 1 by
	// default.
	Initial int `json:"initial"`
	// Factor multiplies the radius; 1 by default. Below 1 the guarantees are lost
	// (see the package documentation).
	Factor float64 `json:"factor"`
}

// DefaultSettings returns the settings that nil stands for.
func DefaultSettings() *Settings {
	return &Settings{Sampler: Adaptive, Split: ByControl, Budget: 1000000, Initial: 1, Factor: 1}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *Settings) WithDefaults() *Settings { return settings.Fill(s, DefaultSettings()) }

func (s *Settings) check(arms int) error {
	switch {
	case !slices.Contains(Samplers, s.Sampler):
		return fmt.Errorf("bandit: sampler is %q, must be one of %q", s.Sampler, Samplers)
	case s.Split != ByControl && s.Split != Symmetric:
		return fmt.Errorf("bandit: split is %q, must be control or symmetric", s.Split)
	case !(s.Epsilon >= 0) || math.IsInf(s.Epsilon, 1):
		return fmt.Errorf("bandit: epsilon is %v, must be at least 0", s.Epsilon)
	case s.Initial < 1:
		return fmt.Errorf("bandit: initial is %d, must be at least 1", s.Initial)
	case s.Budget < arms:
		return fmt.Errorf("bandit: budget is %d, must be at least one pull for each of %d arms", s.Budget, arms)
	case !(s.Factor > 0) || math.IsInf(s.Factor, 1):
		return fmt.Errorf("bandit: factor is %v, must be positive", s.Factor)
	}
	return nil
}

// Check says what is wrong with settings for that number of arms, with the
// control; nil settings are the defaults.
func (s *Settings) Check(arms int) error {
	return s.WithDefaults().check(arms)
}

// A Race is an experiment under way, stepped round by round.
type Race struct {
	arms     Arms
	settings Settings
	rng      *rand.Rand
	test     *test

	sigma             float64 // scale times Factor
	lowBeta, highBeta float64 // beta less its part in n, for lower and upper bounds
	count             []int
	sum, mean         []float64
	low, high         []float64 // bounds
	total, rounds     int
	best              int
	h, l, u           int // leaders of the last judgement
	done, stopped     bool
	err               error

	negLog     float64 // -log delta
	lil        float64 // confidence of lil'UCB
	upper      []upper
	eliminated []bool
}

// NewRace returns an experiment of error probability delta that has pulled
// nothing. nil settings are the defaults. Errors: arms without a reward model,
// fewer than two, delta outside (0, 1], settings out of range.
func NewRace(arms Arms, delta float64, settings *Settings, rng *rand.Rand) (*Race, error) {
	if err := checkArms(arms); err != nil {
		return nil, err
	}
	if !(delta > 0 && delta <= 1) {
		return nil, fmt.Errorf("bandit: delta is %v, must be above 0 and at most 1", delta)
	}
	s := *settings.WithDefaults()
	n := arms.Len()
	if err := s.check(n); err != nil {
		return nil, err
	}
	if rng == nil {
		return nil, fmt.Errorf("bandit: rng is nil, must be a source of random numbers")
	}
	r := &Race{arms: arms, settings: s, rng: rng, sigma: arms.Scale() * s.Factor}
	r.test = newTest(n-1, s.Epsilon, r.sigma, s.Split)
	armLog, controlLog := shares(n-1, s.Split)
	negLog := -vec.Log1(delta)
	r.negLog, r.lil, r.upper, r.eliminated = negLog, lilDelta(delta), make([]upper, n), make([]bool, n)
	r.lowBeta, r.highBeta = confidence(negLog+armLog), confidence(negLog+controlLog)
	floats := make([]float64, 4*n)
	r.count, r.sum, r.mean = make([]int, n), floats[:n:n], floats[n:2*n:2*n]
	r.low, r.high = floats[2*n:3*n:3*n], floats[3*n:]
	return r, nil
}

// Step plays one round and says whether there is another. The first round pulls
// every arm Initial times.
func (r *Race) Step() bool {
	if r.done {
		return false
	}
	if r.rounds == 0 {
		for range r.settings.Initial {
			r.pullAll()
		}
	} else {
		r.pullRound()
	}
	r.rounds++
	if !r.done {
		r.judge()
	}
	return !r.done
}

func (r *Race) pullAll() {
	for i := range r.count {
		r.pull(i)
	}
}

// pullRound pulls the arms that the last judgement points at, each once.
func (r *Race) pullRound() {
	switch r.settings.Sampler {
	case Uniform:
		r.pullAll()
		return
	case Elimination:
		r.pullActive()
		return
	case LilUCB:
		r.pullLil()
		return
	case TopTwo:
		r.pullTopTwo()
		return
	}
	h, l, u := r.h, r.l, r.u
	if r.settings.Epsilon > 0 && r.settings.Sampler == Adaptive {
		r.pull(0)
		if u != 0 {
			r.pull(u)
		}
		if h != 0 && h != u {
			r.pull(h)
		}
		if l != 0 && l != u && l != h {
			r.pull(l)
		}
		return
	}
	r.pull(h)
	r.pull(l)
}

// leaders returns the empirical best h, the largest upper bound l among the
// others, and the largest upper bound u among all but the control. Ties go to
// the lowest index.
func (r *Race) leaders() (h, l, u int) {
	for i, m := range r.mean {
		if m > r.mean[h] {
			h = i
		}
	}
	u = 1
	for i := 2; i < len(r.high); i++ {
		if r.high[i] > r.high[u] {
			u = i
		}
	}
	if u != h {
		if l = u; h != 0 && r.high[0] >= r.high[u] {
			l = 0
		}
		return h, l, u
	}
	for i := 1; i < len(r.high); i++ {
		if i != h && r.high[i] > r.high[l] {
			l = i
		}
	}
	return h, l, u
}

// pull pulls an arm, if the budget allows it, and brings its bounds and the
// p-value up to date.
func (r *Race) pull(i int) {
	if r.done || r.total >= r.settings.Budget {
		return
	}
	x := r.arms.Pull(i, r.rng)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		r.fail(fmt.Errorf("bandit: reward of arm %d is %v, must be finite", i, x))
		return
	}
	if b, ok := r.arms.(Bounded); ok && !(x >= b.Low && x <= b.High) {
		r.fail(fmt.Errorf("bandit: reward of arm %d is %v, must be in [%v, %v]", i, x, b.Low, b.High))
		return
	}
	r.total++
	r.count[i]++
	r.sum[i] += x
	n := float64(r.count[i])
	r.mean[i] = r.sum[i] / n
	ll := loglog(r.count[i])
	r.low[i] = r.mean[i] - r.sigma*math.Sqrt(2*(r.lowBeta+ll)/n)
	r.high[i] = r.mean[i] + r.sigma*math.Sqrt(2*(r.highBeta+ll)/n)
	if r.count[0] == 0 {
		return
	}
	if i > 0 {
		r.test.update(r.mean[0], r.count[0], r.mean[i], r.count[i])
		return
	}
	for k := 1; k < len(r.count); k++ {
		if r.count[k] > 0 {
			r.test.update(r.mean[0], r.count[0], r.mean[k], r.count[k])
		}
	}
}

func (r *Race) fail(err error) { r.err, r.done = err, true }

// judge stops the experiment when the bounds allow an answer or the budget is
// used up.
func (r *Race) judge() {
	h, l, u := r.leaders()
	r.h, r.l, r.u = h, l, u
	eps := r.settings.Epsilon
	r.best = h
	switch {
	case r.settings.Sampler == Elimination:
		r.best = r.bestActive()
		r.judgeElimination()
	case r.settings.Sampler == LilUCB:
		r.judgeLil()
	case r.settings.Sampler == LUCB || r.settings.Sampler == TopTwo:
		r.stopped = r.low[h] > r.high[l]
	case r.low[0] > r.high[u]-eps:
		r.best, r.stopped = 0, true
	case h != 0:
		r.stopped = r.low[h] > r.high[l]-eps && r.low[h] > r.high[0]+eps
	}
	r.done = r.stopped || r.total >= r.settings.Budget
}

// A Result is what an experiment found.
type Result struct {
	Best    int       // the answer: an arm, or 0 for the control
	Stopped bool      // by the rule; false: the budget was used up, and Best is the empirical best
	P       float64   // always-valid p-value of "no arm beats the control by more than epsilon"
	Total   int       // pulls of all arms
	Rounds  int       // rounds, the initial one included
	Pulls   []int     // pulls of each arm
	Means   []float64 // mean reward of each arm
}

// Result returns the state of the experiment, at any time.
func (r *Race) Result() Result {
	return Result{
		Best: r.best, Stopped: r.stopped, P: r.test.value(), Total: r.total, Rounds: r.rounds,
		Pulls: append([]int(nil), r.count...), Means: append([]float64(nil), r.mean...),
	}
}

// P returns the p-value at this moment.
func (r *Race) P() float64 { return r.test.value() }

// Bounds returns the lower and upper confidence bounds of the arms at this
// moment; they are the race's own slices.
func (r *Race) Bounds() (low, high []float64) { return r.low, r.high }

// Err returns why the race ended early: a reward that is not finite or out of
// its bounds.
func (r *Race) Err() error { return r.err }

// BestArm runs an experiment to its end: until the confidence bounds, at error
// probability delta, allow an answer, or the budget is used up. O(K) for each
// round of 2 to 4 pulls, K the number of arms. Errors are those of NewRace, a
// reward that is not finite, and a cancelled context.
func BestArm(ctx context.Context, arms Arms, delta float64, settings *Settings, rng *rand.Rand) (Result, error) {
	r, err := NewRace(arms, delta, settings, rng)
	if err != nil {
		return Result{}, err
	}
	for more := true; more; more = r.Step() {
		if r.rounds%1024 == 0 && ctx.Err() != nil { // before the first round too
			return Result{}, ctx.Err()
		}
	}
	if r.err != nil {
		return Result{}, r.err
	}
	return r.Result(), nil
}
