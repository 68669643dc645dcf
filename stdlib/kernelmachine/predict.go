package kernelmachine

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
	"gaucho/stdlib/rkhs"
)

// A Predictor is a function that was learned: a [Machine], a [KernelModel] or a
// [LinearModel].
type Predictor interface {
	// Outputs returns the outputs at the rows of X, n x C.
	Outputs(ctx context.Context, X *mat.Dense) (*mat.Dense, error)
	// Loss returns the loss that it was learned for.
	Loss() Loss
}

// Outputs returns the machine's function at the n points in the rows of X, n x C,
// less r for [Novelty]. A machine that has taken no step is an error. Cost O(n t R (d +
// C)).
func (m *Machine) Outputs(ctx context.Context, X *mat.Dense) (*mat.Dense, error) {
	if err := m.checkPoints(X); err != nil {
		return nil, err
	}
	if m.d == 0 {
		return nil, fmt.Errorf("kernelmachine: the machine is untrained, must have seen data by Fit, PartialFit or FitStream")
	}
	x, err := m.basis.prepare(X)
	if err != nil {
		return nil, err
	}
	u, err := m.evaluate(ctx, m.basis, x, m.averaged > 0)
	if r := m.Offset(); r != 0 && err == nil {
		for i, v := range u.RawMatrix().Data {
			u.RawMatrix().Data[i] = v - r
		}
	}
	return u, err
}

// Predict returns the label of each point for a [Classifier], the outputs of one
// point after the other for any other loss.
func (m *Machine) Predict(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return predict(ctx, m, X)
}

// Score returns the share of points that are labelled right, for a [Classifier];
// for any other loss R^2, one less the squared error over that of the mean.
func (m *Machine) Score(ctx context.Context, X *mat.Dense, y []float64) (float64, error) {
	return score(ctx, m, X, y)
}

// MeanLoss returns the mean of the loss over the points.
func (m *Machine) MeanLoss(ctx context.Context, X *mat.Dense, y []float64) (float64, error) {
	return meanLoss(ctx, m, X, y)
}

func predict(ctx context.Context, p Predictor, X *mat.Dense) ([]float64, error) {
	u, err := p.Outputs(ctx, X)
	if err != nil {
		return nil, err
	}
	n, _ := u.Dims()
	c, ok := p.Loss().(Classifier)
	if !ok {
		return u.RawMatrix().Data, nil
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = c.Label(u.RawRowView(i))
	}
	return out, nil
}

func score(ctx context.Context, p Predictor, X *mat.Dense, y []float64) (float64, error) {
	if err := checkPoints(X); err != nil {
		return 0, err
	}
	if err := checkTargets(p.Loss(), X, y); err != nil {
		return 0, err
	}
	got, err := predict(ctx, p, X)
	if err != nil {
		return 0, err
	}
	if _, ok := p.Loss().(Classifier); ok {
		right := 0
		for i, v := range got {
			if v == y[i] {
				right++
			}
		}
		return float64(right) / float64(len(y)), nil
	}
	outputs, _ := p.Loss().Dims()
	var square, total float64
	for c := range outputs {
		var mean float64
		n := len(got) / outputs
		targets := make([]float64, n)
		for i := range n {
			targets[i] = y[i*outputs+c]
		}
		constant := scale.Constant(targets)
		for i := range n {
			mean += y[i*outputs+c] / float64(n)
		}
		for i := range n {
			v := y[i*outputs+c]
			square += (v - got[i*outputs+c]) * (v - got[i*outputs+c])
			if !constant {
				total += (v - mean) * (v - mean)
			}
		}
	}
	if total == 0 {
		return 0, nil
	}
	return 1 - square/total, nil
}

func meanLoss(ctx context.Context, p Predictor, X *mat.Dense, y []float64) (float64, error) {
	if err := checkPoints(X); err != nil {
		return 0, err
	}
	if err := checkTargets(p.Loss(), X, y); err != nil {
		return 0, err
	}
	u, err := p.Outputs(ctx, X)
	if err != nil {
		return 0, err
	}
	n, _ := u.Dims()
	_, targets := p.Loss().Dims()
	sum := 0.0
	for i := range n {
		sum += p.Loss().Value(u.RawRowView(i), y[i*targets:(i+1)*targets])
	}
	return sum / float64(n), nil
}

// A KernelModel is the function sum_j a_j k(x_j, .) of the points in the rows of X,
// with a column of coefficients for each output.
type KernelModel struct {
	Kernel       rkhs.Kernel
	X            *mat.Dense // n x d
	Coefficients *mat.Dense // n x C
	loss         Loss
}

var _ Predictor = (*KernelModel)(nil)

// Loss returns the loss that the model was learned for.
func (m *KernelModel) Loss() Loss { return m.loss }

// Outputs returns the function at the rows of X.
func (m *KernelModel) Outputs(ctx context.Context, X *mat.Dense) (*mat.Dense, error) {
	if err := checkPoints(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	points, d := m.X.Dims()
	_, outputs := m.Coefficients.Dims()
	out := mat.NewDense(n, outputs, nil)
	basis := &supports{kernel: m.Kernel, width: 1, per: points, d: d, points: []*mat.Dense{m.X}}
	return out, basis.addPanel(ctx, out, X, 0, 0, points, m.Coefficients)
}

// Predict returns labels or outputs, see [Machine.Predict].
func (m *KernelModel) Predict(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return predict(ctx, m, X)
}

// Score returns the accuracy or R^2, see [Machine.Score].
func (m *KernelModel) Score(ctx context.Context, X *mat.Dense, y []float64) (float64, error) {
	return score(ctx, m, X, y)
}

// MeanLoss returns the mean of the loss over the points.
func (m *KernelModel) MeanLoss(ctx context.Context, X *mat.Dense, y []float64) (float64, error) {
	return meanLoss(ctx, m, X, y)
}
