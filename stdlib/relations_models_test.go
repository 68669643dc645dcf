package stdlib_test

import (
	"gonum.org/v1/gonum/mat"

	"gaucho/plotting"
	"gaucho/stdlib/bandit"
	"gaucho/stdlib/em"
	"gaucho/stdlib/embedding"
	"gaucho/stdlib/fdr"
	"gaucho/stdlib/filtering"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/rl"
	"gaucho/stdlib/vec"
)

const (
	ofOrder     = none("an online procedure depends on the order, and p-values have no scale")
	aFormula    = none("a formula of constants")
	ofSystems   = none("systems have units of their own")
	ofPolicies  = none("learns from episodes, whose relations are those of the systems")
	drawsFigure = none("a figure has no numbers; its scales are tested in package plotting")
	ofSequences = none("points of the unit cube")
	restores    = none("restores what was saved; its package tests that")
)

// variances are sizes whose squares, as variances are, fit.
var variances = []float64{1e-140, 1e140}

var ofEM = map[string]any{
	"StartGaussian":        ofHMM(0, nil),
	"StartGaussianMixture": ofHMM(2, nil),
	"BaumWelch": ofHMM(0, func(start *em.Model, x *mat.Dense) (*em.Fit, error) {
		return em.BaumWelch(ctx, *start, x, &em.Settings{Iterations: 5})
	}),
	"BaumWelchAll": ofHMM(0, func(start *em.Model, x *mat.Dense) (*em.Fit, error) {
		return em.BaumWelchAll(ctx, *start, []*mat.Dense{x, x}, &em.Settings{Iterations: 5})
	}),
	"BestOf": ofHMM(0, func(start *em.Model, x *mat.Dense) (*em.Fit, error) {
		return em.BestOf(ctx, []*em.Model{start}, []*mat.Dense{x}, &em.Settings{Iterations: 5})
	}),
	"StartMixture": ofMixture(nil),
	"FitMixture": ofMixture(func(start *em.Mixture, x *mat.Dense) (*em.MixtureFit, error) {
		return em.FitMixture(ctx, *start, x, &em.Settings{Iterations: 5})
	}),
	"BestMixture": ofMixture(func(start *em.Mixture, x *mat.Dense) (*em.MixtureFit, error) {
		return em.BestMixture(ctx, []*em.Mixture{start}, x, &em.Settings{Iterations: 5})
	}),
	"SpectralStart": relation{size: true, sizes: variances, of: func(d *data) []float64 {
		s := must(em.SpectralStart(ctx, d.matrix(), 0.5*d.size))
		return flat(1, s.Zeta, affineAbs(flat(d.size, s.Mean)))
	}},
	"FitSymmetric": ofSymmetric(func(start em.Symmetric, x *mat.Dense) (*em.SymmetricFit, error) {
		return em.FitSymmetric(ctx, start, x, &em.SymmetricSettings{Iterations: 5, Tolerance: em.None})
	}),
	"BestSymmetric": ofSymmetric(func(start em.Symmetric, x *mat.Dense) (*em.SymmetricFit, error) {
		return em.BestSymmetric(ctx, []em.Symmetric{start}, x, &em.SymmetricSettings{Iterations: 5, Tolerance: em.None})
	}),
	"SmoothSymmetric": relation{merge: func(d *data) (a, b []float64) { // the other sign of all
		sign, same, sum := em.SmoothSymmetric(d.plain, 0.7)
		minus, also, all := em.SmoothSymmetric(affine(d.plain, -1, 0), 0.7)
		return flat(1, sign, same[1:], sum), flat(1, affine(minus, -1, 0), also[1:], all)
	}},
	"StartsInBall": linear(func(d *data) any {
		return em.StartsInBall([]float64{d.size, 2 * d.size}, d.size, d.size, 1, source())[0].Mean
	}),
	"InBall":  linear(func(d *data) any { return em.InBall([]float64{d.size, 0}, d.size, source()) }),
	"Symbols": none("symbols have no scale"), "NewPopulation": simulates, "DefaultSettings": settingsOnly, "DefaultSymmetricSettings": settingsOnly,
	"ConditionalCovariances": none("of log odds, which have no scale; brute force tests it"),
	"Concavity":              aFormula, "IterationsFor": aFormula, "PairVariance": aFormula, "PopulationBound": aFormula, "SignVariance": aFormula, "SymmetricTheory": aFormula,
}

