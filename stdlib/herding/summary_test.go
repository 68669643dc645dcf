package herding

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/rkhs"
)

func TestLogisticRegression(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	data, err := dataset.CovLike(400, rng)
	if err != nil {
		t.Fatal(err)
	}
	w := make([]float64, 400)
	for i := range w {
		w[i] = rng.Float64() * 2
	}
	theta, err := FitLogistic(ctx, data.X, data.Y, w, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The gradient of the objective, from features and ridge, is 0.
	F, err := FisherFeatures(theta, data.X, data.Y)
	if err != nil {
		t.Fatal(err)
	}
	for j := range theta {
		g := 0.0
		for i := range w {
			g -= w[i] * F.At(i, j)
		}
		if j < len(theta)-1 {
			g += theta[j]
		}
		near(t, "gradient", g, 0, 1e-5)
	}
	// The features are the gradient of the log-likelihood, by differences.
	one := data.Rows([]int{5})
	for _, j := range []int{0, 4, 54} {
		const h = 1e-5
		at := func(d float64) float64 {
			moved := append([]float64(nil), theta...)
			moved[j] += d
			v, err := LogisticLoss(moved, one.X, one.Y)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		near(t, "feature", F.At(5, j), -(at(h)-at(-h))/(2*h), 1e-8)
	}
	// A toy with a solution by hand: two points of each label at x = 0, one
	// coefficient, no ridge: odds 3 to 1 give theta = log 3.
	X := mat.NewDense(4, 1, []float64{1, 1, 1, 1})
	got, err := FitLogistic(ctx, X, []float64{1, 1, 1, 0}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "log odds", got[0], math.Log(3), 1e-9)
	loss, err := LogisticLoss(got, X, []float64{1, 1, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "loss", loss, -(3*math.Log(.75)+math.Log(.25))/4, 1e-12)
	if _, err := FitLogistic(ctx, X, []float64{1, 2, 0, 0}, nil, nil); err == nil || err.Error() != "herding: label 1 is 2, must be 0 or 1" {
		t.Errorf("error is %v", err)
	}
}

// TestCoresetIsUnbiased: the weights sum to N in the mean.
func TestCoresetIsUnbiased(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 8))
	data, err := dataset.WebLike(500, rng)
	if err != nil {
		t.Fatal(err)
	}
	const runs = 500
	var s, s2 float64
	for range runs {
		rows, w, err := LogisticCoreset(ctx, data.X, data.Y, 200, &CoresetSettings{Clusters: 4, Radius: 3, Subsample: 100}, rng)
		if err != nil {
			t.Fatal(err)
		}
		var total float64
		for i, v := range w {
			total += v
			if v <= 0 || rows[i] < 0 || rows[i] >= 500 {
				t.Fatalf("row %d with weight %v", rows[i], v)
			}
		}
		s += total
		s2 += total * total
	}
	mean := s / runs
	near(t, "mean total weight", mean, 500, 4*math.Sqrt((s2/runs-mean*mean)/runs)+1e-9)
	if _, _, err := LogisticCoreset(ctx, data.X, data.Y, 0, nil, rng); err == nil {
		t.Error("no error for size 0")
	}
}

// summaryProblem is the data summarisation of Khanna et al. 2021, section 6.2:
// candidates are training points, the target is the validation points, both by
// their Fisher features.
func summaryProblem(t *testing.T, data *dataset.Classification, rng *rand.Rand) (train, test *dataset.Classification, pool *Pool) {
	t.Helper()
	test, rest, err := data.Split(.1, rng)
	if err != nil {
		t.Fatal(err)
	}
	val, train, err := rest.Split(.1, rng)
	if err != nil {
		t.Fatal(err)
	}
	theta, err := FitLogistic(ctx, train.X, train.Y, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	fTrain, err1 := FisherFeatures(theta, train.X, train.Y)
	fVal, err2 := FisherFeatures(theta, val.X, val.Y)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	b, err := rkhs.MedianBandwidth(fTrain, 1000, rng)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: b / math.Sqrt2}, rkhs.Uniform(fVal))
	if err != nil {
		t.Fatal(err)
	}
	pool, err = NewPool(ctx, e, fTrain)
	if err != nil {
		t.Fatal(err)
	}
	return train, test, pool
}

