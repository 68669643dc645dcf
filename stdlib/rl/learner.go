package rl

import (
	"bytes"
	"context"
	"encoding"
	"encoding/gob"
	"fmt"
	"math/rand/v2"

	"gaucho/stdlib/nn"
)

// A Learner improves a policy by iterations: it collects episodes, then learns from
// them. What MarshalBinary writes between iterations, UnmarshalBinary reads into a
// learner made with the same system and settings, which then goes on with the same
// bits.
type Learner interface {
	// Iterate does one iteration. After an error the learner is of no use, but may
	// be set back by UnmarshalBinary.
	Iterate(ctx context.Context) (Progress, error)
	// Actor returns the policy as it is, to act by; it changes with the learner. It can
	// be saved alone, without what the learner keeps to learn from.
	Actor() Actor
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// An Actor chooses actions. Its methods may be called at the same time.
type Actor interface {
	// Act draws an action, Mode returns the one without chance.
	Act(observation []float64, rng *rand.Rand) []float64
	Mode(observation []float64) []float64
}

var (
	_ Actor   = (*Policy)(nil)
	_ Learner = (*SBEED)(nil)
)

// A common is what every learner keeps besides its method's own state.
type common struct {
	Method           string
	Iteration, Steps int
	Source           *rand.PCG
}

func newCommon(method string, rng *rand.Rand) common {
	return common{Method: method, Source: rand.NewPCG(rng.Uint64(), rng.Uint64())}
}

// describe says what learns where, and for how long it has.
func (c *common) describe(system System) string {
	return fmt.Sprintf("%s on %s, after %d steps", c.Method, system.Name(), c.Steps)
}

func (c *common) rng() *rand.Rand { return rand.New(c.Source) }

// fits returns an error if a state that was read is another method's, or if a network that was read, the first of each pair, does
// not fit the learner's own, the second.
func (c *common) fits(read *common, networks ...[2]*nn.Network) error {
	if read.Method != c.Method {
		return fmt.Errorf("rl: the data hold a state of %q, must be of %q", read.Method, c.Method)
	}
	for _, n := range networks {
		if err := sameNetworks(n[0], n[1]); err != nil {
			return err
		}
	}
	return nil
}

// advance counts an iteration with new episodes.
func (c *common) advance(episodes []*Episode) Progress {
	sum := 0.0
	for _, e := range episodes {
		c.Steps += e.Len()
		sum += e.Return()
	}
	c.Iteration++
	return Progress{Iteration: c.Iteration, Steps: c.Steps, Return: sum / float64(len(episodes))}
}

// fall returns the factor of step sizes after the given number of environment steps: 1
// over 1 + steps/decay, or 1 without decay.
func fall(steps, decay int) float64 {
	if decay == 0 {
		return 1
	}
	return 1 / (1 + float64(steps)/float64(decay))
}

// encodeState writes the state of a learner.
func encodeState(state any) ([]byte, error) {
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(state)
	return buf.Bytes(), err
}

// decodeState reads into the zero state what encodeState wrote.
func decodeState(data []byte, state any) error {
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(state); err != nil {
		return fmt.Errorf("rl: the data hold no such learner: %w", err)
	}
	return nil
}

// sameNetworks fails when a network that was read does not fit the one of the learner.
func sameNetworks(read, own *nn.Network) error {
	if read == nil || own == nil {
		if read != own {
			return fmt.Errorf("rl: the data hold another set of networks")
		}
		return nil
	}
	ri, ro := read.Dims()
	oi, oo := own.Dims()
	if ri != oi || ro != oo || len(read.Params()) != len(own.Params()) {
		return fmt.Errorf("rl: the data hold a network of %d inputs, %d outputs and %d parameters, must be %d, %d and %d", ri, ro, len(read.Params()), oi, oo, len(own.Params()))
	}
	return nil
}

// network returns the policy's network, and nil of no policy.
func (p *Policy) network() *nn.Network {
	if p == nil {
		return nil
	}
	return p.net
}

// savedPolicy is what Policy.MarshalBinary writes.
type savedPolicy struct {
	Net               *nn.Network
	LogStd            []float64
	Observation, Act  Space
	InputScale, Scale []float64
	Centre            []float64 // nil in what older versions wrote: 0
	MinLog, MaxLog    float64
}

// MarshalBinary writes the policy with all its bits.
func (p *Policy) MarshalBinary() ([]byte, error) {
	return encodeState(savedPolicy{p.net, p.logStd(), p.input.space, p.action, p.input.scale, p.scale, p.centre, p.min, p.max})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (p *Policy) UnmarshalBinary(data []byte) error {
	var s savedPolicy
	if err := decodeState(data, &s); err != nil {
		return err
	}
	if s.Net == nil {
		return fmt.Errorf("rl: the data hold no policy")
	}
	in, out := s.Net.Dims()
	if in != s.Observation.width() || out != s.Act.width() || s.Act.N == 0 && len(s.LogStd) != out {
		return fmt.Errorf("rl: the data hold a policy whose network does not fit its spaces")
	}
	input := encoder{space: s.Observation}
	if err := input.rescale(s.InputScale); err != nil {
		return err
	}
	n := len(s.Net.Params())
	read := Policy{net: s.Net, params: make([]float64, n+len(s.LogStd)), input: input, action: s.Act, scale: s.Scale, centre: s.Centre, min: s.MinLog, max: s.MaxLog}
	if read.centre == nil {
		read.centre = make([]float64, len(s.Scale))
	}
	copy(read.params[n:], s.LogStd)
	read.net.Bind(read.params[:n])
	*p = read
	return nil
}