var ofFiltering = map[string]any{
	"Kalman": ofLinearGaussian(func(m *filtering.LinearGaussian, y *mat.Dense) []float64 {
		return kalmanNumbers(must(filtering.Kalman(ctx, m, y)))
	}),
	"KalmanSmoother": ofLinearGaussian(func(m *filtering.LinearGaussian, y *mat.Dense) []float64 {
		means, _, err := filtering.KalmanSmoother(m, must(filtering.Kalman(ctx, m, y)))
		return must(append(means.RawMatrix().Data, 0), err)
	}),
	"FitLinear": ofLinearGaussian(func(m *filtering.LinearGaussian, y *mat.Dense) []float64 {
		f := must(filtering.FitLinear(ctx, m, y, &filtering.FitSettings{Iterations: 3, KeepC: true, KeepA: true}))
		return []float64{f.LogLikelihood[3]}
	}),
	"ExtendedKalman": ofLinearGaussian(func(m *filtering.LinearGaussian, y *mat.Dense) []float64 {
		return kalmanNumbers(must(filtering.ExtendedKalman(ctx, nonlinear(m), y)))
	}),
	"UnscentedKalman": ofLinearGaussian(func(m *filtering.LinearGaussian, y *mat.Dense) []float64 {
		return kalmanNumbers(must(filtering.UnscentedKalman(ctx, nonlinear(m), y, nil)))
	}),
	"Run": ofLinearGaussian(func(m *filtering.LinearGaussian, y *mat.Dense) []float64 {
		r := must(filtering.Run(ctx, must(m.Model()), y, nil, source()))
		return append(r.Means.RawMatrix().Data, r.LogLikelihood)
	}),
	"Optimal": ofLinearGaussian(func(m *filtering.LinearGaussian, y *mat.Dense) []float64 {
		model := must(m.Model())
		return guided(model, must(filtering.Optimal(model, m.C, m.R)), y)
	}),
	"Auxiliary": ofLinearGaussian(func(m *filtering.LinearGaussian, y *mat.Dense) []float64 {
		model := must(m.Model())
		return guided(model, filtering.Auxiliary(model), y)
	}),
	"EffectiveSize": relation{permute: true, of: func(d *data) []float64 {
		return []float64{filtering.EffectiveSize(affine(d.y, 1/vec.Sum(d.y), 0))}
	}},
	"PositionError": relation{size: true, permute: true, of: func(d *data) []float64 {
		return flat(d.size, filtering.PositionError(d.matrix(), mat.NewDense(40, 2, nil), 2))
	}},
	"Resample": relation{merge: func(d *data) (a, b []float64) { // weights that are twice as large, made to sum to one, are the same
		w := affine(d.y, 1/vec.Sum(d.y), 0)
		both := make([]float64, 40)
		vec.Div(both, affine(w, 2, 0), affine(make([]float64, 40), 1, 2))
		return resampled(w), resampled(both)
	}},
	"LinearGaussianBound1D": none("a bound in the unit of the states that it adds one to"),
	"FixedLag":              none("picks rows of what Run kept"), "BackwardSimulation": none("draws from what Run kept"), "Guided": none("Optimal and Auxiliary go through it"),
	"ExactJump": none("Kalman filters, whose relation is Kalman's"), "NewFilter": none("steps of Run"), "PMMH": none("a chain over Run's likelihoods"),
	"FlightModel": simulates, "RobotModel": simulates, "NewFlight": simulates, "JumpBenchmark": simulates, "LinearBenchmark": simulates, "RandomLinear": simulates,
	"NonlinearBenchmark": simulates, "StochasticVolatility": simulates, "NewPlanarRobot": simulates, "DefaultFitSettings": settingsOnly,
	"DefaultPMMHSettings": settingsOnly, "DefaultSettings": settingsOnly, "DefaultUnscentedSettings": settingsOnly,
}

