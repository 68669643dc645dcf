package rl

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/nn"
)

// DQNSettings are those of [NewDQN]. Fields that are zero have the values of
// [DefaultDQNSettings]; None is 0 for Discount, Explore and Warmup.
type DQNSettings struct {
	Hidden       []int // widths of the ReLU layers of Q
	Discount     float64
	RewardScale  float64
	Rate         float64 // of Adam
	Decay        int     // environment steps n after which the rate is half, as 1/(1 + steps/n) falls; 0 leaves it
	Batch        int
	Every        int     // environment steps from one update to the next
	Target       float64 // tau, by which the target network follows in an update
	Replay       int     // steps kept
	Warmup       int     // steps with uniformly random choices, before anything is learnt
	EpisodeSteps int     // cuts episodes shorter than the system does; 0 does not
	// Explore is the probability of a uniformly random choice after ExploreSteps steps
	// of the environment, down to which it falls from 1 in a line.
	Explore      float64
	ExploreSteps int
	MaxNorm      float64 // of the gradient, clipped
}

// DefaultDQNSettings returns the settings that nil stands for: two layers of 64, discount
// 0.99, rate 0.001, a batch of 64 at every second step, tau 0.01, 50,000
// steps kept and 1,000 of warm-up, random choices down to 0.05 in 10,000 steps.
func DefaultDQNSettings() *DQNSettings {
	return &DQNSettings{Hidden: []int{64, 64}, Discount: 0.99, RewardScale: 1, Rate: 1e-3, Batch: 64, Every: 2, Target: 0.01,
		Replay: 50000, Warmup: 1000, Explore: 0.05, ExploreSteps: 10000, MaxNorm: 10}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *DQNSettings) WithDefaults() *DQNSettings { return settings.Fill(s, DefaultDQNSettings()) }

// resolve returns the settings in effect, None as 0.
func (s *DQNSettings) resolve() *DQNSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Discount, &out.Explore)
	settings.Clear(&out.Warmup)
	return out
}

func (s *DQNSettings) check() error {
	switch {
	case !(s.Rate > 0 && s.Rate <= 1):
		return fmt.Errorf("rl: rate is %v, must be above 0 and at most 1", s.Rate)
	case s.Decay < 0:
		return fmt.Errorf("rl: decay is %d steps, must be at least 0", s.Decay)
	case s.Batch < 1:
		return fmt.Errorf("rl: batch is %d, must be at least 1", s.Batch)
	case !(s.Target > 0 && s.Target <= 1):
		return fmt.Errorf("rl: target is %v, must be above 0 and at most 1", s.Target)
	case !(s.Explore >= 0 && s.Explore <= 1) || s.ExploreSteps < 1:
		return fmt.Errorf("rl: explore is %v after %d steps, must be from 0 to 1 after at least 1", s.Explore, s.ExploreSteps)
	case !(s.MaxNorm > 0):
		return fmt.Errorf("rl: max norm is %v, must be positive", s.MaxNorm)
	}
	return checkDiscount(s.Discount)
}

// DQN is the deep Q-network (Mnih et al. 2015) with the double estimate of van Hasselt,
// Guez & Silver 2016, for choices: Q is fitted by Huber's loss to
//
//	r + discount Q'(s', argmax_a Q(s', a)),
//
// with a target Q' that follows slowly. An iteration is one episode.
//
// Numbers whose bounds are above 1 come to Q as they are, others in units of their bounds.
//
// With the defaults four seeds end at -79, -99, -87 and -82 on Acrobot after 50,000 steps, and reach -125 to -109 on
// MountainCar. On CartPole they learn and do not hold what they have learnt: evaluations of six seeds every 5,000 steps
// are 500 of 500 at best for three and 192 to 265 for the others, and end from 66 to 461. [A2C] reaches 500.
type DQN struct {
	offPolicy
	settings DQNSettings
	dqnState

	pass, targetPass, one *nn.Pass
	dq                    *mat.Dense
	best                  []int
	grad                  []float64
}

// dqnState is what a checkpoint holds.
type dqnState struct {
	Common     common
	InputScale []float64 // nil in what older versions wrote: the bounds
	Q, Target  *nn.Network
	Adam       *nn.Adam
	Memory     memory
}

var _ Learner = (*DQN)(nil)

