package rl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/nn"
	"gaucho/stdlib/vec"
)

// A Geometry is that of the policy's mirror-descent step: Euclidean, or the Kullback-Leibler divergence.
type Geometry string

const (
	// Euclidean takes steps of Adam.
	Euclidean Geometry = "euclidean"
	// Divergence takes steps of the natural gradient, w - PolicyRate F^-1 g, with the Fisher
	// matrix F of the batch: the Kullback-Leibler divergence to second order.
	Divergence Geometry = "divergence"
)

// PCL is the Eta of path consistency learning, which has no dual: 0.
const PCL = None

// SBEEDSettings are those of [NewSBEED]. Fields that are zero have the values of
// [DefaultSBEEDSettings], and None is 0 where 0 makes sense.
type SBEEDSettings struct {
	Policy *PolicySettings
	// Hidden holds the widths of the tanh layers of V and rho; none makes them linear.
	Hidden []int

	Discount float64
	// Lambda is the weight of the entropy, in units of scaled rewards; None is 0.
	Lambda float64
	// Eta is the weight of the dual term, to 1: PCL, which is 0, is path consistency
	// learning without a dual, whose fixed point is biased where transitions are random; 1 has
	// no bias.
	Eta float64
	// Horizon is k, the number of steps of a window; Trace is zeta of eligibility traces,
	// which weigh windows of 1 to k steps by (1 - zeta) zeta^(k-1), all that is left going
	// to the longest: 1 is the k-step window alone, None one step.
	Horizon     int
	Trace       float64
	RewardScale float64

	// Episodes are collected in an iteration, followed by Updates; the last Replay
	// episodes are kept to learn from. Replay = Episodes is learning on-policy.
	Episodes, Updates, Replay int
	Batch                     int // windows in an update
	// EpisodeSteps cuts episodes shorter than the system does; 0 does not.
	EpisodeSteps int
	// Fixed is a policy that stays: V alone is learnt, the nearest to being consistent
	// with it (see [ConsistentValue]), which is convex where V is linear. nil learns the
	// policy.
	Fixed *Policy
	// Behaviour collects the episodes in place of the policy that is learnt; nil is
	// that policy.
	Behaviour *Policy

	ValueRate, DualRate, PolicyRate float64 // of Adam, or of the natural gradient
	// Decay is the number of environment steps n after which rates are half of what they
	// were at the start, as 1/(1 + steps/n) falls; 0 leaves them.
	Decay     int
	DualSteps int      // of rho before each step of V and the policy
	Geometry  Geometry // of the policy's steps
	Damping   float64  // of the Fisher matrix
	MaxNorm   float64  // of each gradient, clipped
}

// DefaultSBEEDSettings returns the settings that nil stands for. Networks are the
// dissertation's; the rest works on the pendulum, with rewards scaled by 0.1: discount
// 0.97, lambda 0.1, eta 0.1, ten steps, 200 updates of 128 windows after each episode, 100
// episodes kept, Adam at 0.003 for V and rho and at 0.004 for the policy.
func DefaultSBEEDSettings() *SBEEDSettings {
	return &SBEEDSettings{
		Policy: DefaultPolicySettings(), Hidden: []int{64, 64},
		Discount: 0.97, Lambda: 0.1, Eta: 0.1, Horizon: 10, Trace: 1, RewardScale: 0.1,
		Episodes: 1, Updates: 200, Replay: 100, Batch: 128,
		ValueRate: 3e-3, DualRate: 3e-3, PolicyRate: 4e-3, DualSteps: 1,
		Geometry: Euclidean, Damping: 1e-4, MaxNorm: 10,
	}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *SBEEDSettings) WithDefaults() *SBEEDSettings {
	return settings.Fill(s, DefaultSBEEDSettings())
}

// resolve returns the settings in effect, None as 0.
func (s *SBEEDSettings) resolve() *SBEEDSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Discount, &out.Lambda, &out.Eta, &out.Trace, &out.ValueRate, &out.DualRate, &out.PolicyRate, &out.Damping)
	settings.Clear(&out.DualSteps)
	return out
}

