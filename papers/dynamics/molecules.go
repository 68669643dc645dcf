package dynamics

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/papers"
	"gaucho/papers/standin"
	"gaucho/stdlib/embedding"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// Molecules returns the study of figure 5.2(b) of Dai 2018 (section 5.6.1), on other data: the energy of generated
// molecules, each seen as ten random Coulomb matrices, by the dual embedding, by gradients of the mean over the ten (sample
// average), and with each of them as an example of its own (virtual samples). Predictions for a test molecule are means over
// 20 representations. The text tries the bandwidths 0.1, 0.25, 0.5 and 1 times the median distance, and 0.1, 0.5 and 1 for
// eta and 100 and 1000 for n0 in steps eta/(n0 + sqrt t); the features here have norm one, so that steps may be near 1, and
// smaller ones are only slower. A record holds the mean absolute error, in standard deviations of the energy, along the way
// and at the end.
func Molecules(size papers.Size) *study.Study {
	n, features, steps, replications, seconds := 3000, 1024, 4000, 5, 60.0
	factors, etas, how := []any{0.1, 0.25, 0.5, 1.0}, []any{20.0, 100.0}, []any{"any", "noisy"}
	switch size {
	case papers.Small:
		n, features, steps, replications, seconds = 200, 128, 60, 1, 0.3
		factors, etas, how = []any{0.5}, []any{100.0}, []any{"any"}
	case papers.Default:
		n, features, steps, replications, seconds = 1000, 512, 1000, 3, 5
		factors, etas, how = []any{0.25, 0.5, 1.0}, []any{100.0}, []any{"any"}
	}
	return &study.Study{
		Name: papers.Name("dynamics-molecules", size), Version: "1", Seed: 54, Replications: replications, Seconds: seconds,
		About: "molecules seen through random representations: dual embedding, sample average, virtual samples (Dai 2018, figure 5.2, b)",
		Points: study.Grid(study.Values("method", "dual", "sample average", "virtual samples"), study.Values("order", how...), study.Values("bandwidth", factors...),
			study.Values("eta", etas...), study.Values("n0", 100.0), study.Values("n", n), study.Values("features", features), study.Values("steps", steps)),
		Paired: []string{"method", "bandwidth", "eta", "n0"}, Replicate: replicateMolecules,
	}
}

// orders is the noise in the order of a molecule's atoms: 1 is that of the random matrices of section 3.6.5, which change few
// places; with the other all orders are alike, as in the text's "random permutations of rows and columns".
var orders = map[string]float64{"noisy": 1, "any": 1e6}

// An asFeatures is the FeatureMap of points that are features already.
type asFeatures int

func (f asFeatures) Len() int { return int(f) }

func (f asFeatures) Map(_ context.Context, X *mat.Dense) (*mat.Dense, error) { return X, nil }

func replicateMolecules(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	const copies, tests, views, most = 10, 200, 20, 8
	n, count := p.Int("n"), p.Int("features")
	train, test, err := standin.Molecules(n, tests, most, 1+copies, views, orders[p.Text("order")], rng)
	if err != nil {
		return nil, err
	}
	median, err := rkhs.MedianBandwidth(train.X, 500, rng)
	if err != nil {
		return nil, err
	}
	bandwidth := p.Float("bandwidth") * median
	_, d := train.X.Dims()
	// The first representation of a molecule is x, the others are draws of z.
	x, z, y := mat.NewDense(n, d, nil), mat.NewDense(n*copies, d, nil), make([]float64, n)
	for i := range n {
		at := i * (1 + copies)
		x.SetRow(i, train.X.RawRowView(at))
		y[i] = train.Y[at]
		z.Slice(i*copies, (i+1)*copies, 0, d).(*mat.Dense).Copy(train.X.Slice(at+1, at+1+copies, 0, d))
	}
	condition, err := embedding.Join(x, bandwidth, y)
	if err != nil {
		return nil, err
	}
	kernel := rkhs.Gaussian{Bandwidth: bandwidth}
	primal, err := rkhs.NewRandomFeatures(kernel, d, count, rng)
	if err != nil {
		return nil, err
	}
	dual, err := rkhs.NewRandomFeatures(kernel, d+1, count, rng)
	if err != nil {
		return nil, err
	}
	var mapped [3]*mat.Dense // the features of all points, once
	for i, m := range []struct {
		features *rkhs.RandomFeatures
		X        *mat.Dense
	}{{primal, z}, {dual, condition}, {primal, test.X}} {
		if mapped[i], err = m.features.Map(ctx, m.X); err != nil {
			return nil, err
		}
	}
	settings := embedding.DefaultSettings()
	settings.Eta, settings.Shift, settings.AverageFrom = p.Float("eta"), p.Float("n0"), p.Int("steps")/2
	f, u := embedding.NewLinear(asFeatures(count)), embedding.NewLinear(asFeatures(count))
	step, err := conditionalStep(p.Text("method"), settings, f, u)
	if err != nil {
		return nil, err
	}
	var at, errs []float64
	var order []int
	batch := min(500, n/4)
	for t := range p.Int("steps") {
		from := t % (n / batch) * batch
		if from == 0 {
			order = rng.Perm(n)
		}
		b, err := gather(order[from:from+batch], mapped[0], mapped[1], y, copies)
		if err == nil {
			err = step(ctx, b)
		}
		if err != nil {
			return nil, err
		}
		if t+1 == p.Int("steps") || (t+1)&t == 0 && t > 6 {
			got, err := f.Mean(ctx, mapped[2])
			if err != nil {
				return nil, err
			}
			sum := 0.0
			for i := range tests {
				off := -test.Y[i*views]
				for c := range views {
					off += got[i*views+c] / views
				}
				sum += math.Abs(off) / tests
			}
			at, errs = append(at, float64((t+1)*batch)), append(errs, sum)
		}
	}
	return study.Record{"visits": at, "errors": errs, "error": errs[len(errs)-1]}, nil
}
