package stdlib_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/em"
	"gaucho/stdlib/filtering"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/rl"
	"gaucho/stdlib/vec"
)

func source() *rand.Rand { return rand.New(rand.NewPCG(5, 5)) }

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func sorted(x []float64) []float64 { return slices.Sorted(slices.Values(x)) }

// p are the data's p-values.
func (d *data) p() []float64 {
	out := make([]float64, len(d.plain))
	for i, v := range d.plain {
		out[i] = vec.Erfc1(1+v) / 2
	}
	return out
}

func (d *data) zeroOne() []float64 {
	out := make([]float64, len(d.label))
	for i, v := range d.label {
		out[i] = (v + 1) / 2
	}
	return out
}

// rejecting is of procedures whose rejections do not depend on the order of the p-values.
func rejecting(test func(p []float64) ([]bool, error)) relation {
	return relation{permute: true, of: func(d *data) (out []float64) {
		for i, r := range must(test(d.p())) {
			if r {
				out = append(out, d.p()[i])
			}
		}
		return append(sorted(out), float64(len(out)))
	}}
}

// ofHMM is of starts and fits of Gaussian hidden Markov models of the data as one sequence.
func ofHMM(parts int, fit func(start *em.Model, x *mat.Dense) (*em.Fit, error)) relation {
	return relation{size: true, shift: true, sizes: variances, within: 1e-8, of: func(d *data) []float64 {
		x := d.matrix()
		if parts > 0 {
			m := must(em.StartGaussianMixture([]*mat.Dense{x}, 2, parts, em.Diagonal, source()))
			return flat(1, must(m.LogLikelihood(x))+80*math.Log(d.size))
		}
		m := must(em.StartGaussian([]*mat.Dense{x}, 2, em.Diagonal, source()))
		out := []float64{must(m.LogLikelihood(x)) + 80*math.Log(d.size)}
		if fit != nil {
			f := must(fit(m, x))
			m = f.Model
			out = append(out, must(m.LogLikelihood(x))+80*math.Log(d.size))
		}
		g := m.Output.(*em.Gaussian)
		return append(out, affine(affine(g.Means.RawMatrix().Data, 1, -d.shift), 1/d.size, 0)...)
	}}
}

func ofMixture(fit func(start *em.Mixture, x *mat.Dense) (*em.MixtureFit, error)) relation {
	return relation{size: true, shift: true, sizes: variances, within: 1e-8, of: func(d *data) []float64 {
		m := must(em.StartMixture(d.matrix(), 2, em.Diagonal, source()))
		if fit != nil {
			m = must(fit(m, d.matrix())).Mixture
		}
		return flat(1, must(m.Score(d.matrix()))+2*math.Log(d.size), m.Weights)
	}}
}

func ofSymmetric(fit func(start em.Symmetric, x *mat.Dense) (*em.SymmetricFit, error)) relation {
	return relation{size: true, sizes: variances, within: 1e-9, of: func(d *data) []float64 {
		m := must(fit(em.Symmetric{Mean: []float64{0.5 * d.size, d.size}, Zeta: 0.6, Sigma: d.size}, d.matrix())).Model()
		return flat(1, m.Zeta, affine(m.Mean, 1/d.size, 0))
	}}
}

// ofLinearGaussian is of filters: observations and noise in another unit are states in that unit.
func ofLinearGaussian(of func(m *filtering.LinearGaussian, y *mat.Dense) []float64) relation {
	return relation{size: true, sizes: variances, within: 1e-7, of: func(d *data) []float64 {
		v := d.size * d.size
		m := &filtering.LinearGaussian{A: mat.NewDense(1, 1, []float64{0.9}), C: mat.NewDense(1, 1, []float64{1}), Q: mat.NewSymDense(1, []float64{0.5 * v}),
			R: mat.NewSymDense(1, []float64{0.7 * v}), InitialMean: []float64{0}, InitialCov: mat.NewSymDense(1, []float64{v})}
		out := of(m, mat.NewDense(40, 1, d.x))
		for i := range len(out) - 1 {
			out[i] /= d.size
		}
		out[len(out)-1] += number(out[len(out)-1] != 0) * 40 * math.Log(d.size)
		return out
	}}
}

// kalmanNumbers are means, and the log-likelihood last.
func kalmanNumbers(r *filtering.KalmanResult) []float64 {
	return append(slices.Clone(r.Means.RawMatrix().Data), r.LogLikelihood)
}

func guided(model *filtering.Model, p *filtering.Proposal, y *mat.Dense) []float64 {
	r := must(filtering.Guided(ctx, model, p, y, nil, source()))
	return append(r.Means.RawMatrix().Data, r.LogLikelihood)
}

