package rl

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/nn"
	"gaucho/stdlib/vec"
)

// A2CSettings are those of [NewA2C]. Fields that are zero have the values of
// [DefaultA2CSettings]; None is 0 for Discount and GAE.
type A2CSettings struct {
	Policy *PolicySettings // nil is a network with two layers of 64
	Hidden []int           // widths of the tanh layers of V
	// Environments step together, Steps each, before an update; an iteration has
	// Updates of these.
	Environments, Steps, Updates int
	Discount                     float64
	GAE                          float64 // lambda of generalized advantage estimates; None is one step
	// RewardScale is what rewards are multiplied by; 0 is 1 over the standard deviation of
	// discounted returns in 2,000 steps under random actions.
	RewardScale     float64
	Rate, ValueRate float64 // of Adam
	Decay           int     // environment steps n after which rates are half, as 1/(1 + steps/n) falls; 0 leaves them
	MaxNorm         float64 // of each gradient, clipped
}

// DefaultA2CSettings returns the settings that nil stands for: 8 environments, 16 steps of
// each before an update and 10 updates in an iteration; discount 0.99, lambda 0.95, rates of 0.001 for the
// policy and 0.003 for V; both are networks with two layers of 64.
func DefaultA2CSettings() *A2CSettings {
	return &A2CSettings{Policy: networkPolicySettings(), Hidden: []int{64, 64}, Environments: 8, Steps: 16, Updates: 10,
		Discount: 0.99, GAE: 0.95, Rate: 1e-3, ValueRate: 3e-3, MaxNorm: 0.5}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *A2CSettings) WithDefaults() *A2CSettings { return settings.Fill(s, DefaultA2CSettings()) }

// resolve returns the settings in effect, None as 0.
func (s *A2CSettings) resolve() *A2CSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Discount, &out.GAE)
	return out
}

func (s *A2CSettings) check() error {
	switch {
	case s.Environments < 1 || s.Steps < 1 || s.Updates < 1:
		return fmt.Errorf("rl: %d environments, %d steps and %d updates, must be at least 1 each", s.Environments, s.Steps, s.Updates)
	case !(s.Rate > 0 && s.ValueRate > 0 && s.Rate <= 1 && s.ValueRate <= 1):
		return fmt.Errorf("rl: rates are %v and %v, must be above 0 and at most 1", s.Rate, s.ValueRate)
	case s.Decay < 0:
		return fmt.Errorf("rl: decay is %d steps, must be at least 0", s.Decay)
	case !(s.GAE >= 0 && s.GAE <= 1):
		return fmt.Errorf("rl: GAE is %v, must be from 0 to 1", s.GAE)
	case s.RewardScale-s.RewardScale != 0:
		return fmt.Errorf("rl: reward scale is %v, must be finite", s.RewardScale)
	case !(s.MaxNorm > 0):
		return fmt.Errorf("rl: max norm is %v, must be positive", s.MaxNorm)
	}
	return checkDiscount(s.Discount)
}

// A2C is the advantage actor-critic (Mnih et al. 2016, with environments that step
// together): a step of the policy along the mean of advantage times grad log pi, the
// advantages standardised, and one of V towards the returns. The environments step on
// all cores and the networks take all of them in a batch, so that an environment step
// costs least of all methods here.
type A2C struct {
	system   System
	settings A2CSettings
	a2cState

	vector        *Vector
	law           *lawBatch
	values        *nn.Pass
	raw, actions  *mat.Dense // of one step
	inputs, taken *mat.Dense // of all steps before an update, those of a step in a block
	logs, c       []float64
	gradPi, gradV []float64
	returns       []float64 // so far, of the episodes that are under way
}

// a2cState is what a checkpoint holds.
type a2cState struct {
	Common              common
	Policy              *Policy
	Value               *nn.Network
	PolicyAdam, ValAdam *nn.Adam
	Vector              []byte
	Returns             []float64
	Last                float64 // mean return of the episodes that ended last
	RewardScale         float64 // 0 in what older versions wrote
}

var _ Learner = (*A2C)(nil)

