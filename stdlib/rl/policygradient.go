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

// PolicyGradientSettings are those of the methods that learn from episodes of the
// policy at hand. A method looks at its own part. Fields that are zero have the values
// of [DefaultPolicyGradientSettings]; None is 0 for Discount and GAE.
type PolicyGradientSettings struct {
	Policy       *PolicySettings // nil is random features, and for PPO a network with two layers of 64
	Episodes     int             // of an iteration; 0 is as many as have Steps steps
	Steps        int
	EpisodeSteps int // cuts episodes shorter than the system does; 0 does not
	Discount     float64
	GAE          float64 // lambda of generalized advantage estimates; None is one step
	RewardScale  float64

	// Rate of Adam: REINFORCE and PPO. Decay is the number of environment steps n after
	// which rates are half of what they were at the start, as 1/(1 + steps/n) falls; the
	// divergence of a step falls with its square. 0 leaves them.
	Rate  float64
	Decay int
	// Clip, Epochs and Batch (steps): PPO, whose epochs end early at a batch
	// on which the policy's divergence from the one that played is above 1.5 MaxDivergence.
	Clip          float64
	Epochs, Batch int
	// MaxDivergence bounds, or for NPG and DualAC sets to second order, the mean KL
	// divergence of a step; Damping of the Fisher matrix and ConjugateSteps.
	MaxDivergence, Damping float64
	ConjugateSteps         int
	// Hidden layers of V, ValueRate and ValueSteps of Adam for it, Horizon k and the weight
	// ValueFit of the fit to returns: DualAC.
	Hidden     []int
	ValueRate  float64
	ValueSteps int
	Horizon    int
	ValueFit   float64
}

// DefaultPolicyGradientSettings returns the settings that nil stands for: episodes of
// 2,048 steps in all, discount 0.99, lambda 0.95; rate 0.003; clip 0.2, ten epochs of batches of 256; KL 0.01,
// damping 1e-4 and ten conjugate gradient steps; V of two layers of 64 with 50 steps of rate
// 0.003, ten steps ahead.
func DefaultPolicyGradientSettings() *PolicyGradientSettings {
	return &PolicyGradientSettings{
		Policy: DefaultPolicySettings(), Steps: 2048, Discount: 0.99, GAE: 0.95, RewardScale: 1,
		Rate: 0.003, Clip: 0.2, Epochs: 10, Batch: 256,
		MaxDivergence: 0.01, Damping: 1e-4, ConjugateSteps: 10,
		Hidden: []int{64, 64}, ValueRate: 3e-3, ValueSteps: 50, Horizon: 10, ValueFit: 1,
	}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *PolicyGradientSettings) WithDefaults() *PolicyGradientSettings {
	return settings.Fill(s, DefaultPolicyGradientSettings())
}

// resolve returns the settings in effect, None as 0.
func (s *PolicyGradientSettings) resolve() *PolicyGradientSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Discount, &out.GAE)
	return out
}

func (s *PolicyGradientSettings) check() error {
	for _, c := range []struct {
		name string
		n    int
	}{{"steps", s.Steps}, {"epochs", s.Epochs}, {"batch", s.Batch}, {"conjugate steps", s.ConjugateSteps}, {"value steps", s.ValueSteps}, {"horizon", s.Horizon}} {
		if c.n < 1 {
			return fmt.Errorf("rl: %s is %d, must be at least 1", c.name, c.n)
		}
	}
	for _, c := range []struct {
		name string
		x    float64
	}{{"rate", s.Rate}, {"clip", s.Clip}, {"max divergence", s.MaxDivergence}, {"damping", s.Damping}, {"value rate", s.ValueRate}, {"value fit", s.ValueFit}} {
		if !(c.x > 0) || math.IsInf(c.x, 1) {
			return fmt.Errorf("rl: %s is %v, must be positive", c.name, c.x)
		}
	}
	if !(s.GAE >= 0 && s.GAE <= 1) {
		return fmt.Errorf("rl: GAE is %v, must be from 0 to 1", s.GAE)
	}
	if s.Episodes < 0 {
		return fmt.Errorf("rl: episodes is %d, must be at least 0", s.Episodes)
	}
	if s.Decay < 0 {
		return fmt.Errorf("rl: decay is %d steps, must be at least 0", s.Decay)
	}
	if s.RewardScale-s.RewardScale != 0 || s.RewardScale == 0 {
		return fmt.Errorf("rl: reward scale is %v, must be finite and not 0", s.RewardScale)
	}
	return checkDiscount(s.Discount)
}

