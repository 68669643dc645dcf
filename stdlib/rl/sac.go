package rl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/nn"
	"gaucho/stdlib/vec"
)

// SACSettings are those of [NewSAC]. Fields that are zero have the values of
// [DefaultSACSettings]; None is 0 for Discount and Warmup.
type SACSettings struct {
	Hidden                []int // widths of the ReLU layers of actor and critics
	Discount              float64
	RewardScale           float64
	ActorRate, CriticRate float64 // of Adam
	Decay                 int     // environment steps n after which rates are half, as 1/(1 + steps/n) falls; 0 leaves them
	Target                float64 // tau, by which target networks follow in a step
	// Temperature is the weight of the entropy, to begin with: it is learnt, with
	// EntropyRate, so that the entropy of actions in [-1, 1] comes to minus their
	// number. EntropyRate None leaves it.
	Temperature, EntropyRate float64
	Batch                    int
	Every                    int // environment steps from one update to the next
	Replay                   int // steps kept
	Warmup                   int // steps with uniformly random actions, before anything is learnt
	EpisodeSteps             int // cuts episodes shorter than the system does; 0 does not
}

// DefaultSACSettings returns the settings that nil stands for: two layers of 64, discount
// 0.99, rates of 0.001 and 0.001 for the temperature, which begins at 0.2, tau 0.005, a
// batch of 128 at every step, 200,000 steps kept and 1,000 of warm-up.
func DefaultSACSettings() *SACSettings {
	return &SACSettings{Hidden: []int{64, 64}, Discount: 0.99, RewardScale: 1, ActorRate: 1e-3, CriticRate: 1e-3, Target: 5e-3,
		Temperature: 0.2, EntropyRate: 1e-3, Batch: 128, Every: 1, Replay: 200000, Warmup: 1000}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *SACSettings) WithDefaults() *SACSettings { return settings.Fill(s, DefaultSACSettings()) }

// resolve returns the settings in effect, None as 0.
func (s *SACSettings) resolve() *SACSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Discount, &out.EntropyRate)
	settings.Clear(&out.Warmup)
	return out
}

func (s *SACSettings) check() error {
	switch {
	case !(s.Temperature > 0) || math.IsInf(s.Temperature, 1):
		return fmt.Errorf("rl: temperature is %v, must be positive", s.Temperature)
	case !(s.EntropyRate >= 0 && s.EntropyRate <= 1):
		return fmt.Errorf("rl: entropy rate is %v, must be from 0 to 1", s.EntropyRate)
	}
	return checkActorCritic(s.ActorRate, s.CriticRate, s.Target, s.Batch, s.Decay, s.Discount)
}

// SAC is the soft actor-critic with a learnt temperature (Haarnoja et al. 2018, Soft
// Actor-Critic Algorithms and Applications) for boxes of actions. Actions are a = tanh(u)
// for a normal u whose mean and standard deviation are outputs of a network; two critics
// are fitted to
//
//	r + discount (min Q'(s', a') - temperature log pi(a'|s')),
//
// and the policy makes E[temperature log pi(a|s) - min Q(s, a)] small. An iteration is one
// episode.
type SAC struct {
	offPolicy
	settings SACSettings
	sacState

	pi, one             *nn.Pass
	acts, noise, dout   *mat.Dense
	out                 *mat.Dense // of pi, which has it
	logs, targets, grad []float64
}

// sacState is what a checkpoint holds.
type sacState struct {
	Common      common
	Critics     [2]*critic
	Pi          *nn.Network // means, then logarithms of standard deviations
	PiAdam      *nn.Adam
	Temperature []float64 // its logarithm
	HeatAdam    *nn.Adam
	Memory      memory
}

var _ Learner = (*SAC)(nil)

