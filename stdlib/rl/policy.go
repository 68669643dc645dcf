package rl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/nn"
	"gaucho/stdlib/vec"
)

// None is 0 in settings whose zero means another default: no noise, no entropy reward.
const None = settings.None

// PolicySettings say how a policy depends on what is seen. Fields that are zero have
// the values of [DefaultPolicySettings].
type PolicySettings struct {
	// Features is the number of random features of the Gaussian kernel with the
	// given Bandwidth, on observations in units of their bounds, in which means or
	// logits are linear. Bandwidth 0 is the median distance of what is seen in 1,000
	// steps under random actions (the median trick).
	Features  int
	Bandwidth float64
	// Hidden, if not nil, holds the widths of the tanh layers of a network that takes
	// the features' place; []int{} makes means or logits linear in what is seen. A network takes
	// numbers whose bounds are above 1 as they are.
	Hidden []int
	// Std is the standard deviation of actions at the start and MinStd and MaxStd are
	// its bounds, in units of the largest action where there is one. The entropy of
	// a normal law has no upper bound, and so an entropy reward needs one.
	Std, MinStd, MaxStd float64
}

// DefaultPolicySettings returns the settings that nil stands for: 100 features with the
// median bandwidth, standard deviation 0.5 in [0.15, 0.75].
func DefaultPolicySettings() *PolicySettings {
	return &PolicySettings{Features: 100, Std: 0.5, MinStd: 0.15, MaxStd: 0.75}
}

// networkPolicySettings are those of methods that are known with networks: two layers of 64.
func networkPolicySettings() *PolicySettings {
	s := DefaultPolicySettings()
	s.Hidden = []int{64, 64}
	return s
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *PolicySettings) WithDefaults() *PolicySettings {
	return settings.Fill(s, DefaultPolicySettings())
}

func (s *PolicySettings) check() error {
	switch {
	case s.Features < 1:
		return fmt.Errorf("rl: features is %d, must be at least 1; a network has Hidden layers", s.Features)
	case !(s.MinStd > 0 && s.Std >= s.MinStd && s.MaxStd >= s.Std) || math.IsInf(s.MaxStd, 1):
		return fmt.Errorf("rl: std is %v within [%v, %v], must be positive and in order", s.Std, s.MinStd, s.MaxStd)
	}
	return nil
}

// A Policy is a law of actions given what is seen: normal with independent numbers
// for a box, softmax for choices.
type Policy struct {
	net      *nn.Network
	params   []float64 // of the network, then the logarithms of standard deviations
	input    encoder
	action   Space
	centre   []float64 // of the box of actions
	scale    []float64 // of the numbers of an action, about the centre
	min, max float64   // of the logarithms
}

// zBound is how many standard deviations from its mean an action of old data counts
// at most, lest it rule the gradient.
const zBound = 4.5

// NewPolicy returns a policy for a system. Means and logits start close to 0. nil
// settings are the defaults.
func NewPolicy(system System, settings *PolicySettings, rng *rand.Rand) (*Policy, error) {
	if err := checkGiven(system, rng); err != nil {
		return nil, err
	}
	settings = settings.WithDefaults()
	if err := settings.check(); err != nil {
		return nil, err
	}
	observation, action := system.Spaces()
	p := &Policy{input: newEncoder(observation), action: action, min: vec.Log1(settings.MinStd), max: vec.Log1(settings.MaxStd)}
	var err error
	if settings.Hidden == nil {
		bandwidth := settings.Bandwidth
		if bandwidth == 0 {
			bandwidth = medianBandwidth(system, &p.input, rng)
		}
		p.net, err = nn.NewRandomFeatures(p.input.width(), settings.Features, action.width(), bandwidth, rng)
	} else {
		p.input = newNetworkEncoder(observation)
		p.net, err = nn.NewMLP(sizes(p.input.width(), settings.Hidden, action.width()), nn.Tanh, rng)
	}
	if err != nil {
		return nil, err
	}
	p.net.ScaleOutput(0.01)
	n := len(p.net.Params())
	if action.N == 0 {
		p.centre, p.scale = middle(action)
		p.params = make([]float64, n+len(p.scale))
		vec.Fill(p.params[n:], vec.Log1(settings.Std))
	} else {
		p.params = make([]float64, n)
	}
	p.net.Bind(p.params[:n])
	return p, nil
}