// NewDQN returns a learner at its start. nil settings are the defaults.
func NewDQN(system System, settings *DQNSettings, rng *rand.Rand) (*DQN, error) {
	if err := checkGiven(system, rng); err != nil {
		return nil, err
	}
	settings = settings.resolve()
	if err := settings.check(); err != nil {
		return nil, err
	}
	q := &DQN{offPolicy: newOffPolicy(system, settings.Batch), settings: *settings}
	if q.action.N == 0 {
		return nil, fmt.Errorf("rl: the actions of %s are a box, must be choices for DQN; SAC and DDPG take a box", system.Name())
	}
	q.rewardScale, q.keep, q.warmup, q.every, q.cut = settings.RewardScale, settings.Replay, settings.Warmup, settings.Every, settings.EpisodeSteps
	if err := q.check(); err != nil {
		return nil, err
	}
	observation, _ := system.Spaces()
	q.input = newNetworkEncoder(observation)
	q.Common, q.InputScale = newCommon("DQN", rng), q.input.scale
	var err error
	if q.Q, err = nn.NewMLP(sizes(q.input.width(), settings.Hidden, q.action.N), nn.ReLU, q.Common.rng()); err != nil {
		return nil, err
	}
	// With NewMLP's weights a step of Adam moves all values together, the target follows, and both run away.
	q.Q.DrawUniform(q.Common.rng())
	q.Target, q.Adam = q.Q.Clone(), nn.NewAdam(settings.Rate)
	q.link()
	return q, nil
}

func (q *DQN) link() {
	n := q.settings.Batch
	q.pass, q.targetPass, q.one = q.Q.NewPass(n), q.Target.NewPass(n), q.Q.NewPass(1)
	q.dq, q.best, q.grad = mat.NewDense(n, q.action.N, nil), make([]int, n), make([]float64, len(q.Q.Params()))
}

// Actor returns the greedy policy, a [NetworkActor].
func (q *DQN) Actor() Actor { return newNetworkActor(q.Q, greedy, q.input, q.action) }

// String says what learns where, and for how long it has.
func (q *DQN) String() string { return q.Common.describe(q.system) }

// MarshalBinary writes the state, with the steps that are kept.
func (q *DQN) MarshalBinary() ([]byte, error) { return encodeState(q.dqnState) }

// UnmarshalBinary goes back to a state of a learner with the same system and settings.
func (q *DQN) UnmarshalBinary(data []byte) error {
	var read dqnState
	if err := decodeState(data, &read); err != nil {
		return err
	}
	if err := q.Common.fits(&read.Common, [2]*nn.Network{read.Q, q.Q}, [2]*nn.Network{read.Target, q.Q}); err != nil {
		return err
	}
	if err := q.input.rescale(read.InputScale); err != nil {
		return err
	}
	q.dqnState = read
	q.link()
	return nil
}

// Iterate plays one episode and learns on the way.
func (q *DQN) Iterate(ctx context.Context) (Progress, error) {
	rng := q.Common.rng()
	x := mat.NewDense(1, q.input.width(), nil)
	steps := q.Common.Steps
	act := func(dst, input []float64) {
		share := min(1, float64(steps)/float64(q.settings.ExploreSteps))
		if steps++; rng.Float64() < 1+share*(q.settings.Explore-1) {
			dst[0] = float64(rng.IntN(q.action.N))
			return
		}
		x.SetRow(0, input)
		dst[0] = float64(argmax(q.one.Forward(x).RawRowView(0)))
	}
	q.Adam.Rate = q.settings.Rate * fall(q.Common.Steps, q.settings.Decay)
	return q.episode(ctx, &q.Common, &q.Memory, rng, act, q.update)
}

// update does a step of Q and of the target and returns the loss.
func (q *DQN) update() float64 {
	loss := q.gradient()
	nn.ClipNorm(q.grad, q.settings.MaxNorm)
	q.Adam.Step(q.Q.Params(), q.grad)
	follow(q.dqnState.Target, q.Q, q.settings.Target)
	return loss
}

// gradient sets grad to that of Huber's loss on the batch, which it returns.
func (q *DQN) gradient() float64 {
	b, loss := q.batch, 0.0
	next := q.pass.Forward(b.next)
	for i := range q.best {
		q.best[i] = argmax(next.RawRowView(i))
	}
	ahead := q.targetPass.Forward(b.next)
	now := q.pass.Forward(b.s)
	q.dq.Zero()
	share := 1 / float64(len(q.best))
	for i, best := range q.best {
		a := int(b.a.At(i, 0))
		gap := now.At(i, a) - b.rewards[i] - q.settings.Discount*b.follow[i]*ahead.At(i, best)
		slope := clip(gap, 1)
		loss += share * slope * (gap - slope/2)
		q.dq.Set(i, a, share*slope)
	}
	q.pass.Backward(q.grad, q.dq, nil)
	return loss
}
