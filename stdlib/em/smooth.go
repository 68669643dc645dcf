package em

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
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
	return m.smooth(nil, x, true)
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
	p, err := m.smooth(nil, x, false)
	if err != nil {
		return 0, err
	}
	return p.LogLikelihood, nil
}

// workspace holds what a pass over a sequence needs, to be used again by the next
// pass: all of it is overwritten.
type workspace struct {
	logB, b, filter, scale []float64
}

// sized returns x with length n, its contents unknown.
func sized(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}

// densities fills logB[i*s+j], the log density of observation i in state j, and b,
// the density over the largest of the states, and returns the sum of the logs of
// the largest.
func (m *Model) densities(ws *workspace, x *mat.Dense) (shift float64, err error) {
	n, _ := x.Dims()
	s := m.States()
	ws.logB, ws.b = sized(ws.logB, n*s), sized(ws.b, n*s)
	if err := m.Output.LogDensity(ws.logB, x); err != nil {
		return 0, err
	}
	shifts, bad := make([]float64, parallel.Count(n, rowBlock)), make([]int, parallel.Count(n, rowBlock))
	parallel.Blocks(n, rowBlock, func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			from, row := ws.logB[i*s:i*s+s], ws.b[i*s:i*s+s]
			top := from[0]
			for _, v := range from[1:] {
				if v > top {
					top = v
				}
			}
			if math.IsInf(top, -1) {
				bad[b] = i + 1
				return
			}
			for j, v := range from {
				row[j] = v - top
			}
			shifts[b] += top
		}
		vec.Exp(ws.b[lo*s:hi*s], ws.b[lo*s:hi*s])
	})
	for _, i := range bad {
		if i > 0 {
			return 0, fmt.Errorf("em: observation %d has probability 0 in every state", i-1)
		}
	}
	return vec.Sum(shifts), nil
}

// smooth does the work of Smooth on valid input; ws may be nil. Filter is the
// workspace's.
//
//	forward   u(k) = sum_j a_(i-1)(j) A(j,k) b_i(k),  c_i = sum u,  a_i = u/c_i
//	backward  e_(i-1)(j) = sum_k A(j,k) w_i(k),  w_i(k) = b_i(k) e_i(k)/c_i
//	posterior a_i(j) e_i(j);  pairs a_(i-1)(j) A(j,k) w_i(k)
//
// a_i(j) e_i(j) is a probability, so e_i(j) <= 1/a_i(j); where a_i(j) is 0, e_i(j)
// is set to 0, which changes no term that counts.
func (m *Model) smooth(ws *workspace, x *mat.Dense, backward bool) (*Posterior, error) {
	if ws == nil {
		ws = &workspace{}
	}
	n, _ := x.Dims()
	s := m.States()
	logLik, err := m.densities(ws, x)
	if err != nil {
		return nil, err
	}
	ws.filter, ws.scale = sized(ws.filter, n*s), sized(ws.scale, n)
	shift, err := ws.forward(m.Start, newPanels(s, m.Transition.At))
	if err != nil {
		return nil, err
	}
	p := &Posterior{Filter: mat.NewDense(n, s, ws.filter)}
	if backward {
		p.State, p.Pairs = mat.NewDense(n, s, nil), mat.NewDense(s, s, nil)
		ws.backward(p.State.RawMatrix().Data, newPanels(s, func(j, k int) float64 { return m.Transition.At(k, j) }))
		if n > 1 {
			linalg.MulTransA(p.Pairs, mat.NewDense(n-1, s, ws.filter[:(n-1)*s]), mat.NewDense(n-1, s, ws.b[s:n*s]))
			p.Pairs.MulElem(p.Pairs, m.Transition)
		}
	}
	vec.Log(ws.scale, ws.scale)
	p.LogLikelihood = logLik + shift + vec.Sum(ws.scale)
	return p, nil
}

// panels is an s x s matrix in groups of four columns, the last filled up with 0:
// four sums at a time stay in registers.
type panels struct {
	s    int
	data []float64
}

func newPanels(s int, at func(j, k int) float64) panels {
	p := panels{s, make([]float64, (s+3)/4*4*s)}
	for j := range s {
		for k := range s {
			p.data[k/4*4*s+4*j+k%4] = at(j, k)
		}
	}
	return p
}

// mul sets dst[k] = sum_j x[j] M[j][k]; dst has room for whole groups.
func (p panels) mul(dst, x []float64) {
	for g, at := 0, 0; at < len(p.data); g, at = g+4, at+4*p.s {
		panel := p.data[at : at+4*p.s]
		var a, b, c, d float64
		for j, v := range x {
			row := (*[4]float64)(panel[4*j:])
			a += v * row[0]
			b += v * row[1]
			c += v * row[2]
			d += v * row[3]
		}
		out := (*[4]float64)(dst[g:])
		out[0], out[1], out[2], out[3] = a, b, c, d
	}
}

// forward fills filter and scale. Where an observation fits the states that the
// past allows so much worse than others that they underflow, its row of b is scaled
// again by the largest of the allowed; shift is what that adds to the
// log-likelihood.
func (ws *workspace) forward(start []float64, trans panels) (shift float64, err error) {
	s := len(start)
	u := make([]float64, s+3)
	copy(u, start)
	for i := range ws.scale {
		row, b := ws.filter[i*s:i*s+s], ws.b[i*s:i*s+s]
		if i > 0 {
			trans.mul(u, ws.filter[(i-1)*s:i*s])
		}
		c := predicted(row, u, b)
		if c < least {
			more, ok := rescale(b, ws.logB[i*s:i*s+s], u)
			if !ok {
				return 0, fmt.Errorf("em: observation %d has probability 0 given those before it", i)
			}
			shift += more
			c = predicted(row, u, b)
		}
		inverse := 1 / c
		for k, v := range row {
			if v *= inverse; v < least {
				v = 0
			}
			row[k] = v
		}
		ws.scale[i] = c
	}
	return shift, nil
}

// predicted sets row to the predicted law u, without what is below least, times b
// and returns its sum.
func predicted(row, u, b []float64) (sum float64) {
	u, b = u[:len(row)], b[:len(row)]
	for k := range row {
		v := u[k]
		if v < least {
			v, u[k] = 0, 0
		}
		v *= b[k]
		row[k] = v
		sum += v
	}
	return sum
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

// backward fills the posterior g and turns b into w.
func (ws *workspace) backward(g []float64, transposed panels) {
	n, s := len(ws.scale), transposed.s
	e := make([]float64, s+3)
	vec.Fill(e, 1)
	for i := n - 1; i >= 0; i-- {
		inverse := 1 / ws.scale[i]
		filter, post, w := ws.filter[i*s:i*s+s], g[i*s:i*s+s], ws.b[i*s:i*s+s]
		for j, v := range filter {
			f := e[j]
			if v == 0 {
				f = 0
			}
			post[j] = v * f
			w[j] *= f * inverse
		}
		transposed.mul(e, w)
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