// refitLoss is the test loss after fitting to the given points only.
func refitLoss(t *testing.T, train, test *dataset.Classification, rows []int, w []float64) float64 {
	t.Helper()
	part := train.Rows(rows)
	theta, err := FitLogistic(ctx, part.X, part.Y, w, nil)
	if err != nil {
		t.Fatal(err)
	}
	loss, err := LogisticLoss(theta, test.X, test.Y)
	if err != nil {
		t.Fatal(err)
	}
	return loss
}

// TestSummariesBeatRandomSubsets is a small form of Figure 2.
func TestSummariesBeatRandomSubsets(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	data, err := dataset.CovLike(3000, rng)
	if err != nil {
		t.Fatal(err)
	}
	train, test, pool := summaryProblem(t, data, rng)
	all := make([]int, train.Len())
	for i := range all {
		all[i] = i
	}
	full := refitLoss(t, train, test, all, nil)
	const m = 100
	var random float64
	for range 8 {
		random += (refitLoss(t, train, test, rng.Perm(train.Len())[:m], nil) - full) / 8
	}
	sbq, err := Greedy(ctx, pool, m, &GreedySettings{Selection: SBQ, Threshold: 1e-8})
	if err != nil {
		t.Fatal(err)
	}
	kh := build(t, pool, m, &Settings{Repulsion: true})
	if e := refitLoss(t, train, test, sbq.Index, nil) - full; e > .9*random {
		t.Errorf("excess loss of SBQ %v, of random subsets %v", e, random)
	}
	if e := refitLoss(t, train, test, kh.Index, nil) - full; e > .8*random {
		t.Errorf("excess loss of herding %v, of random subsets %v", e, random)
	}
	// The Fisher kernel itself has the rank of the features: reported, no crash.
	fisher, err := rkhs.NewFisher(pool.X, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rkhs.Embed(rkhs.Normalized{Kernel: fisher}, rkhs.Uniform(pool.X))
	if err != nil {
		t.Fatal(err)
	}
	small := mat.DenseCopyOf(pool.X.Slice(0, 300, 0, 55))
	linear, err := NewPool(ctx, e, small)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Greedy(ctx, linear, 120, &GreedySettings{Selection: SBQ, Threshold: 1e-8})
	if err != nil {
		t.Fatal(err)
	}
	if r.Len() > 55 || r.Stopped == "" {
		t.Errorf("%d points in a space of dimension 55 (%q)", r.Len(), r.Stopped)
	}
}

// TestRealData runs the whole of the summarisation on a real data set: 40 of some
// 460 points, chosen by Bayesian quadrature, classify about as well as all.
func TestRealData(t *testing.T) {
	data, err := dataset.BreastCancer()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(9, 8))
	train, test, pool := summaryProblem(t, data.Standardize(), rng)
	all := make([]int, train.Len())
	for i := range all {
		all[i] = i
	}
	full := refitLoss(t, train, test, all, nil)
	r, err := Greedy(ctx, pool, 40, &GreedySettings{Selection: SBQ, Threshold: 1e-8})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Reweight(ctx, pool.Target(), r.X, Simplex)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.W {
		m.W[i] *= float64(r.Len())
	}
	plain := refitLoss(t, train, test, r.Index, nil)
	weighted := refitLoss(t, train, test, r.Index, m.W)
	if full > .2 || plain > full+.25 || weighted > full+.25 {
		t.Errorf("loss of all %v, of 40 points %v, with weights %v", full, plain, weighted)
	}
}
