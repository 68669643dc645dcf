package em

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

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
	// Column k of the transition, in logs, is contiguous: the maximum is over j.
	logT, score, next := make([]float64, s*s), make([]float64, s), make([]float64, s)
	for j := range s {
		for k := range s {
			logT[k*s+j] = m.Transition.At(j, k)
		}
	}
	vec.Log(logT, logT)
	vec.Log(score, m.Start)
	vec.Add(score, score, logB[:s])
	from := make([]int32, n*s)
	for i := 1; i < n; i++ {
		for k := range s {
			col := logT[k*s : k*s+s]
			best, at := math.Inf(-1), 0
			for j, v := range score {
				if v += col[j]; v > best {
					best, at = v, j
				}
			}
			next[k] = best + logB[i*s+k]
			from[i*s+k] = int32(at)
		}
		score, next = next, score
	}
	last := 0
	for k := 1; k < s; k++ {
		if score[k] > score[last] {
			last = k
		}
	}
	if math.IsInf(score[last], -1) {
		return nil, 0, fmt.Errorf("em: the observations have probability 0")
	}
	path = make([]int, n)
	path[n-1] = last
	for i := n - 1; i > 0; i-- {
		path[i-1] = int(from[i*s+path[i]])
	}
	return path, score[last], nil
}
