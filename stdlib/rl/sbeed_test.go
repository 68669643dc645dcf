package rl

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

// Theorem 27 against differences of the objective with the best rho, and the term of
// the dual against the variance of V(s').
func TestEmbeddingGradients(t *testing.T) {
	const discount, lambda, eta, h = 0.9, 0.1, 0.7, 1e-6
	m, rng := smallMDP(t), rand.New(rand.NewPCG(5, 7))
	v, logits := make([]float64, 20), mat.NewDense(20, 4, nil)
	for s := range v {
		v[s] = rng.NormFloat64()
		for a := range 4 {
			logits.Set(s, a, rng.NormFloat64())
		}
	}
	gradV, gradLogits := make([]float64, 20), mat.NewDense(20, 4, nil)
	_, dual := m.Embedding(v, logits, discount, lambda, eta, gradV, gradLogits)
	objective := func() float64 {
		primal, dual := m.Embedding(v, logits, discount, lambda, eta, nil, nil)
		return primal - eta*dual
	}
	check := func(what string, x *float64, got float64) {
		old := *x
		*x = old + h
		up := objective()
		*x = old - h
		down := objective()
		*x = old
		near(t, what, got, (up-down)/(2*h), 1e-8)
	}
	variance := 0.0
	for s := range v {
		check("gradient of V", &v[s], gradV[s])
		for a := range 4 {
			check("gradient of logits", &logits.RawRowView(s)[a], gradLogits.At(s, a))
			mean, square := 0.0, 0.0
			for _, o := range m.Outcomes(s, a) {
				mean += o.Probability * v[o.Next]
				square += o.Probability * v[o.Next] * v[o.Next]
			}
			variance += (square - mean*mean) / 80
		}
	}
	near(t, "the dual term", dual, discount*discount*variance, 1e-10)
}

