package em

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// Poisson outputs are vectors of independent counts, with means Rate (s x d, all
// positive).
type Poisson struct {
	Rate *mat.Dense
	// Floor is the smallest rate that Fit gives. With 0 a state that has seen
	// zeros alone is an error.
	Floor float64
}

var _ Output = (*Poisson)(nil)

// States returns the number of states.
func (p *Poisson) States() int { s, _ := p.Rate.Dims(); return s }

// Dim returns the dimension of an observation.
func (p *Poisson) Dim() int { _, d := p.Rate.Dims(); return d }

// Parameters returns s d.
func (p *Poisson) Parameters() int { s, d := p.Rate.Dims(); return s * d }

// Check says what is wrong: rates that are not positive, a negative floor.
func (p *Poisson) Check() error {
	if p.Rate == nil || p.Rate.IsEmpty() {
		return fmt.Errorf("em: rates are empty, must be a row for each state")
	}
	for j := range p.States() {
		for _, v := range p.Rate.RawRowView(j) {
			if !(v > 0) || math.IsInf(v, 1) {
				return fmt.Errorf("em: rate of state %d is %v, must be positive", j, v)
			}
		}
	}
	if !(p.Floor >= 0) {
		return fmt.Errorf("em: floor of the rates is %v, must be at least 0", p.Floor)
	}
	return nil
}

// LogDensity sets dst to log probabilities. Counts are whole numbers from 0 to
// 10^7. O(n s d), and O(m) for the largest count m.
func (p *Poisson) LogDensity(dst []float64, x *mat.Dense) error {
	const limit = 1e7
	n, _ := x.Dims()
	s, largest := p.States(), 0.0
	for i := range n {
		for _, v := range x.RawRowView(i) {
			if !(v >= 0 && v <= limit) || v != math.Trunc(v) {
				return fmt.Errorf("em: observation %d has %v, must be a count from 0 to 10^7", i, v)
			}
			largest = max(largest, v)
		}
	}
	logFactorial := make([]float64, int(largest)+1)
	for k := 2; k < len(logFactorial); k++ {
		logFactorial[k] = logFactorial[k-1] + vec.Log1(float64(k))
	}
	logs := mat.DenseCopyOf(p.Rate)
	vec.Log(logs.RawMatrix().Data, logs.RawMatrix().Data)
	for j := range s {
		rate, logRate := p.Rate.RawRowView(j), logs.RawRowView(j)
		for i := range n {
			q := 0.0
			for a, v := range x.RawRowView(i) {
				q += v*logRate[a] - rate[a] - logFactorial[int(v)]
			}
			dst[i*s+j] = q
		}
	}
	return nil
}

// Fit returns the weighted means of the counts.
func (p *Poisson) Fit(x, weight []*mat.Dense, lost []bool) (Output, error) {
	means := &Gaussian{Means: p.Rate, Known: true}
	fit, err := means.Fit(x, weight, lost)
	if err != nil {
		return nil, err
	}
	out := &Poisson{Rate: fit.(*Gaussian).Means, Floor: p.Floor}
	out.Rate.Apply(func(_, _ int, v float64) float64 { return max(v, p.Floor) }, out.Rate)
	return out, out.Check()
}

// Draw sets dst to counts: by waiting times for parts of the rate of at most 10.
func (p *Poisson) Draw(dst []float64, state int, rng *rand.Rand) {
	for a, rate := range p.Rate.RawRowView(state) {
		dst[a] = 0
		for ; rate > 0; rate -= 10 {
			for t := rng.ExpFloat64(); t < min(rate, 10); t += rng.ExpFloat64() {
				dst[a]++
			}
		}
	}
}
