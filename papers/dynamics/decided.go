package dynamics

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"gaucho/stdlib/embedding"
	"gaucho/stdlib/rl"
	"gaucho/stdlib/vec"
)

// A decided process is one under a fixed policy. Functions see its states as package rl shows them, an angle that turns freely
// as its cosine and sine, and in units of the standard deviation of each coordinate where these are of different kinds.
type decided struct {
	discount float64
	system   rl.System
	policy   func(action, s []float64)
	noise    func(s []float64, rng *rand.Rand)
	seen     int                               // the dimension of what is seen
	draw     func(s []float64, rng *rand.Rand) // a state
	unit     []float64                         // of each coordinate that is seen
	action   []float64
}

// newDecided returns a problem of figure 5.3 under its policy, with normal noise on velocities. Its states are those at a start
// in navigation, and elsewhere those of 200 episodes.
func newDecided(problem string, noise float64, rng *rand.Rand) *decided {
	p := &decided{noise: func([]float64, *rand.Rand) {}}
	rollout := 0
	switch problem {
	case "navigation":
		p.discount, p.system = 0.9, rl.NewNavigation()
		p.policy = func(a, s []float64) {
			r := vec.Exp1(-100 * (s[0]*s[0] + s[1]*s[1]))
			a[0], a[1] = -0.2*s[0]*r, -0.2*s[1]*r
		}
	case "swing-up":
		p.discount, p.system, rollout = 0.96, rl.NewCartPoleSwingUp(), 20
		p.policy = func(a, s []float64) { a[0] = -s[0] - s[1] - 0.2*s[2] }
		p.noise = func(s []float64, rng *rand.Rand) {
			s[1] += noise * rng.NormFloat64()
			s[2] += noise * rng.NormFloat64()
		}
	default:
		arm := rl.NewArm()
		arm.Noise = noise
		p.discount, p.system, rollout = 0.9, arm, 50
		p.policy = func(a, s []float64) {
			for i := range a {
				target := math.Pi / 4
				if i >= 4 {
					target = -target
				}
				a[i] = 2*(target-s[i]) - s[6+i]
			}
		}
	}
	observation, action := p.system.Spaces()
	p.seen, p.action = len(observation.Low), make([]float64, len(action.Low))
	p.draw, p.unit = p.system.Init, make([]float64, p.seen)
	for j := range p.unit {
		p.unit[j] = 1
	}
	if rollout > 0 {
		p.visit(200, rollout, rng)
	}
	return p
}

// visit makes the states those of a number of episodes, and their standard deviations the units.
func (p *decided) visit(episodes, steps int, rng *rand.Rand) {
	n := episodes * steps
	visited := mat.NewDense(n, p.system.Dim(), nil)
	looks := mat.NewDense(n, p.seen, nil)
	for i := range n {
		s := visited.RawRowView(i)
		if i%steps == 0 {
			p.system.Init(s, rng)
		} else {
			copy(s, visited.RawRowView(i-1))
			p.step(s, rng)
		}
		p.see(looks.RawRowView(i), s)
	}
	for j := range p.unit {
		p.unit[j] = stat.StdDev(mat.Col(nil, j, looks), nil)
	}
	p.draw = func(s []float64, rng *rand.Rand) { copy(s, visited.RawRowView(rng.IntN(n))) }
}

// step moves a state to the next one.
func (p *decided) step(s []float64, rng *rand.Rand) (reward float64) {
	p.policy(p.action, s)
	reward, _ = p.system.Step(s, p.action, rng)
	p.noise(s, rng)
	return reward
}

// see sets o to what functions see of a state.
func (p *decided) see(o, s []float64) {
	p.system.Observe(o, s)
	for j, u := range p.unit {
		o[j] /= u
	}
}

// transitions draws n of them, each with a number of independent next states, one below the other.
func (p *decided) transitions(n, copies int, rng *rand.Rand) (*embedding.Transitions, []float64) {
	t, rewards := &embedding.Transitions{States: mat.NewDense(n, p.seen, nil), Next: mat.NewDense(n*copies, p.seen, nil)}, make([]float64, n)
	s, next := make([]float64, p.system.Dim()), make([]float64, p.system.Dim())
	for i := range n {
		p.draw(s, rng)
		p.see(t.States.RawRowView(i), s)
		for j := range copies {
			copy(next, s)
			rewards[i] = p.step(next, rng)
			p.see(t.Next.RawRowView(i*copies+j), next)
		}
	}
	return t, rewards
}

// bellmanError is the mean squared Bellman error of v on fresh states, with copies next states for each, and that of 0.
func (p *decided) bellmanError(ctx context.Context, v embedding.Function, states, copies int, rng *rand.Rand) (own, zero float64, err error) {
	t, rewards := p.transitions(states, copies, rng)
	minus, there := make([]float64, states), make([]float64, states*copies)
	for i := range minus {
		minus[i] = -1
	}
	for i := range there {
		there[i] = p.discount / float64(copies)
	}
	b := &embedding.Batch{N: states, Terms: []embedding.Term{{X: t.Next, Weights: there}, {X: t.States, Weights: minus}}, Offset: rewards}
	r, err := embedding.Residuals(ctx, v, b, true)
	if err != nil {
		return 0, 0, err
	}
	none := make([]float64, states)
	return squares(r, none), squares(rewards, none), nil
}
