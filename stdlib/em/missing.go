package em

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Missing is an output for sequences with observations that are missing: a row of NaN
// alone is an observation that was not made, and says nothing of its state, while
// the chain goes on. Missingness must not depend on what was missed given what was
// seen. A row that is NaN in part is an error.
//
//	model.Output = &em.Missing{Output: model.Output}
//	fit, err := em.BaumWelch(ctx, model, x, nil)
type Missing struct{ Output }

// takesMissing is an output for which rows of NaN are observations.
type takesMissing interface{ isMissing(row []float64) bool }

func (m *Missing) isMissing(row []float64) bool {
	for _, v := range row {
		if !math.IsNaN(v) {
			return false
		}
	}
	return true
}

// Check says what is wrong with the output within.
func (m *Missing) Check() error {
	if m.Output == nil {
		return fmt.Errorf("em: output of Missing is nil")
	}
	return m.Output.Check()
}

// seen returns the rows that are no NaN, and their indices.
func (m *Missing) seen(x *mat.Dense) (*mat.Dense, []int) {
	n, _ := x.Dims()
	rows := make([]int, 0, n)
	for i := range n {
		if !m.isMissing(x.RawRowView(i)) {
			rows = append(rows, i)
		}
	}
	switch len(rows) {
	case n:
		return x, rows
	case 0:
		return nil, rows
	}
	return pick(x, rows), rows
}

// LogDensity sets dst to the log densities of the output within, and to 0 at rows that
// are missing.
func (m *Missing) LogDensity(dst []float64, x *mat.Dense) error {
	seen, rows := m.seen(x)
	if seen == x {
		return m.Output.LogDensity(dst, x)
	}
	clear(dst)
	if seen == nil {
		return nil
	}
	s := m.States()
	own := make([]float64, len(rows)*s)
	if err := m.Output.LogDensity(own, seen); err != nil {
		return err
	}
	for i, row := range rows {
		copy(dst[row*s:row*s+s], own[i*s:i*s+s])
	}
	return nil
}

// Fit fits the output within to the rows that are not missing. States to which those
// give no weight keep their parameters.
func (m *Missing) Fit(x, weight []*mat.Dense, lost []bool) (Output, error) {
	var xs, ws []*mat.Dense
	total := make([]float64, m.States())
	for q := range x {
		if seen, rows := m.seen(x[q]); seen != nil {
			w := pick(weight[q], rows)
			xs, ws = append(xs, seen), append(ws, w)
			addRows(total, w)
		}
	}
	if len(xs) == 0 {
		return m, nil
	}
	gone := make([]bool, len(lost))
	for j, l := range lost {
		gone[j] = l || total[j] <= leastPart
	}
	out, err := m.Output.Fit(xs, ws, gone)
	if err != nil {
		return nil, err
	}
	return &Missing{out}, nil
}

// What the package knows of its own outputs holds for the one within.

func (m *Missing) logPrior() float64 {
	if o, ok := m.Output.(interface{ logPrior() float64 }); ok {
		return o.logPrior()
	}
	return 0
}

func (m *Missing) checkFloor() error { return checkStart(m.Output) }

func (m *Missing) drawer() func(dst []float64, state int, rng *rand.Rand) {
	if o, ok := m.Output.(interface {
		drawer() func([]float64, int, *rand.Rand)
	}); ok {
		return o.drawer()
	}
	return m.Draw
}

func (m *Missing) columns() (names []string, values [][]float64) {
	if o, ok := m.Output.(described); ok {
		return o.columns()
	}
	return nil, make([][]float64, m.States())
}

func (m *Missing) permuted(order []int) Output {
	return &Missing{m.Output.(permutable).permuted(order)} // permutableOf has looked
}
