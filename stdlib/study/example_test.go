package study_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"gaucho/stdlib/study"
)

// means is a study of how far the mean of n normal numbers is from zero.
func means() *study.Study {
	return &study.Study{
		Name:         "means",
		Points:       study.Grid(study.Values("n", 10, 100, 1000)),
		Replications: 200,
		Seed:         1,
		Replicate: func(_ context.Context, at study.Point, rng *rand.Rand) (study.Record, error) {
			sum := 0.0
			for range at.Int("n") {
				sum += rng.NormFloat64()
			}
			return study.Record{"error": math.Abs(sum / float64(at.Int("n")))}, nil
		},
	}
}

// A study that is run again takes its records from the file.
func Example() {
	dir, err := os.MkdirTemp("", "study")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	for range 2 {
		res, err := means().Run(ctx, &study.Settings{Workers: 2, Dir: dir})
		if err != nil {
			panic(err)
		}
		fmt.Println(res.Len(), "records")
	}
	// Output:
	// 600 records
	// 600 records
}

// The error of a mean falls with the root of n.
func ExampleLogLogSlope() {
	s := means()
	res, err := s.Run(context.Background(), nil)
	if err != nil {
		panic(err)
	}
	var n, median []float64
	for _, p := range s.Points {
		sum, err := res.Summary(p, "error")
		if err != nil {
			panic(err)
		}
		n, median = append(n, float64(p.Int("n"))), append(median, sum.Median)
	}
	fit, err := study.LogLogSlope(n, median)
	if err != nil {
		panic(err)
	}
	fmt.Printf("slope %.1f\n", fit.Slope)
	// Output: slope -0.5
}

// One runs a single replication, as it ran among all the others.
func ExampleStudy_One() {
	s := means()
	at := s.Points[1]
	record, err := s.One(context.Background(), at, 7)
	if err != nil {
		panic(err)
	}
	again, err := s.One(context.Background(), at, 7)
	fmt.Println(at, record["error"] == again["error"], err)
	// Output: n=100 true <nil>
}

// Shards run on different machines; Merge puts their files together.
func ExampleStudy_Merge() {
	dir, err := os.MkdirTemp("", "study")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for shard := 1; shard <= 3; shard++ {
		if _, err := means().Run(context.Background(), &study.Settings{Workers: 1, Dir: dir, Shard: shard, Shards: 3}); err != nil {
			panic(err)
		}
	}
	res, err := means().Merge(dir)
	fmt.Println(res.Len(), res.Missing, err)
	// Output: 600 0 <nil>
}