// A PolicyGradient learns from episodes of its own policy; it is made by [NewREINFORCE],
// [NewPPO], [NewNPG], [NewTRPO] or [NewDualAC]. Each plays episodes on all cores,
// takes advantages, standardised, and moves the policy.
type PolicyGradient struct {
	system   System
	settings PolicyGradientSettings
	gradientState

	improve func(context.Context, *stepBatch, *rand.Rand) (loss, divergence float64, err error)
	judge   func([]*Episode) ([]float64, error)
	fall    float64 // of the step sizes, now
}

// gradientState is what a checkpoint holds.
type gradientState struct {
	Common                common
	Policy                *Policy
	PolicyAdam, ValueAdam *nn.Adam
	Baseline              baseline
	Value                 *nn.Network // of DualAC
}

// A stepBatch is what a policy gradient learns from: steps with their advantages.
type stepBatch struct {
	inputs, actions *mat.Dense
	advantages      []float64
}

var _ Learner = (*PolicyGradient)(nil)

// newPolicyGradient returns a learner that lacks its improvement.
func newPolicyGradient(method string, system System, settings *PolicyGradientSettings, rng *rand.Rand) (*PolicyGradient, error) {
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
	g := &PolicyGradient{system: system, settings: *settings}
	g.Common = newCommon(method, rng)
	policy, err := NewPolicy(system, settings.Policy, g.Common.rng())
	if err != nil {
		return nil, err
	}
	g.Policy, g.PolicyAdam, g.ValueAdam = policy, nn.NewAdam(settings.Rate), nn.NewAdam(settings.ValueRate)
	g.judge = g.generalized
	return g, nil
}

// NewREINFORCE returns the policy gradient with a baseline (Williams 1992): one step of
// Adam an iteration along the mean of advantage times grad log pi. nil settings are the
// defaults.
func NewREINFORCE(system System, settings *PolicyGradientSettings, rng *rand.Rand) (*PolicyGradient, error) {
	g, err := newPolicyGradient("REINFORCE", system, settings, rng)
	if err != nil {
		return nil, err
	}
	g.improve = g.reinforce
	return g, nil
}

// onNetwork returns the settings with a network where they leave the policy open.
func onNetwork(s *PolicyGradientSettings) *PolicyGradientSettings {
	if s != nil && s.Policy != nil {
		return s
	}
	s = s.WithDefaults()
	s.Policy = networkPolicySettings()
	return s
}

// NewPPO returns proximal policy optimization (Schulman et al. 2017, equation 7): Epochs
// passes over the steps in batches, along the clipped surrogate, with gradients of norm
// 0.5 at most. nil settings are the defaults.
func NewPPO(system System, settings *PolicyGradientSettings, rng *rand.Rand) (*PolicyGradient, error) {
	g, err := newPolicyGradient("PPO", system, onNetwork(settings), rng)
	if err != nil {
		return nil, err
	}
	g.improve = g.clipped
	return g, nil
}

// NewNPG returns the natural policy gradient (Kakade 2002): the step F^-1 g, of a length
// whose divergence is MaxDivergence to second order. nil settings are the defaults.
func NewNPG(system System, settings *PolicyGradientSettings, rng *rand.Rand) (*PolicyGradient, error) {
	g, err := newPolicyGradient("NPG", system, settings, rng)
	if err != nil {
		return nil, err
	}
	g.improve = func(ctx context.Context, b *stepBatch, _ *rand.Rand) (float64, float64, error) {
		return g.natural(ctx, b, false)
	}
	return g, nil
}