var ofFDR = map[string]any{
	"AdjustBH": relation{permute: true, of: func(d *data) []float64 { return sorted(must(fdr.AdjustBH(d.p()))) }},
	"AdjustBY": relation{permute: true, of: func(d *data) []float64 { return sorted(must(fdr.AdjustBY(d.p()))) }},
	"QValues":  relation{permute: true, of: func(d *data) []float64 { return sorted(must(fdr.QValues(d.p(), 0.5))) }},
	"NullShare": relation{permute: true, of: func(d *data) []float64 {
		return []float64{must(fdr.NullShare(d.p(), 0.5))}
	}},
	"BenjaminiHochberg":  rejecting(func(p []float64) ([]bool, error) { return fdr.BenjaminiHochberg(p, 0.4) }),
	"BenjaminiYekutieli": rejecting(func(p []float64) ([]bool, error) { return fdr.BenjaminiYekutieli(p, 0.9) }),
	"Storey":             rejecting(func(p []float64) ([]bool, error) { return fdr.Storey(p, 0.4, 0.5) }),
	"Run": relation{merge: func(d *data) (a, b []float64) { // what comes later changes no decision
		for i, v := range must(fdr.Run(fdr.LORD3, 0.3, nil, d.p()))[:13] {
			w := must(fdr.Run(fdr.LORD3, 0.3, nil, d.p()[:13]))[i]
			a, b = append(a, v.Level, number(v.Reject)), append(b, w.Level, number(w.Reject))
		}
		return a, b
	}},
	"NewStream": relation{merge: func(d *data) (a, b []float64) {
		s := must(fdr.NewStream(fdr.LORD3, 0.3, nil))
		for i, v := range must(fdr.Run(fdr.LORD3, 0.3, nil, d.p())) {
			w := must(s.Test(d.p()[i]))
			a, b = append(a, v.Level, number(v.Reject)), append(b, w.Level, number(w.Reject))
		}
		return a, b
	}},
	"NewRule": relation{merge: func(d *data) (a, b []float64) {
		r := must(fdr.NewRule(fdr.LORD3, 0.3, nil))
		for _, v := range must(fdr.Run(fdr.LORD3, 0.3, nil, d.p())) {
			a, b = append(a, v.Level), append(b, r.Level())
			if err := r.Observe(v.P, v.Reject); err != nil {
				panic(err)
			}
		}
		return a, b
	}},
	"Proportions": relation{merge: func(d *data) (a, b []float64) {
		decisions, null := must(fdr.Run(fdr.Uncorrected, 0.3, nil, d.p())), make([]bool, 40)
		for i := range null {
			null[i] = d.group[i] == 0
		}
		return must(fdr.Proportions(decisions, null))[:13], must(fdr.Proportions(decisions[:13], null[:13]))
	}},
	"Count": relation{merge: func(d *data) (a, b []float64) {
		decisions, null := must(fdr.Run(fdr.Uncorrected, 0.3, nil, d.p())), make([]bool, 40)
		all, one, two := must(fdr.Count(decisions, null)), must(fdr.Count(decisions[:13], null[:13])), must(fdr.Count(decisions[13:], null[13:]))
		return []float64{float64(all.Rejected), float64(all.False)}, []float64{float64(one.Rejected + two.Rejected), float64(one.False + two.False)}
	}},
	"Summarise": ofCounts, "NewGAI": ofOrder, "NewProcess": ofOrder, "Resume": restores, "ResumeProcess": restores, "CaptionMeans": simulates, "ContestMeans": simulates,
	"ReadCaptions": reads, "CubicGamma": aFormula, "GammaValues": aFormula, "LogGamma": aFormula, "PowerGamma": aFormula, "DefaultSettings": settingsOnly,
	"DefaultProcessSettings": settingsOnly, "OnlineFDRSettings": settingsOnly,
}