// NewA2C returns a learner at its start. nil settings are the defaults.
func NewA2C(system System, settings *A2CSettings, rng *rand.Rand) (*A2C, error) {
	if err := checkGiven(system, rng); err != nil {
		return nil, err
	}
	settings = settings.resolve()
	if err := settings.check(); err != nil {
		return nil, err
	}
	g := &A2C{system: system, settings: *settings}
	g.Common = newCommon("A2C", rng)
	own := g.Common.rng()
	var err error
	if g.Policy, err = NewPolicy(system, settings.Policy, own); err != nil {
		return nil, err
	}
	if g.Value, err = nn.NewMLP(sizes(g.Policy.input.width(), settings.Hidden, 1), nn.Tanh, own); err != nil {
		return nil, err
	}
	g.PolicyAdam, g.ValAdam = nn.NewAdam(settings.Rate), nn.NewAdam(settings.ValueRate)
	if g.vector, err = NewVector(system, settings.Environments, own); err != nil {
		return nil, err
	}
	if g.RewardScale = settings.RewardScale; g.RewardScale == 0 {
		_, rewards, ends := probe(system, &g.Policy.input, 2000, own)
		g.RewardScale = 1 / deviationOfReturns(rewards, ends, settings.Discount)
	}
	g.returns = make([]float64, settings.Environments)
	g.link()
	return g, nil
}

func (g *A2C) link() {
	n, rows := g.settings.Environments, g.settings.Environments*g.settings.Steps
	d, k := g.Policy.input.width(), g.Policy.action.Dim()
	g.law, g.values = g.Policy.batch(), g.Value.NewPass(rows)
	g.raw, g.actions = mat.NewDense(n, k, nil), mat.NewDense(n, k, nil)
	g.inputs, g.taken = mat.NewDense(rows, d, nil), mat.NewDense(rows, k, nil)
	g.logs, g.c = make([]float64, rows), make([]float64, rows)
	g.gradPi, g.gradV = make([]float64, len(g.Policy.params)), make([]float64, len(g.Value.Params()))
}

// System returns the system that was given to the learner.
func (g *A2C) System() System { return g.system }

// String says what learns where, and for how long it has.
func (g *A2C) String() string { return g.Common.describe(g.system) }

// Actor returns the policy.
func (g *A2C) Actor() Actor { return g.Policy }

// MarshalBinary writes the state, with that of the environments.
func (g *A2C) MarshalBinary() ([]byte, error) {
	var err error
	if g.a2cState.Vector, err = g.vector.MarshalBinary(); err != nil {
		return nil, err
	}
	g.a2cState.Returns = g.returns
	return encodeState(g.a2cState)
}

// UnmarshalBinary goes back to a state of a learner with the same system and settings.
func (g *A2C) UnmarshalBinary(data []byte) error {
	var read a2cState
	if err := decodeState(data, &read); err != nil {
		return err
	}
	if err := g.Common.fits(&read.Common, [2]*nn.Network{read.Policy.network(), g.Policy.net}, [2]*nn.Network{read.Value, g.Value}); err != nil {
		return err
	}
	if len(read.Returns) != len(g.returns) {
		return fmt.Errorf("rl: the data hold a state of %d environments, must be of %d", len(read.Returns), len(g.returns))
	}
	if err := g.vector.UnmarshalBinary(read.Vector); err != nil {
		return err
	}
	if read.RewardScale == 0 {
		read.RewardScale = cmp.Or(g.settings.RewardScale, 1)
	}
	g.a2cState, g.returns = read, read.Returns
	g.link()
	return nil
}

// Iterate does the updates of an iteration. Its Return is the mean of the episodes that
// ended in it, or in the last iteration that had one, and 0 before there is any.
func (g *A2C) Iterate(ctx context.Context) (Progress, error) {
	rng := g.Common.rng()
	falls := fall(g.Common.Steps, g.settings.Decay)
	g.PolicyAdam.Rate, g.ValAdam.Rate = falls*g.settings.Rate, falls*g.settings.ValueRate
	g.Common.Iteration++
	p := Progress{Iteration: g.Common.Iteration}
	sum, ended := 0.0, 0
	for range g.settings.Updates {
		if err := ctx.Err(); err != nil {
			return Progress{}, err
		}
		s, n, err := g.collect(rng)
		if err != nil {
			return Progress{}, err
		}
		sum, ended = sum+s, ended+n
		p.Loss += g.update() / float64(g.settings.Updates)
	}
	if p.Loss-p.Loss != 0 {
		return Progress{}, fmt.Errorf("rl: A2C diverged in iteration %d: smaller rates or rewards help", p.Iteration)
	}
	if ended > 0 {
		g.Last = sum / float64(ended)
	}
	p.Steps, p.Return = g.Common.Steps, g.Last
	return p, nil
}

