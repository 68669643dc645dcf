// Command study is the Go side of the benchmark of studies; bench.py runs it beside joblib and Dask.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gaucho/stdlib/study"
	"gaucho/stdlib/study/pool"
)

// A side runs jobs and returns how long they took and how many were done. Cases name a side, the number of jobs and how long
// each takes: "bare 10000 100us".
type side func(jobs int, length time.Duration) (time.Duration, int)

var sides = map[string]side{"bare": bare, "study": local, "pool": served}

type answer struct {
	Seconds float64   `json:"seconds"`
	Values  []float64 `json:"values"`
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("study: ")
	flag.String("data", ".", "not used")
	flag.Parse()
	fmt.Println("{}")
	lines, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var who, length string
		var jobs int
		if _, err := fmt.Sscan(lines.Text(), &who, &jobs, &length); err != nil {
			log.Fatal(err)
		}
		d, err := time.ParseDuration(length)
		if err != nil {
			log.Fatal(err)
		}
		took, done := sides[strings.TrimSpace(who)](jobs, d)
		out.Encode(answer{took.Seconds(), []float64{float64(done)}})
	}
}

// job is the work: a random number, and the processor kept busy for a while.
func job(length time.Duration, rng *rand.Rand) float64 {
	if length > 0 {
		for began := time.Now(); time.Since(began) < length; {
		}
	}
	return rng.Float64()
}

// bare is a pool of goroutines that take jobs in batches of 64 and put results into a slice.
func bare(jobs int, length time.Duration) (time.Duration, int) {
	const batch = 64
	began := time.Now()
	results := make([]float64, jobs)
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(w)))
			for {
				to := int(next.Add(batch))
				if to-batch >= jobs {
					return
				}
				for i := to - batch; i < min(to, jobs); i++ {
					results[i] = job(length, rng)
				}
			}
		})
	}
	wg.Wait()
	return time.Since(began), len(results)
}

func experiment(jobs int, length time.Duration) *study.Study {
	return &study.Study{
		Name: "jobs", Points: []study.Point{study.NewPoint("x", 1)}, Replications: jobs, Seed: 1, Seconds: length.Seconds(),
		Replicate: func(_ context.Context, _ study.Point, rng *rand.Rand) (study.Record, error) {
			return study.Record{"x": job(length, rng)}, nil
		},
	}
}

// folder makes a directory for records, and removes it again.
func folder() (string, func()) {
	dir, err := os.MkdirTemp("", "gaucho-bench-study")
	if err != nil {
		log.Fatal(err)
	}
	return dir, func() { os.RemoveAll(dir) }
}

// local is a study on all processors, with its file of records.
func local(jobs int, length time.Duration) (time.Duration, int) {
	dir, remove := folder()
	defer remove()
	began := time.Now()
	res, err := experiment(jobs, length).Run(context.Background(), &study.Settings{Workers: runtime.GOMAXPROCS(0), Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	return time.Since(began), res.Len()
}

// served is a study over the embedded server, with a worker for each processor: from when workers can connect to when all
// records are in the file and the server has ended.
func served(jobs int, length time.Duration) (time.Duration, int) {
	dir, remove := folder()
	defer remove()
	s := experiment(jobs, length)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var began time.Time
	worked := make(chan error, 1)
	p := pool.DefaultSettings()
	p.Listen, p.Store, p.Version, p.Batch = "127.0.0.1:0", dir, "1", 100
	p.Ready = func(url string) {
		began = time.Now()
		w := *p
		w.URL, w.Workers = url, runtime.GOMAXPROCS(0)
		go func() {
			worked <- pool.Work(ctx, &w, func(context.Context, []byte, []byte) (pool.Executor, error) { return s.Open(nil) })
		}()
	}
	res, err := pool.Serve(ctx, s, &study.Settings{Workers: 1, Dir: dir}, nil, p)
	if err != nil {
		log.Fatal(err)
	}
	took := time.Since(began)
	stop()
	if err := <-worked; err != nil {
		log.Fatal(err)
	}
	return took, res.Len()
}
