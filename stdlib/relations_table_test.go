package stdlib_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"gaucho/stdlib/boosting"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/hypothesis"
	"gaucho/stdlib/inference"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/nn"
	"gaucho/stdlib/regression"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/table"
	"gaucho/stdlib/vec"
)

const (
	settingsOnly = none("returns settings or a schedule")
	reads        = none("reads what another program wrote; back_test.go and the package's own tests say what comes back")
	simulates    = none("draws data from a law of its own")
	ofTopics     = none("counts of words have neither scale nor shift")
	ofKernels    = none("points enter through a kernel, which has a scale of its own")
	ofCounts     = none("counts have neither scale nor shift")
	ofRadius     = none("a formula of a radius and constants")
)

var relations = map[string]map[string]any{
	"em": ofEM, "filtering": ofFiltering, "fdr": ofFDR, "herding": ofHerding, "rkhs": ofRKHS, "kernelmachine": ofKernelMachine, "embedding": ofEmbedding, "rl": ofRL,
	"bandit": ofBandit, "plotting": ofPlotting,
	"hypothesis": {
		"Anova":       testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.Anova(d.split()...) }),
		"StudentT":    testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.StudentT(d.split()[0], d.split()[1]) }),
		"WelchT":      testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.WelchT(d.split()[0], d.split()[1]) }),
		"MannWhitney": testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.MannWhitney(d.split()[0], d.split()[1]) }),
		"KolmogorovSmirnov2": testOf(true, func(d *data) (*hypothesis.Result, error) {
			return hypothesis.KolmogorovSmirnov2(d.split()[0], d.split()[1])
		}),
		"KruskalWallis":     testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.KruskalWallis(d.split()...) }),
		"OneSampleT":        testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.OneSampleT(d.y, 0.5*d.size+d.shift) }),
		"PairedT":           testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.PairedT(d.x, d.y) }),
		"SignedRank":        testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.SignedRank(d.x, d.y) }),
		"Pearson":           testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.Pearson(d.x, d.y) }),
		"Spearman":          testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.Spearman(d.x, d.y) }),
		"SameLaw":           none("is KolmogorovSmirnov2, under the name that it had"),
		"ShapiroWilk":       testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.ShapiroWilk(d.y) }),
		"KolmogorovSmirnov": testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.KolmogorovSmirnov(d.x, d.normal()) }),
		"Levene":            testOf(true, func(d *data) (*hypothesis.Result, error) { return hypothesis.Levene(d.split()...) }),
		"Tukey": relation{size: true, shift: true, permute: true, within: 1e-9, of: func(d *data) (out []float64) {
			for _, c := range must(hypothesis.Tukey(0.95, d.split()...)) {
				out = append(out, c.P, c.Difference/d.size, c.Low/d.size, c.High/d.size)
			}
			return out
		}},
		"Bootstrap": relation{size: true, of: func(d *data) []float64 {
			r := must(hypothesis.Bootstrap(ctx, d.y, func(x []float64) float64 { return slices.Max(x) }, 50, rand.New(rand.NewPCG(1, 1))))
			low, high := r.Interval(0.95)
			return flat(d.size, r.Estimate, r.SE, low, high, r.Draws)
		}},
		"Permutation": relation{size: true, of: func(d *data) []float64 {
			largest := func(x, y []float64) float64 { return slices.Max(x) - slices.Max(y) }
			r := must(hypothesis.Permutation(ctx, d.split()[0], d.split()[1], largest, 50, rand.New(rand.NewPCG(1, 1))))
			return []float64{r.Statistic / d.size, r.P}
		}},
		"Binomial": ofCounts, "ChiSquared": ofCounts, "Fisher": ofCounts, "GoodnessOfFit": ofCounts,
	},
	"linalg": {
		"Mul":         linear(func(d *data) any { return linalg.Mul(nil, d.matrix(), fixed(2, 3)) }),
		"MulTransA":   linear(func(d *data) any { return linalg.MulTransA(nil, d.matrix(), fixed(40, 3)) }),
		"MulTransB":   linear(func(d *data) any { return linalg.MulTransB(nil, d.matrix(), fixed(3, 2)) }),
		"MulVec":      linear(func(d *data) any { return linalg.MulVec(nil, d.matrix(), []float64{2, -1}) }),
		"MulTransVec": linear(func(d *data) any { return linalg.MulTransVec(nil, d.matrix(), d.plain) }),
		"SymMulVec":   linear(func(d *data) any { return linalg.SymMulVec(nil, d.symmetric(), d.plain[:8]) }),
		"Gemm": linear(func(d *data) any {
			c := make([]float64, 8)
			linalg.Gemm(false, false, 2, 4, 5, 1, d.x[:10], 5, d.plain[:20], 4, 0, c, 4)
			return c
		}),
		"RankOne": linear(func(d *data) any {
			a := mat.NewDense(40, 40, nil)
			linalg.RankOne(a, 2, d.x, d.plain)
			return a
		}),
		"SymRank2K":     linear(func(d *data) any { return linalg.SymRank2K(nil, 1, d.matrix(), fixed(40, 2), 0) }),
		"SymRankK":      linear(func(d *data) any { return linalg.SymRankK(nil, d.size, fixed(5, 2), 0) }),
		"SymRankKTrans": linear(func(d *data) any { return linalg.SymRankKTrans(nil, d.size, fixed(5, 2), 0) }),
		"NewCholesky": linear(func(d *data) any {
			return solved(d, must(linalg.NewCholesky(d.symmetric())).SolveVecTo(nil, d.plain[:8]))
		}),
		"NewCholeskyDense": linear(func(d *data) any {
			return solved(d, must(linalg.NewCholeskyDense(mat.DenseCopyOf(d.symmetric()), d.size)).SolveVecTo(nil, d.plain[:8]))
		}),
		"NewLU": linear(func(d *data) any {
			return solved(d, must(linalg.NewLU(mat.DenseCopyOf(d.symmetric()))).SolveVecTo(nil, d.plain[:8]))
		}),
		"NewQR": linear(func(d *data) any {
			return solved(d, must(linalg.NewQR(d.matrix()).SolveTo(nil, mat.NewDense(40, 1, d.plain))).RawMatrix().Data)
		}),
		"SolveTri": linear(func(d *data) any {
			b := mat.NewDense(2, 1, []float64{1, 2})
			if err := linalg.SolveTri(linalg.NewQR(d.matrix()).R(), false, b); err != nil {
				panic(err)
			}
			return solved(d, b.RawMatrix().Data)
		}),
		"SymEigen":       linear(func(d *data) any { v, _, err := linalg.SymEigen(ctx, d.symmetric()); return must(v, err) }),
		"SymEigenValues": linear(func(d *data) any { return must(linalg.SymEigenValues(ctx, d.symmetric())) }),
		"TopEigen": linear(func(d *data) any {
			v, _, err := linalg.TopEigen(ctx, rand.New(rand.NewPCG(1, 1)), linalg.Times(d.symmetric()), 8, 3, nil)
			return must(v, err)
		}),
		"Times": linear(func(d *data) any {
			dst := mat.NewDense(8, 2, nil)
			if err := linalg.Times(d.symmetric())(ctx, dst, fixed(8, 2)); err != nil {
				panic(err)
			}
			return dst
		}),
		"SquaredDistances": relation{shift: true, of: func(d *data) []float64 {
			return flat(1, must(linalg.SquaredDistances(ctx, nil, d.matrix(), linalg.NewPoints(d.matrix()))))
		}},
		"NewPoints": none("prepares points for SquaredDistances, whose value is a square"), "NewFeatures": none("cosines have no scale"),
		"DefaultTopSettings": settingsOnly, "Path": none("names the instructions in use"), "UseGonum": none("takes and returns nothing"),
	},
	"vec": {
		"Add": pairwise(vec.Add, 1), "Sub": pairwise(vec.Sub, 1), "Mul": elements(func(dst, x []float64) { vec.Mul(dst, x, x) }, nil), "Div": pairwise(vec.Div, 0),
		"Scale":  linear(func(d *data) any { out := make([]float64, 40); vec.Scale(out, 3, d.x); return out }),
		"Axpy":   linear(func(d *data) any { out := affine(d.y, 1, 0); vec.Axpy(out, 3, d.x); return out }),
		"Offset": linear(func(d *data) any { out := make([]float64, 40); vec.Offset(out, 3*d.size, d.x); return out }),
		"Fill":   linear(func(d *data) any { out := make([]float64, 5); vec.Fill(out, d.size); return out }),
		"Sum":    reduction(vec.Sum, func(a, b float64) float64 { return a + b }),
		"Max":    reduction(vec.Max, math.Max),
		"Dot": relation{size: true, permute: true, of: func(d *data) []float64 { return flat(d.size, vec.Dot(d.x, d.plain)) },
			merge: func(d *data) (a, b []float64) {
				return []float64{vec.Dot(d.x, d.y)}, []float64{vec.Dot(d.x[:13], d.y[:13]) + vec.Dot(d.x[13:], d.y[13:])}
			}},
		"SquaredDistance": relation{shift: true, permute: true, of: func(d *data) []float64 { return []float64{vec.SquaredDistance(d.x, d.y)} }},
		"ArgSort": relation{size: true, shift: true, of: func(d *data) (out []float64) {
			for _, i := range vec.ArgSort(nil, d.x) {
				out = append(out, float64(i))
			}
			return out
		}},
		"LogSumExp": relation{shift: true, permute: true, of: func(d *data) []float64 { return []float64{vec.LogSumExp(d.x) - d.shift} }},
		"Softmax":   relation{shift: true, of: func(d *data) []float64 { out := make([]float64, 40); vec.Softmax(out, d.x); return out }},
		"Sqrt": relation{size: true, of: func(d *data) []float64 {
			out := make([]float64, 40)
			vec.Sqrt(out, d.y)
			return flat(math.Sqrt(d.size), out)
		}},
		"Cos": elements(vec.Cos, vec.Cos1), "Sin": elements(vec.Sin, vec.Sin1), "Erf": elements(vec.Erf, vec.Erf1), "Exp": elements(vec.Exp, vec.Exp1),
		"Expm1": elements(vec.Expm1, vec.Expm11), "Log": elements(vec.Log, vec.Log1), "Log1p": elements(vec.Log1p, vec.Log1p1), "Tanh": elements(vec.Tanh, vec.Tanh1),
		"Logistic": elements(vec.Logistic, vec.Logistic1), "NormalQuantile": elements(vec.NormalQuantile, vec.NormalQuantile1),
		"SinCos": elements(func(dst, x []float64) { vec.SinCos(dst, make([]float64, len(x)), x) }, func(x float64) float64 { s, _ := vec.SinCos1(x); return s }),
		"Cos1":   one("Cos"), "Sin1": one("Sin"), "Erf1": one("Erf"), "Exp1": one("Exp"), "Expm11": one("Expm1"), "Log1": one("Log"), "Log1p1": one("Log1p"), "Tanh1": one("Tanh"),
		"Logistic1": one("Logistic"), "NormalQuantile1": one("NormalQuantile"), "SinCos1": one("SinCos"),
		"Cosh1": even(vec.Cosh1, 1), "Sinh1": even(vec.Sinh1, -1),
		"Erfc1": relation{merge: func(d *data) (a, b []float64) {
			for _, v := range d.x {
				a, b = append(a, 2), append(b, vec.Erfc1(v)+vec.Erfc1(-v))
			}
			return a, b
		}},
		"Pow1": relation{size: true, of: func(d *data) (out []float64) {
			for _, v := range d.y {
				out = append(out, vec.Pow1(v, 0.5)/math.Sqrt(d.size))
			}
			return out
		}},
		"FillNormal": none("draws random numbers"), "FillUniform": none("draws random numbers"),
	},
	"table": {
		"Sum": summary(table.Sum, 1), "Mean": summary(table.Mean, 1), "SD": summary(table.SD, 1), "Median": summary(table.Median, 1), "Min": summary(table.Min, 1), "Max": summary(table.Max, 1),
		"Quantile": summary(func(c string) table.Summary { return table.Quantile(c, 0.3) }, 1), "Valid": summary(table.Valid, 0),
		"Count": summary(func(string) table.Summary { return table.Count() }, 0),
		"Apply": summary(func(c string) table.Summary { return table.Apply("first", c, vec.Max) }, 1),
		"Concat": relation{merge: func(d *data) (a, b []float64) {
			whole := d.table()
			parts := table.Concat(whole.Head(13), whole.Where(func(r table.Row) bool { return r.Int("i") >= 13 }))
			return whole.Floats("x"), parts.Floats("x")
		}},
		"From": linear(func(d *data) any { return d.table().Floats("x") }),
		"Parse": linear(func(d *data) any {
			var b strings.Builder
			if err := d.table().Encode(&b); err != nil {
				panic(err)
			}
			return must(table.Parse(strings.NewReader(b.String()), "x")).Floats("x")
		}),
		"ParseJSON": linear(func(d *data) any {
			var b strings.Builder
			if err := d.table().EncodeJSON(&b); err != nil {
				panic(err)
			}
			return must(table.ParseJSON(strings.NewReader(b.String()), "x")).Floats("x")
		}),
		"Load": reads, "LoadJSON": reads, "ReadCSV": reads, "WriteCSV": reads,
		"Table.Describe": relation{size: true, permute: true, of: func(d *data) (out []float64) {
			for _, name := range []string{"mean", "sd", "min", "q25", "median", "q75", "max"} {
				out = append(out, flat(d.size, d.table().Select("x", "y").Describe().Floats(name))...)
			}
			return out
		}},
	},
	"inference": {
		"ChainSize":     relation{size: true, shift: true, of: func(d *data) []float64 { return []float64{inference.ChainSize(d.x)} }},
		"EffectiveSize": relation{size: true, permute: true, of: func(d *data) []float64 { return []float64{inference.EffectiveSize(d.y)} }},
		"WeightedQuantiles": relation{size: true, permute: true, of: func(d *data) []float64 {
			return flat(d.size, inference.WeightedQuantiles(rkhs.Measure{X: d.matrix(), W: affine(d.y, 1/d.size, 0)}, 0, 0.1, 0.5, 0.9))
		}},
		"CollapsedGibbs": ofTopics, "TopicLangevin": ofTopics, "TopicMirrorDescent": ofTopics, "TopicMonteCarlo": ofTopics, "TopicVariational": ofTopics,
		"KnownTopics": ofTopics, "TopicsFound": ofTopics, "SimulateCorpus": simulates, "SimulateDocuments": simulates,
		"Constant": settingsOnly, "Harmonic": settingsOnly, "Power": settingsOnly, "Root": settingsOnly, "KernelBandwidth": settingsOnly,
		"DefaultLangevinSettings": settingsOnly, "DefaultMonteCarloSettings": settingsOnly, "DefaultNonparametricSettings": settingsOnly, "DefaultSettings": settingsOnly,
		"DefaultSparseGPSettings": settingsOnly, "DefaultSteinSettings": settingsOnly, "DefaultTopicSettings": settingsOnly, "DefaultVariationalSettings": settingsOnly,
		"Langevin": ofPosterior, "MirrorDescent": ofPosterior, "MonteCarlo": ofPosterior, "NonparametricVariational": ofPosterior, "SteinVariational": ofPosterior,
		"NewTiedMixture": ofPosterior, "NewGrid": none("a grid has its own range"), "NewKDE": ofKernels, "SparseGaussianProcess": ofKernels,
	},
	"dataset": {
		"Classification.Standardize": relation{size: true, shift: true, of: func(d *data) []float64 {
			return flat(1, (&dataset.Classification{X: d.matrix(), Y: d.label}).Standardize().X)
		}},
		"NewPCA": relation{shift: true, of: func(d *data) []float64 {
			return affineAbs(flat(1, must(must(dataset.NewPCA(ctx, d.matrix(), 2)).Project(d.matrix()))))
		}},
		"KMeans": relation{size: true, shift: true, of: func(d *data) []float64 {
			c := must(dataset.KMeans(ctx, d.matrix(), 3, 2, rand.New(rand.NewPCG(1, 1))))
			return floats(c.Labels)
		}},
		"Agglomerate": relation{size: true, shift: true, permute: true, of: func(d *data) (out []float64) {
			for _, m := range must(dataset.Agglomerate(ctx, d.matrix(), dataset.Ward)).Merges {
				out = append(out, m.Height/d.size)
			}
			return out
		}},
		"Silhouette": relation{size: true, shift: true, of: func(d *data) []float64 { return must(dataset.Silhouette(ctx, d.matrix(), d.group)) }},
		"TrainTest":  none("draws numbers of rows"), "Folds": none("draws numbers of rows"), "RowsOf": none("copies rows"),
		"Batches": none("hands rows on in their order"), "StreamCSV": reads, "StreamIDX": reads, "StreamLIBSVM": reads, "ReadCSV": reads, "ReadLIBSVM": reads,
		"BreastCancer": reads, "Digits": reads, "Nile": reads, "ConvolveDigits": simulates, "JitterDigits": simulates, "CoulombFeatures": none("charges and distances have units of their own"),
		"CoulombMatrix": none("charges and distances have units of their own"), "Molecules": simulates, "RadialWave": simulates, "RandomMixture": simulates, "VoronoiCells": simulates,
		"AdultLike": simulates, "ChemLike": simulates, "CovLike": simulates, "WebLike": simulates,
	},
	"nn": {
		"ClipNorm": relation{size: true, of: func(d *data) []float64 {
			g := affine(d.x, 1, 0)
			norm := nn.ClipNorm(g, 0.5*d.size)
			return flat(d.size, norm, g)
		}},
		"SquaredLoss": relation{shift: true, permute: true, of: func(d *data) []float64 {
			x, y := mat.NewDense(40, 1, d.x), mat.NewDense(40, 1, d.y)
			return []float64{nn.SquaredLoss(mat.NewDense(40, 1, nil), x, y)}
		}},
		"NewAdam": settingsOnly, "NewMLP": none("draws random weights"), "NewRandomFeatures": none("draws random weights"),
	},
	"boosting": {
		"Oracle": relation{size: true, shift: true, of: func(d *data) []float64 {
			at, v, err := boosting.Oracle(d.x)
			return must([]float64{float64(at), (v - d.shift) / d.size}, err)
		}},
		"ErrorRate": relation{size: true, permute: true, of: func(d *data) []float64 { return []float64{boosting.ErrorRate(d.x, d.label)} }},
		"ROC":       relation{size: true, shift: true, permute: true, of: func(d *data) []float64 { return []float64{must(boosting.ROC(d.x, d.label)).Area} }},
		"Stumps": relation{size: true, shift: true, of: func(d *data) []float64 {
			c := must(boosting.Stumps(ctx, d.matrix(), d.label, 5))
			return flat(1, c.Error, c.Bound, c.Predict(d.matrix(), 0))
		}},
		"Complexity": relation{size: true, of: func(d *data) []float64 {
			return flat(math.Sqrt(d.size), boosting.Complexity(d.y, 40, math.Sqrt(0.3*d.size)))
		}},
		"CriticalRadius": relation{size: true, of: func(d *data) []float64 {
			// delta^2/sigma grows as the root of the eigenvalues: sigma too.
			return flat(math.Sqrt(d.size), must(boosting.CriticalRadius(falling(d.y), 40, 0.3*math.Sqrt(d.size))).Delta)
		}},
		"CalibratedStop": ofRadius, "CorollaryStop": ofRadius, "ExponentialStop": ofRadius, "PolynomialStop": ofRadius, "PowerStop": ofRadius, "TheoremCap": ofRadius,
		"Boost": ofKernels, "CrossValidate": ofKernels, "NewBooster": ofKernels, "NewDesign": ofKernels, "NewFeatures": ofKernels, "NewNystrom": ofKernels,
		"NewSquaredPath": ofKernels, "Ridge": ofKernels, "DefaultSettings": settingsOnly, "Divergence": none("losses are no homogeneous functions"),
		"Grid": none("a grid has its own range"), "Kink": none("a function with a kink at one place"), "ChooseCentres": none("draws rows"),
	},
	"regression": {
		"Fit": relation{size: true, permute: true, of: func(d *data) []float64 {
			m := must(regression.Fit(d.table(), "y ~ x + plain"))
			k := []float64{d.size, 1, d.size} // units of the intercept and of the coefficients of x and plain
			out := flat(1, m.RSquared, m.AdjustedR2, m.F, m.Sigma/d.size, m.LogLik+40*math.Log(d.size))
			for j := range k {
				out = append(out, m.Coefficients[j]/k[j], m.SE[j]/k[j])
			}
			return out
		}},
		"Logistic": ofDesign(func(t *table.Table) (*regression.Model, error) { return regression.Logistic(t, "group ~ x + plain") }),
		"Counts":   ofDesign(func(t *table.Table) (*regression.Model, error) { return regression.Counts(t, "group ~ x + plain") }),
		"FitWith": ofDesign(func(t *table.Table) (*regression.Model, error) {
			return regression.FitWith(t, "group ~ x + plain", &regression.Settings{Family: regression.Poisson, Offset: "plain / 2"})
		}),
		"DefaultSettings": settingsOnly,
		"Anova":           none("differences of deviances, which are squares and vanish"),
	},
}

