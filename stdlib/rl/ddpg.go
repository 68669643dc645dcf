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

// DDPGSettings are those of [NewDDPG]. Fields that are zero have the values of
// [DefaultDDPGSettings]; None is 0 for Discount, Noise and Warmup.
type DDPGSettings struct {
	Hidden                []int // widths of the ReLU layers of actor and critic
	Discount              float64
	RewardScale           float64
	ActorRate, CriticRate float64 // of Adam
	Decay                 int     // environment steps n after which rates are half, as 1/(1 + steps/n) falls; 0 leaves them
	Target                float64 // tau, by which target networks follow in a step
	Noise                 float64 // sigma of the Ornstein-Uhlenbeck process, in units of half the box
	Batch                 int
	Every                 int // environment steps from one update to the next
	Replay                int // steps kept
	Warmup                int // steps with uniformly random actions, before anything is learnt
	EpisodeSteps          int // cuts episodes shorter than the system does; 0 does not
}

// DefaultDDPGSettings returns the settings that nil stands for: those of Dai 2018, section
// 6.7.1, with batch 64 at every step, discount 0.99, critic rate 0.001, tau 0.005 in place of 0.001, with which
// Pendulum is not learnt in 10,000 steps, 100,000 steps kept and 1,000 of warm-up.
func DefaultDDPGSettings() *DDPGSettings {
	return &DDPGSettings{Hidden: []int{64, 64}, Discount: 0.99, RewardScale: 1, ActorRate: 1e-4, CriticRate: 1e-3, Target: 5e-3, Noise: 0.3, Batch: 64, Every: 1, Replay: 100000, Warmup: 1000}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *DDPGSettings) WithDefaults() *DDPGSettings { return settings.Fill(s, DefaultDDPGSettings()) }

// resolve returns the settings in effect, None as 0.
func (s *DDPGSettings) resolve() *DDPGSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Discount, &out.Noise)
	settings.Clear(&out.Warmup)
	return out
}

func (s *DDPGSettings) check() error {
	if !(s.Noise >= 0) || math.IsInf(s.Noise, 1) {
		return fmt.Errorf("rl: noise is %v, must be at least 0", s.Noise)
	}
	return checkActorCritic(s.ActorRate, s.CriticRate, s.Target, s.Batch, s.Decay, s.Discount)
}

// DDPG is deep deterministic policy gradient (Lillicrap et al. 2016) for boxes of actions:
// a critic Q(s, a) fitted to r + discount Q'(s', mu'(s')) and an actor mu(s) = tanh of a
// network that climbs it, with targets Q' and mu' that follow slowly. Both learn at every
// step of the environment. An iteration is one episode.
type DDPG struct {
	offPolicy
	settings DDPGSettings
	ddpgState

	mu, muTarget, one *nn.Pass // of the actor, its target, and of the actor for one row
	acts              *mat.Dense
	targets, gradMu   []float64
}

// ddpgState is what a checkpoint holds.
type ddpgState struct {
	Common       common
	Critic       *critic
	Mu, MuTarget *nn.Network
	MuAdam       *nn.Adam
	Memory       memory
}

var _ Learner = (*DDPG)(nil)

// NewDDPG returns a learner at its start. nil settings are the defaults.
func NewDDPG(system System, settings *DDPGSettings, rng *rand.Rand) (*DDPG, error) {
	if err := checkGiven(system, rng); err != nil {
		return nil, err
	}
	settings = settings.resolve()
	if err := settings.check(); err != nil {
		return nil, err
	}
	g := &DDPG{offPolicy: newOffPolicy(system, settings.Batch), settings: *settings}
	if g.action.N > 0 {
		return nil, fmt.Errorf("rl: the actions of %s are choices, must be a box for DDPG", system.Name())
	}
	g.rewardScale, g.keep, g.warmup, g.every, g.cut = settings.RewardScale, settings.Replay, settings.Warmup, settings.Every, settings.EpisodeSteps
	if err := g.check(); err != nil {
		return nil, err
	}
	g.Common = newCommon("DDPG", rng)
	own := g.Common.rng()
	d, k := g.input.width(), len(g.scale)
	var err error
	if g.Critic, err = newCritic(d, k, settings.Hidden, settings.CriticRate, own); err != nil {
		return nil, err
	}
	if g.Mu, err = nn.NewMLP(sizes(d, settings.Hidden, k), nn.ReLU, own); err != nil {
		return nil, err
	}
	g.Mu.ScaleOutput(0.01)
	g.MuTarget, g.MuAdam = g.Mu.Clone(), nn.NewAdam(settings.ActorRate)
	g.acts, g.targets = mat.NewDense(settings.Batch, k, nil), make([]float64, settings.Batch)
	g.link()
	return g, nil
}

