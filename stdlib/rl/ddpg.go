package rl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

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
	Target                float64 // tau, by which target networks follow in a step
	Noise                 float64 // sigma of the Ornstein-Uhlenbeck process, in units of half the box
	Batch                 int
	Replay                int // steps kept
	Warmup                int // steps with uniformly random actions, before anything is learnt
	EpisodeSteps          int // cuts episodes shorter than the system does; 0 does not
}

// DefaultDDPGSettings returns the settings that nil stands for: those of Dai 2018, section
// 6.7.1, with batch 64, discount 0.99, critic rate 0.001, 100,000 steps kept and 1,000 of warm-up.
func DefaultDDPGSettings() *DDPGSettings {
	return &DDPGSettings{Hidden: []int{64, 64}, Discount: 0.99, RewardScale: 1, ActorRate: 1e-4, CriticRate: 1e-3, Target: 1e-3, Noise: 0.3, Batch: 64, Replay: 100000, Warmup: 1000}
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
	for _, c := range []struct {
		name string
		x    float64
	}{{"actor rate", s.ActorRate}, {"critic rate", s.CriticRate}, {"target", s.Target}} {
		if !(c.x > 0 && c.x <= 1) {
			return fmt.Errorf("rl: %s is %v, must be above 0 and at most 1", c.name, c.x)
		}
	}
	switch {
	case !(s.Noise >= 0) || math.IsInf(s.Noise, 1):
		return fmt.Errorf("rl: noise is %v, must be at least 0", s.Noise)
	case s.Batch < 1 || s.Replay < s.Batch || s.Warmup < 0:
		return fmt.Errorf("rl: batch is %d of %d steps kept after %d, must be at least 1 and no more than are kept", s.Batch, s.Replay, s.Warmup)
	case s.RewardScale-s.RewardScale != 0 || s.RewardScale == 0:
		return fmt.Errorf("rl: reward scale is %v, must be finite and not 0", s.RewardScale)
	}
	return checkDiscount(s.Discount)
}

// DDPG is deep deterministic policy gradient (Lillicrap et al. 2016) for boxes of actions:
// a critic Q(s, a) fitted to r + discount Q'(s', mu'(s')) and an actor mu(s) = tanh of a
// network that climbs it, with targets Q' and mu' that follow slowly. Every step of the
// environment is followed by an update of both. An iteration is one episode.
type DDPG struct {
	system   System
	settings DDPGSettings
	ddpgState

	input  encoder
	centre []float64 // of the box of actions
	scale  []float64
	passes [4]*nn.Pass // of critic, actor and their targets
	one    *nn.Pass    // of the actor, one row
	s, next, a, sa, dsa, da,
	dq *mat.Dense
	gradQ, gradMu []float64
	batch         []int
}

// ddpgState is what a checkpoint holds.
type ddpgState struct {
	Common                                  common
	Critic, Mu, CriticTarget, MuTarget      *nn.Network
	CriticAdam, MuAdam                      *nn.Adam
	States, Nexts, Actions, Rewards, Follow []float64 // of the steps kept; Follow is 0 after an end
	At                                      int       // the oldest, once there are Replay
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
	observation, action := system.Spaces()
	if action.N > 0 {
		return nil, fmt.Errorf("rl: the actions of %s are choices, must be a box for DDPG", system.Name())
	}
	if system.Limit() == 0 && settings.EpisodeSteps < 1 {
		return nil, fmt.Errorf("rl: episode steps is %d, must be positive where the system has no limit", settings.EpisodeSteps)
	}
	g := &DDPG{system: system, settings: *settings, input: newEncoder(observation)}
	g.centre, g.scale = middle(action)
	g.Common = newCommon("DDPG", rng)
	own := g.Common.rng()
	d, k := g.input.width(), action.Dim()
	var err error
	if g.Critic, err = nn.NewMLP(sizes(d+k, settings.Hidden, 1), nn.ReLU, own); err != nil {
		return nil, err
	}
	if g.Mu, err = nn.NewMLP(sizes(d, settings.Hidden, k), nn.ReLU, own); err != nil {
		return nil, err
	}
	g.Critic.ScaleOutput(0.01)
	g.Mu.ScaleOutput(0.01)
	g.CriticTarget, g.MuTarget = g.Critic.Clone(), g.Mu.Clone()
	g.CriticAdam, g.MuAdam = nn.NewAdam(settings.CriticRate), nn.NewAdam(settings.ActorRate)
	n := settings.Batch
	g.s, g.next, g.a, g.da = mat.NewDense(n, d, nil), mat.NewDense(n, d, nil), mat.NewDense(n, k, nil), mat.NewDense(n, k, nil)
	g.sa, g.dsa, g.dq = mat.NewDense(n, d+k, nil), mat.NewDense(n, d+k, nil), mat.NewDense(n, 1, nil)
	g.batch = make([]int, n)
	g.link()
	return g, nil
}