func nonlinear(m *filtering.LinearGaussian) *filtering.Nonlinear {
	return &filtering.Nonlinear{InitialMean: m.InitialMean, InitialCov: m.InitialCov, Q: m.Q, R: m.R,
		Move:            func(dst []float64, _ int, x []float64) { dst[0] = m.A.At(0, 0) * x[0] },
		Observe:         func(dst []float64, _ int, x []float64) { dst[0] = m.C.At(0, 0) * x[0] },
		MoveJacobian:    func(dst *mat.Dense, _ int, x []float64) { dst.Copy(m.A) },
		ObserveJacobian: func(dst *mat.Dense, _ int, x []float64) { dst.Copy(m.C) }}
}

func resampled(w []float64) (out []float64) {
	dst := make([]int, 40)
	if err := filtering.Resample(dst, filtering.Stratified, w, source()); err != nil {
		panic(err)
	}
	for _, i := range dst {
		out = append(out, float64(i))
	}
	return out
}

func (d *data) kernel() rkhs.Gaussian { return rkhs.Gaussian{Bandwidth: d.size} }

// normals is a mixture of the data's size.
func (d *data) normals() *rkhs.Mixture {
	means := mat.NewDense(2, 2, affine([]float64{0, 1, 1, -1}, d.size, d.shift))
	return must(rkhs.NewIsotropicMixture([]float64{0.3, 0.7}, means, []float64{d.size * d.size, 0.25 * d.size * d.size}))
}

// ofPool is of rules on the data as candidates, for a mixture: points and bandwidth in another unit are the same.
func ofPool(of func(d *data, pool *herding.Pool) []float64) relation {
	return relation{size: true, shift: true, sizes: variances, within: 1e-6, of: func(d *data) []float64 {
		return of(d, must(herding.NewPool(ctx, must(rkhs.Embed(d.kernel(), d.normals())), d.matrix())))
	}}
}

// embedded is of the mean element of a mixture.
func embedded(of func(d *data, e rkhs.Embedding, x *mat.Dense) []float64) relation {
	return relation{size: true, shift: true, sizes: variances, within: 1e-9, of: func(d *data) []float64 {
		return of(d, must(rkhs.Embed(d.kernel(), d.normals())), mat.DenseCopyOf(d.matrix().Slice(0, 20, 0, 2)))
	}}
}

// gaussians is of a Gaussian kernel of the data's bandwidth, between two halves of the data.
func gaussians(of func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64) relation {
	return relation{size: true, shift: true, sizes: variances, within: 1e-9, of: func(d *data) []float64 {
		m := d.matrix()
		return of(d, d.kernel(), mat.DenseCopyOf(m.Slice(0, 20, 0, 2)), mat.DenseCopyOf(m.Slice(20, 40, 0, 2)))
	}}
}

// learned is of functions that are linear in their targets.
func learned(of func(d *data, k rkhs.Kernel, x *mat.Dense, y []float64) any) relation {
	return relation{size: true, sizes: variances, within: 1e-9, of: func(d *data) []float64 {
		return flat(d.size, of(d, d.kernel(), d.matrix(), affine(d.plain, d.size, 0)))
	}}
}

func classified(of func(k rkhs.Kernel, x *mat.Dense, y []float64) (any, error)) relation {
	return relation{size: true, shift: true, sizes: variances, within: 1e-8, of: func(d *data) []float64 {
		return flat(1, must(of(d.kernel(), d.matrix(), d.label)))
	}}
}

func ofMean(of func(means, _ *mat.Dense, cov *mat.SymDense) (*rkhs.Mixture, error)) relation {
	return relation{size: true, sizes: variances, of: func(d *data) []float64 {
		v := d.size * d.size
		m := must(of(mat.NewDense(1, 2, affine([]float64{1, -2}, d.size, 0)), nil, mat.NewSymDense(2, []float64{2 * v, v, v, 3 * v})))
		return flat(1, flat(d.size, m.Mean(), m.Sample(source(), 4)))
	}}
}

// paying is a process of three states and two actions whose rewards have the data's size.
func paying(d *data) *rl.MDP {
	step := func(p float64, to, other int, reward float64) []rl.Transition {
		return []rl.Transition{{Probability: p, Next: to, Reward: reward * d.size}, {Probability: 1 - p, Next: other, Reward: -reward * d.size, End: other == 2}}
	}
	return must(rl.NewMDP("paying", [][][]rl.Transition{
		{step(0.6, 1, 2, 1), step(0.3, 0, 1, -0.5)}, {step(0.7, 0, 2, 2), step(0.5, 1, 0, 0.3)}, {step(0.9, 2, 0, 0), step(0.5, 1, 0, 0.1)},
	}, []float64{1, 0, 0}, 20))
}

// always is an actor with one action.
type always float64

func (a always) Act([]float64, *rand.Rand) []float64 { return []float64{float64(a)} }
func (a always) Mode([]float64) []float64            { return []float64{float64(a)} }

func uniform() *mat.Dense { return mat.NewDense(3, 2, []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5}) }
