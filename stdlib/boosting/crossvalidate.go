package boosting

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// A CrossValidation holds the loss on data left out, by iteration.
type CrossValidation struct {
	Loss   []float64 // mean over folds, of iterations 0 to T
	StdErr []float64 // its standard error, folds taken as independent
	Best   int       // the iteration t >= 1 of least Loss
	// OneStdErr is the first t >= 1 whose loss is within one standard error of the least.
	OneStdErr int
}

// CrossValidate boosts with each of the folds left out in turn and measures the
// loss on it at every iteration. Folds are drawn with rng. Keep, Target,
// Validation and Patience of the settings are not used. Errors: folds below 2 or
// above n, those of NewDesign and Boost.
func CrossValidate(ctx context.Context, k rkhs.Kernel, data Data, folds int, settings *Settings, rng *rand.Rand) (*CrossValidation, error) {
	s := *settings.WithDefaults()
	s.Keep, s.Target, s.Patience = false, nil, 0
	if err := checkPoints(k, data.X); err != nil {
		return nil, err
	}
	n, _ := data.X.Dims()
	switch {
	case len(data.Y) != n:
		return nil, fmt.Errorf("boosting: %d responses for %d points", len(data.Y), n)
	case folds < 2 || folds > n:
		return nil, fmt.Errorf("boosting: folds is %d, must be from 2 to n = %d", folds, n)
	case rng == nil:
		return nil, fmt.Errorf("boosting: rng is nil, must be a source of random numbers")
	}
	order := rng.Perm(n)
	losses := make([][]float64, folds)
	for q := range folds {
		lo, hi := q*n/folds, (q+1)*n/folds
		out := data.rows(order[lo:hi])
		in := data.rows(append(append([]int(nil), order[:lo]...), order[hi:]...))
		design, err := NewDesign(ctx, k, in.X)
		if err != nil {
			return nil, err
		}
		s.Validation = &out
		path, err := Boost(ctx, design, in.Y, &s)
		if err != nil {
			return nil, fmt.Errorf("%w (fold %d)", err, q)
		}
		losses[q] = path.Validation
	}
	return summarise(losses), nil
}

func (d Data) rows(at []int) Data {
	_, dim := d.X.Dims()
	out := Data{X: mat.NewDense(len(at), dim, nil), Y: make([]float64, len(at))}
	for r, i := range at {
		out.X.SetRow(r, d.X.RawRowView(i))
		out.Y[r] = d.Y[i]
	}
	return out
}

func summarise(losses [][]float64) *CrossValidation {
	k, T := float64(len(losses)), len(losses[0])
	cv := &CrossValidation{Loss: make([]float64, T), StdErr: make([]float64, T)}
	for t := range T {
		for _, l := range losses {
			cv.Loss[t] += l[t] / k
		}
		ss := 0.0
		for _, l := range losses {
			ss += (l[t] - cv.Loss[t]) * (l[t] - cv.Loss[t])
		}
		cv.StdErr[t] = math.Sqrt(ss / (k - 1) / k)
	}
	cv.Best = 1 + argMin(cv.Loss[1:])
	cv.OneStdErr = 1
	for cv.Loss[cv.OneStdErr] > cv.Loss[cv.Best]+cv.StdErr[cv.Best] {
		cv.OneStdErr++
	}
	return cv
}
