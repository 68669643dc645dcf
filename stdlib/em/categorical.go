package em

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// Categorical outputs are symbols 0, ..., m-1, whose probabilities in state j are
// row j of Prob (s x m). Observations are a column of whole numbers.
type Categorical struct {
	Prob *mat.Dense
	// Pseudo is added to every expected count in Fit: 1 is Laplace's rule, 0
	// maximum likelihood.
	Pseudo float64
}

var _ Output = (*Categorical)(nil)

// Symbols returns observations of a categorical output.
func Symbols(symbols []int) *mat.Dense {
	if len(symbols) == 0 {
		return &mat.Dense{}
	}
	x := mat.NewDense(len(symbols), 1, nil)
	for i, v := range symbols {
		x.Set(i, 0, float64(v))
	}
	return x
}

// States returns the number of states.
func (c *Categorical) States() int { s, _ := c.Prob.Dims(); return s }

// Dim returns 1.
func (c *Categorical) Dim() int { return 1 }

// Parameters returns s (m-1).
func (c *Categorical) Parameters() int { s, m := c.Prob.Dims(); return s * (m - 1) }

// Check says what is wrong: rows that are not laws, a negative Pseudo.
func (c *Categorical) Check() error {
	if c.Prob == nil || c.Prob.IsEmpty() {
		return fmt.Errorf("em: probabilities are empty, must be a row for each state")
	}
	for j := range c.States() {
		if err := checkLaw(fmt.Sprintf("row %d of the symbols' probabilities", j), c.Prob.RawRowView(j)); err != nil {
			return err
		}
	}
	if !(c.Pseudo >= 0) {
		return fmt.Errorf("em: pseudo-count is %v, must be at least 0", c.Pseudo)
	}
	return nil
}

// symbol returns observation i.
func (c *Categorical) symbol(x *mat.Dense, i int) (int, error) {
	_, m := c.Prob.Dims()
	v := x.At(i, 0)
	if k := int(v); float64(k) == v && k >= 0 && k < m {
		return k, nil
	}
	return 0, fmt.Errorf("em: observation %d is %v, must be a symbol from 0 to %d", i, v, m-1)
}

// LogDensity sets dst to log probabilities.
func (c *Categorical) LogDensity(dst []float64, x *mat.Dense) error {
	s, m := c.Prob.Dims()
	logs := make([]float64, m*s) // by symbol
	for j := range s {
		for k := range m {
			logs[k*s+j] = c.Prob.At(j, k)
		}
	}
	vec.Log(logs, logs)
	n, _ := x.Dims()
	for i := range n {
		k, err := c.symbol(x, i)
		if err != nil {
			return err
		}
		copy(dst[i*s:i*s+s], logs[k*s:k*s+s])
	}
	return nil
}

// Fit returns the weighted shares of the symbols.
func (c *Categorical) Fit(x, weight []*mat.Dense, lost []bool) (Output, error) {
	s, m := c.Prob.Dims()
	counts := mat.NewDense(s, m, nil)
	raw := counts.RawMatrix().Data
	for i := range raw {
		raw[i] = c.Pseudo
	}
	for q, seq := range x {
		n, _ := seq.Dims()
		for i := range n {
			k, err := c.symbol(seq, i)
			if err != nil {
				return nil, err
			}
			for j, w := range weight[q].RawRowView(i) {
				raw[j*m+k] += w
			}
		}
	}
	for j := range s {
		if lost[j] {
			copy(counts.RawRowView(j), c.Prob.RawRowView(j))
		} else {
			normalise(counts.RawRowView(j))
		}
	}
	return &Categorical{Prob: counts, Pseudo: c.Pseudo}, nil
}

// logPrior returns the log density of the prior that Pseudo stands for.
func (c *Categorical) logPrior() float64 {
	if c.Pseudo == 0 {
		return 0
	}
	logs := mat.DenseCopyOf(c.Prob).RawMatrix().Data
	vec.Log(logs, logs)
	return c.Pseudo * vec.Sum(logs)
}

// Draw sets dst[0] to a symbol.
func (c *Categorical) Draw(dst []float64, state int, rng *rand.Rand) {
	dst[0] = float64(draw(c.Prob.RawRowView(state), rng))
}

// normalise divides by the sum.
func normalise(p []float64) {
	vec.Scale(p, 1/vec.Sum(p), p)
}
