package rl

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/nn"
	"gaucho/stdlib/vec"
)

// fill makes a batch of what a few random steps show.
func fill(t *testing.T, l Learner) {
	t.Helper()
	for range 2 {
		if _, err := l.Iterate(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSACGradient: the gradient of the policy's loss is that of differences, for the same
// noise, with standard deviations that depend on what is seen.
func TestSACGradient(t *testing.T) {
	system, err := WithLimit(NewSwimmer(), 40)
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewSAC(system, &SACSettings{Hidden: []int{8}, Batch: 16, Warmup: 30}, source(1))
	if err != nil {
		t.Fatal(err)
	}
	fill(t, g)
	g.Pi.ScaleOutput(30)
	rng := source(2)
	g.batch.draw(&g.Memory, rng)
	g.draw(g.batch.s, rng)
	loss := func() float64 { g.act(g.batch.s); return g.climb(0.3) }
	loss()
	grad, params := slices.Clone(g.grad), g.Pi.Params()
	const h = 1e-6
	for i, old := range params {
		params[i] = old + h
		up := loss()
		params[i] = old - h
		down := loss()
		params[i] = old
		near(t, "gradient", grad[i], (up-down)/(2*h), 1e-6)
	}
}

// TestSACDensity: the density of tanh of a normal number integrates to 1 over (-1, 1), and
// logs is its logarithm.
func TestSACDensity(t *testing.T) {
	g, err := NewSAC(NewPendulum(), &SACSettings{Hidden: []int{4}, Batch: 4000}, source(3))
	if err != nil {
		t.Fatal(err)
	}
	for i := range g.noise.RawMatrix().Data { // equal steps of the normal number within 6 deviations
		g.noise.RawMatrix().Data[i] = -6 + 12*(float64(i)+0.5)/4000
	}
	g.act(g.batch.s)
	sum := 0.0
	for i := 1; i < 4000; i++ {
		sum += (g.acts.At(i, 0) - g.acts.At(i-1, 0)) * (math.Exp(g.logs[i]) + math.Exp(g.logs[i-1])) / 2
	}
	near(t, "integral", sum, 1, 1e-4)
}

// TestSACTargets: with critics that are 0 but for their offsets, the loss of an update is
// the mean square of r + discount (min offsets - temperature log pi) - offset.
func TestSACTargets(t *testing.T) {
	g, err := NewSAC(NewPendulum(), &SACSettings{Hidden: []int{4}, Batch: 8, Warmup: 250}, source(4))
	if err != nil {
		t.Fatal(err)
	}
	fill(t, g)
	offsets := [2]float64{3, 2}
	for i, c := range g.Critics {
		for _, p := range [][]float64{c.Net.Params(), c.Target.Params()} {
			clear(p)
			p[len(p)-1] = offsets[i]
		}
	}
	g.batch.draw(&g.Memory, source(5))
	heat := vec.Exp1(g.Temperature[0])
	g.draw(g.batch.next, source(6))
	want := 0.0
	for i, r := range g.batch.rewards {
		y := r + 0.99*g.batch.follow[i]*(2-heat*g.logs[i])
		for _, o := range offsets {
			want += (y - o) * (y - o) / 16
		}
	}
	near(t, "loss", g.update(source(6)), want, 1e-9)
}

// TestDQNTargets: the loss and its gradient by hand: double estimates, no value after an
// end, Huber's slope.
func TestDQNTargets(t *testing.T) {
	q, err := NewDQN(NewCartPole(), &DQNSettings{Hidden: []int{6}, Batch: 32, Warmup: 10}, source(7))
	if err != nil {
		t.Fatal(err)
	}
	for len(q.Memory.Rewards) < 200 {
		fill(t, q)
	}
	for i := range q.Target.Params() { // a target of its own
		q.Target.Params()[i] += 0.3 * math.Sin(float64(i))
	}
	q.batch.draw(&q.Memory, source(8))
	row := func(net interface{ At(i, j int) float64 }, i int) (float64, float64) {
		return net.At(i, 0), net.At(i, 1)
	}
	// The targets stay while the parameters of Q are moved by differences.
	next, ahead := mat.DenseCopyOf(q.Q.NewPass(32).Forward(q.batch.next)), q.Target.NewPass(32).Forward(q.batch.next)
	y, ended := make([]float64, 32), 0
	for i := range y {
		left, right := row(next, i)
		best := 0
		if right > left {
			best = 1
		}
		y[i] = q.batch.rewards[i] + 0.99*ahead.At(i, best)
		if q.batch.follow[i] == 0 {
			y[i] = q.batch.rewards[i]
			ended++
		}
	}
	if ended == 0 {
		t.Fatal("no end among the steps: nothing is tested")
	}
	pass := q.Q.NewPass(32)
	loss := func() float64 {
		out, sum := pass.Forward(q.batch.s), 0.0
		for i := range y {
			gap := math.Abs(out.At(i, int(q.batch.a.At(i, 0))) - y[i])
			if gap <= 1 {
				sum += gap * gap / 2 / 32
			} else {
				sum += (gap - 0.5) / 32
			}
		}
		return sum
	}
	near(t, "loss", q.gradient(), loss(), 1e-12)
	params := q.Q.Params()
	const h = 1e-6
	for i, old := range params {
		params[i] = old + h
		up := loss()
		params[i] = old - h
		down := loss()
		params[i] = old
		near(t, "gradient", q.grad[i], (up-down)/(2*h), 1e-6)
	}
}

// TestA2CAdvantages: those of collect are Schulman's sums, computed forwards, with V
// beyond a cut and nothing beyond an end.
func TestA2CAdvantages(t *testing.T) {
	system, err := WithLimit(NewCartPole(), 12)
	if err != nil {
		t.Fatal(err)
	}
	const n, steps = 3, 30
	g, err := NewA2C(system, &A2CSettings{Environments: n, Steps: steps, Discount: 0.9, GAE: 0.8}, source(9))
	if err != nil {
		t.Fatal(err)
	}
	twin, err := NewVector(system, n, source(10))
	if err != nil {
		t.Fatal(err)
	}
	data, err := g.vector.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := twin.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if _, _, err := g.collect(source(11)); err != nil {
		t.Fatal(err)
	}
	value := func(o []float64) float64 {
		x := mat.NewDense(1, 4, nil)
		g.Policy.input.encode(x.RawRowView(0), o)
		return g.Value.NewPass(1).Forward(x).At(0, 0)
	}
	var now, delta [steps][n]float64
	var over [steps][n]bool
	cuts, ends := 0, 0
	for s := range steps {
		for i := range n {
			now[s][i] = value(twin.Observations.RawRowView(i))
		}
		twin.Step(g.taken.Slice(s*n, (s+1)*n, 0, 1).(*mat.Dense))
		for i := range n {
			next := value(twin.Observations.RawRowView(i))
			switch {
			case twin.Terminated[i]:
				next = 0
				ends++
			case twin.Truncated[i]:
				next = value(twin.Final.RawRowView(i))
				cuts++
			}
			over[s][i] = twin.Terminated[i] || twin.Truncated[i]
			delta[s][i] = g.RewardScale*twin.Rewards[i] + 0.9*next - now[s][i]
		}
	}
	if cuts == 0 || ends == 0 {
		t.Fatalf("%d cuts and %d ends: nothing is tested", cuts, ends)
	}
	for s := range steps {
		for i := range n {
			want, weight := 0.0, 1.0
			for u := s; u < steps; u++ {
				want += weight * delta[u][i]
				weight *= 0.9 * 0.8
				if over[u][i] {
					break
				}
			}
			near(t, "advantage", g.c[s*n+i], want, 1e-12)
		}
	}
}

// A paying system has other rewards.
type paying struct {
	System
	factor float64
}

func (p paying) Step(state, action []float64, rng *rand.Rand) (float64, bool) {
	reward, over := p.System.Step(state, action, rng)
	return p.factor * reward, over
}

// TestA2CUnits: in whatever unit rewards are, the same is learnt.
func TestA2CUnits(t *testing.T) {
	learn := func(factor float64) (*A2C, float64) {
		g, err := NewA2C(paying{NewPendulum(), factor}, nil, source(5))
		if err != nil {
			t.Fatal(err)
		}
		curve, err := Train(t.Context(), g, 20000, nil)
		if err != nil {
			t.Fatal(err)
		}
		return g, curve[len(curve)-1].Return
	}
	one, low := learn(1)
	thousand, high := learn(1024) // rounds nothing
	if high != 1024*low || !slices.Equal(one.Policy.params, thousand.Policy.params) || one.RewardScale != 1024*thousand.RewardScale {
		t.Errorf("returns %v and %v, scales %v and %v", low, high, one.RewardScale, thousand.RewardScale)
	}
}

// TestNewLearnersResume: bit for bit, with full memories.
func TestNewLearnersResume(t *testing.T) {
	short, err := WithLimit(NewPendulum(), 60)
	if err != nil {
		t.Fatal(err)
	}
	for _, make := range []func(seed uint64) (Learner, error){
		func(seed uint64) (Learner, error) {
			return NewSAC(short, &SACSettings{Batch: 16, Replay: 150, Warmup: 50}, source(seed))
		},
		func(seed uint64) (Learner, error) {
			return NewDQN(NewCartPole(), &DQNSettings{Batch: 8, Replay: 50, Warmup: 20}, source(seed))
		},
		func(seed uint64) (Learner, error) {
			return NewA2C(short, &A2CSettings{Environments: 3}, source(seed))
		},
	} {
		resumes(t, func(seed uint64) Learner {
			l, err := make(seed)
			if err != nil {
				t.Fatal(err)
			}
			return l
		})
	}
}

// TestSavedWithoutReplay: an actor that is read back acts with the same bits and is a
// small part of its learner's checkpoint.
func TestSavedWithoutReplay(t *testing.T) {
	pendulum, cart := []float64{0.5, -0.8, 2}, []float64{0.1, -0.3, 0.05, 1}
	sac, err := NewSAC(NewPendulum(), &SACSettings{Warmup: 190}, source(12))
	if err != nil {
		t.Fatal(err)
	}
	ddpg, err := NewDDPG(NewPendulum(), &DDPGSettings{Warmup: 190}, source(12))
	if err != nil {
		t.Fatal(err)
	}
	dqn, err := NewDQN(NewCartPole(), nil, source(12))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		l Learner
		o []float64
	}{"SAC": {sac, pendulum}, "DDPG": {ddpg, pendulum}, "DQN": {dqn, cart}} {
		fill(t, c.l)
		data, err := c.l.Actor().(*NetworkActor).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var read NetworkActor
		if err := read.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		for i, a := range c.l.Actor().Act(c.o, source(13)) {
			near(t, name, read.Act(c.o, source(13))[i], a, 0)
		}
		if err := read.UnmarshalBinary(data[:20]); err == nil {
			t.Errorf("%s: half an actor was read", name)
		}
	}
}

// TestInputsOfNetworks: numbers whose bounds are above 1 come to a DQN and to a policy of hidden layers as they are, others in
// units of their bounds; to random features all come in these, and so they do in what was saved before.
func TestInputsOfNetworks(t *testing.T) {
	for system, want := range map[System][]float64{
		NewAcrobot():     {1, 1, 1, 1, 1, 1},
		NewMountainCar(): {1, 0.07},
		NewCartPole():    {1, 1, 2 * poleBound, 1},
	} {
		q, err := NewDQN(system, nil, source(3))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(q.input.scale, want) {
			t.Errorf("%s: units %v, want %v", system.Name(), q.input.scale, want)
		}
		observation, action := system.Spaces()
		for _, c := range []struct {
			hidden []int
			want   []float64
		}{{[]int{4}, want}, {nil, bounds(observation)}} {
			p, err := NewPolicy(system, &PolicySettings{Hidden: c.hidden}, source(3))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(p.input.scale, c.want) {
				t.Errorf("%s, policy with layers %v: units %v, want %v", system.Name(), c.hidden, p.input.scale, c.want)
			}
		}
		old, err := encodeState(struct {
			Net                 *nn.Network
			Head                head
			Observation, Action Space
		}{q.Q, greedy, observation, action})
		if err != nil {
			t.Fatal(err)
		}
		var read NetworkActor
		if err := read.UnmarshalBinary(old); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(read.input.scale, bounds(observation)) {
			t.Errorf("%s, saved before: units %v, want %v", system.Name(), read.input.scale, bounds(observation))
		}
	}
}

// TestNewLearnersRefuse: what is no setting, and what is not given.
func TestNewLearnersRefuse(t *testing.T) {
	first := func(_ any, err error) error { return err }
	dqn, err := NewDQN(NewCartPole(), nil, source(1))
	if err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"must be choices for DQN":                first(NewDQN(NewPendulum(), nil, source(1))),
		"must be a box for SAC":                  first(NewSAC(NewCartPole(), nil, source(1))),
		"rl: system is nil":                      first(NewA2C(nil, nil, source(1))),
		"rl: rng is nil":                         first(NewSAC(NewPendulum(), nil, nil)),
		"every is -2 steps, must be at least 1":  first(NewDQN(NewCartPole(), &DQNSettings{Every: -2}, source(1))),
		"temperature is -3, must be positive":    first(NewSAC(NewPendulum(), &SACSettings{Temperature: -3}, source(1))),
		"explore is 2 after 10000 steps":         first(NewDQN(NewCartPole(), &DQNSettings{Explore: 2}, source(1))),
		"batch is 64 of 10 steps kept":           first(NewDQN(NewCartPole(), &DQNSettings{Replay: 10}, source(1))),
		"decay is -5 steps, must be at least 0":  first(NewA2C(NewCartPole(), &A2CSettings{Decay: -5}, source(1))),
		"limit is 0 steps, must be at least 1":   first(WithLimit(NewCartPole(), 0)),
		"system is nil, must be an environment":  first(WithLimit(nil, 3)),
		"steps is -5, must be at least 1":        first(Train(context.Background(), dqn, -5, nil)),
		"rl: process is nil":                     first(ValueIteration(context.Background(), nil, .9, 0, 1e-9)),
		"rl: policy is nil":                      first(EvaluatePolicy(NewCliff(), nil, .9, 0)),
		"number of steps is 1, must be at least": first(Normalize(NewPendulum(), 0.9, 1, source(1))),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestNewLearnersLearn: CartPole to a mean of 300 within 60,000 steps by A2C and of 75
// within 15,000 by DQN (choices at random have 22), and the pendulum's
// swing-up, worth more than -200, within 6,000, each with its defaults over two seeds.
func TestNewLearnersLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	for seed := uint64(1); seed <= 2; seed++ {
		a2c, err := NewA2C(NewCartPole(), nil, source(seed))
		if err != nil {
			t.Fatal(err)
		}
		sac, err := NewSAC(NewPendulum(), nil, source(seed))
		if err != nil {
			t.Fatal(err)
		}
		dqn, err := NewDQN(NewCartPole(), nil, source(seed))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			l      Learner
			steps  int
			target float64
		}{{a2c, 60000, 300}, {dqn, 15000, 75}, {sac, 10000, -200}} {
			curve, err := Train(context.Background(), c.l, c.steps, &TrainSettings{Every: c.steps / 10, Stop: func(p Progress) bool { return p.Evaluated >= c.target }})
			if err != nil {
				t.Fatal(err)
			}
			_, _, returns, _, _ := curve.Curve(1)
			t.Logf("seed %d, %T: %.0f", seed, c.l, returns)
			if slices.Max(returns) < c.target {
				t.Errorf("seed %d: %T comes to %.0f, want %v", seed, c.l, returns, c.target)
			}
		}
	}
}

// A hallway has five cells in a row; each step costs 1 and the fifth ends it.
type hallway struct{ System }

func (hallway) Name() string                        { return "hallway" }
func (hallway) Dim() int                            { return 1 }
func (hallway) Limit() int                          { return 20 }
func (hallway) Spaces() (observation, action Space) { return Choices(5), Choices(2) }
func (hallway) Init(s []float64, rng *rand.Rand)    { s[0] = float64(rng.IntN(4)) }
func (hallway) Observe(o, s []float64)              { copy(o, s) }
func (hallway) Step(s, a []float64, _ *rand.Rand) (float64, bool) {
	s[0] = max(s[0]+2*a[0]-1, 0)
	return -1, s[0] == 4
}

// TestDQNFindsTheValues: those of a hallway, which a formula gives: n steps to the end
// cost (1 - discount^n) / (1 - discount).
func TestDQNFindsTheValues(t *testing.T) {
	q, err := NewDQN(hallway{}, &DQNSettings{Hidden: []int{32}, Discount: 0.9, Batch: 32, Every: 1, Warmup: 200, Explore: 0.5, ExploreSteps: 1000, Target: 0.02}, source(14))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Train(context.Background(), q, 6000, nil); err != nil {
		t.Fatal(err)
	}
	x := mat.NewDense(5, 5, nil)
	for i := range 5 {
		x.Set(i, i, 1)
	}
	got := q.Q.NewPass(5).Forward(x)
	cost := func(steps int) float64 { return (math.Pow(0.9, float64(steps)) - 1) / 0.1 }
	for cell := range 4 {
		near(t, "value of going on", got.At(cell, 1), cost(4-cell), 0.1)
		near(t, "value of going back", got.At(cell, 0), -1+0.9*cost(4-max(cell-1, 0)), 0.1)
	}
}

// TestDQNValuesStayWhatTheyCanBe: a step on CartPole is worth 1, so that no value is above
// 1/(1 - discount) = 100 and neither is the mean of estimates that may err on both sides, however quickly the target follows.
func TestDQNValuesStayWhatTheyCanBe(t *testing.T) {
	t.Parallel()
	for seed := uint64(1); seed <= 2; seed++ {
		q, err := NewDQN(NewCartPole(), &DQNSettings{Target: 0.05}, source(seed))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Train(context.Background(), q, 4000, nil); err != nil {
			t.Fatal(err)
		}
		n := len(q.Memory.Rewards)
		values := q.Q.NewPass(n).Forward(mat.NewDense(n, 4, q.Memory.States))
		if mean := mat.Sum(values) / float64(2*n); mean > 100 {
			t.Errorf("seed %d: the mean value is %.0f, must be at most 100", seed, mean)
		}
	}
}
