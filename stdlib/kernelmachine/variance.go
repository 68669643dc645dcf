package kernelmachine

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
)

// KernelVariance approaches (K + noise I)^-1, n x n, by stochastic functional gradients
// (Dai 2018, appendix A.4): the covariance operator sum_ij B_ij k(x_i, .) k(x_j, .) of a
// Gaussian process minimises a squared error over operators, and a step with the point x_i
// is
//
//	B <- (1 - gamma noise/n) B,  B e_i <- B e_i - gamma B_old K e_i + gamma e_i.
//
// Points are drawn uniformly. Cost O(n^2) a step, memory O(n^2). [GaussianProcess] has the
// same matrix exactly.
func KernelVariance(ctx context.Context, k rkhs.Kernel, X *mat.Dense, noise float64, step *Step, steps int, rng *rand.Rand) (*mat.Dense, error) {
	if rng == nil {
		return nil, fmt.Errorf("kernelmachine: rng is nil, must be a source of random numbers")
	}
	if err := checkVariance(X, noise, step, steps); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	return kernelVariance(ctx, k, X, noise, step, drawn(n, steps, rng))
}

func checkVariance(X *mat.Dense, noise float64, step *Step, steps int) error {
	if err := checkPositive("noise variance", noise); err != nil {
		return err
	}
	if err := checkPoints(X); err != nil {
		return err
	}
	if steps < 1 {
		return fmt.Errorf("kernelmachine: number of steps is %d, must be positive", steps)
	}
	if step == nil {
		return fmt.Errorf("kernelmachine: step is nil, must give step sizes")
	}
	return step.check()
}

func drawn(n, count int, rng *rand.Rand) []int {
	out := make([]int, count)
	for i := range out {
		out[i] = rng.IntN(n)
	}
	return out
}

func kernelVariance(ctx context.Context, k rkhs.Kernel, X *mat.Dense, noise float64, step *Step, order []int) (*mat.Dense, error) {
	n, _ := X.Dims()
	gram, err := rkhs.Gram(ctx, k, X, nil)
	if err != nil {
		return nil, err
	}
	b, scale := mat.NewDense(n, n, nil), 1.0 // the matrix is scale times b
	for t, i := range order {
		if t%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		gamma := step.At(t + 1)
		change := linalg.MulVec(nil, b, gram.RawRowView(i))
		if v := scale * mat.Norm(mat.NewVecDense(n, change), 2); !(v <= divergedAt) {
			return nil, &Diverged{t + 1, gamma, v}
		}
		before := scale
		scale *= 1 - gamma*noise/float64(n)
		if scale < 1e-100 {
			b.Scale(scale, b)
			before, scale = before/scale, 1
		}
		for r, v := range change {
			b.Set(r, i, b.At(r, i)-gamma*v*before/scale)
		}
		b.Set(i, i, b.At(i, i)+gamma/scale)
	}
	b.Scale(scale, b)
	return b, nil
}

// A VarianceOperator is the covariance operator of a Gaussian process in random features,
// of which there are two independent streams: sum_ij theta_ij phi_i(.) phi'_j(.).
type VarianceOperator struct {
	kernel rkhs.Kernel
	source rkhs.FeatureSource
	d      int
	width  int
	keys   [2]uint64
	theta  *mat.Dense // features x features
}