func (g *DDPG) link() {
	for i, net := range []*nn.Network{g.Critic, g.Mu, g.CriticTarget, g.MuTarget} {
		g.passes[i] = net.NewPass(g.settings.Batch)
	}
	g.one = g.Mu.NewPass(1)
	g.gradQ, g.gradMu = make([]float64, len(g.Critic.Params())), make([]float64, len(g.Mu.Params()))
}

// Actor returns the deterministic policy: Act does what Mode does.
func (g *DDPG) Actor() Actor { return deterministic{g} }

type deterministic struct{ g *DDPG }

func (d deterministic) Act(observation []float64, _ *rand.Rand) []float64 { return d.Mode(observation) }

func (d deterministic) Mode(observation []float64) []float64 {
	d.g.input.mustTake(observation)
	x := mat.NewDense(1, d.g.input.width(), nil)
	d.g.input.encode(x.RawRowView(0), observation)
	out := slices.Clone(d.g.Mu.NewPass(1).Forward(x).RawRowView(0))
	vec.Tanh(out, out)
	vec.Mul(out, out, d.g.scale)
	vec.Add(out, out, d.g.centre)
	return out
}

// MarshalBinary writes the state, with the steps that are kept.
func (g *DDPG) MarshalBinary() ([]byte, error) { return encodeState(g.ddpgState) }

// UnmarshalBinary goes back to a state of a learner with the same system and settings.
func (g *DDPG) UnmarshalBinary(data []byte) error {
	var read ddpgState
	if err := decodeState(data, &read); err != nil {
		return err
	}
	if read.Common.Method != g.Common.Method {
		return fmt.Errorf("rl: the data hold a state of %q, must be of %q", read.Common.Method, g.Common.Method)
	}
	for _, pair := range [][2]*nn.Network{{read.Critic, g.Critic}, {read.Mu, g.Mu}, {read.CriticTarget, g.CriticTarget}, {read.MuTarget, g.MuTarget}} {
		if err := sameNetworks(pair[0], pair[1]); err != nil {
			return err
		}
	}
	g.ddpgState = read
	g.link()
	return nil
}

// Iterate plays one episode and learns at every step.
func (g *DDPG) Iterate(ctx context.Context) (Progress, error) {
	rng := g.Common.rng()
	env := NewEnv(g.system, rng)
	k := len(g.scale)
	seen, noise := env.Observation(), make([]float64, k)
	if err := g.input.check(seen); err != nil {
		return Progress{}, fmt.Errorf("%w (start of the episode)", err)
	}
	row := mat.NewDense(1, g.input.width(), nil)
	raw, action := make([]float64, k), make([]float64, k)
	episode := &Episode{}
	updates := 0
	loss := 0.0
	for {
		if err := ctx.Err(); err != nil {
			return Progress{}, err
		}
		g.input.encode(row.RawRowView(0), seen)
		if g.Common.Steps+episode.Len() < g.settings.Warmup {
			for i := range raw {
				raw[i] = 2*rng.Float64() - 1
			}
		} else {
			vec.Tanh(raw, g.one.Forward(row).RawRowView(0))
			for i := range raw {
				noise[i] += -0.15*noise[i] + g.settings.Noise*rng.NormFloat64()
				raw[i] = clip(raw[i]+noise[i], 1)
			}
		}
		vec.Mul(action, raw, g.scale)
		vec.Add(action, action, g.centre)
		next, reward, terminated, truncated := env.Step(action...)
		if err := checkStep(&g.input, next, reward, episode.Len()); err != nil {
			return Progress{}, err
		}
		g.remember(row.RawRowView(0), raw, reward, next, terminated)
		episode.Rewards = append(episode.Rewards, reward)
		if g.Common.Steps+episode.Len() >= g.settings.Warmup && len(g.Rewards) >= g.settings.Batch {
			loss += g.update(rng)
			updates++
		}
		if terminated || truncated || episode.Len() == g.settings.EpisodeSteps {
			break
		}
		seen = next
	}
	progress := g.Common.advance([]*Episode{episode})
	if updates > 0 {
		progress.Loss = loss / float64(updates)
	}
	if loss-loss != 0 {
		return Progress{}, fmt.Errorf("rl: DDPG diverged in iteration %d: smaller rates or rewards help", progress.Iteration)
	}
	return progress, nil
}

