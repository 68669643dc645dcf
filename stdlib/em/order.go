package em

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Likelihoods do not know the numbers of states: a fit returns them in any order.
// Sorted gives them one that does not depend on the start.

// permutable is an output whose states can take other numbers.
type permutable interface {
	described
	Output
	// permuted returns the output whose state i is state order[i].
	permuted(order []int) Output
}

var _, _, _, _, _ permutable = (*Gaussian)(nil), (*GaussianMixture)(nil), (*Poisson)(nil), (*Categorical)(nil), (*Missing)(nil)

// Sorted returns the model with its states in increasing order of the output's
// parameters, as its table shows them: for Gaussians of the mean of the first
// coordinate, then of the next. The law of observations stays. Errors: a model that
// is not valid, an output of another package.
func (m *Model) Sorted() (*Model, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	output, order, err := sortedOutput(m.Output)
	if err != nil {
		return nil, err
	}
	s := m.States()
	out := &Model{Start: make([]float64, s), Transition: mat.NewDense(s, s, nil), Output: output}
	for i, j := range order {
		out.Start[i] = m.Start[j]
		for k, l := range order {
			out.Transition.Set(i, k, m.Transition.At(j, l))
		}
	}
	return out, nil
}

// Sorted returns the mixture with its components in increasing order of the output's
// parameters, as [Model.Sorted] does.
func (m *Mixture) Sorted() (*Mixture, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	output, order, err := sortedOutput(m.Output)
	if err != nil {
		return nil, err
	}
	out := &Mixture{Weights: make([]float64, len(order)), Output: output}
	for i, j := range order {
		out.Weights[i] = m.Weights[j]
	}
	return out, nil
}

func sortedOutput(o Output) (Output, []int, error) {
	p, err := permutableOf(o)
	if err != nil {
		return nil, nil, err
	}
	_, values := p.columns()
	order := make([]int, len(values))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(values[a], values[b]) })
	return p.permuted(order), order, nil
}

// permutableOf goes by types: one that embeds an output of this package has its methods
// too, but would be lost.
func permutableOf(o Output) (permutable, error) {
	switch o := o.(type) {
	case *Gaussian:
		return o, nil
	case *GaussianMixture:
		return o, nil
	case *Poisson:
		return o, nil
	case *Categorical:
		return o, nil
	case *Missing:
		_, err := permutableOf(o.Output)
		return o, err
	}
	return nil, fmt.Errorf("em: states of %T have no order, must be of an output of this package", o)
}

// pick returns the rows of a matrix in an order; nil stays nil.
func pick(m *mat.Dense, order []int) *mat.Dense {
	if m == nil {
		return nil
	}
	_, d := m.Dims()
	out := mat.NewDense(len(order), d, nil)
	for i, j := range order {
		out.SetRow(i, m.RawRowView(j))
	}
	return out
}

func (g *Gaussian) permuted(order []int) Output {
	out := *g
	out.Means, out.Variances = pick(g.Means, order), pick(g.Variances, order)
	if g.Kind == Full {
		out.Covariances = make([]*mat.SymDense, len(order))
		for i, j := range order {
			out.Covariances[i] = g.Covariances[j]
		}
	}
	return &out
}

func (g *GaussianMixture) permuted(order []int) Output {
	_, m := g.Weights.Dims()
	parts := make([]int, 0, len(order)*m)
	for _, j := range order {
		for k := range m {
			parts = append(parts, j*m+k)
		}
	}
	out := *g
	out.Weights, out.Parts = pick(g.Weights, order), g.Parts.permuted(parts).(*Gaussian)
	return &out
}

func (p *Poisson) permuted(order []int) Output {
	out := *p
	out.Rate = pick(p.Rate, order)
	return &out
}

func (c *Categorical) permuted(order []int) Output {
	out := *c
	out.Prob = pick(c.Prob, order)
	return &out
}
