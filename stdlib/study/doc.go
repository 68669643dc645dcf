// Package study runs experiments that resume, reproduce and scale. An experiment is a grid of settings, many replications
// of each, and a few numbers from every replication:
//
//	s := &study.Study{
//		Name:         "mean",
//		Points:       study.Grid(study.Values("method", "mean", "median"), study.Values("n", 10, 100, 1000)),
//		Replications: 1000,
//		Seed:         1,
//		Paired:       []string{"method"},
//		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
//			xs := sample(rng, p.Int("n"))
//			return study.Record{"error": math.Abs(estimate(p.Text("method"), xs))}, nil
//		},
//	}
//	res, err := s.Run(ctx, &study.Settings{Workers: 2, Dir: "studies"})
//
// The random stream of a replication comes from the seed, the study's name, the point's parameters by name and value and
// the number of the replication, never from a position in the grid or the order of goroutines. So results are the same
// bits for any number of workers, any order and any partition into shards, a grid that grows keeps its records, and a
// method that is compared with another (Paired) sees the same data.
//
// Records are kept in a file as they come. A run that was killed resumes where it was; one that is finished answers at
// once.
package study