// NewLinearPolicy returns the law N(A o + b, std^2) of what is seen, o, in the units of
// observation and action; a is actions x observation, std has a number for each
// action. Its standard deviations stay.
func NewLinearPolicy(system System, a *mat.Dense, b, std []float64) (*Policy, error) {
	if system == nil || a == nil {
		return nil, fmt.Errorf("rl: system or matrix of a linear policy is nil")
	}
	observation, action := system.Spaces()
	r, c := a.Dims()
	if action.N > 0 || observation.N > 0 {
		return nil, fmt.Errorf("rl: %s has choices, must have boxes for a linear policy", system.Name())
	}
	if r != action.Dim() || c != observation.Dim() || len(b) != r || len(std) != r {
		return nil, fmt.Errorf("rl: a is %d x %d with %d offsets and %d standard deviations, must be %d x %d, %d and %d", r, c, len(b), len(std), action.Dim(), observation.Dim(), action.Dim(), action.Dim())
	}
	p := &Policy{input: newEncoder(observation), action: action, min: math.Inf(-1), max: math.Inf(1)}
	p.centre, p.scale = middle(action)
	n := (c + 1) * r
	p.params = make([]float64, n+r)
	for i := range r {
		if !(std[i] > 0) || math.IsInf(std[i], 1) {
			return nil, fmt.Errorf("rl: std %d is %v, must be positive", i, std[i])
		}
		for j := range c {
			p.params[j*r+i] = a.At(i, j) * p.input.scale[j] / p.scale[i]
		}
		p.params[c*r+i] = (b[i] - p.centre[i]) / p.scale[i]
		p.params[n+i] = vec.Log1(std[i] / p.scale[i])
	}
	net, err := nn.NewMLP([]int{c, r}, nn.Identity, rand.New(rand.NewPCG(0, 0)))
	if err != nil {
		return nil, err
	}
	weights := append([]float64(nil), p.params[:n]...)
	net.Bind(p.params[:n])
	copy(p.params, weights)
	p.net = net
	return p, nil
}

// sizes lists the layers of a network.
func sizes(in int, hidden []int, out int) []int {
	return append(append([]int{in}, hidden...), out)
}

// middle returns the centre of a box and half its width in each dimension: actions are
// centre + scale u for the u that a policy chooses. Where a dimension has no bound, or
// one, they are 0 and the bound, or 1.
func middle(s Space) (centre, scale []float64) {
	centre, scale = make([]float64, len(s.Low)), bounds(s)
	for i := range centre {
		if half := (s.High[i] - s.Low[i]) / 2; half > 0 && !math.IsInf(half, 1) {
			centre[i], scale[i] = s.Low[i]+half, half
		}
	}
	return centre, scale
}

// bounds returns the largest absolute value of each dimension of a box, 1 where there
// is none.
func bounds(s Space) []float64 {
	out := make([]float64, len(s.Low))
	for i := range out {
		out[i] = max(math.Abs(s.Low[i]), math.Abs(s.High[i]))
		if math.IsInf(out[i], 1) || out[i] == 0 {
			out[i] = 1
		}
	}
	return out
}

// An encoder turns an observation into inputs: numbers in units of their scale, choices
// as indicators.
type encoder struct {
	space Space
	scale []float64
}

func newEncoder(s Space) encoder { return encoder{s, bounds(s)} }

// newNetworkEncoder leaves numbers alone whose bounds are above 1, for layers that have no bandwidth to find their scale:
// an acrobot's speeds are mostly a small part of the largest that it can have, and decide what is best.
func newNetworkEncoder(s Space) encoder {
	e := newEncoder(s)
	for i, b := range e.scale {
		e.scale[i] = min(b, 1)
	}
	return e
}

func (e *encoder) width() int { return e.space.width() }

// rescale takes a scale that was read, nil for the bounds.
func (e *encoder) rescale(scale []float64) error {
	own := bounds(e.space)
	if scale == nil {
		scale = own
	}
	if len(scale) != len(own) {
		return fmt.Errorf("rl: the data hold %d scales of observations, must hold %d", len(scale), len(own))
	}
	e.scale = scale
	return nil
}

// check says what is wrong with an observation.
func (e *encoder) check(observation []float64) error {
	if len(observation) != e.space.Dim() {
		return fmt.Errorf("rl: the observation has %d numbers, must have %d", len(observation), e.space.Dim())
	}
	for i, v := range observation {
		if v-v != 0 {
			return fmt.Errorf("rl: number %d of the observation is %v, must be finite", i, v)
		}
	}
	if e.space.N > 0 && !e.space.Contains(observation) {
		return fmt.Errorf("rl: the observation is %v, must be a whole number from 0 to %d", observation[0], e.space.N-1)
	}
	return nil
}