// NewTRPO returns trust region policy optimization (Schulman et al. 2015): NPG with a
// line search, which halves the step until the divergence is at most MaxDivergence and
// the surrogate better. nil settings are the defaults.
func NewTRPO(system System, settings *PolicyGradientSettings, rng *rand.Rand) (*PolicyGradient, error) {
	g, err := newPolicyGradient("TRPO", system, settings, rng)
	if err != nil {
		return nil, err
	}
	g.improve = func(ctx context.Context, b *stepBatch, _ *rand.Rand) (float64, float64, error) {
		return g.natural(ctx, b, true)
	}
	return g, nil
}

// System returns the system that was given to the learner.
func (g *PolicyGradient) System() System { return g.system }

// String says what learns where, and for how long it has.
func (g *PolicyGradient) String() string { return g.Common.describe(g.system) }

// Actor returns the policy.
func (g *PolicyGradient) Actor() Actor { return g.Policy }

// MarshalBinary writes the state.
func (g *PolicyGradient) MarshalBinary() ([]byte, error) { return encodeState(g.gradientState) }

// UnmarshalBinary goes back to a state of a learner with the same system, method and
// settings.
func (g *PolicyGradient) UnmarshalBinary(data []byte) error {
	var read gradientState
	if err := decodeState(data, &read); err != nil {
		return err
	}
	if err := g.Common.fits(&read.Common, [2]*nn.Network{read.Policy.network(), g.Policy.net}, [2]*nn.Network{read.Value, g.Value}); err != nil {
		return err
	}
	g.gradientState = read
	return nil
}

// Iterate plays episodes and improves the policy.
func (g *PolicyGradient) Iterate(ctx context.Context) (Progress, error) {
	rng := g.Common.rng()
	episodes, err := g.play(ctx, rng)
	if err != nil {
		return Progress{}, err
	}
	progress := g.Common.advance(episodes)
	b := &stepBatch{}
	b.inputs, b.actions = steps(episodes)
	g.fall = fall(progress.Steps, g.settings.Decay)
	g.PolicyAdam.Rate, g.ValueAdam.Rate = g.settings.Rate*g.fall, g.settings.ValueRate*g.fall
	if b.advantages, err = g.judge(episodes); err != nil {
		return Progress{}, err
	}
	progress.Loss, progress.Divergence, err = g.improve(ctx, b, rng)
	for _, v := range g.Policy.params {
		if v-v != 0 {
			return Progress{}, fmt.Errorf("rl: %s diverged in iteration %d: a smaller rate helps", g.Common.Method, progress.Iteration)
		}
	}
	return progress, err
}

// play plays the episodes of an iteration.
func (g *PolicyGradient) play(ctx context.Context, rng *rand.Rand) ([]*Episode, error) {
	if g.settings.Episodes > 0 {
		return Rollout(ctx, g.system, g.Policy, g.settings.Episodes, g.settings.EpisodeSteps, rng)
	}
	return rolloutSteps(ctx, g.system, g.Policy, g.settings.Steps, g.settings.EpisodeSteps, rng)
}

// generalized returns standardised advantages and fits the baseline after that.
func (g *PolicyGradient) generalized(episodes []*Episode) ([]float64, error) {
	var out []float64
	for _, e := range episodes {
		out = append(out, advantages(e, g.Baseline.values(e), g.settings.Discount, g.settings.GAE, g.settings.RewardScale)...)
	}
	standardize(out)
	return out, g.Baseline.fit(episodes, g.settings.Discount, g.settings.RewardScale)
}

// reinforce does one step of Adam.
func (g *PolicyGradient) reinforce(_ context.Context, b *stepBatch, _ *rand.Rand) (loss, divergence float64, err error) {
	n := len(b.advantages)
	law, logs, grad := g.Policy.batch(), make([]float64, n), make([]float64, len(g.Policy.params))
	law.logProbs(logs, b.inputs, b.actions)
	law.keep()
	c := make([]float64, n)
	vec.Scale(c, -1/float64(n), b.advantages)
	law.gradient(grad, c)
	g.PolicyAdam.Step(g.Policy.params, grad)
	g.Policy.limit()
	law.logProbs(logs, b.inputs, b.actions)
	divergence, _ = law.divergence()
	return vec.Dot(c, logs), divergence, nil
}