// NewSAC returns a learner at its start. nil settings are the defaults.
func NewSAC(system System, settings *SACSettings, rng *rand.Rand) (*SAC, error) {
	if err := checkGiven(system, rng); err != nil {
		return nil, err
	}
	settings = settings.resolve()
	if err := settings.check(); err != nil {
		return nil, err
	}
	g := &SAC{offPolicy: newOffPolicy(system, settings.Batch), settings: *settings}
	if g.action.N > 0 {
		return nil, fmt.Errorf("rl: the actions of %s are choices, must be a box for SAC; DQN takes choices", system.Name())
	}
	g.rewardScale, g.keep, g.warmup, g.every, g.cut = settings.RewardScale, settings.Replay, settings.Warmup, settings.Every, settings.EpisodeSteps
	if err := g.check(); err != nil {
		return nil, err
	}
	g.Common = newCommon("SAC", rng)
	own := g.Common.rng()
	d, k := g.input.width(), len(g.scale)
	var err error
	for i := range g.Critics {
		if g.Critics[i], err = newCritic(d, k, settings.Hidden, settings.CriticRate, own); err != nil {
			return nil, err
		}
	}
	if g.Pi, err = nn.NewMLP(sizes(d, settings.Hidden, 2*k), nn.ReLU, own); err != nil {
		return nil, err
	}
	g.Pi.ScaleOutput(0.01)
	g.PiAdam, g.HeatAdam = nn.NewAdam(settings.ActorRate), nn.NewAdam(settings.EntropyRate)
	g.Temperature = []float64{vec.Log1(settings.Temperature)}
	n := settings.Batch
	g.acts, g.noise, g.dout = mat.NewDense(n, k, nil), mat.NewDense(n, k, nil), mat.NewDense(n, 2*k, nil)
	g.logs, g.targets = make([]float64, n), make([]float64, n)
	g.link()
	return g, nil
}

func (g *SAC) link() {
	for _, c := range g.Critics {
		c.link(g.settings.Batch)
	}
	g.pi, g.one, g.grad = g.Pi.NewPass(g.settings.Batch), g.Pi.NewPass(1), make([]float64, len(g.Pi.Params()))
}

// Actor returns the policy, a [NetworkActor].
func (g *SAC) Actor() Actor { return newNetworkActor(g.Pi, squashed, g.input, g.action) }

// String says what learns where, and for how long it has.
func (g *SAC) String() string { return g.Common.describe(g.system) }

// MarshalBinary writes the state, with the steps that are kept.
func (g *SAC) MarshalBinary() ([]byte, error) { return encodeState(g.sacState) }

// UnmarshalBinary goes back to a state of a learner with the same system and settings.
func (g *SAC) UnmarshalBinary(data []byte) error {
	var read sacState
	if err := decodeState(data, &read); err != nil {
		return err
	}
	if err := g.Common.fits(&read.Common, [2]*nn.Network{read.Pi, g.Pi}); err != nil {
		return err
	}
	for i, c := range read.Critics {
		if err := c.fits(g.Critics[i]); err != nil {
			return err
		}
	}
	g.sacState = read
	g.link()
	return nil
}

// Iterate plays one episode and learns on the way.
func (g *SAC) Iterate(ctx context.Context) (Progress, error) {
	rng := g.Common.rng()
	x := mat.NewDense(1, g.input.width(), nil)
	act := func(dst, input []float64) {
		x.SetRow(0, input)
		out := g.one.Forward(x).RawRowView(0)
		for i := range dst {
			dst[i] = vec.Tanh1(out[i] + vec.Exp1(min(max(out[len(dst)+i], squashedMin), squashedMax))*rng.NormFloat64())
		}
	}
	falls := fall(g.Common.Steps, g.settings.Decay)
	g.PiAdam.Rate, g.HeatAdam.Rate = falls*g.settings.ActorRate, falls*g.settings.EntropyRate
	for _, c := range g.Critics {
		c.Adam.Rate = falls * g.settings.CriticRate
	}
	return g.episode(ctx, &g.Common, &g.Memory, rng, act, func() float64 { return g.update(rng) })
}

