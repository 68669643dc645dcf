package pool_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"

	"gaucho/stdlib/study"
	"gaucho/stdlib/study/pool"
)

// dice is a study that both sides know, so that the task need not say anything.
func dice() *study.Study {
	return &study.Study{
		Name: "dice", Points: study.Grid(study.Values("dice", 1, 2)), Replications: 50, Seed: 1,
		Replicate: func(_ context.Context, at study.Point, rng *rand.Rand) (study.Record, error) {
			sum := 0
			for range at.Int("dice") {
				sum += 1 + rng.IntN(6)
			}
			return study.Record{"sum": sum}, nil
		},
	}
}

// A server and a worker in one process; usually they are on different machines.
func Example() {
	store, err := os.MkdirTemp("", "pool")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(store)
	ctx, stop := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	server := pool.DefaultSettings()
	server.Listen, server.Store, server.Version = "127.0.0.1:0", store, "1"
	server.Ready = func(url string) {
		worker := pool.DefaultSettings()
		worker.URL, worker.Version = url, "1"
		go func() {
			worked <- pool.Work(ctx, worker, func(context.Context, []byte, []byte) (pool.Executor, error) {
				return dice().Open(nil)
			})
		}()
	}
	res, err := pool.Serve(ctx, dice(), nil, nil, server)
	if err != nil {
		panic(err)
	}
	stop()
	fmt.Println(res.Len(), "records", <-worked)
	// Output: 100 records <nil>
}