var ofHerding = map[string]any{
	"NewPool": ofPool(func(d *data, pool *herding.Pool) []float64 { return flat(1, pool.Norm2(), pool.Embedding(3)) }),
	"FrankWolfe": ofPool(func(d *data, pool *herding.Pool) []float64 {
		r := must(herding.FrankWolfe(ctx, pool, 10, &herding.Settings{Step: herding.FullyCorrective}))
		return flat(1, r.MMD, r.W)
	}),
	"Greedy": ofPool(func(d *data, pool *herding.Pool) []float64 { return must(herding.Greedy(ctx, pool, 6, nil)).MMD }),
	"Distributed": ofPool(func(d *data, pool *herding.Pool) []float64 {
		return must(herding.Distributed(ctx, pool, 4, 2, nil, nil, source())).Rule.MMD
	}),
	"LocalWorker": none("Distributed goes through it"),
	"SamplePool": ofPool(func(d *data, pool *herding.Pool) []float64 {
		return flat(1, must(herding.SamplePool(ctx, pool.Target(), d.normals(), 5, source())).Norm2())
	}),
	"MonteCarlo": ofPool(func(d *data, pool *herding.Pool) []float64 {
		return must(herding.MonteCarlo(ctx, pool.Target(), d.normals(), 5, source())).MMD
	}),
	"QuasiMonteCarlo": ofPool(func(d *data, pool *herding.Pool) []float64 {
		return must(herding.QuasiMonteCarlo(ctx, pool.Target(), d.normals(), 5, nil)).MMD
	}),
	"FromSample": ofPool(func(d *data, pool *herding.Pool) []float64 {
		return must(herding.FromSample(ctx, pool.Target(), pool.X)).MMD
	}),
	"Reweight": ofPool(func(d *data, pool *herding.Pool) []float64 {
		return must(herding.Reweight(ctx, pool.Target(), mat.DenseCopyOf(pool.X.Slice(0, 6, 0, 2)), herding.Simplex)).W
	}),
	"NewQuadrature": ofPool(func(d *data, pool *herding.Pool) []float64 {
		q := must(herding.NewQuadrature(ctx, pool.Target()))
		for i := range 4 {
			if err := q.Add(ctx, pool.X.RawRowView(i)); err != nil {
				panic(err)
			}
		}
		return flat(1, q.Weights(), q.Variance())
	}),
	"Diagnose": ofPool(func(d *data, pool *herding.Pool) []float64 {
		g := must(herding.Diagnose(ctx, rkhs.Gaussian{Bandwidth: 0.3 * d.size}, rkhs.Measure{X: mat.DenseCopyOf(pool.X.Slice(0, 6, 0, 2)), W: []float64{1, 2, -1, 0, 3, 1}}))
		return []float64{g.Effective, g.Condition, g.Total}
	}),
	"HilbertOrder": relation{size: true, shift: true, of: func(d *data) (out []float64) {
		for _, i := range herding.HilbertOrder(nil, d.matrix()) {
			out = append(out, float64(i))
		}
		return out
	}},
	"HilbertSorted": relation{size: true, sizes: variances, of: func(d *data) []float64 {
		mean, _ := must(herding.HilbertSorted(d.normals())).Component(0)
		return flat(d.size, mean)
	}},
	"SimplexQP": relation{size: true, of: func(d *data) []float64 {
		return must(herding.SimplexQP(d.symmetric(), affine(d.plain[:8], d.size, 0)))
	}},
	"Slope": relation{size: true, of: func(d *data) []float64 { return []float64{herding.Slope(falling(d.y), 2)} }},
	"Grid": linear(func(d *data) any {
		return must(herding.Grid([]float64{-d.size, 0}, []float64{d.size, 2 * d.size}, 4))
	}),
	"LogisticLoss": relation{size: true, permute: true, of: func(d *data) []float64 {
		return []float64{must(herding.LogisticLoss([]float64{0.5 / d.size, -0.2 / d.size}, d.matrix(), d.zeroOne()))}
	}},
	"FitLogistic": relation{permute: true, within: 1e-6, of: func(d *data) []float64 {
		return must(herding.FitLogistic(ctx, d.matrix(), d.zeroOne(), nil, &herding.LogisticSettings{NoIntercept: true}))
	}},
	"FisherFeatures": none("gradients of a loss at given coefficients, which their package tests"), "LogisticCoreset": none("draws rows by a bound of fixed radius"),
	"NewHalton": ofSequences, "NewSobol": ofSequences, "DefaultCoresetSettings": settingsOnly, "DefaultGreedySettings": settingsOnly,
	"DefaultLogisticSettings": settingsOnly, "DefaultSettings": settingsOnly,
}

