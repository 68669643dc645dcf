package em

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// Mixing are the constants by which chapter 2 of Yang 2018 measures how fast a
// chain forgets.
type Mixing struct {
	Stationary []float64
	// Epsilon is the largest number with Epsilon <= A(j,k)/Stationary(k) <= 1/Epsilon
	// for all j, k (eq. 2.3); 0 if a transition is impossible.
	Epsilon float64
	// Rho = 1 - Epsilon bounds the chain's forgetting (eq. 2.4), RhoFilter = 1 -
	// Epsilon min Stationary that of the filter.
	Rho, RhoFilter float64
	// Reversible says whether Stationary(j) A(j,k) = Stationary(k) A(k,j) to 1e-10
	// (eq. 2.2), StartsStationary whether the model's start is stationary.
	Reversible, StartsStationary bool
}

// Mixing returns the constants of a model's chain. O(s^3). Errors: a model that is
// not valid, a chain with more than one stationary law.
func (m *Model) Mixing() (*Mixing, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	pi, err := m.Stationary()
	if err != nil {
		return nil, err
	}
	out := &Mixing{Stationary: pi, Epsilon: 1, Reversible: true, StartsStationary: true}
	least := 1.0
	for j, p := range pi {
		least = min(least, p)
		if math.Abs(p-m.Start[j]) > 1e-10 {
			out.StartsStationary = false
		}
		for k, q := range pi {
			a := m.Transition.At(j, k)
			if a == 0 || q <= 0 {
				out.Epsilon = 0
			} else {
				out.Epsilon = min(out.Epsilon, a/q, q/a)
			}
			if math.Abs(p*a-q*m.Transition.At(k, j)) > 1e-10 {
				out.Reversible = false
			}
		}
	}
	out.Rho, out.RhoFilter = 1-out.Epsilon, 1-out.Epsilon*least
	return out, nil
}

// Stationary returns the law that a transition keeps. O(s^3). The error is a chain
// that has more than one.
func (m *Model) Stationary() ([]float64, error) {
	s := m.States()
	// (A' - I) pi = 0 with the last equation replaced by sum pi = 1.
	a, b := mat.NewDense(s, s, nil), mat.NewDense(s, 1, nil)
	for j := range s {
		for k := range s {
			a.Set(k, j, m.Transition.At(j, k))
		}
		a.Set(j, j, a.At(j, j)-1)
	}
	for j := range s {
		a.Set(s-1, j, 1)
	}
	b.Set(s-1, 0, 1)
	lu, err := linalg.NewLU(a)
	if err != nil {
		return nil, fmt.Errorf("em: the chain has more than one stationary law: %w", err)
	}
	pi := mat.Col(nil, 0, lu.SolveTo(nil, b))
	for j, v := range pi {
		if math.IsNaN(v) || v < -1e-9 {
			return nil, fmt.Errorf("em: the chain has more than one stationary law")
		}
		pi[j] = max(v, 0)
	}
	normalise(pi)
	return pi, nil
}

// Forecast returns the laws of the next h states after the observations, h x s.
// Errors: those of Smooth, h below 1.
func (m *Model) Forecast(x *mat.Dense, h int) (*mat.Dense, error) {
	if h < 1 {
		return nil, fmt.Errorf("em: h is %d, must be at least 1", h)
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	if err := m.checkSequence(x); err != nil {
		return nil, err
	}
	p, err := m.smooth(nil, x, false)
	if err != nil {
		return nil, err
	}
	n, s := p.Filter.Dims()
	out, law := mat.NewDense(h, s, nil), p.Filter.RawRowView(n-1)
	for i := range h {
		linalg.MulTransVec(out.RawRowView(i), m.Transition, law)
		law = out.RawRowView(i)
		normalise(law)
	}
	return out, nil
}

// Kernel returns the smoothing kernel of step i >= 1 (0 the first step), s x s: row j is the law
// of state i given state i-1 = j and the observations from i on (Yang 2018, section
// 2.10). A row is NaN where they are impossible from j. O(n s^2). Errors: those of
// Smooth, i out of range.
func (m *Model) Kernel(x *mat.Dense, i int) (*mat.Dense, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if err := m.checkSequence(x); err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	if i < 1 || i >= n {
		return nil, fmt.Errorf("em: step is %d, must be from 1 to %d", i, n-1)
	}
	ws, s := &workspace{}, m.States()
	if _, err := m.densities(ws, x); err != nil {
		return nil, err
	}
	// w is the density of the observations from a step on given its state, scaled.
	w, back := append([]float64(nil), ws.b[(n-1)*s:]...), make([]float64, s)
	for t := n - 2; t >= i; t-- {
		linalg.MulVec(back, m.Transition, w)
		vec.Mul(w, back, ws.b[t*s:t*s+s])
		vec.Scale(w, 1/vec.Max(w), w)
	}
	out := mat.NewDense(s, s, nil)
	for j := range s {
		row := out.RawRowView(j)
		vec.Mul(row, m.Transition.RawRowView(j), w)
		normalise(row)
	}
	return out, nil
}
