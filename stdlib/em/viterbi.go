package em

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/vec"
)

// Viterbi returns the most probable sequence of states and the log of its joint
// density with the observations. Ties go to the lowest state. O(n s^2 + n d s).
// Errors are those of Smooth.
func (m *Model) Viterbi(x *mat.Dense) (path []int, logDensity float64, err error) {
	if err := m.Check(); err != nil {
		return nil, 0, err
	}
	if err := m.checkSequence(x); err != nil {
		return nil, 0, err
	}
	n, _ := x.Dims()
	s := m.States()
	logB := make([]float64, n*s)
	if err := m.Output.LogDensity(logB, x); err != nil {
		return nil, 0, err
	}
	// Row i of logB becomes the best log density of a path to each state at step i.
	logT, start := mat.DenseCopyOf(m.Transition), make([]float64, s)
	vec.Log(logT.RawMatrix().Data, logT.RawMatrix().Data)
	vec.Log(start, m.Start)
	vec.Add(logB[:s], logB[:s], start)
	asm.MaxPlus(logB, s, logT.RawMatrix().Data)
	path = make([]int, n)
	score := logB[(n-1)*s:]
	for k, v := range score {
		if v > score[path[n-1]] {
			path[n-1] = k
		}
	}
	logDensity = score[path[n-1]]
	if math.IsInf(logDensity, -1) {
		return nil, 0, fmt.Errorf("em: the observations have probability 0")
	}
	into := mat.DenseCopyOf(logT.T()).RawMatrix().Data // row k has those into state k
	for i := n - 1; i > 0; i-- {
		// The first state that attains the maximum. Many chains stay where they are: with that to compare with, few comparisons
		// are surprises.
		from, before := into[path[i]*s:(path[i]+1)*s], logB[(i-1)*s:i*s]
		best := path[i]
		top := before[best] + from[best]
		for j, v := range before {
			if v += from[j]; v >= top && (v > top || j < best) {
				top, best = v, j
			}
		}
		path[i-1] = best
	}
	return path, logDensity, nil
}
