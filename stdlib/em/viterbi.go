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
	// Row i of logB becomes the best log density of a path to each state at step i.
	logT := mat.DenseCopyOf(m.Transition)
	vec.Log(logT.RawMatrix().Data, logT.RawMatrix().Data)
	trans, start, best := newPanels(s, logT.At), make([]float64, s), make([]float64, s+3)
	vec.Log(start, m.Start)
	vec.Add(logB[:s], logB[:s], start)
	for i := 1; i < n; i++ {
		trans.maxPlus(best, logB[(i-1)*s:i*s])
		for k, v := range best[:s] {
			logB[i*s+k] += v
		}
	}
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
	for i := n - 1; i > 0; i-- { // the first state that attains the maximum
		top := math.Inf(-1)
		for j, v := range logB[(i-1)*s : i*s] {
			if v += logT.At(j, path[i]); v > top {
				top, path[i-1] = v, j
			}
		}
	}
	return path, logDensity, nil
}

// maxPlus sets dst[k] = max_j x[j] + M[j][k]; dst has room for whole groups.
func (p panels) maxPlus(dst, x []float64) {
	for g, at := 0, 0; at < len(p.data); g, at = g+4, at+4*p.s {
		panel := p.data[at : at+4*p.s]
		least := math.Inf(-1)
		a, b, c, d := least, least, least, least
		for j, v := range x {
			row := (*[4]float64)(panel[4*j:])
			if t := v + row[0]; t > a {
				a = t
			}
			if t := v + row[1]; t > b {
				b = t
			}
			if t := v + row[2]; t > c {
				c = t
			}
			if t := v + row[3]; t > d {
				d = t
			}
		}
		out := (*[4]float64)(dst[g:])
		out[0], out[1], out[2], out[3] = a, b, c, d
	}
}