// collect does the steps before an update and sets c to their advantages. It returns
// the sum of the returns of the episodes that ended, and their number.
func (g *A2C) collect(rng *rand.Rand) (sum float64, ended int, err error) {
	v, n, steps := g.vector, g.settings.Environments, g.settings.Steps
	in := &g.Policy.input
	width := in.width()
	rewards, over := make([]float64, n*steps), make([]bool, n*steps)
	var cut []int // rows whose episode was cut off after them
	var tail []float64
	for t := range steps {
		rows := g.inputs.Slice(t*n, (t+1)*n, 0, width).(*mat.Dense)
		for i := range n {
			if err := in.check(v.Observations.RawRowView(i)); err != nil {
				return 0, 0, fmt.Errorf("%w (step %d)", err, g.Common.Steps)
			}
			in.encode(rows.RawRowView(i), v.Observations.RawRowView(i))
		}
		g.law.sample(g.raw, rows, rng)
		for i := range n {
			copy(g.taken.RawRowView(t*n+i), g.raw.RawRowView(i))
			copy(g.actions.RawRowView(i), g.raw.RawRowView(i))
			for j, s := range g.Policy.scale {
				g.actions.Set(i, j, s*g.raw.At(i, j)+g.Policy.centre[j])
			}
		}
		v.Step(g.actions)
		for i, r := range v.Rewards {
			if r-r != 0 {
				return 0, 0, fmt.Errorf("rl: the reward of step %d is %v, must be finite", g.Common.Steps+i, r)
			}
			at := t*n + i
			rewards[at], over[at] = g.RewardScale*r, v.Terminated[i] || v.Truncated[i]
			g.returns[i] += r
			if over[at] {
				sum, ended = sum+g.returns[i], ended+1
				g.returns[i] = 0
			}
			if v.Truncated[i] {
				cut = append(cut, at)
				tail = append(tail, make([]float64, width)...)
				in.encode(tail[len(tail)-width:], v.Final.RawRowView(i))
			}
		}
		g.Common.Steps += n
	}
	for i := range n {
		tail = append(tail, make([]float64, width)...)
		in.encode(tail[len(tail)-width:], v.Observations.RawRowView(i))
	}
	beyond := mat.Col(nil, 0, g.values.Forward(mat.NewDense(len(cut)+n, width, tail)))
	for i, at := range cut {
		rewards[at] += g.settings.Discount * beyond[i]
	}
	now := g.values.Forward(g.inputs)
	for i := range n {
		next, sum := beyond[len(cut)+i], 0.0
		for t := steps - 1; t >= 0; t-- {
			at := t*n + i
			if over[at] {
				next, sum = 0, 0
			}
			sum = rewards[at] + g.settings.Discount*next - now.At(at, 0) + g.settings.Discount*g.settings.GAE*sum
			g.c[at], next = sum, now.At(at, 0)
		}
	}
	return sum, ended, nil
}

// update does a step of V and of the policy, and returns V's loss.
func (g *A2C) update() float64 {
	share, loss := 1/float64(len(g.c)), 0.0
	dout := mat.NewDense(len(g.c), 1, nil)
	for i, a := range g.c {
		loss += share * a * a
		dout.Set(i, 0, -2*share*a)
	}
	g.values.Backward(g.gradV, dout, nil)
	nn.ClipNorm(g.gradV, g.settings.MaxNorm)
	g.ValAdam.Step(g.Value.Params(), g.gradV)

	standardize(g.c)
	vec.Scale(g.c, -share, g.c)
	g.law.logProbs(g.logs, g.inputs, g.taken)
	g.law.gradient(g.gradPi, g.c)
	nn.ClipNorm(g.gradPi, g.settings.MaxNorm)
	g.PolicyAdam.Step(g.Policy.params, g.gradPi)
	g.Policy.limit()
	return loss
}