func (g *DDPG) link() {
	g.Critic.link(g.settings.Batch)
	g.mu, g.muTarget, g.one = g.Mu.NewPass(g.settings.Batch), g.MuTarget.NewPass(g.settings.Batch), g.Mu.NewPass(1)
	g.gradMu = make([]float64, len(g.Mu.Params()))
}

// Actor returns the deterministic policy, a [NetworkActor].
func (g *DDPG) Actor() Actor { return newNetworkActor(g.Mu, bounded, g.input, g.action) }

// String says what learns where, and for how long it has.
func (g *DDPG) String() string { return g.Common.describe(g.system) }

// MarshalBinary writes the state, with the steps that are kept.
func (g *DDPG) MarshalBinary() ([]byte, error) { return encodeState(g.ddpgState) }

// UnmarshalBinary goes back to a state of a learner with the same system and settings.
func (g *DDPG) UnmarshalBinary(data []byte) error {
	var read ddpgState
	if err := decodeState(data, &read); err != nil {
		return err
	}
	if err := g.Common.fits(&read.Common, [2]*nn.Network{read.Mu, g.Mu}, [2]*nn.Network{read.MuTarget, g.MuTarget}); err != nil {
		return err
	}
	if err := read.Critic.fits(g.Critic); err != nil {
		return err
	}
	g.ddpgState = read
	g.link()
	return nil
}

// Iterate plays one episode and learns on the way.
func (g *DDPG) Iterate(ctx context.Context) (Progress, error) {
	rng := g.Common.rng()
	noise := make([]float64, len(g.scale))
	x := mat.NewDense(1, g.input.width(), nil)
	act := func(dst, input []float64) {
		x.SetRow(0, input)
		vec.Tanh(dst, g.one.Forward(x).RawRowView(0))
		for i := range dst {
			noise[i] += -0.15*noise[i] + g.settings.Noise*rng.NormFloat64()
			dst[i] = clip(dst[i]+noise[i], 1)
		}
	}
	falls := fall(g.Common.Steps, g.settings.Decay)
	g.MuAdam.Rate, g.Critic.Adam.Rate = falls*g.settings.ActorRate, falls*g.settings.CriticRate
	return g.episode(ctx, &g.Common, &g.Memory, rng, act, g.update)
}

// update does a step of the critic, the actor and the targets, and returns the
// critic's loss.
func (g *DDPG) update() float64 {
	b := g.batch
	next := g.Critic.ahead(b.next, g.squash(g.muTarget.Forward(b.next)))
	for i, r := range b.rewards {
		g.targets[i] = r + g.settings.Discount*b.follow[i]*next.At(i, 0)
	}
	loss := g.Critic.fit(b.s, b.a, g.targets)

	// The actor climbs the mean of Q(s, mu(s)): dQ/da (1 - a^2) dmu.
	_, by := g.Critic.slopes(b.s, g.squash(g.mu.Forward(b.s)))
	d := g.input.width()
	for i := range b.rewards {
		a, slope := g.acts.RawRowView(i), by.RawRowView(i)[d:]
		for j, v := range a {
			a[j] = -slope[j] * (1 - v*v) / float64(len(b.rewards))
		}
	}
	g.mu.Backward(g.gradMu, g.acts, nil)
	g.MuAdam.Step(g.Mu.Params(), g.gradMu)
	follow(g.Critic.Target, g.Critic.Net, g.settings.Target)
	follow(g.MuTarget, g.Mu, g.settings.Target)
	return loss
}

// squash returns tanh of the outputs of an actor.
func (g *DDPG) squash(out *mat.Dense) *mat.Dense {
	vec.Tanh(g.acts.RawMatrix().Data, out.RawMatrix().Data)
	return g.acts
}