// remember keeps a step in place of the oldest.
func (g *DDPG) remember(s, a []float64, reward float64, next []float64, terminated bool) {
	d, k, follow := len(s), len(a), 1.0
	if terminated {
		follow = 0
	}
	encoded := make([]float64, d)
	g.input.encode(encoded, next)
	if len(g.Rewards) < g.settings.Replay {
		g.States, g.Nexts, g.Actions = append(g.States, s...), append(g.Nexts, encoded...), append(g.Actions, a...)
		g.Rewards, g.Follow = append(g.Rewards, g.settings.RewardScale*reward), append(g.Follow, follow)
		return
	}
	copy(g.States[g.At*d:], s)
	copy(g.Nexts[g.At*d:], encoded)
	copy(g.Actions[g.At*k:], a)
	g.Rewards[g.At], g.Follow[g.At] = g.settings.RewardScale*reward, follow
	g.At = (g.At + 1) % g.settings.Replay
}

// update does a step of the critic, the actor and the targets, and returns the
// critic's loss.
func (g *DDPG) update(rng *rand.Rand) float64 {
	n, d, k := g.settings.Batch, g.input.width(), len(g.scale)
	for i := range n {
		at := rng.IntN(len(g.Rewards))
		g.batch[i] = at
		copy(g.s.RawRowView(i), g.States[at*d:(at+1)*d])
		copy(g.next.RawRowView(i), g.Nexts[at*d:(at+1)*d])
		copy(g.a.RawRowView(i), g.Actions[at*k:(at+1)*k])
	}
	critic, mu, criticTarget, muTarget := g.passes[0], g.passes[1], g.passes[2], g.passes[3]
	best := g.squash(g.da, muTarget.Forward(g.next))
	target := criticTarget.Forward(g.join(g.next, best))
	for i, at := range g.batch {
		g.dq.Set(i, 0, g.Rewards[at]+g.settings.Discount*g.Follow[at]*target.At(i, 0))
	}
	loss := nn.SquaredLoss(g.dq, critic.Forward(g.join(g.s, g.a)), g.dq)
	critic.Backward(g.gradQ, g.dq, nil)
	g.CriticAdam.Step(g.Critic.Params(), g.gradQ)

	// The actor climbs the mean of Q(s, mu(s)): dQ/da (1 - a^2) dmu.
	own := g.squash(g.da, mu.Forward(g.s))
	critic.Forward(g.join(g.s, own))
	for i := range n {
		g.dq.Set(i, 0, -1/float64(n))
	}
	critic.Backward(nil, g.dq, g.dsa)
	for i := range n {
		a, by := g.da.RawRowView(i), g.dsa.RawRowView(i)[d:]
		for j, v := range a {
			a[j] = by[j] * (1 - v*v)
		}
	}
	mu.Backward(g.gradMu, g.da, nil)
	g.MuAdam.Step(g.Mu.Params(), g.gradMu)
	follow(g.CriticTarget, g.Critic, g.settings.Target)
	follow(g.MuTarget, g.Mu, g.settings.Target)
	return loss
}

// squash sets dst to tanh of the outputs of an actor.
func (g *DDPG) squash(dst, out *mat.Dense) *mat.Dense {
	vec.Tanh(dst.RawMatrix().Data, out.RawMatrix().Data)
	return dst
}

// join returns states and actions side by side.
func (g *DDPG) join(s, a *mat.Dense) *mat.Dense {
	for i := range g.settings.Batch {
		copy(g.sa.RawRowView(i), s.RawRowView(i))
		copy(g.sa.RawRowView(i)[g.input.width():], a.RawRowView(i))
	}
	return g.sa
}

// follow moves the parameters of a target towards those of its network.
func follow(target, net *nn.Network, tau float64) {
	p := net.Params()
	for i, v := range target.Params() {
		target.Params()[i] = v + tau*(p[i]-v)
	}
}