var ofRKHS = map[string]any{
	"Gram": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 { return flat(1, must(rkhs.Gram(ctx, k, x, y))) }),
	"GramTo": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 {
		dst := mat.NewDense(20, 20, nil)
		return must(flat(1, dst), rkhs.GramTo(ctx, dst, k, x, y))
	}),
	"Diagonal": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 { return rkhs.Diagonal(k, x) }),
	"MMD2Biased": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 {
		return []float64{must(rkhs.MMD2Biased(ctx, k, x, y))}
	}),
	"MMD2Unbiased": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 {
		return []float64{must(rkhs.MMD2Unbiased(ctx, k, x, y))}
	}),
	"MMD2Block": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 {
		mean, se, err := rkhs.MMD2Block(ctx, k, x, y, 5)
		return must([]float64{mean, se}, err)
	}),
	"TwoSampleTest": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 {
		r := must(rkhs.TwoSampleTest(ctx, k, x, y, 19, source()))
		return []float64{r.Statistic, r.P}
	}),
	"MMD": embedded(func(d *data, e rkhs.Embedding, x *mat.Dense) []float64 {
		return []float64{must(rkhs.MMD(ctx, e, rkhs.Uniform(x)))}
	}),
	"MMD2": embedded(func(d *data, e rkhs.Embedding, x *mat.Dense) []float64 {
		return []float64{must(rkhs.MMD2(ctx, e, rkhs.Uniform(x)))}
	}),
	"Embed": embedded(func(d *data, e rkhs.Embedding, x *mat.Dense) []float64 {
		out := make([]float64, 20)
		return must(append(out, must(e.Norm2(ctx))), e.EvalTo(ctx, out, x))
	}),
	"EmbedSample": embedded(func(d *data, _ rkhs.Embedding, x *mat.Dense) []float64 {
		e := must(rkhs.EmbedSample(d.kernel(), d.normals(), 9, source()))
		return []float64{must(e.Norm2(ctx))}
	}),
	"MixtureInner": embedded(func(d *data, _ rkhs.Embedding, x *mat.Dense) []float64 {
		return []float64{must(rkhs.MixtureInner(ctx, d.kernel(), d.normals(), d.normals()))}
	}),
	"WeightedSum": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 {
		out := make([]float64, 20)
		return must(out, rkhs.WeightedSum(ctx, out, k, x, rkhs.Measure{X: y, W: d.plain[:20]}))
	}),
	"NewCentres": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 {
		dst := mat.NewDense(20, 1, nil)
		return must(dst.RawMatrix().Data, rkhs.NewCentres(k, y).Mul(ctx, dst, x, mat.NewDense(20, 1, d.plain[:20])))
	}),
	"NewPoints": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 {
		out := make([]float64, 20)
		rkhs.NewPoints(k, x).Column(out, 0, y.RawRowView(3))
		return out
	}),
	"MedianBandwidth": relation{size: true, permute: true, of: func(d *data) []float64 { return flat(d.size, must(rkhs.MedianBandwidth(d.matrix(), 100, source()))) }},
	"NewRandomFeatures": relation{size: true, sizes: variances, within: 1e-9, of: func(d *data) []float64 {
		return flat(1, must(must(rkhs.NewRandomFeatures(d.kernel(), 2, 6, source())).Map(ctx, d.matrix())))
	}},
	"NewFisher": relation{size: true, sizes: variances, of: func(d *data) []float64 {
		f := must(rkhs.NewFisher(d.matrix(), 1e-6))
		return []float64{f.Eval(d.matrix().RawRowView(0), d.matrix().RawRowView(1))}
	}},
	"NormalQuantile": relation{merge: func(d *data) (a, b []float64) {
		for _, p := range d.p() {
			a, b = append(a, rkhs.NormalQuantile(p)), append(b, -rkhs.NormalQuantile(1-p))
		}
		return a, b
	}, within: 1e-9},
	"NewIsotropicMixture": relation{size: true, sizes: variances, of: func(d *data) []float64 { return flat(d.size, d.normals().Mean()) }},
	"NewMixture": ofMean(func(m, c *mat.Dense, s *mat.SymDense) (*rkhs.Mixture, error) {
		return rkhs.NewMixture([]float64{1}, m, []*mat.SymDense{s})
	}),
	"NewSharedMixture": ofMean(func(m, c *mat.Dense, s *mat.SymDense) (*rkhs.Mixture, error) {
		return rkhs.NewSharedMixture([]float64{1}, m, s)
	}),
	"NewNormal": ofMean(func(m, c *mat.Dense, s *mat.SymDense) (*rkhs.Mixture, error) {
		return rkhs.NewNormal(m.RawRowView(0), s)
	}),
	"NewBox": linear(func(d *data) any {
		return must(rkhs.NewBox([]float64{-d.size}, []float64{3 * d.size})).Sample(source(), 5)
	}),
	"UnitCube": ofSequences, "NewLabelledMixture": none("a mixture with labels"), "Uniform": none("weights that are equal"), "Validate": none("returns an error alone"),
	"MinWidth": none("a width of columns"), "NewFeatureSource": none("NewRandomFeatures goes through it"),
}