func (e *encoder) mustTake(observation []float64) {
	if err := e.check(observation); err != nil {
		panic(err)
	}
}

func (e *encoder) encode(dst, observation []float64) {
	e.space.encode(dst, observation)
	for i, s := range e.scale {
		dst[i] /= s
	}
}

// Std returns the standard deviations of actions, nil for choices.
func (p *Policy) Std() []float64 {
	var out []float64
	for i, l := range p.logStd() {
		out = append(out, p.scale[i]*vec.Exp1(l))
	}
	return out
}

func (p *Policy) logStd() []float64 { return p.params[len(p.net.Params()):] }

// limit brings the standard deviations back into their bounds.
func (p *Policy) limit() {
	s := p.logStd()
	for i := range s {
		s[i] = min(max(s[i], p.min), p.max)
	}
}

// Act draws an action, which [Env.Step] takes. It panics when the observation is none
// of the policy's system: of another length, not finite, no such choice.
func (p *Policy) Act(observation []float64, rng *rand.Rand) []float64 {
	p.input.mustTake(observation)
	if rng == nil {
		panic("rl: rng is nil, must be a source of random numbers")
	}
	a := p.actor()
	raw := make([]float64, p.action.Dim())
	a.sample(raw, observation, rng)
	return a.scaled(raw)
}

// Mode returns the mean action, or the likeliest choice. It panics as Act does.
func (p *Policy) Mode(observation []float64) []float64 {
	p.input.mustTake(observation)
	a := p.actor()
	out := a.forward(observation)
	if p.action.N > 0 {
		return []float64{float64(argmax(out))}
	}
	return a.scaled(append([]float64(nil), out...))
}

// An actor draws actions of a policy, one at a time, in memory of its own.
type actor struct {
	*Policy
	pass  *nn.Pass
	input *mat.Dense
	probs []float64
	out   []float64
}

func (p *Policy) actor() *actor {
	return &actor{Policy: p, pass: p.net.NewPass(1), input: mat.NewDense(1, p.input.width(), nil), probs: make([]float64, p.action.width()), out: make([]float64, p.action.Dim())}
}

// forward returns means or logits; the actor owns them.
func (a *actor) forward(observation []float64) []float64 {
	a.Policy.input.encode(a.input.RawRowView(0), observation)
	return a.pass.Forward(a.input).RawRowView(0)
}

// sample draws an action in the policy's own units.
func (a *actor) sample(dst, observation []float64, rng *rand.Rand) {
	out := a.forward(observation)
	if a.action.N > 0 {
		vec.Softmax(a.probs, out)
		dst[0] = float64(pick(a.probs, rng.Float64()))
		return
	}
	for i, l := range a.logStd() {
		dst[i] = out[i] + vec.Exp1(l)*rng.NormFloat64()
	}
}

// scaled returns an action in the environment's units; the actor owns it.
func (a *actor) scaled(raw []float64) []float64 {
	copy(a.out, raw)
	for i, s := range a.scale {
		a.out[i] = s*a.out[i] + a.centre[i]
	}
	return a.out
}

// A lawBatch is a policy at a batch of inputs and actions.
type lawBatch struct {
	policy  *Policy
	pass    *nn.Pass
	n       int
	actions *mat.Dense // n x dim, in the policy's units
	out     *mat.Dense // means or logits, of the pass
	dout    *mat.Dense
	old     *mat.Dense // means or logits that were kept
	oldLog  []float64  // and the logarithms of standard deviations
	row     []float64
}

func (p *Policy) batch() *lawBatch {
	return &lawBatch{policy: p, pass: p.net.NewPass(1), dout: &mat.Dense{}, row: make([]float64, p.action.width())}
}

// sample sets the rows of dst to actions at the inputs, in the policy's units.
func (b *lawBatch) sample(dst, inputs *mat.Dense, rng *rand.Rand) {
	out := b.pass.Forward(inputs)
	n, _ := inputs.Dims()
	for i := range n {
		o, a := out.RawRowView(i), dst.RawRowView(i)
		if b.policy.action.N > 0 {
			vec.Softmax(b.row, o)
			a[0] = float64(pick(b.row, rng.Float64()))
			continue
		}
		for j, l := range b.policy.logStd() {
			a[j] = o[j] + vec.Exp1(l)*rng.NormFloat64()
		}
	}
}

