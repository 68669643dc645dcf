package em

import "gonum.org/v1/gonum/mat"

// Score returns the mean log density of an observation of x given those before it:
// the log-likelihood over n, to compare models on data that they were not fitted to.
// Errors are those of Smooth.
func (m *Model) Score(x *mat.Dense) (float64, error) {
	l, err := m.LogLikelihood(x)
	if err != nil {
		return 0, err
	}
	return l / float64(max(observed(m.Output, x), 1)), nil
}

// observed returns the number of observations that are not missing, at least 1.
func observed(o Output, x *mat.Dense) int {
	n, _ := x.Dims()
	missing, ok := o.(takesMissing)
	for i := 0; ok && i < x.RawMatrix().Rows; i++ {
		if missing.isMissing(x.RawRowView(i)) {
			n--
		}
	}
	return n
}

// Predict returns the most probable sequence of states, that of Viterbi. Errors are
// those of Smooth.
func (m *Model) Predict(x *mat.Dense) ([]int, error) {
	path, _, err := m.Viterbi(x)
	return path, err
}

// Score returns the mean log density of an observation of x. Errors are those of
// Posterior.
func (m *Mixture) Score(x *mat.Dense) (float64, error) {
	_, l, err := m.Posterior(x)
	if err != nil {
		return 0, err
	}
	return l / float64(max(observed(m.Output, x), 1)), nil
}

// Predict returns the most probable component of each observation; ties go to the
// lowest. Errors are those of Posterior.
func (m *Mixture) Predict(x *mat.Dense) ([]int, error) {
	post, _, err := m.Posterior(x)
	if err != nil {
		return nil, err
	}
	return (&Posterior{State: post}).Decode(), nil
}