// The population objective has the smoothed solution for eta = 1 only.
func TestEtaRemovesTheBias(t *testing.T) {
	t.Parallel()
	m := smallMDP(t)
	want := solved(t, m, 0.9, 0.1)
	s := DefaultTabularSettings()
	s.Population, s.Updates, s.Rate = true, 20000, 0.01
	for _, c := range []struct{ eta, least, most float64 }{{1, 0, 1e-4}, {0, 0.1, 1}} {
		s.Eta = orNone(c.eta)
		v, policy, err := TabularSBEED(context.Background(), m, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := deviation(v, want.V); !(d >= c.least && d <= c.most) {
			t.Errorf("eta %v: V differs from the solution by %v, must be in [%v, %v]", c.eta, d, c.least, c.most)
		}
		if c.eta == 1 {
			near(t, "consistency", Consistency(m, v, policy, 0.9, 0.1), 0, 1e-3)
		}
	}
}

// Algorithm 12 with samples, in the specification's setting.
func TestTabularSBEED(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	m := smallMDP(t)
	want := solved(t, m, 0.9, 0.1)
	for _, c := range []struct{ eta, least, most float64 }{{1, 0, 0.05}, {0, 0.1, 1}} {
		s := DefaultTabularSettings()
		s.Eta = orNone(c.eta)
		v, _, err := TabularSBEED(context.Background(), m, s, rand.New(rand.NewPCG(6, 7)))
		if err != nil {
			t.Fatal(err)
		}
		d := deviation(v, want.V)
		t.Logf("eta %v: V differs from the solution by %.4f", c.eta, d)
		if !(d >= c.least && d <= c.most) {
			t.Errorf("eta %v: V differs from the solution by %v, must be in [%v, %v]", c.eta, d, c.least, c.most)
		}
	}
}

// orNone returns a number as settings have it.
func orNone(x float64) float64 {
	if x == 0 {
		return None
	}
	return x
}

// tableSettings make every function of SBEED a table on a finite process.
func tableSettings() *SBEEDSettings {
	s := DefaultSBEEDSettings()
	s.Policy = DefaultPolicySettings()
	s.Policy.Hidden = []int{}
	s.Hidden = []int{}
	s.RewardScale = 1
	return s
}

// Where transitions are certain, k steps and traces of them are consistent for the
// smoothed solution on every path whatever (Dai 2018, equations D.2 and D.4), ends
// included: delta = V.
func TestWindowsAreConsistentAtTheSolution(t *testing.T) {
	const discount, lambda = 0.9, 0.2
	lake, err := NewFrozenLake(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	want := solved(t, lake, discount, lambda)
	for _, c := range []struct {
		horizon int
		trace   float64
	}{{1, 1}, {2, 1}, {5, 1}, {12, 1}, {5, 0}, {5, 0.7}, {12, 0.9}} {
		set := tableSettings()
		set.Discount, set.Lambda, set.Horizon, set.Trace = discount, lambda, c.horizon, orNone(c.trace)
		s, err := NewSBEED(lake, set, rand.New(rand.NewPCG(7, 7)))
		if err != nil {
			t.Fatal(err)
		}
		episodes, err := Rollout(context.Background(), lake, s.Policy, 20, 0, rand.New(rand.NewPCG(8, 7)))
		if err != nil {
			t.Fatal(err)
		}
		for state := range 16 {
			s.Value.Params()[state] = want.V[state]
			for a := range 4 {
				s.Policy.params[state*4+a] = vec.Log1(want.Policy.At(state, a))
			}
		}
		s.windows.draw(episodes, set.Batch, c.horizon, rand.New(rand.NewPCG(9, 7)))
		s.look()
		for i := range set.Batch {
			near(t, "delta", s.delta[i], s.value[i], 1e-9)
		}
	}
}

// The gradients of an update against differences of (delta - V)^2 - eta (delta - rho)^2
// for the rho at hand, with networks, normal and softmax policies, and traces.
func TestUpdateGradients(t *testing.T) {
	for _, system := range []System{NewPendulum(), NewCartPole()} {
		set := DefaultSBEEDSettings()
		set.Hidden, set.Batch, set.Horizon, set.Trace, set.Eta, set.EpisodeSteps = []int{8}, 16, 4, 0.6, 0.7, 30
		set.Policy.Features = 12
		s, err := NewSBEED(system, set, rand.New(rand.NewPCG(10, 7)))
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(11, 7))
		episodes, err := Rollout(context.Background(), system, s.Policy, 3, 30, rng)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Policy.net.Params() {
			s.Policy.params[i] = 0.1 * rng.NormFloat64()
		}
		s.windows.draw(episodes, set.Batch, set.Horizon, rng)
		s.look()
		s.dual()
		s.gradients()
		objective := func() float64 {
			s.look()
			sum := 0.0
			for i := range set.Batch {
				gap, noise := s.delta[i]-s.value[i], s.delta[i]-s.rho[i]
				sum += (gap*gap - set.Eta*noise*noise) / float64(set.Batch)
			}
			return sum
		}
		for name, pair := range map[string][2][]float64{"V": {s.Value.Params(), slices.Clone(s.gradV)}, "policy": {s.Policy.params, slices.Clone(s.gradPi)}} {
			for i, old := range pair[0] {
				const h = 1e-6
				pair[0][i] = old + h
				up := objective()
				pair[0][i] = old - h
				down := objective()
				pair[0][i] = old
				near(t, system.Name()+": gradient of "+name, pair[1][i], (up-down)/(2*h), 1e-6)
			}
		}
	}
}

// Fisher's product against the second derivative of the divergence.
func TestFisherIsTheHessianOfDivergence(t *testing.T) {
	for _, system := range []System{NewPendulum(), NewCartPole()} {
		rng := rand.New(rand.NewPCG(12, 7))
		set := DefaultPolicySettings()
		set.Hidden = []int{6}
		p, err := NewPolicy(system, set, rng)
		if err != nil {
			t.Fatal(err)
		}
		episodes, err := Rollout(context.Background(), system, p, 1, 40, rng)
		if err != nil {
			t.Fatal(err)
		}
		e := episodes[0]
		inputs := e.Inputs.Slice(0, e.Len(), 0, p.input.width()).(*mat.Dense)
		for i := range p.net.Params() {
			p.params[i] += 0.3 * rng.NormFloat64()
		}
		b, logs := p.batch(), make([]float64, e.Len())
		b.logProbs(logs, inputs, e.Actions)
		b.keep()
		n := len(p.params)
		v, fv := make([]float64, n), make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		b.fisher(fv, v, 0)
		// KL(w | w + h v) = h^2/2 v'Fv.
		const h = 1e-3
		start := slices.Clone(p.params)
		kl := 0.0
		for _, sign := range []float64{-1, 1} {
			for i := range start {
				p.params[i] = start[i] + sign*h*v[i]
			}
			b.logProbs(logs, inputs, e.Actions)
			d, _ := b.divergence()
			kl += d
		}
		near(t, system.Name()+": v'Fv", kl/(h*h), vec.Dot(v, fv), 1e-4)
	}
}

// With the policy fixed the problem is convex in V, and least squares are its truth;
// for the smoothed optimum these give its value.
func TestConvexCaseReachesItsSolution(t *testing.T) {
	m := smallMDP(t)
	law := mat.NewDense(20, 4, nil)
	for s := range 20 {
		copy(law.RawRowView(s), []float64{0.4, 0.3, 0.2, 0.1})
	}
	want, err := ConsistentValue(m, law, 0.9, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	s := DefaultTabularSettings()
	s.Policy, s.Population, s.Updates, s.Rate = law, true, 5000, 0.03
	v, same, err := TabularSBEED(context.Background(), m, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := deviation(v, want); d > 1e-6 {
		t.Errorf("V differs from least squares by %v", d)
	}
	near(t, "the policy", same.At(3, 1), 0.3, 1e-12)
	best := solved(t, m, 0.9, 0.1)
	if v, err = ConsistentValue(m, best.Policy, 0.9, 0.1); err != nil || deviation(v, best.V) > 1e-8 {
		t.Errorf("the value consistent with the optimum differs from it by %v (error %v)", deviation(v, best.V), err)
	}
}

// Linear-quadratic control without noise, under its exact law: V, linear in x and x^2,
// is minus the Riccati cost, with the entropy's constant.
func TestSBEEDReachesRiccati(t *testing.T) {
	one := mat.NewDense(1, 1, []float64{1})
	l := &LinearQuadratic{A: one, B: one, Q: one, R: one, Spread: 1, Steps: 20}
	const discount, lambda = 0.8, 0.5
	exact, err := l.Riccati(context.Background(), discount, lambda)
	if err != nil {
		t.Fatal(err)
	}
	system := squares{l}
	law, err := NewLinearPolicy(system, mat.NewDense(1, 2, []float64{-exact.Gain.At(0, 0), 0}), []float64{0}, []float64{math.Sqrt(exact.Covariance.At(0, 0))})
	if err != nil {
		t.Fatal(err)
	}
	set := DefaultSBEEDSettings()
	set.Hidden, set.Fixed, set.Horizon, set.RewardScale = []int{}, law, 3, 1
	set.Discount, set.Lambda, set.Eta = discount, lambda, PCL
	set.Episodes, set.Replay, set.Updates, set.ValueRate = 50, 50, 1500, 0.02
	s, err := NewSBEED(system, set, rand.New(rand.NewPCG(13, 7)))
	if err != nil {
		t.Fatal(err)
	}
	progress, err := s.Iterate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	w := s.Value.Params()
	near(t, "the weight of x", w[0], 0, 1e-3)
	near(t, "the weight of x^2", w[1], -exact.Cost.At(0, 0), 1e-3)
	near(t, "the constant", w[2], exact.Constant, 1e-3)
	if progress.Return >= 0 {
		t.Errorf("the return is %v, must be negative", progress.Return)
	}
}

// squares shows x and x^2 of a system with one number.
type squares struct{ *LinearQuadratic }

func (s squares) Spaces() (observation, action Space) {
	_, action = s.LinearQuadratic.Spaces()
	return Box(2, math.Inf(-1), math.Inf(1)), action
}

func (s squares) Observe(o, x []float64) { o[0], o[1] = x[0], x[0]*x[0] }

// SBEED goes on from a checkpoint with the same bits, on any number of cores; and PCL is
// SBEED with eta = 0.
func TestSBEEDResumes(t *testing.T) {
	set := DefaultSBEEDSettings()
	set.Episodes, set.EpisodeSteps, set.Updates, set.Geometry = 3, 40, 5, Divergence
	set.PolicyRate = 0.1
	ctx := context.Background()
	make := func(system System, eta float64, seed uint64) *SBEED {
		set.Eta = orNone(eta)
		s, err := NewSBEED(system, set, rand.New(rand.NewPCG(seed, 7)))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	resumes(t, func(seed uint64) Learner { return make(NewPendulum(), 0.1, seed) })
	resumes(t, func(seed uint64) Learner { return make(NewCartPole(), 0.1, seed) })
	set.Eta = 0.5
	pcl, err := NewPCL(NewPendulum(), set, rand.New(rand.NewPCG(1, 7)))
	if err != nil {
		t.Fatal(err)
	}
	sbeed := make(NewPendulum(), 0, 1)
	for range 2 {
		a, _ := pcl.Iterate(ctx)
		b, _ := sbeed.Iterate(ctx)
		if a != b {
			t.Errorf("PCL makes %+v, SBEED with eta = 0 %+v", a, b)
		}
	}
}

// resumes checks that a learner with another seed goes on from a checkpoint with the
// same bits, and on another number of cores.
func resumes(t *testing.T, make func(seed uint64) Learner) {
	t.Helper()
	ctx := context.Background()
	iterate := func(l Learner) Progress {
		p, err := l.Iterate(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	one := make(1)
	iterate(one)
	saved, err := one.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	want := [2]Progress{iterate(one), iterate(one)}
	end, err := one.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, cores := range []int{1, 3} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		other := make(2)
		iterate(other)
		if err := other.UnmarshalBinary(saved); err != nil {
			t.Fatal(err)
		}
		if got := [2]Progress{iterate(other), iterate(other)}; got != want {
			t.Errorf("%T: resumed it makes %+v, want %+v", one, got, want)
		}
		if again, err := other.MarshalBinary(); err != nil || !bytes.Equal(again, end) {
			t.Errorf("%T: resumed it ends in another state (error %v)", one, err)
		}
	}
	if err := make(3).UnmarshalBinary(saved[:len(saved)/2]); err == nil {
		t.Errorf("%T: half a checkpoint was read", one)
	}
}

func TestPolicySavesAndLoads(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 7))
	for _, system := range []System{NewPendulum(), NewAcrobot()} {
		p, err := NewPolicy(system, nil, rng)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.net.Params() {
			p.params[i] = rng.NormFloat64()
		}
		data, err := p.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var q Policy
		if err := q.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		seen := NewEnv(system, rng).Reset()
		if !slices.Equal(p.Mode(seen), q.Mode(seen)) || !slices.Equal(p.Act(seen, rand.New(rand.NewPCG(1, 1))), q.Act(seen, rand.New(rand.NewPCG(1, 1)))) {
			t.Errorf("%s: the policy read back acts otherwise", system.Name())
		}
	}
}

func TestBadSBEEDSettings(t *testing.T) {
	for want, change := range map[string]func(*SBEEDSettings){
		"rl: horizon is -1, must be at least 1":                            func(s *SBEEDSettings) { s.Horizon = -1 },
		"rl: eta is 2, must be from 0 to 1":                                func(s *SBEEDSettings) { s.Eta = 2 },
		"rl: discount is 1, must be from 0 to below 1":                     func(s *SBEEDSettings) { s.Discount = 1 },
		"rl: replay is 1, must be at least the 2 episodes of an iteration": func(s *SBEEDSettings) { s.Episodes, s.Replay = 2, 1 },
		`rl: geometry is "none", must be euclidean or divergence`:          func(s *SBEEDSettings) { s.Geometry = "none" },
		"rl: std is 0.5 within [0.6, 0.75], must be positive and in order": func(s *SBEEDSettings) { s.Policy.MinStd = 0.6 },
	} {
		s := DefaultSBEEDSettings()
		change(s)
		if _, err := NewSBEED(NewPendulum(), s, rand.New(rand.NewPCG(1, 1))); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