// logProbs sets dst to the log density or probability of each action.
func (b *lawBatch) logProbs(dst []float64, inputs, actions *mat.Dense) {
	b.n, _ = inputs.Dims()
	b.actions = actions
	b.out = b.pass.Forward(inputs)
	for i := range b.n {
		o, a := b.out.RawRowView(i), actions.RawRowView(i)
		if b.policy.action.N > 0 {
			dst[i] = o[int(a[0])] - vec.LogSumExp(o)
			continue
		}
		sum := 0.0
		for j, l := range b.policy.logStd() {
			z := clip((a[j]-o[j])*vec.Exp1(-l), zBound)
			sum -= z*z/2 + l + halfLog2Pi
		}
		dst[i] = sum
	}
}

const halfLog2Pi = 0.91893853320467274178

// gradient sets grad to sum_i c_i d log pi(a_i|s_i), for the batch of the last
// logProbs.
func (b *lawBatch) gradient(grad, c []float64) {
	p := b.policy
	n := len(p.net.Params())
	b.dout = resize(b.dout, b.n, p.action.width())
	std := grad[n:]
	clear(std)
	for i := range b.n {
		o, d, a := b.out.RawRowView(i), b.dout.RawRowView(i), b.actions.RawRowView(i)
		if p.action.N > 0 {
			vec.Softmax(d, o)
			vec.Scale(d, -c[i], d)
			d[int(a[0])] += c[i]
			continue
		}
		for j, l := range p.logStd() {
			inverse := vec.Exp1(-l)
			z := clip((a[j]-o[j])*inverse, zBound)
			d[j] = c[i] * z * inverse
			std[j] += c[i] * (z*z - 1)
		}
	}
	b.pass.Backward(grad[:n], b.dout, nil)
}

// fisher sets dst to the Fisher matrix of the batch, a mean over rows, times v, plus
// damping v.
func (b *lawBatch) fisher(dst, v []float64, damping float64) {
	p := b.policy
	n := len(p.net.Params())
	tangent := b.pass.Tangent(v[:n])
	b.dout = resize(b.dout, b.n, p.action.width())
	share := 1 / float64(b.n)
	precision := make([]float64, len(p.logStd()))
	vec.Scale(precision, -2, p.logStd())
	vec.Exp(precision, precision)
	for i := range b.n {
		t, d := tangent.RawRowView(i), b.dout.RawRowView(i)
		if p.action.N > 0 {
			vec.Softmax(d, b.out.RawRowView(i))
			mean := vec.Dot(d, t)
			for j, q := range d {
				d[j] = share * q * (t[j] - mean)
			}
			continue
		}
		for j, x := range precision {
			d[j] = share * t[j] * x
		}
	}
	b.pass.Backward(dst[:n], b.dout, nil)
	vec.Scale(dst[n:], 2, v[n:])
	vec.Axpy(dst, damping, v)
}

// keep remembers the policy at the batch of the last logProbs, for divergence.
func (b *lawBatch) keep() {
	b.old = mat.DenseCopyOf(b.out)
	b.oldLog = append(b.oldLog[:0], b.policy.logStd()...)
}

// divergence returns the mean over rows of KL(kept | now), for the batch of the last
// logProbs, and the mean entropy now.
func (b *lawBatch) divergence() (kl, entropy float64) {
	p, q, log := make([]float64, len(b.row)), make([]float64, len(b.row)), b.policy.logStd()
	for i := range b.n {
		was, is := b.old.RawRowView(i), b.out.RawRowView(i)
		if b.policy.action.N > 0 {
			vec.Softmax(p, was)
			vec.Softmax(q, is)
			wasSum, isSum := vec.LogSumExp(was), vec.LogSumExp(is)
			for j := range p {
				kl += p[j] * (was[j] - wasSum - is[j] + isSum)
				entropy -= q[j] * (is[j] - isSum)
			}
			continue
		}
		for j, l := range log {
			gap := (is[j] - was[j]) * vec.Exp1(-l)
			kl += l - b.oldLog[j] + (vec.Exp1(2*(b.oldLog[j]-l))+gap*gap-1)/2
			entropy += l + halfLog2Pi + 0.5
		}
	}
	return kl / float64(b.n), entropy / float64(b.n)
}

// resize returns a matrix of n x d, m if it has the memory.
func resize(m *mat.Dense, n, d int) *mat.Dense {
	if m == nil || cap(m.RawMatrix().Data) < n*d {
		return mat.NewDense(n, d, nil)
	}
	raw := m.RawMatrix()
	raw.Rows, raw.Cols, raw.Stride, raw.Data = n, d, d, raw.Data[:n*d]
	m.SetRawMatrix(raw)
	return m
}
