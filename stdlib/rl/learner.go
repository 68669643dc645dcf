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
	// Actor returns the policy as it is, to act by; it changes with the learner.
	Actor() Actor
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// An Actor chooses actions.
type Actor interface {
	// Act draws an action, Mode returns the one without chance.
	Act(observation []float64, rng *rand.Rand) []float64
	Mode(observation []float64) []float64
}

var (
	_ Actor   = (*Policy)(nil)
	_ Learner = (*SBEED)(nil)
)

// Progress tells about an iteration.
type Progress struct {
	Iteration int // from 1
	Steps     int // of the environment, from the start
	// Return is the mean undiscounted return of the episodes of the iteration.
	Return float64
	// Loss is the mean over updates of what the method makes small, Divergence the KL
	// divergence of the new from the old policy, where the method knows it.
	Loss, Divergence float64
}

// A Curve is the progress of a learner, an entry an iteration.
type Curve []Progress

// Train does iterations until the learner has seen the given number of environment
// steps in all, and returns their progress. observe, which may be nil, is told of
// each.
func Train(ctx context.Context, l Learner, steps int, observe func(Progress)) (Curve, error) {
	if l == nil {
		return nil, fmt.Errorf("rl: learner is nil")
	}
	var c Curve
	for len(c) == 0 || c[len(c)-1].Steps < steps {
		p, err := l.Iterate(ctx)
		if err != nil {
			return c, err
		}
		c = append(c, p)
		if observe != nil {
			observe(p)
		}
	}
	return c, nil
}

// At returns the return at the given numbers of environment steps: the mean over the
// iterations that ended in the window before each, or the last one before that. Where
// there is none it is the first iteration's. So curves of methods that iterate at
// different times stand on one grid, as bands over seeds need them.
func (c Curve) At(steps []int, window int) []float64 {
	out := make([]float64, len(steps))
	for i, s := range steps {
		sum, n, last := 0.0, 0, 0
		for j, p := range c {
			if p.Steps > s {
				break
			}
			last = j
			if p.Steps > s-window {
				sum += p.Return
				n++
			}
		}
		if n == 0 && len(c) > 0 {
			sum, n = c[last].Return, 1
		}
		out[i] = sum / float64(n)
	}
	return out
}

// Final returns the mean return of the last n iterations.
func (c Curve) Final(n int) float64 {
	sum := 0.0
	last := c[max(0, len(c)-n):]
	for _, p := range last {
		sum += p.Return
	}
	return sum / float64(len(last))
}

// A common is what every learner keeps beside its method's own state.
type common struct {
	Method           string
	Iteration, Steps int
	Source           *rand.PCG
}

func newCommon(method string, rng *rand.Rand) common {
	return common{Method: method, Source: rand.NewPCG(rng.Uint64(), rng.Uint64())}
}

func (c *common) rng() *rand.Rand { return rand.New(c.Source) }

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
	n := len(s.Net.Params())
	read := Policy{net: s.Net, params: make([]float64, n+len(s.LogStd)), input: encoder{s.Observation, s.InputScale}, action: s.Act, scale: s.Scale, centre: s.Centre, min: s.MinLog, max: s.MaxLog}
	if read.centre == nil {
		read.centre = make([]float64, len(s.Scale))
	}
	copy(read.params[n:], s.LogStd)
	read.net.Bind(read.params[:n])
	*p = read
	return nil
}
