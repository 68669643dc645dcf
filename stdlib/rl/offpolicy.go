package rl

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/nn"
)

// A memory holds the last steps of an environment as networks take them: what was seen,
// the action in the learner's units, the scaled reward, what was seen then, and Follow,
// which is 0 after an end and 1 elsewhere.
type memory struct {
	States, Nexts, Actions, Rewards, Follow []float64
	At                                      int // the oldest, once it is full
}

// add keeps a step, in place of the oldest where there are size.
func (m *memory) add(size int, s, a []float64, reward float64, next []float64, terminated bool) {
	follow := 1.0
	if terminated {
		follow = 0
	}
	if len(m.Rewards) < size {
		m.States, m.Nexts, m.Actions = append(m.States, s...), append(m.Nexts, next...), append(m.Actions, a...)
		m.Rewards, m.Follow = append(m.Rewards, reward), append(m.Follow, follow)
		return
	}
	copy(m.States[m.At*len(s):], s)
	copy(m.Nexts[m.At*len(s):], next)
	copy(m.Actions[m.At*len(a):], a)
	m.Rewards[m.At], m.Follow[m.At] = reward, follow
	m.At = (m.At + 1) % size
}

// A batch is some steps of a memory, in rows.
type batch struct {
	s, next, a      *mat.Dense
	rewards, follow []float64
}

func newBatch(n, d, k int) *batch {
	return &batch{mat.NewDense(n, d, nil), mat.NewDense(n, d, nil), mat.NewDense(n, k, nil), make([]float64, n), make([]float64, n)}
}

// draw fills the batch with steps drawn uniformly.
func (b *batch) draw(m *memory, rng *rand.Rand) {
	_, d := b.s.Dims()
	_, k := b.a.Dims()
	for i := range b.rewards {
		at := rng.IntN(len(m.Rewards))
		copy(b.s.RawRowView(i), m.States[at*d:(at+1)*d])
		copy(b.next.RawRowView(i), m.Nexts[at*d:(at+1)*d])
		copy(b.a.RawRowView(i), m.Actions[at*k:(at+1)*k])
		b.rewards[i], b.follow[i] = m.Rewards[at], m.Follow[at]
	}
}

// An offPolicy is what learners share that keep steps and learn from them at each step
// of an episode.
type offPolicy struct {
	system        System
	input         encoder
	action        Space
	centre, scale []float64 // of a box of actions
	rewardScale   float64
	keep          int // steps
	warmup        int // steps before anything is learnt
	every         int // steps from one update to the next
	cut           int // steps of an episode
	batch         *batch
}

func newOffPolicy(system System, n int) offPolicy {
	observation, action := system.Spaces()
	o := offPolicy{system: system, input: newEncoder(observation), action: action}
	if action.N == 0 {
		o.centre, o.scale = middle(action)
	}
	o.batch = newBatch(n, o.input.width(), action.Dim())
	return o
}

// check says what is wrong with the numbers of steps.
func (o *offPolicy) check() error {
	n := len(o.batch.rewards)
	switch {
	case o.keep < n || o.warmup < 0:
		return fmt.Errorf("rl: batch is %d of %d steps kept after %d, must be at least 1 and no more than are kept", n, o.keep, o.warmup)
	case o.every < 1:
		return fmt.Errorf("rl: every is %d steps, must be at least 1", o.every)
	case o.rewardScale-o.rewardScale != 0 || o.rewardScale == 0:
		return fmt.Errorf("rl: reward scale is %v, must be finite and not 0", o.rewardScale)
	case o.system.Limit() == 0 && o.cut < 1:
		return fmt.Errorf("rl: episode steps is %d, must be positive where the system has no limit", o.cut)
	}
	return nil
}

// checkActorCritic says what is wrong with settings that learners with an actor and critics share.
func checkActorCritic(actorRate, criticRate, target float64, batch, decay int, discount float64) error {
	for _, c := range []struct {
		name string
		x    float64
	}{{"actor rate", actorRate}, {"critic rate", criticRate}, {"target", target}} {
		if !(c.x > 0 && c.x <= 1) {
			return fmt.Errorf("rl: %s is %v, must be above 0 and at most 1", c.name, c.x)
		}
	}
	switch {
	case batch < 1:
		return fmt.Errorf("rl: batch is %d, must be at least 1", batch)
	case decay < 0:
		return fmt.Errorf("rl: decay is %d steps, must be at least 0", decay)
	}
	return checkDiscount(discount)
}

// System returns the system that was given to the learner.
func (o *offPolicy) System() System { return o.system }