func (s *SBEEDSettings) check() error {
	for _, c := range []struct {
		name string
		n    int
	}{{"horizon", s.Horizon}, {"episodes", s.Episodes}, {"updates", s.Updates}, {"batch", s.Batch}} {
		if c.n < 1 {
			return fmt.Errorf("rl: %s is %d, must be at least 1", c.name, c.n)
		}
	}
	for _, c := range []struct {
		name      string
		x, lo, hi float64
	}{
		{"lambda", s.Lambda, 0, math.MaxFloat64}, {"eta", s.Eta, 0, 1}, {"trace", s.Trace, 0, 1},
		{"value rate", s.ValueRate, 0, math.MaxFloat64}, {"dual rate", s.DualRate, 0, math.MaxFloat64},
		{"policy rate", s.PolicyRate, 0, math.MaxFloat64}, {"damping", s.Damping, 0, math.MaxFloat64},
	} {
		if !(c.x >= c.lo && c.x <= c.hi) {
			return fmt.Errorf("rl: %s is %v, must be from %v to %v", c.name, c.x, c.lo, c.hi)
		}
	}
	switch {
	case s.Decay < 0:
		return fmt.Errorf("rl: decay is %d steps, must be at least 0", s.Decay)
	case s.Replay < s.Episodes:
		return fmt.Errorf("rl: replay is %d, must be at least the %d episodes of an iteration", s.Replay, s.Episodes)
	case s.Eta > 0 && s.DualSteps < 1:
		return fmt.Errorf("rl: dual steps is %d, must be at least 1", s.DualSteps)
	case !(s.MaxNorm > 0):
		return fmt.Errorf("rl: max norm is %v, must be positive", s.MaxNorm)
	case s.RewardScale-s.RewardScale != 0 || s.RewardScale == 0:
		return fmt.Errorf("rl: reward scale is %v, must be finite and not 0", s.RewardScale)
	case s.Geometry != Euclidean && s.Geometry != Divergence:
		return fmt.Errorf("rl: geometry is %q, must be euclidean or divergence", s.Geometry)
	}
	return checkDiscount(s.Discount)
}

// SBEED is smoothed Bellman error embedding with replay (Dai et al. 2018, algorithm 1; Dai
// 2018, algorithms 5 and 12). It learns a value V and a policy pi that make the smoothed
// Bellman error small,
//
//	min_{V, pi} max_rho E[(delta - V(s))^2] - eta E[(delta - rho(s, a))^2],
//
// for delta = sum_{t<k} discount^t (r_t - lambda log pi(a_t|s_t)) + discount^k V(s_k). The
// dual rho takes the state and the k actions; its best is the mean of delta, and then the
// second term cancels what the variance of V(s_k) adds to the first. Any policy may have
// collected the data.
//
// An update costs as much as two gradients of V for a batch of windows, two of rho and
// two of the policy for their k-fold.
type SBEED struct {
	system   System
	settings SBEEDSettings
	sbeedState

	windows            windows
	law                *lawBatch
	valuePass, rhoPass *nn.Pass
	valueIn, rhoIn     *mat.Dense
	valueOut, rhoOut   *mat.Dense // gradients by outputs
	logs, coefs        []float64
	delta, value, rho  []float64
	gradV, gradRho     []float64
	gradPi, step       []float64
	horizons           []int     // numbers of steps after which V is looked at
	weights            []float64 // of these
	tails              []float64 // tails[t] is the weight of horizons beyond step t
}

// sbeedState is what a checkpoint holds.
type sbeedState struct {
	Common                          common
	Policy                          *Policy
	Value, Dual                     *nn.Network
	ValueAdam, DualAdam, PolicyAdam *nn.Adam
	Episodes                        []*Episode
}