const ofPosterior = none("a posterior has the scale of its prior")

var ctx = context.Background()

// ofDesign is for models whose response has no scale: the coefficient of x is that over the size.
func ofDesign(fit func(t *table.Table) (*regression.Model, error)) relation {
	return relation{size: true, permute: true, within: 1e-7, of: func(d *data) []float64 {
		m := must(fit(d.table()))
		return flat(1, m.Coefficients[0], m.Coefficients[1]*d.size, m.Coefficients[2], m.SE[1]*d.size, m.Deviance)
	}}
}

// testOf is of a test: neither statistic nor p-values change, the interval and the estimate no more than the data.
func testOf(shift bool, run func(d *data) (*hypothesis.Result, error)) relation {
	return relation{size: true, shift: shift, permute: true, within: 1e-9, of: func(d *data) []float64 {
		r := must(run(d))
		out := []float64{r.Statistic, r.P}
		if !math.IsNaN(r.Less) {
			out = append(out, r.Less, r.Greater)
		}
		return out
	}}
}

// linear is of functions whose value has the size of the data.
func linear(of func(d *data) any) relation {
	return relation{size: true, of: func(d *data) []float64 { return flat(d.size, of(d)) }}
}

// solved turns a solution of a system of the data's size, which is one over that, into one that grows with it.
func solved(d *data, x []float64) []float64 {
	return affine(affine(x, d.size, 0), d.size, 0)
}