// episode plays one. act sets an action in the learner's units, where a box is from -1
// to 1, for an encoded observation; learn is called when an update is due and returns
// its loss. During the warm-up actions are uniform.
func (o *offPolicy) episode(ctx context.Context, c *common, m *memory, rng *rand.Rand, act func(dst, input []float64), learn func() float64) (Progress, error) {
	env := NewEnv(o.system, rng)
	seen := env.Observation()
	if err := o.input.check(seen); err != nil {
		return Progress{}, fmt.Errorf("%w (start of the episode)", err)
	}
	row, next := make([]float64, o.input.width()), make([]float64, o.input.width())
	raw, action := make([]float64, o.action.Dim()), make([]float64, o.action.Dim())
	o.input.encode(row, seen)
	e, loss, updates := &Episode{}, 0.0, 0
	for over := false; !over; {
		if err := ctx.Err(); err != nil {
			return Progress{}, err
		}
		switch steps := c.Steps + e.Len(); {
		case steps >= o.warmup:
			act(raw, row)
		case o.action.N > 0:
			raw[0] = float64(rng.IntN(o.action.N))
		default:
			for i := range raw {
				raw[i] = 2*rng.Float64() - 1
			}
		}
		copy(action, raw)
		for i, s := range o.scale {
			action[i] = s*raw[i] + o.centre[i]
		}
		shown, reward, terminated, truncated := env.Step(action...)
		if err := checkStep(&o.input, shown, reward, e.Len()); err != nil {
			return Progress{}, err
		}
		o.input.encode(next, shown)
		m.add(o.keep, row, raw, o.rewardScale*reward, next, terminated)
		e.Rewards = append(e.Rewards, reward)
		if steps := c.Steps + e.Len(); steps >= o.warmup && steps%o.every == 0 && len(m.Rewards) >= len(o.batch.rewards) {
			o.batch.draw(m, rng)
			loss += learn()
			updates++
		}
		over = terminated || truncated || e.Len() == o.cut
		row, next = next, row
	}
	progress := c.advance([]*Episode{e})
	if loss-loss != 0 {
		return Progress{}, fmt.Errorf("rl: %s diverged in iteration %d: smaller rates or rewards help", c.Method, progress.Iteration)
	}
	progress.Loss = loss / float64(max(updates, 1))
	return progress, nil
}

// A critic is a network Q(s, a) for a box of actions with its target, which follows.
// Exported fields are its state.
type critic struct {
	Net, Target *nn.Network
	Adam        *nn.Adam

	pass, targetPass *nn.Pass
	sa, dsa, dq      *mat.Dense
	grad             []float64
}

func newCritic(d, k int, hidden []int, rate float64, rng *rand.Rand) (*critic, error) {
	net, err := nn.NewMLP(sizes(d+k, hidden, 1), nn.ReLU, rng)
	if err != nil {
		return nil, err
	}
	net.ScaleOutput(0.01)
	return &critic{Net: net, Target: net.Clone(), Adam: nn.NewAdam(rate)}, nil
}

// link makes the memory for batches of n.
func (c *critic) link(n int) {
	in, _ := c.Net.Dims()
	c.pass, c.targetPass = c.Net.NewPass(n), c.Target.NewPass(n)
	c.sa, c.dsa, c.dq = mat.NewDense(n, in, nil), mat.NewDense(n, in, nil), mat.NewDense(n, 1, nil)
	c.grad = make([]float64, len(c.Net.Params()))
}

// join sets sa to states and actions next to each other.
func (c *critic) join(s, a *mat.Dense) *mat.Dense {
	n, d := s.Dims()
	for i := range n {
		row := c.sa.RawRowView(i)
		copy(row, s.RawRowView(i))
		copy(row[d:], a.RawRowView(i))
	}
	return c.sa
}

// fit does a step of Adam on the mean of (Q(s, a) - y)^2, which it returns.
func (c *critic) fit(s, a *mat.Dense, y []float64) float64 {
	for i, v := range y {
		c.dq.Set(i, 0, v)
	}
	loss := nn.SquaredLoss(c.dq, c.pass.Forward(c.join(s, a)), c.dq)
	c.pass.Backward(c.grad, c.dq, nil)
	c.Adam.Step(c.Net.Params(), c.grad)
	return loss
}

// ahead returns Q' of the target.
func (c *critic) ahead(s, a *mat.Dense) *mat.Dense { return c.targetPass.Forward(c.join(s, a)) }

// slopes returns Q(s, a), and its derivatives by s and a in rows.
func (c *critic) slopes(s, a *mat.Dense) (q, by *mat.Dense) {
	q = c.pass.Forward(c.join(s, a))
	n, _ := s.Dims()
	for i := range n {
		c.dq.Set(i, 0, 1)
	}
	c.pass.Backward(nil, c.dq, c.dsa)
	return q, c.dsa
}

// fits fails when a critic that was read does not fit the learner's.
func (c *critic) fits(own *critic) error {
	if c == nil {
		return fmt.Errorf("rl: the data hold no critic")
	}
	if err := sameNetworks(c.Net, own.Net); err != nil {
		return err
	}
	return sameNetworks(c.Target, own.Target)
}

// follow moves the parameters of a target towards those of its network.
func follow(target, net *nn.Network, tau float64) {
	p := net.Params()
	for i, v := range target.Params() {
		target.Params()[i] = v + tau*(p[i]-v)
	}
}