// NewSBEED returns a learner at its start. It draws from rng once and then goes by a
// stream of its own. nil settings are the defaults.
func NewSBEED(system System, settings *SBEEDSettings, rng *rand.Rand) (*SBEED, error) {
	if err := checkGiven(system, rng); err != nil {
		return nil, err
	}
	settings = settings.resolve()
	if err := settings.check(); err != nil {
		return nil, err
	}
	if system.Limit() == 0 && settings.EpisodeSteps < 1 {
		return nil, fmt.Errorf("rl: episode steps is %d, must be positive where the system has no limit", settings.EpisodeSteps)
	}
	s := &SBEED{system: system, settings: *settings}
	s.Common = newCommon("SBEED", rng)
	own := s.Common.rng()
	var err error
	if s.Policy = settings.Fixed; s.Policy == nil {
		if s.Policy, err = NewPolicy(system, settings.Policy, own); err != nil {
			return nil, err
		}
	}
	d := s.Policy.input.width()
	if s.Value, err = nn.NewMLP(sizes(d, settings.Hidden, 1), nn.Tanh, own); err != nil {
		return nil, err
	}
	if s.Dual, err = nn.NewMLP(sizes(d+settings.Horizon*s.Policy.action.width(), settings.Hidden, 1), nn.Tanh, own); err != nil {
		return nil, err
	}
	s.ValueAdam, s.DualAdam, s.PolicyAdam = nn.NewAdam(settings.ValueRate), nn.NewAdam(settings.DualRate), nn.NewAdam(settings.PolicyRate)
	s.weigh()
	s.link()
	return s, nil
}

// NewPCL returns path consistency learning (Nachum et al. 2017): [SBEED] with eta = 0.
func NewPCL(system System, settings *SBEEDSettings, rng *rand.Rand) (*SBEED, error) {
	pcl := *settings.WithDefaults()
	pcl.Eta = PCL
	return NewSBEED(system, &pcl, rng)
}

// weigh sets the weights of horizons.
func (s *SBEED) weigh() {
	k, zeta := s.settings.Horizon, s.settings.Trace
	s.tails = make([]float64, k)
	weight := 1.0 // zeta^(j-1)
	for j := 1; j <= k; j++ {
		w := weight * (1 - zeta)
		if j == k {
			w = weight
		}
		if w > 0 {
			s.horizons, s.weights = append(s.horizons, j), append(s.weights, w)
		}
		for t := range j {
			s.tails[t] += w
		}
		weight *= zeta
	}
}

// link makes the memory that goes with the networks at hand.
func (s *SBEED) link() {
	rows := s.settings.Batch * (1 + len(s.horizons))
	s.law = s.Policy.batch()
	s.valuePass, s.rhoPass = s.Value.NewPass(rows), s.Dual.NewPass(s.settings.Batch)
	in, _ := s.Value.Dims()
	rin, _ := s.Dual.Dims()
	s.valueIn, s.valueOut = mat.NewDense(rows, in, nil), mat.NewDense(rows, 1, nil)
	s.rhoIn, s.rhoOut = mat.NewDense(s.settings.Batch, rin, nil), mat.NewDense(s.settings.Batch, 1, nil)
	n := s.settings.Batch
	s.delta, s.value, s.rho = make([]float64, n), make([]float64, n), make([]float64, n)
	s.logs, s.coefs = make([]float64, n*s.settings.Horizon), make([]float64, n*s.settings.Horizon)
	s.gradV, s.gradRho = make([]float64, len(s.Value.Params())), make([]float64, len(s.Dual.Params()))
	s.gradPi, s.step = make([]float64, len(s.Policy.params)), make([]float64, len(s.Policy.params))
}

// System returns the system that was given to the learner.
func (s *SBEED) System() System { return s.system }

// String says what learns where, and for how long it has.
func (s *SBEED) String() string { return s.Common.describe(s.system) }

// Actor returns the policy.
func (s *SBEED) Actor() Actor { return s.Policy }

// MarshalBinary writes the state.
func (s *SBEED) MarshalBinary() ([]byte, error) { return encodeState(s.sbeedState) }

