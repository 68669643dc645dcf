package em

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// A Posterior is what observations say of the states.
type Posterior struct {
	// State is n x s: the probability of state j at step i given all observations.
	State *mat.Dense
	// Filter is n x s: the same given the observations up to step i.
	Filter *mat.Dense
	// Pairs is s x s: the expected number of steps from j to k.
	Pairs *mat.Dense
	// LogLikelihood is the log density of the observations.
	LogLikelihood float64
}

// least is the predicted probability below which a state counts as excluded by
// the past, so that 1/least is finite.
const least = 1e-300

// Smooth returns the posterior of the states by the forward-backward recursions,
// scaled. O(n s^2 + n d s) for s states. Errors: a model or sequence that is not
// valid, and an observation that has probability 0 given those before it.
func (m *Model) Smooth(x *mat.Dense) (*Posterior, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if err := m.checkSequence(x); err != nil {
		return nil, err
	}
	return m.smooth(x, true)
}

// LogLikelihood returns the log density of the observations: the forward half of
// Smooth, with its errors.
func (m *Model) LogLikelihood(x *mat.Dense) (float64, error) {
	if err := m.Check(); err != nil {
		return 0, err
	}
	if err := m.checkSequence(x); err != nil {
		return 0, err
	}
	p, err := m.smooth(x, false)
	if err != nil {
		return 0, err
	}
	return p.LogLikelihood, nil
}

// densities returns logB[i*s+j], the log density of observation i in state j, b,
// the density over the largest of the states, and the sum of the logs of the
// largest.
func (m *Model) densities(x *mat.Dense) (logB, b []float64, shift float64, err error) {
	n, _ := x.Dims()
	s := m.States()
	logB, b = make([]float64, n*s), make([]float64, n*s)
	if err := m.Output.LogDensity(logB, x); err != nil {
		return nil, nil, 0, err
	}
	copy(b, logB)
	for i := range n {
		row := b[i*s : i*s+s]
		top := row[0]
		for _, v := range row[1:] {
			top = max(top, v)
		}
		if math.IsInf(top, -1) {
			return nil, nil, 0, fmt.Errorf("em: observation %d has probability 0 in every state", i)
		}
		for j := range row {
			row[j] -= top
		}
		shift += top
	}
	vec.Exp(b, b)
	return logB, b, shift, nil
}

// smooth does the work of Smooth on valid input.
//
//	forward   u(k) = sum_j a_(i-1)(j) A(j,k) b_i(k),  c_i = sum u,  a_i = u/c_i
//	backward  e_(i-1)(j) = sum_k A(j,k) w_i(k),  w_i(k) = b_i(k) e_i(k)/c_i
//	posterior a_i(j) e_i(j);  pairs a_(i-1)(j) A(j,k) w_i(k)
//
// a_i(j) e_i(j) is a probability, so e_i(j) <= 1/a_i(j); where a_i(j) is 0, e_i(j)
// is set to 0, which changes no term that counts.
func (m *Model) smooth(x *mat.Dense, backward bool) (*Posterior, error) {
	n, _ := x.Dims()
	s := m.States()
	logB, b, logLik, err := m.densities(x)
	if err != nil {
		return nil, err
	}
	trans := make([]float64, 0, s*s)
	for j := range s {
		trans = append(trans, m.Transition.RawRowView(j)...)
	}
	a, scale := make([]float64, n*s), make([]float64, n)
	shift, err := forward(a, scale, logB, b, m.Start, trans)
	if err != nil {
		return nil, err
	}
	logs := make([]float64, n)
	vec.Log(logs, scale)
	p := &Posterior{Filter: mat.NewDense(n, s, a), LogLikelihood: logLik + shift + vec.Sum(logs)}
	if backward {
		g, pairs := make([]float64, n*s), make([]float64, s*s)
		backwardPass(g, pairs, a, scale, b, trans)
		p.State, p.Pairs = mat.NewDense(n, s, g), mat.NewDense(s, s, pairs)
	}
	return p, nil
}

// forward fills a and scale. Where an observation fits the states that the past
// allows so much worse than others that they underflow, its row of b is scaled
// again by the largest of the allowed; shift is what that adds to the
// log-likelihood.
func forward(a, scale, logB, b, start, trans []float64) (shift float64, err error) {
	s := len(start)
	for i := range scale {
		u := a[i*s : i*s+s]
		if i == 0 {
			copy(u, start)
		} else {
			for j, prev := range a[(i-1)*s : i*s] {
				row := trans[j*s : j*s+s]
				for k, t := range row[:len(u)] {
					u[k] += prev * t
				}
			}
		}
		c := 0.0
		for k, v := range b[i*s : i*s+s] {
			if u[k] < least {
				u[k] = 0
			}
			c += u[k] * v
		}
		if c < least {
			more, ok := rescale(b[i*s:i*s+s], logB[i*s:i*s+s], u)
			if !ok {
				return 0, fmt.Errorf("em: observation %d has probability 0 given those before it", i)
			}
			shift, c = shift+more, 0
			for k, v := range b[i*s : i*s+s] {
				c += u[k] * v
			}
		}
		for k, v := range b[i*s : i*s+s] {
			u[k] *= v
			u[k] /= c
			if u[k] < least {
				u[k] = 0
			}
		}
		scale[i] = c
	}
	return shift, nil
}

// rescale sets b to exp(logB) over the largest of the states with u > 0, 0 for
// the others, and returns what that adds to the log of the scale.
func rescale(b, logB, u []float64) (more float64, ok bool) {
	top, allowed := math.Inf(-1), math.Inf(-1)
	for k, v := range logB {
		top = max(top, v)
		if u[k] > 0 {
			allowed = max(allowed, v)
		}
	}
	for k, v := range logB {
		b[k] = 0
		if u[k] > 0 {
			b[k] = vec.Exp1(v - allowed)
		}
	}
	return allowed - top, !math.IsInf(allowed, -1)
}

func backwardPass(g, pairs, a, scale, b, trans []float64) {
	n := len(scale)
	s := len(a) / n
	e, w := make([]float64, s), make([]float64, s)
	for j := range e {
		e[j] = 1
	}
	for i := n - 1; ; i-- {
		ai := a[i*s : i*s+s]
		for j, v := range ai {
			if v == 0 {
				e[j] = 0
			}
			g[i*s+j] = v * e[j]
		}
		if i == 0 {
			break
		}
		for k, v := range b[i*s : i*s+s] {
			w[k] = v * e[k] / scale[i]
		}
		for j, prev := range a[(i-1)*s : i*s] {
			row, acc, sum := trans[j*s:j*s+s], pairs[j*s:j*s+s], 0.0
			for k, v := range w {
				sum += row[k] * v
				acc[k] += prev * v
			}
			e[j] = sum
		}
	}
	for k, t := range trans {
		pairs[k] *= t
	}
}

// Decode returns the most probable state of each step by itself (posterior
// decoding); ties go to the lowest.
func (p *Posterior) Decode() []int {
	n, s := p.State.Dims()
	out := make([]int, n)
	for i := range n {
		row := p.State.RawRowView(i)
		for j := 1; j < s; j++ {
			if row[j] > row[out[i]] {
				out[i] = j
			}
		}
	}
	return out
}