func pairwise(f func(dst, a, b []float64), power int) relation {
	return relation{size: true, of: func(d *data) []float64 {
		out := make([]float64, 40)
		f(out, d.x, d.y)
		return flat(math.Pow(d.size, float64(power)), out)
	}}
}

// elements is of functions of each number: parts of a slice have the same bits as the whole, and so has a number alone.
func elements(f func(dst, x []float64), alone func(float64) float64) relation {
	return relation{merge: func(d *data) (a, b []float64) {
		x := make([]float64, 40)
		for i, v := range d.plain {
			x[i] = 0.5 + math.Atan(v)/4 // in (0, 1)
		}
		whole, parts := make([]float64, 40), make([]float64, 40)
		f(whole, x)
		f(parts[:13], x[:13])
		f(parts[13:], x[13:])
		for i, v := range whole {
			if alone != nil && alone(x[i]) != v || parts[i] != v {
				return []float64{v}, []float64{math.NaN()}
			}
		}
		return whole, parts
	}}
}

func one(of string) none { return none("a number of " + of + " alone, which that compares") }

func even(f func(float64) float64, sign float64) relation {
	return relation{merge: func(d *data) (a, b []float64) {
		for _, v := range d.x {
			a, b = append(a, f(v)), append(b, sign*f(-v))
		}
		return a, b
	}}
}