// UnmarshalBinary goes back to a state of a learner with the same system and settings.
func (s *SBEED) UnmarshalBinary(data []byte) error {
	var read sbeedState
	if err := decodeState(data, &read); err != nil {
		return err
	}
	if err := s.Common.fits(&read.Common, [2]*nn.Network{read.Policy.network(), s.Policy.net}, [2]*nn.Network{read.Value, s.Value}, [2]*nn.Network{read.Dual, s.Dual}); err != nil {
		return err
	}
	s.sbeedState = read
	s.link()
	return nil
}

// ValueOf returns V of an observation, in units of scaled rewards. It panics as
// [Policy.Act] does.
func (s *SBEED) ValueOf(observation []float64) float64 {
	s.Policy.input.mustTake(observation)
	x := mat.NewDense(1, s.Policy.input.width(), nil)
	s.Policy.input.encode(x.RawRowView(0), observation)
	return s.Value.NewPass(1).Forward(x).At(0, 0)
}

// Iterate collects episodes and does the updates.
func (s *SBEED) Iterate(ctx context.Context) (Progress, error) {
	behaviour := s.settings.Behaviour
	if behaviour == nil {
		behaviour = s.Policy
	}
	rng := s.Common.rng()
	episodes, err := Rollout(ctx, s.system, behaviour, s.settings.Episodes, s.settings.EpisodeSteps, rng)
	if err != nil {
		return Progress{}, err
	}
	progress := s.Common.advance(episodes)
	s.Episodes = append(s.Episodes, episodes...)
	s.Episodes = append([]*Episode(nil), s.Episodes[max(0, len(s.Episodes)-s.settings.Replay):]...)
	set, falls := &s.settings, fall(progress.Steps, s.settings.Decay)
	s.ValueAdam.Rate, s.DualAdam.Rate, s.PolicyAdam.Rate = falls*set.ValueRate, falls*set.DualRate, falls*set.PolicyRate
	for range s.settings.Updates {
		if err := ctx.Err(); err != nil {
			return Progress{}, err
		}
		s.windows.draw(s.Episodes, s.settings.Batch, s.settings.Horizon, rng)
		loss := s.update()
		if loss-loss != 0 {
			return Progress{}, fmt.Errorf("rl: SBEED diverged in iteration %d: smaller rates or rewards help", progress.Iteration)
		}
		progress.Loss += loss / float64(s.settings.Updates)
	}
	return progress, nil
}

// update does the steps of rho, V and the policy on the windows at hand, and returns
// the mean of (delta - V)^2.
func (s *SBEED) update() float64 {
	s.look()
	if s.settings.Eta > 0 {
		for range s.settings.DualSteps {
			s.dualGradient()
			nn.ClipNorm(s.gradRho, s.settings.MaxNorm)
			s.DualAdam.Step(s.Dual.Params(), s.gradRho)
		}
		s.dual()
	}
	loss := s.gradients()
	nn.ClipNorm(s.gradV, s.settings.MaxNorm)
	s.ValueAdam.Step(s.Value.Params(), s.gradV)
	if s.settings.Fixed != nil {
		return loss
	}
	if s.settings.Geometry == Divergence {
		conjugate(s.step, s.gradPi, 10, func(dst, v []float64) { s.law.fisher(dst, v, s.settings.Damping) })
		nn.ClipNorm(s.step, s.settings.MaxNorm)
		vec.Axpy(s.Policy.params, -s.PolicyAdam.Rate, s.step)
	} else {
		nn.ClipNorm(s.gradPi, s.settings.MaxNorm)
		s.PolicyAdam.Step(s.Policy.params, s.gradPi)
	}
	s.Policy.limit()
	return loss
}