// update does a step of critics, policy, temperature and targets, and returns the mean
// of the critics' losses.
func (g *SAC) update(rng *rand.Rand) float64 {
	b, n := g.batch, len(g.targets)
	heat := vec.Exp1(g.Temperature[0])
	g.draw(b.next, rng)
	var ahead [2]*mat.Dense
	parallel.Team(2, func(w, _ int) { ahead[w] = g.Critics[w].ahead(b.next, g.acts) })
	for i := range n {
		q := min(ahead[0].At(i, 0), ahead[1].At(i, 0))
		g.targets[i] = b.rewards[i] + g.settings.Discount*b.follow[i]*(q-heat*g.logs[i])
	}
	var losses [2]float64
	parallel.Team(2, func(w, _ int) { losses[w] = g.Critics[w].fit(b.s, b.a, g.targets) })

	g.draw(b.s, rng)
	g.climb(heat)
	g.PiAdam.Step(g.Pi.Params(), g.grad)
	if g.settings.EntropyRate > 0 {
		// The entropy's target is minus the number of actions.
		g.HeatAdam.Step(g.Temperature, []float64{float64(len(g.scale)) - vec.Sum(g.logs)/float64(n)})
	}
	for _, c := range g.Critics {
		follow(c.Target, c.Net, g.settings.Target)
	}
	return (losses[0] + losses[1]) / 2
}

// draw sets acts to actions of the policy at the rows of s, noise to the normal numbers
// behind them and logs to the logarithms of their densities.
func (g *SAC) draw(s *mat.Dense, rng *rand.Rand) {
	for i := range g.noise.RawMatrix().Data {
		g.noise.RawMatrix().Data[i] = rng.NormFloat64()
	}
	g.act(s)
}

// act does what draw does with the noise at hand. With e the noise, log pi is the sum of
// -e^2/2 - log sigma - log(2 pi)/2 - log(1 - tanh(u)^2), the last of which is 2 (log 2 - u
// - log(1 + exp(-2u))).
func (g *SAC) act(s *mat.Dense) {
	g.out = g.pi.Forward(s)
	_, k := g.acts.Dims()
	for i := range g.logs {
		o, a, e := g.out.RawRowView(i), g.acts.RawRowView(i), g.noise.RawRowView(i)
		g.logs[i] = 0
		for j := range a {
			l := min(max(o[k+j], squashedMin), squashedMax)
			u := o[j] + vec.Exp1(l)*e[j]
			a[j] = vec.Tanh1(u)
			g.logs[i] -= e[j]*e[j]/2 + l + halfLog2Pi + 2*(math.Ln2-math.Abs(u)-vec.Log1p1(vec.Exp1(-2*math.Abs(u))))
		}
	}
}

// climb sets grad to the gradient of the mean of heat log pi(a|s) - min Q(s, a), which it
// returns, for the actions that act has left. By u it is 2 heat a - (1 - a^2) dQ/da.
func (g *SAC) climb(heat float64) float64 {
	b, n, d := g.batch, len(g.logs), g.input.width()
	var q, by [2]*mat.Dense
	parallel.Team(2, func(w, _ int) { q[w], by[w] = g.Critics[w].slopes(b.s, g.acts) })
	_, k := g.acts.Dims()
	loss, share := 0.0, 1/float64(n)
	for i := range n {
		w := 0
		if q[1].At(i, 0) < q[0].At(i, 0) {
			w = 1
		}
		loss += share * (heat*g.logs[i] - q[w].At(i, 0))
		o, a, e, dout, slope := g.out.RawRowView(i), g.acts.RawRowView(i), g.noise.RawRowView(i), g.dout.RawRowView(i), by[w].RawRowView(i)[d:]
		for j := range a {
			l := o[k+j]
			dout[j] = share * (2*heat*a[j] - (1-a[j]*a[j])*slope[j])
			dout[k+j] = 0
			if l > squashedMin && l < squashedMax {
				dout[k+j] = dout[j]*vec.Exp1(l)*e[j] - share*heat
			}
		}
	}
	g.pi.Backward(g.grad, g.dout, nil)
	return loss
}