// clipped does PPO's epochs.
func (g *PolicyGradient) clipped(ctx context.Context, b *stepBatch, rng *rand.Rand) (loss, divergence float64, err error) {
	n := len(b.advantages)
	law, old, grad := g.Policy.batch(), make([]float64, n), make([]float64, len(g.Policy.params))
	law.logProbs(old, b.inputs, b.actions)
	law.keep()
	part := g.Policy.batch()
	var inputs, actions *mat.Dense
	logs, c := make([]float64, n), make([]float64, n)
	_, d := b.inputs.Dims()
	_, k := b.actions.Dims()
	batches := 0
epochs:
	for range g.settings.Epochs {
		order := rng.Perm(n)
		for lo := 0; lo < n; lo += g.settings.Batch {
			if err := ctx.Err(); err != nil {
				return 0, 0, err
			}
			pick := order[lo:min(lo+g.settings.Batch, n)]
			inputs, actions = resize(inputs, len(pick), d), resize(actions, len(pick), k)
			for i, at := range pick {
				copy(inputs.RawRowView(i), b.inputs.RawRowView(at))
				copy(actions.RawRowView(i), b.actions.RawRowView(at))
			}
			part.logProbs(logs, inputs, actions)
			moved := 0.0 // an estimate of the divergence that is never negative
			for i, at := range pick {
				ratio, a := vec.Exp1(logs[i]-old[at]), b.advantages[at]
				moved += (ratio - 1 - logs[i] + old[at]) / float64(len(pick))
				bound := min(max(ratio, 1-g.settings.Clip), 1+g.settings.Clip)
				loss -= min(ratio*a, bound*a) / float64(len(pick))
				c[i] = 0
				if ratio*a <= bound*a {
					c[i] = -ratio * a / float64(len(pick))
				}
			}
			batches++
			if moved > 1.5*g.settings.MaxDivergence {
				break epochs
			}
			part.gradient(grad, c[:len(pick)])
			nn.ClipNorm(grad, 0.5)
			g.PolicyAdam.Step(g.Policy.params, grad)
			g.Policy.limit()
		}
	}
	law.logProbs(logs, b.inputs, b.actions)
	divergence, _ = law.divergence()
	return loss / float64(batches), divergence, nil
}

// natural does the step of NPG, or with a search that of TRPO.
func (g *PolicyGradient) natural(ctx context.Context, b *stepBatch, search bool) (loss, divergence float64, err error) {
	n, set := len(b.advantages), &g.settings
	bound := set.MaxDivergence * g.fall * g.fall
	law, old, logs := g.Policy.batch(), make([]float64, n), make([]float64, n)
	grad, step := make([]float64, len(g.Policy.params)), make([]float64, len(g.Policy.params))
	law.logProbs(old, b.inputs, b.actions)
	law.keep()
	c := make([]float64, n)
	vec.Scale(c, 1/float64(n), b.advantages)
	law.gradient(grad, c)
	conjugate(step, grad, set.ConjugateSteps, func(dst, v []float64) { law.fisher(dst, v, set.Damping) })
	if err := ctx.Err(); err != nil {
		return 0, 0, err
	}
	fx := make([]float64, len(step))
	law.fisher(fx, step, set.Damping)
	curvature := vec.Dot(step, fx)
	if !(curvature > 0) {
		return 0, 0, nil // no advantage anywhere
	}
	vec.Scale(step, math.Sqrt(2*bound/curvature), step)
	start := append([]float64(nil), g.Policy.params...)
	surrogate := vec.Sum(c)
	for halvings := 0; ; halvings++ {
		vec.Axpy(g.Policy.params, 1, step)
		g.Policy.limit()
		law.logProbs(logs, b.inputs, b.actions)
		divergence, _ = law.divergence()
		reached := 0.0
		for i := range logs {
			reached += c[i] * vec.Exp1(logs[i]-old[i])
		}
		if !search || divergence <= bound && reached >= surrogate {
			return -reached, divergence, nil
		}
		copy(g.Policy.params, start)
		if halvings == 10 {
			return -surrogate, 0, nil
		}
		vec.Scale(step, 0.5, step)
	}
}