// look computes log pi, V and delta of the windows, and the inputs of rho.
func (s *SBEED) look() {
	w, set := &s.windows, &s.settings
	s.law.logProbs(s.logs, w.inputs, w.actions)
	d, m := s.Policy.input.width(), s.Policy.action.width()
	h := len(s.horizons)
	for i := range w.n {
		copy(s.valueIn.RawRowView(i*(h+1)), w.inputs.RawRowView(i*w.k))
		for j, k := range s.horizons {
			end := w.start[i] + min(k, w.length[i])
			copy(s.valueIn.RawRowView(i*(h+1)+1+j), w.episode[i].Inputs.RawRowView(end))
		}
		r := s.rhoIn.RawRowView(i)
		clear(r)
		copy(r, w.inputs.RawRowView(i*w.k))
		for t := range w.length[i] {
			s.Policy.action.encode(r[d+t*m:d+(t+1)*m], w.actions.RawRowView(i*w.k+t))
		}
	}
	out := s.valuePass.Forward(s.valueIn)
	for i := range w.n {
		s.value[i] = out.At(i*(h+1), 0)
		sum, scale := 0.0, 1.0
		for t := range w.length[i] {
			sum += scale * s.tails[t] * (set.RewardScale*w.rewards[i*w.k+t] - set.Lambda*s.logs[i*w.k+t])
			scale *= set.Discount
		}
		for j := range s.horizons {
			sum += s.reach(i, j) * out.At(i*(h+1)+1+j, 0)
		}
		s.delta[i] = sum
	}
}

// reach returns the factor of V after horizon j in delta of window i.
func (s *SBEED) reach(i, j int) float64 {
	w, k := &s.windows, s.horizons[j]
	if w.terminal[i] && k >= w.length[i] {
		return 0
	}
	return s.weights[j] * vec.Pow1(s.settings.Discount, float64(min(k, w.length[i])))
}

// dualGradient sets gradRho to the gradient of the mean of (delta - rho)^2.
func (s *SBEED) dualGradient() {
	s.dual()
	for i := range s.windows.n {
		s.rhoOut.Set(i, 0, 2*(s.rho[i]-s.delta[i])/float64(s.windows.n))
	}
	s.rhoPass.Backward(s.gradRho, s.rhoOut, nil)
}

// dual computes rho of the windows.
func (s *SBEED) dual() { mat.Col(s.rho, 0, s.rhoPass.Forward(s.rhoIn)) }

// gradients sets gradV and gradPi to those of theorem 27 and returns the mean of (delta
// - V)^2.
func (s *SBEED) gradients() float64 {
	w, set := &s.windows, &s.settings
	h, share, loss := len(s.horizons), 1/float64(w.n), 0.0
	clear(s.coefs)
	for i := range w.n {
		gap := s.delta[i] - s.value[i]
		loss += share * gap * gap
		s.valueOut.Set(i*(h+1), 0, -2*share*gap)
		dual := 0.0
		if set.Eta > 0 {
			dual = set.Eta * (s.delta[i] - s.rho[i])
		}
		for j := range s.horizons {
			s.valueOut.Set(i*(h+1)+1+j, 0, 2*share*(gap-dual)*s.reach(i, j))
		}
		scale := 1.0
		for t := range w.length[i] {
			s.coefs[i*w.k+t] = -2 * set.Lambda * share * (gap - dual) * scale * s.tails[t]
			scale *= set.Discount
		}
	}
	s.valuePass.Backward(s.gradV, s.valueOut, nil)
	if set.Fixed == nil {
		s.law.gradient(s.gradPi, s.coefs)
	}
	return loss
}

// conjugate sets x to an approximate solution of m x = b, for a symmetric positive
// definite m that comes as a product, by the given number of conjugate gradient steps
// or until the residual is 1e-10 of b.
func conjugate(x, b []float64, steps int, product func(dst, v []float64)) {
	n := len(b)
	memory := make([]float64, 3*n)
	r, p, mp := memory[:n], memory[n:2*n], memory[2*n:]
	clear(x)
	copy(r, b)
	copy(p, b)
	rr := vec.Dot(r, r)
	for limit := 1e-20 * rr; steps > 0 && rr > limit; steps-- {
		product(mp, p)
		alpha := rr / vec.Dot(p, mp)
		vec.Axpy(x, alpha, p)
		vec.Axpy(r, -alpha, mp)
		next := vec.Dot(r, r)
		vec.Scale(p, next/rr, p)
		vec.Axpy(p, 1, r)
		rr = next
	}
}
