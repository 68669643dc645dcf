package functions

import (
	"context"
	"math"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/papers/standin"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/study"
)

// Molecules returns the study of figures 3.7(4) and 3.7(5) of Dai 2018 (section 3.6.5), on other data: the energy of
// generated molecules from random Coulomb matrices, by doubly stochastic ridge regression with the median distance as the
// bandwidth, and by a network with one hidden layer of 128 units on the same inputs, whose rate and end are chosen as in
// [Classes]. A record holds the mean absolute error, in standard deviations of the energy, after each pass and at the end;
// predictions are averaged over 20 random representations of a test molecule.
func Molecules(size papers.Size) *study.Study {
	n, copies, passes, replications, seconds := 6000, 10, 3, 5, 600.0
	atoms := []any{8, 16}
	switch size {
	case papers.Small:
		n, copies, passes, replications, seconds, atoms = 300, 3, 3, 1, 0.3, []any{8}
	case papers.Default:
		n, copies, passes, replications, seconds, atoms = 500, 5, 3, 4, 10, []any{8}
	}
	return &study.Study{
		Name: papers.Name("functions-molecules", size), Version: "2", Seed: 16, Replications: replications, Seconds: seconds,
		About: "error of molecules' energies by kernel ridge regression and a network, averaged over representations (Dai 2018, figure 3.7, 4-5)",
		Points: study.Grid(study.Values("method", "doubly", "network"), study.Values("atoms", atoms...), study.Values("n", n),
			study.Values("copies", copies), study.Values("passes", passes)),
		Paired: []string{"method"}, Replicate: replicateMolecules,
	}
}

func replicateMolecules(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	const tests, views = 200, 20
	train, test, err := standin.Molecules(p.Int("n"), tests, p.Int("atoms"), p.Int("copies"), views, 1, rng)
	if err != nil {
		return nil, err
	}
	judge := func(views int) grade {
		return func(f kernelmachine.Predictor, data *dataset.Regression) (float64, error) {
			u, err := f.Outputs(ctx, data.X)
			if err != nil {
				return 0, err
			}
			sum, n := 0.0, data.Len()/views
			for i := range n {
				mean := 0.0
				for c := range views {
					mean += u.At(i*views+c, 0) / float64(views)
				}
				sum += math.Abs(mean-data.Y[i*views]) / float64(n)
			}
			return sum, nil
		}
	}
	var errs []float64
	if p.Text("method") == "network" {
		errs, err = chooseNetwork(ctx, kernelmachine.Squared{}, train, test, func(f kernelmachine.Predictor, data *dataset.Regression) (float64, error) {
			if data == test {
				return judge(views)(f, data)
			}
			return judge(1)(f, data)
		}, rng)
	} else {
		err = trainDoubly(ctx, kernelmachine.Squared{}, train, 1e-4, 0.5, p.Int("passes"), func(f kernelmachine.Predictor) error {
			v, err := judge(views)(f, test)
			errs = append(errs, v)
			return err
		}, rng)
	}
	if err != nil {
		return nil, err
	}
	return study.Record{"trace": errs, "all": errs[len(errs)-1], "taken": float64(len(errs))}, nil
}