var ofKernelMachine = map[string]any{
	"Ridge": learned(func(d *data, k rkhs.Kernel, x *mat.Dense, y []float64) any {
		return must(must(kernelmachine.Ridge(ctx, k, x, y, 0.1)).Outputs(ctx, x))
	}),
	"NewGaussianProcess": learned(func(d *data, k rkhs.Kernel, x *mat.Dense, y []float64) any {
		mean, _, err := must(kernelmachine.NewGaussianProcess(ctx, k, x, y, 0.1)).At(ctx, x)
		return must(mean, err)
	}),
	"SubsetOfData": learned(func(d *data, k rkhs.Kernel, x *mat.Dense, y []float64) any {
		return must(must(kernelmachine.SubsetOfData(ctx, k, x, y, 0.1, 10, source())).Outputs(ctx, x))
	}),
	"FeatureRidge": learned(func(d *data, k rkhs.Kernel, x *mat.Dense, y []float64) any {
		z := must(kernelmachine.NewNystrom(ctx, k, x, 8, source()))
		return must(must(kernelmachine.FeatureRidge(ctx, z, x, y, 0.1)).Outputs(ctx, x))
	}),
	"NewNystrom": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 {
		z := must(must(kernelmachine.NewNystrom(ctx, k, x, 8, source())).Map(ctx, y))
		var inner mat.Dense
		inner.Mul(z, z.T())
		return flat(1, &inner)
	}),
	"KernelVariance": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 {
		return flat(1, must(kernelmachine.KernelVariance(ctx, k, x, 0.5, kernelmachine.ConstantStep(0.5), 30, source())))
	}),
	"KernelSDCA": classified(func(k rkhs.Kernel, x *mat.Dense, y []float64) (any, error) {
		m, _, err := kernelmachine.KernelSDCA(ctx, kernelmachine.Hinge{}, k, x, y, &kernelmachine.SolverSettings{Regularization: 0.1, Passes: 2}, source())
		return must(must(m, err).Outputs(ctx, x)), nil
	}),
	"SDCA": classified(func(k rkhs.Kernel, x *mat.Dense, y []float64) (any, error) {
		m, _, err := kernelmachine.SDCA(ctx, kernelmachine.Hinge{}, must(kernelmachine.NewNystrom(ctx, k, x, 8, source())), x, y, &kernelmachine.SolverSettings{Regularization: 0.1, Passes: 2}, source())
		return must(must(m, err).Outputs(ctx, x)), nil
	}),
	"Pegasos": classified(func(k rkhs.Kernel, x *mat.Dense, y []float64) (any, error) {
		m := must(kernelmachine.Pegasos(ctx, kernelmachine.Hinge{}, must(kernelmachine.NewNystrom(ctx, k, x, 8, source())), x, y, &kernelmachine.SolverSettings{Regularization: 0.1, Passes: 2, Batch: 4}, source()))
		return m.Outputs(ctx, x)
	}),
	"BlockCoordinateDescent": classified(func(k rkhs.Kernel, x *mat.Dense, y []float64) (any, error) {
		m := must(kernelmachine.BlockCoordinateDescent(ctx, kernelmachine.Logistic{}, must(kernelmachine.NewNystrom(ctx, k, x, 8, source())), x, y, &kernelmachine.SolverSettings{Regularization: 0.1, Passes: 2, Blocks: 2}, source()))
		return m.Outputs(ctx, x)
	}),
	"BlockMirrorDescent": classified(func(k rkhs.Kernel, x *mat.Dense, y []float64) (any, error) {
		m := must(kernelmachine.BlockMirrorDescent(ctx, kernelmachine.Logistic{}, must(kernelmachine.NewNystrom(ctx, k, x, 8, source())), x, y, &kernelmachine.SolverSettings{Regularization: 0.1, Passes: 2, Batch: 4, Blocks: 2}, source()))
		return m.Outputs(ctx, x)
	}),
	"New": none("steps of an expansion by a kernel, which has a scale of its own"), "NewNORMA": none("steps of an expansion by a kernel, which has a scale of its own"),
	"NewExpansion": ofKernels, "NewKernelExpansion": ofKernels, "NewVarianceOperator": ofKernels, "PairBatches": none("hands rows on in their order"), "Load": restores,
	"DefaultSettings": settingsOnly, "DefaultSolverSettings": settingsOnly, "ConstantStep": settingsOnly, "HoldStep": settingsOnly, "ShiftedStep": settingsOnly, "TheoryStep": settingsOnly,
}