func reduction(f func([]float64) float64, join func(a, b float64) float64) relation {
	return relation{size: true, permute: true, of: func(d *data) []float64 { return flat(d.size, f(d.y)) },
		merge: func(d *data) (a, b []float64) { return []float64{f(d.x)}, []float64{join(f(d.x[:13]), f(d.x[13:]))} }}
}

// summary is of a summary of groups, whose value has the size of the data to a power.
func summary(of func(column string) table.Summary, power int) relation {
	return relation{size: true, permute: true, of: func(d *data) []float64 {
		s := d.table().GroupBy("group").Summarise(of("x").As("value"))
		return flat(math.Pow(d.size, float64(power)), s.Floats("value"))
	}}
}

// fixed is a matrix that is neither scaled nor shifted.
func fixed(r, c int) *mat.Dense {
	rng := rand.New(rand.NewPCG(3, 3))
	m := mat.NewDense(r, c, nil)
	m.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, m)
	return m
}

// symmetric is a positive definite matrix of the data's size.
func (d *data) symmetric() *mat.SymDense {
	a := linalg.SymRankK(nil, 1, fixed(8, 8), 0)
	for i := range 8 {
		a.SetSym(i, i, a.At(i, i)+1)
	}
	a.ScaleSym(d.size, a)
	return a
}

func (d *data) split() [][]float64 {
	out := make([][]float64, 2)
	for i, g := range d.group {
		out[g] = append(out[g], d.y[i])
	}
	return out
}

func (d *data) normal() func(float64) float64 {
	return func(x float64) float64 { return distuv.UnitNormal.CDF((x - d.shift) / d.size) }
}

func (d *data) table() *table.Table {
	i := make([]int, len(d.x))
	for k := range i {
		i[k] = k
	}
	return must(table.From(map[string]any{"x": d.x, "y": d.y, "group": d.group, "plain": d.plain, "i": i}))
}

func affineAbs(x []float64) []float64 {
	for i, v := range x {
		x[i] = math.Abs(v) // directions have no sign
	}
	return x
}

func falling(x []float64) []float64 {
	x = append([]float64(nil), x...)
	order := vec.ArgSort(nil, x)
	out := make([]float64, len(x))
	for k, i := range order {
		out[len(x)-1-k] = x[i]
	}
	return out
}

func floats(labels []int) []float64 {
	out := make([]float64, len(labels))
	for i, v := range labels {
		out[i] = float64(v)
	}
	return out
}
