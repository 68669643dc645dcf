package rl

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
)

// TemporalSettings are those of [QLearning] and [SARSA]. Fields that are zero have the
// values of [DefaultTemporalSettings]; None is 0 for Discount and Explore.
type TemporalSettings struct {
	Episodes int
	Discount float64
	// Rate is the step size of the first visits to a state and action; after n visits
	// it is Rate/(1 + Decay n).
	Rate, Decay float64
	// Explore is the probability of a uniformly random action, in place of the best.
	Explore float64
}

// DefaultTemporalSettings returns the settings that nil stands for: 500 episodes,
// discount 0.99, a constant rate of 0.1, a tenth of random actions.
func DefaultTemporalSettings() *TemporalSettings {
	return &TemporalSettings{Episodes: 500, Discount: 0.99, Rate: 0.1, Explore: 0.1}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *TemporalSettings) WithDefaults() *TemporalSettings {
	return settings.Fill(s, DefaultTemporalSettings())
}

// resolve returns the settings in effect, None as 0.
func (s *TemporalSettings) resolve() *TemporalSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Discount, &out.Explore)
	return out
}

func (t *TemporalSettings) check() error {
	switch {
	case t.Episodes < 1:
		return fmt.Errorf("rl: episodes is %d, must be at least 1", t.Episodes)
	case !(t.Discount >= 0 && t.Discount <= 1):
		return fmt.Errorf("rl: discount is %v, must be from 0 to 1", t.Discount)
	case !(t.Rate > 0 && t.Rate <= 1):
		return fmt.Errorf("rl: rate is %v, must be above 0 and at most 1", t.Rate)
	case !(t.Decay >= 0):
		return fmt.Errorf("rl: decay is %v, must be at least 0", t.Decay)
	case !(t.Explore >= 0 && t.Explore <= 1):
		return fmt.Errorf("rl: explore is %v, must be from 0 to 1", t.Explore)
	}
	return nil
}

// QLearning learns the values of actions, states x actions, from Q(s, a) += rate (r +
// discount max_b Q(s', b) - Q(s, a)) (Watkins 1989), with a random part of actions. It
// returns the undiscounted return of each episode too. nil settings are the defaults.
func QLearning(ctx context.Context, m *MDP, settings *TemporalSettings, rng *rand.Rand) (q *mat.Dense, returns []float64, err error) {
	return temporal(ctx, m, settings, rng, func(q []float64, _ int) float64 { return q[argmax(q)] })
}

// SARSA is [QLearning] with the value of the action that is taken next in place of
// the best (Rummery & Niranjan 1994): it learns the values of what it does, random
// actions included.
func SARSA(ctx context.Context, m *MDP, settings *TemporalSettings, rng *rand.Rand) (q *mat.Dense, returns []float64, err error) {
	return temporal(ctx, m, settings, rng, func(q []float64, next int) float64 { return q[next] })
}

func temporal(ctx context.Context, m *MDP, settings *TemporalSettings, rng *rand.Rand, target func(q []float64, next int) float64) (*mat.Dense, []float64, error) {
	if m == nil {
		return nil, nil, fmt.Errorf("rl: process is nil")
	}
	if rng == nil {
		return nil, nil, fmt.Errorf("rl: rng is nil, must be a source of random numbers")
	}
	settings = settings.resolve()
	if err := settings.check(); err != nil {
		return nil, nil, err
	}
	q := mat.NewDense(m.States(), m.Actions(), nil)
	visits := make([]float64, m.States()*m.Actions())
	choose := func(s int) int {
		if rng.Float64() < settings.Explore {
			return rng.IntN(m.Actions())
		}
		return argmax(q.RawRowView(s))
	}
	returns := make([]float64, settings.Episodes)
	for e := range returns {
		state := pick(m.start, rng.Float64())
		action := choose(state)
		for step := 1; ; step++ {
			if step%1024 == 1 && ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			t := m.draw(state, action, rng)
			returns[e] += t.Reward
			next, goal := choose(t.Next), t.Reward
			if !t.End {
				goal += settings.Discount * target(q.RawRowView(t.Next), next)
			}
			i := state*m.Actions() + action
			rate := settings.Rate / (1 + settings.Decay*visits[i])
			visits[i]++
			q.Set(state, action, q.At(state, action)+rate*(goal-q.At(state, action)))
			if t.End || step == m.steps {
				break
			}
			state, action = t.Next, next
		}
	}
	return q, returns, nil
}