var ofEmbedding = map[string]any{
	"NewConditional": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 {
		return flat(1, must(must(embedding.NewConditional(ctx, k, x, 0.1)).Weights(ctx, y)))
	}),
	"NewFeatureConditional": gaussians(func(d *data, k rkhs.Kernel, x, y *mat.Dense) []float64 {
		z := must(kernelmachine.NewNystrom(ctx, k, x, 8, source()))
		return flat(1, must(must(embedding.NewFeatureConditional(ctx, z, x, 0.1)).Weights(ctx, y)))
	}),
	"Join": linear(func(d *data) any { return must(embedding.Join(d.matrix(), 2, d.x)) }),
	"Residuals": linear(func(d *data) any { // of a function that is 0
		states := mat.NewDense(4, 1, []float64{0, 1, 2, 0})
		b := must(embedding.Bellman(&embedding.Transitions{States: states, Next: states}, d.x[:4], 0.9))
		return must(embedding.Residuals(ctx, must(embedding.NewTable(3)), b, false))
	}),
	"Bellman": none("Residuals goes through it"), "Desirability": none("costs enter through exponentials"), "HittingTimes": none("counts steps"), "Invariance": none("puts samples together"),
	"Greedy": none("picks the largest of values"), "QIteration": ofPolicies, "NewDescent": none("steps of Solver's kind"), "NewSolver": none("its step sizes have the scale of the problem"),
	"NewDoublyStochastic": ofKernels, "NewKernel": ofKernels, "NewLinear": ofKernels, "NewNetwork": none("draws random weights"), "NewTable": none("a function that is 0"),
	"DefaultQSettings": settingsOnly, "DefaultDescentSettings": settingsOnly, "DefaultSettings": settingsOnly,
}

var ofRL = map[string]any{
	"EvaluatePolicy": linear(func(d *data) any {
		m := paying(d)
		return must(rl.EvaluatePolicy(m, uniform(), 0.9, 0))
	}),
	"ValueIteration": linear(func(d *data) any { return must(rl.ValueIteration(ctx, paying(d), 0.9, 0.1*d.size, 1e-13*d.size)).V }),
	"ConsistentValue": linear(func(d *data) any {
		return must(rl.ConsistentValue(paying(d), uniform(), 0.9, 0.1*d.size))
	}),
	"Consistency": linear(func(d *data) any {
		return rl.Consistency(paying(d), affine(d.plain[:3], d.size, 0), uniform(), 0.9, 0.1*d.size)
	}),
	"LinearControl": linear(func(d *data) any {
		v, _, err := rl.LinearControl(mat.NewDense(3, 3, []float64{0.5, 0.5, 0, 0.2, 0.3, 0.5, 0, 0, 1}), affine([]float64{1, 2, 0.5}, d.size, 0), []bool{false, false, true}, d.size)
		return must(v, err)
	}),
	"QLearning": linear(func(d *data) any {
		q, _, err := rl.QLearning(ctx, paying(d), &rl.TemporalSettings{Episodes: 20, Discount: 0.9, Rate: 0.5, Decay: 0.1, Explore: 0.2}, source())
		return must(q, err)
	}),
	"SARSA": linear(func(d *data) any {
		q, _, err := rl.SARSA(ctx, paying(d), &rl.TemporalSettings{Episodes: 20, Discount: 0.9, Rate: 0.5, Decay: 0.1, Explore: 0.2}, source())
		return must(q, err)
	}),
	"Evaluate": linear(func(d *data) any {
		return must(rl.Evaluate(ctx, paying(d), always(0), 5, source()))
	}),
	"Baselines": linear(func(d *data) any {
		idle, random, err := rl.Baselines(ctx, paying(d), 5, source())
		return must([]float64{idle, random}, err)
	}),
	"NewMDP": none("the others are of one that it made"), "TabularSBEED": none("Adam's steps have the scale of the rate"), "RandomMDP": simulates, "NewCliff": ofSystems,
	"NewFrozenLake": ofSystems, "NewGridWorld": ofSystems, "NewAcrobot": ofSystems, "NewArm": ofSystems, "NewCartDoublePendulum": ofSystems, "NewCartPole": ofSystems,
	"NewCartPoleSwingUp": ofSystems, "NewMountainCar": ofSystems, "NewMountainCarContinuous": ofSystems, "NewNavigation": ofSystems, "NewPUMA": ofSystems, "NewPendulum": ofSystems,
	"NewSwimmer": ofSystems, "NewCheetah": ofSystems, "NewHopper": ofSystems, "WithActionNoise": ofSystems, "WithLimit": ofSystems, "WithSlip": ofSystems, "WithStateNoise": ofSystems,
	"NewEnv": ofSystems, "NewVector": ofSystems, "Rollout": ofSystems, "Animate": ofSystems, "Record": ofSystems, "Normalize": ofSystems, "Box": ofSystems, "Choices": ofSystems,
	"NewA2C": ofPolicies, "NewDDPG": ofPolicies, "NewDQN": ofPolicies, "NewSAC": ofPolicies, "NewPCL": ofPolicies, "NewSBEED": ofPolicies, "NewDualAC": ofPolicies, "NewNPG": ofPolicies,
	"NewPPO": ofPolicies, "NewREINFORCE": ofPolicies, "NewTRPO": ofPolicies, "NewLinearPolicy": ofPolicies, "NewPolicy": ofPolicies, "Train": ofPolicies,
	"DefaultA2CSettings": settingsOnly, "DefaultDDPGSettings": settingsOnly, "DefaultDQNSettings": settingsOnly, "DefaultPolicyGradientSettings": settingsOnly,
	"DefaultPolicySettings": settingsOnly, "DefaultSACSettings": settingsOnly, "DefaultSBEEDSettings": settingsOnly, "DefaultTabularSettings": settingsOnly,
	"DefaultTemporalSettings": settingsOnly, "DefaultTrainSettings": settingsOnly,
}

