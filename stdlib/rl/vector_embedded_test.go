package rl

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// halved is a cart with half the reward, as users write it.
type halved struct{ *CartPole }

func (h halved) Step(s, action []float64, rng *rand.Rand) (float64, bool) {
	reward, over := h.CartPole.Step(s, action, rng)
	return reward / 2, over
}

// halvedInMany has many of its steps in one call too, and a part by which it cannot be compared.
type halvedInMany struct {
	halved
	_ []string
}

func (h *halvedInMany) StepAll(states, actions, rewards []float64, terminated []bool, rngs []*rand.Rand) {
	h.CartPole.StepAll(states, actions, rewards, terminated, rngs)
	for i := range rewards {
		rewards[i] /= 2
	}
}

func (h *halvedInMany) Batched() System { return h }

// A type that embeds a system which steps many states is stepped by its own Step.
func TestEmbeddedStep(t *testing.T) {
	cart := NewCartPole()
	many := &halvedInMany{halved: halved{cart}}
	for _, c := range []struct {
		system System
		reward float64
		batch  bool
	}{{cart, 1, true}, {halved{cart}, 0.5, false}, {&halved{cart}, 0.5, false}, {many, 0.5, true}, {struct{ halvedInMany }{*many}, 0.5, false}} {
		v, err := NewVector(c.system, 3, source(1))
		if err != nil {
			t.Fatal(err)
		}
		v.Step(mat.NewDense(3, 1, nil))
		if v.Rewards[2] != c.reward || (v.batch != nil) != c.batch {
			t.Errorf("%T: reward %v, in many steps %v; expected %v, %v", c.system, v.Rewards[2], v.batch != nil, c.reward, c.batch)
		}
	}
}