// NewVarianceOperator learns the operator by doubly stochastic gradients (Dai 2018, section
// 3.3.1 and appendix A.4) from the rows of X, without their values: each step draws Batch
// points and a block of Block features of either stream. Regularization, Passes, Average,
// Precondition and Cache of the settings have no meaning; Step must be there, gamma_0/(1 + c
// t) with gamma_0 at most 1/k(x, x). Cost O(t^2 R^2 B) for step t, memory (steps R)^2. Where
// variances are wanted at points that are known, a [Machine] with the loss [Squared] and the
// targets k(x*, x_j) for each of them does with less and comes nearer.
func NewVarianceOperator(ctx context.Context, k rkhs.Kernel, X *mat.Dense, noise float64, settings *Settings, steps int, rng *rand.Rand) (*VarianceOperator, error) {
	if rng == nil {
		return nil, fmt.Errorf("kernelmachine: rng is nil, must be a source of random numbers")
	}
	if settings == nil {
		return nil, fmt.Errorf("kernelmachine: settings are nil, must have step sizes")
	}
	settings = settings.resolve()
	if err := settings.check(); err != nil {
		return nil, err
	}
	if err := checkVariance(X, noise, settings.Step, steps); err != nil {
		return nil, err
	}
	source, err := rkhs.NewFeatureSource(k)
	if err != nil {
		return nil, err
	}
	n, d := X.Dims()
	v := &VarianceOperator{k, source, d, settings.Block, [2]uint64{rng.Uint64(), rng.Uint64()},
		mat.NewDense(steps*settings.Block, steps*settings.Block, nil)}
	return v, v.learn(ctx, X, noise/float64(n), settings.Step, drawn(n, steps*settings.Batch, rng), settings.Batch)
}

func (v *VarianceOperator) learn(ctx context.Context, X *mat.Dense, nu float64, step *Step, order []int, batch int) error {
	x := mat.NewDense(batch, v.d, nil)
	for t := 0; t*batch < len(order); t++ {
		for i := range batch {
			x.SetRow(i, X.RawRowView(order[t*batch+i]))
		}
		gamma, done := step.At(t+1), t*v.width
		phi, err := v.features(ctx, x, 0, t, t+1)
		if err != nil {
			return err
		}
		all, err := v.features(ctx, x, 1, 0, t+1)
		if err != nil {
			return err
		}
		fresh := mat.DenseCopyOf(all.Slice(0, batch, done, done+v.width))
		if t > 0 {
			old := v.theta.Slice(0, done, 0, done).(*mat.Dense)
			outputs := linalg.MulTransB(nil, old, all.Slice(0, batch, 0, done).(*mat.Dense))
			if most := largest(outputs); !(most <= divergedAt) {
				return &Diverged{t + 1, gamma, most}
			}
			column := linalg.Mul(nil, outputs, fresh)
			column.Scale(-gamma/float64(batch), column)
			old.Scale(1-gamma*nu, old)
			v.theta.Slice(0, done, done, done+v.width).(*mat.Dense).Copy(column)
		}
		corner := linalg.MulTransA(nil, phi, fresh)
		corner.Scale(gamma/float64(batch), corner)
		v.theta.Slice(done, done+v.width, done, done+v.width).(*mat.Dense).Copy(corner)
	}
	return nil
}

// features returns blocks from to to of a stream at points.
func (v *VarianceOperator) features(ctx context.Context, x *mat.Dense, stream, from, to int) (*mat.Dense, error) {
	n, _ := x.Dims()
	out, part := mat.NewDense(n, (to-from)*v.width, nil), mat.NewDense(n, v.width, nil)
	for b := from; b < to; b++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		block, err := v.source.Block(v.d, v.width, v.keys[stream], uint64(b))
		if err != nil {
			return nil, err
		}
		if err := block.MapTo(part, x); err != nil {
			return nil, err
		}
		out.Slice(0, n, (b-from)*v.width, (b-from+1)*v.width).(*mat.Dense).Copy(part)
	}
	return out, nil
}

// At returns the posterior variance at the rows of X: k(x, x) less the operator's form. It
// is not cut to [0, k(x, x)].
func (v *VarianceOperator) At(ctx context.Context, X *mat.Dense) ([]float64, error) {
	if err := checkPoints(X); err != nil {
		return nil, err
	}
	if _, d := X.Dims(); d != v.d {
		return nil, fmt.Errorf("kernelmachine: points have dimension %d, must be %d", d, v.d)
	}
	count, _ := v.theta.Dims()
	left, err := v.features(ctx, X, 0, 0, count/v.width)
	if err != nil {
		return nil, err
	}
	right, err := v.features(ctx, X, 1, 0, count/v.width)
	if err != nil {
		return nil, err
	}
	out := rkhs.Diagonal(v.kernel, X)
	form := linalg.Mul(nil, left, v.theta)
	form.MulElem(form, right)
	for i := range out {
		for _, w := range form.RawRowView(i) {
			out[i] -= w
		}
	}
	return out, nil
}