var ofBandit = map[string]any{
	"Radius": linear(func(d *data) any { return bandit.Radius(3, 10, d.size) }),
	"Gaps":   linear(func(d *data) any { return bandit.Gaps(d.x[:5], 0.1*d.size) }),
	"IsNull": relation{size: true, shift: true, of: func(d *data) []float64 { return []float64{number(bandit.IsNull(d.x[:5], 0.1*d.size))} }},
	"PValue": relation{size: true, shift: true, of: func(d *data) []float64 {
		return []float64{bandit.PValue(d.y[0], 30, d.y[0]+2*d.size, 40, 3, 0.1*d.size, d.size)}
	}},
	"RoundBound": relation{size: true, shift: true, within: 1e-9, of: func(d *data) []float64 {
		return []float64{must(bandit.RoundBound(d.x[:5], 0.05, 0.1*d.size, d.size))}
	}},
	"BestArm": relation{size: true, of: func(d *data) []float64 {
		r := must(bandit.BestArm(ctx, bandit.Gaussian{Means: affine([]float64{0, 0.5, 2}, d.size, 0), Sigma: d.size}, 0.05, nil, source()))
		return flat(1, float64(r.Best), float64(r.Total), r.P, affine(r.Means, 1/d.size, 0))
	}},
	"NewRace": none("steps of BestArm"), "NewEffort": none("of unit scale, as it says"), "Beta": aFormula, "DefaultSettings": settingsOnly,
}

var ofPlotting = map[string]any{
	"Quantile": relation{size: true, permute: true, of: func(d *data) []float64 { return flat(d.size, plotting.Quantile(d.y, 0.3)) }},
	"Count": relation{size: true, permute: true, of: func(d *data) []float64 {
		b := plotting.Count(d.y, 5, false)
		return flat(1, b.Heights, flat(d.size, b.Edges))
	}},
	"NewHeat": linear(func(d *data) any {
		h := plotting.NewHeat(d.matrix(), 0, 1, 0, 1, plotting.Viridis)
		return []float64{h.Min, h.Max}
	}),
	"Floats": none("hands numbers on"), "Times": none("times have units of their own"), "Forms": drawsFigure, "Grid": drawsFigure, "SetResolution": drawsFigure,
	"SetSize": drawsFigure, "SetTheme": drawsFigure, "Style": drawsFigure,
	"Alpha": drawsFigure, "Animate": drawsFigure, "Bar": drawsFigure, "Box": drawsFigure, "Color": drawsFigure, "ColorBy": drawsFigure,
	"Dashed": drawsFigure, "Dotted": drawsFigure, "Facet": drawsFigure, "Filled": drawsFigure, "Glyph": drawsFigure, "Hist": drawsFigure,
	"Lines": drawsFigure, "Marked": drawsFigure, "New": drawsFigure, "Pairs": drawsFigure, "PaletteColor": drawsFigure, "Panels": drawsFigure,
	"Radius": drawsFigure, "Rates": drawsFigure, "Residuals": drawsFigure, "Scatter": drawsFigure, "ScatterBy": drawsFigure, "SizeBy": drawsFigure,
	"Slider": drawsFigure, "Violin": drawsFigure, "Width": drawsFigure, "Wrap": drawsFigure,
}
