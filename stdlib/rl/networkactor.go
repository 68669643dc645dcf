package rl

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/nn"
	"gaucho/stdlib/vec"
)

// A NetworkActor acts by a network, as [DQN], [DDPG] and [SAC] have learnt it. It can be
// saved without the steps that they keep.
type NetworkActor struct {
	net           *nn.Network
	head          head
	input         encoder
	action        Space
	centre, scale []float64 // of a box of actions
}

// A head says what the outputs of a network are.
type head string

const (
	greedy   head = "greedy"   // values of choices
	bounded  head = "bounded"  // of which tanh is the action
	squashed head = "squashed" // means and logarithms of standard deviations of a normal law, tanh of which is the action
)

var _ Actor = (*NetworkActor)(nil)

// The bounds of the logarithm of SAC's standard deviations.
const (
	squashedMin = -5
	squashedMax = 2
)

// Act draws an action; those of DQN and DDPG are the best known, without chance. It
// panics as [Policy.Act] does.
func (p *NetworkActor) Act(observation []float64, rng *rand.Rand) []float64 {
	if p.head != squashed {
		return p.Mode(observation)
	}
	if rng == nil {
		panic("rl: rng is nil, must be a source of random numbers")
	}
	out := p.forward(observation)
	k := len(p.scale)
	for i := range k {
		out[i] += vec.Exp1(min(max(out[k+i], squashedMin), squashedMax)) * rng.NormFloat64()
	}
	return p.scaled(out[:k])
}

// Mode returns the action without chance. It panics as [Policy.Act] does.
func (p *NetworkActor) Mode(observation []float64) []float64 {
	out := p.forward(observation)
	if p.head == greedy {
		return []float64{float64(argmax(out))}
	}
	return p.scaled(out[:len(p.scale)])
}

// forward returns the outputs, which the caller owns.
func (p *NetworkActor) forward(observation []float64) []float64 {
	p.input.mustTake(observation)
	x := mat.NewDense(1, p.input.width(), nil)
	p.input.encode(x.RawRowView(0), observation)
	return slices.Clone(p.net.NewPass(1).Forward(x).RawRowView(0))
}

// scaled returns the action in the box whose inverse hyperbolic tangent is u.
func (p *NetworkActor) scaled(u []float64) []float64 {
	vec.Tanh(u, u)
	for i, s := range p.scale {
		u[i] = s*u[i] + p.centre[i]
	}
	return u
}

// savedActor is what MarshalBinary writes.
type savedActor struct {
	Net                 *nn.Network
	Head                head
	Observation, Action Space
	InputScale          []float64 // nil in what older versions wrote: the bounds
}

// MarshalBinary writes the actor with all its bits.
func (p *NetworkActor) MarshalBinary() ([]byte, error) {
	return encodeState(savedActor{p.net, p.head, p.input.space, p.action, p.input.scale})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (p *NetworkActor) UnmarshalBinary(data []byte) error {
	var s savedActor
	if err := decodeState(data, &s); err != nil {
		return err
	}
	if s.Net == nil {
		return fmt.Errorf("rl: the data hold no actor")
	}
	in, out := s.Net.Dims()
	want := map[head]int{greedy: s.Action.N, bounded: len(s.Action.Low), squashed: 2 * len(s.Action.Low)}[s.Head]
	if in != s.Observation.width() || out != want {
		return fmt.Errorf("rl: the data hold an actor whose network does not fit its spaces")
	}
	input := encoder{space: s.Observation}
	if err := input.rescale(s.InputScale); err != nil {
		return err
	}
	*p = *newNetworkActor(s.Net, s.Head, input, s.Action)
	return nil
}

func newNetworkActor(net *nn.Network, h head, input encoder, action Space) *NetworkActor {
	p := &NetworkActor{net: net, head: h, input: input, action: action}
	if action.N == 0 {
		p.centre, p.scale = middle(action)
	}
	return p
}
