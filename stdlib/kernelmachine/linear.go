package kernelmachine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
)

// A FeatureMap turns points into finitely many features whose inner product stands
// for a kernel: [rkhs.RandomFeatures] or [Nystrom].
type FeatureMap interface {
	// Len returns the number of features.
	Len() int
	// Map returns the features of the rows of X, n x Len.
	Map(ctx context.Context, X *mat.Dense) (*mat.Dense, error)
}

var _ FeatureMap = (*rkhs.RandomFeatures)(nil)

// Nystrom are the features z(x) = D^-1/2 U' (k(s_1, x), ..., k(s_m, x)) of m
// landmarks s_i with the Gram matrix U D U' (Williams and Seeger 2001). Their inner
// product is the kernel at the landmarks, up to eigenvalues below 1e-10 of the largest,
// which are left out.
type Nystrom struct {
	kernel    rkhs.Kernel
	landmarks *mat.Dense
	transform *mat.Dense // m x features
}

// NewNystrom draws m landmarks from the rows of X without replacement. Cost O(m^3).
func NewNystrom(ctx context.Context, k rkhs.Kernel, X *mat.Dense, m int, rng *rand.Rand) (*Nystrom, error) {
	if rng == nil {
		return nil, fmt.Errorf("kernelmachine: rng is nil, must be a source of random numbers")
	}
	if err := checkPoints(X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if m < 1 || m > n {
		return nil, fmt.Errorf("kernelmachine: number of landmarks is %d, must be from 1 to the number of points, %d", m, n)
	}
	landmarks := mat.NewDense(m, d, nil)
	for i, r := range rng.Perm(n)[:m] {
		landmarks.SetRow(i, X.RawRowView(r))
	}
	gram, err := rkhs.Gram(ctx, k, landmarks, nil)
	if err != nil {
		return nil, err
	}
	values, vectors, err := linalg.SymEigen(ctx, mat.NewSymDense(m, gram.RawMatrix().Data))
	if err != nil {
		return nil, err
	}
	largest := max(values[0], values[m-1])
	var keep []int
	for j, v := range values {
		if v > 1e-10*largest {
			keep = append(keep, j)
		}
	}
	if len(keep) == 0 {
		return nil, fmt.Errorf("kernelmachine: the kernel is 0 on the landmarks")
	}
	transform := mat.NewDense(m, len(keep), nil)
	for c, j := range keep {
		for i := range m {
			transform.Set(i, c, vectors.At(i, j)/math.Sqrt(values[j]))
		}
	}
	return &Nystrom{k, landmarks, transform}, nil
}

// Len returns the number of features.
func (z *Nystrom) Len() int {
	_, c := z.transform.Dims()
	return c
}

// Map returns the features of the rows of X.
func (z *Nystrom) Map(ctx context.Context, X *mat.Dense) (*mat.Dense, error) {
	gram, err := rkhs.Gram(ctx, z.kernel, X, z.landmarks)
	if err != nil {
		return nil, err
	}
	return linalg.Mul(nil, gram, z.transform), nil
}

// A LinearModel is the function W' z(x) of features.
type LinearModel struct {
	Features FeatureMap
	W        *mat.Dense // features x C
	loss     Loss
}

var _ Predictor = (*LinearModel)(nil)

// Loss returns the loss that the model was learned for.
func (m *LinearModel) Loss() Loss { return m.loss }

// Outputs returns the function at the rows of X, n x C. Features are made for a few
// thousand points at a time.
func (m *LinearModel) Outputs(ctx context.Context, X *mat.Dense) (*mat.Dense, error) {
	if err := checkPoints(X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	_, outputs := m.W.Dims()
	out := mat.NewDense(n, outputs, nil)
	const rows = 4096
	for lo := 0; lo < n; lo += rows {
		hi := min(lo+rows, n)
		z, err := m.Features.Map(ctx, X.Slice(lo, hi, 0, d).(*mat.Dense))
		if err != nil {
			return nil, err
		}
		linalg.Mul(out.Slice(lo, hi, 0, outputs).(*mat.Dense), z, m.W)
	}
	return out, nil
}

// Predict returns labels or outputs, see [Machine.Predict].
func (m *LinearModel) Predict(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return predict(ctx, m, X)
}

// Score returns the accuracy or R^2, see [Machine.Score].
func (m *LinearModel) Score(ctx context.Context, X *mat.Dense, y []float64) (float64, error) {
	return score(ctx, m, X, y)
}

// MeanLoss returns the mean of the loss over the points.
func (m *LinearModel) MeanLoss(ctx context.Context, X *mat.Dense, y []float64) (float64, error) {
	return meanLoss(ctx, m, X, y)
}

// Objective returns the mean loss plus nu/2 |W|^2.
func (m *LinearModel) Objective(ctx context.Context, X *mat.Dense, y []float64, nu float64) (float64, error) {
	v, err := m.MeanLoss(ctx, X, y)
	norm := mat.Norm(m.W, 2)
	return v + nu/2*norm*norm, err
}

// Objective returns the mean loss plus nu/2 |f|^2.
func (m *KernelModel) Objective(ctx context.Context, X *mat.Dense, y []float64, nu float64) (float64, error) {
	v, err := m.MeanLoss(ctx, X, y)
	if err != nil {
		return 0, err
	}
	u, err := m.Outputs(ctx, m.X)
	if err != nil {
		return 0, err
	}
	u.MulElem(u, m.Coefficients)
	return v + nu/2*mat.Sum(u), nil
}
