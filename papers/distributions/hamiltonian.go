package distributions

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"gaucho/papers"
	"gaucho/stdlib/inference"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

var posteriors = papers.NewMemo[uint64, *mat.Dense](16)

// hamiltonian draws from the posterior of a logistic regression by Hamiltonian Monte Carlo (Neal 2011), from its mode and in
// coordinates in which the normal approximation there is a standard normal: ten leapfrog steps of 0.15 to 0.25 a draw, whose
// length changes so that no orbit closes, and a tenth more draws at first that are thrown away.
func hamiltonian(ctx context.Context, model *inference.LogisticRegression, draws int, rng *rand.Rand) (*mat.Dense, error) {
	const leaps = 10
	approximation, err := model.Laplace(ctx)
	if err != nil {
		return nil, err
	}
	d := model.Dim()
	mode := approximation.Mean()
	factor, err := linalg.NewCholesky(approximation.Covariance())
	if err != nil {
		return nil, err
	}
	root := mat.DenseCopyOf(factor.U()) // root' root is the covariance
	trans := mat.DenseCopyOf(root.T())
	all := make([]int, model.Len())
	for i := range all {
		all[i] = i
	}
	theta, slope, prior := mat.NewDense(1, d, nil), mat.NewDense(1, d, nil), mat.NewDense(1, d, nil)
	at := func(z []float64) {
		copy(theta.RawRowView(0), mode)
		vec.Add(theta.RawRowView(0), theta.RawRowView(0), linalg.MulVec(nil, trans, z))
	}
	energy := func(z []float64) float64 {
		at(z)
		var p, q [1]float64
		model.LogPrior(p[:], theta)
		model.LogLikelihood(q[:], theta, all)
		return -p[0] - q[0]
	}
	descent := func(z []float64) []float64 { // of the energy
		at(z)
		model.LogLikelihoodGradient(slope, theta, all)
		model.LogPriorGradient(prior, theta)
		slope.Add(slope, prior)
		return linalg.MulVec(nil, root, slope.RawRowView(0))
	}
	z, out := make([]float64, d), mat.NewDense(draws, d, nil)
	u := energy(z)
	for i := -draws / 10; i < draws; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next, momentum := append([]float64(nil), z...), make([]float64, d)
		for j := range momentum {
			momentum[j] = rng.NormFloat64()
		}
		before := u + vec.Dot(momentum, momentum)/2
		step := .15 + .1*rng.Float64()
		vec.Axpy(momentum, step/2, descent(next))
		for leap := range leaps {
			vec.Axpy(next, step, momentum)
			size := step
			if leap == leaps-1 {
				size = step / 2
			}
			vec.Axpy(momentum, size, descent(next))
		}
		v := energy(next)
		if vec.Log1(rng.Float64()) < before-v-vec.Dot(momentum, momentum)/2 {
			z, u = next, v
		}
		if i >= 0 {
			at(z)
			out.SetRow(i, theta.RawRowView(0))
		}
	}
	return out, nil
}

// beside compares a weighted sample with draws from the truth along the principal directions of the latter: the geometric mean
// of the ratios of standard deviations, the root mean square distance of the means in those of the truth, and the geometric
// mean of the latter.
func beside(ctx context.Context, q rkhs.Measure, truth *mat.Dense) (width, off, least float64, err error) {
	cov := mat.NewSymDense(q.Dim(), nil)
	stat.CovarianceMatrix(cov, truth, nil)
	values, vectors, err := linalg.SymEigen(ctx, cov)
	if err != nil {
		return 0, 0, 0, err
	}
	own, theirs := linalg.Mul(nil, q.X, vectors), linalg.Mul(nil, truth, vectors)
	d := float64(len(values))
	for k, s2 := range values {
		at := mat.Col(nil, k, own)
		mean := stat.Mean(at, q.W)
		spread := stat.MomentAbout(2, at, mean, q.W)
		gap := mean - stat.Mean(mat.Col(nil, k, theirs), nil)
		width += vec.Log1(max(spread, 1e-300)/s2) / 2 / d
		least += vec.Log1(s2) / 2 / d
		off += gap * gap / s2 / d
	}
	return vec.Exp1(width), math.Sqrt(off), vec.Exp1(least), nil
}
