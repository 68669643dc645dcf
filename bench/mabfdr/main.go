// Command mabfdr is the Go side of the benchmark of MAB-FDR; bench.py runs it beside NumPy.
package main

import (
	"context"
	"flag"
	"log"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"gaucho/bench/side"
	"gaucho/stdlib/bandit"
	"gaucho/stdlib/fdr"
)

const experiments, arms, budget = 500, 50, 300

func main() {
	log.SetFlags(0)
	log.SetPrefix("mabfdr: ")
	dir := flag.String("data", ".", "directory that the data are written to")
	flag.Parse()
	means, err := fdr.ContestMeans(experiments, arms, 8, 3, 0.4, false, rand.New(rand.NewPCG(47, 50)))
	if err != nil {
		log.Fatal(err)
	}
	if err := side.Write(*dir, "means", slices.Concat(means...)); err != nil {
		log.Fatal(err)
	}
	seed := uint64(0)
	side.Serve(func(name string) (*side.Answer, error) {
		runs, err := strconv.Atoi(name)
		if err != nil {
			return nil, err
		}
		began := time.Now()
		values := all(means, runs, seed)
		seed++
		return &side.Answer{Seconds: time.Since(began).Seconds(), Values: values}, nil
	})
}

// all does the runs on all processors and returns mean pulls and best-arm discovery rate.
func all(means [][]float64, runs int, seed uint64) []float64 {
	counts := make([]fdr.Counts, runs)
	next := make(chan int)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for r := range next {
				c, err := one(means, rand.New(rand.NewPCG(seed, uint64(r))))
				if err != nil {
					log.Fatal(err)
				}
				counts[r] = c
			}
		})
	}
	for r := range runs {
		next <- r
	}
	close(next)
	group.Wait()
	var pulls, bdr float64
	for _, c := range counts {
		pulls += float64(c.Samples) / float64(runs)
		bdr += c.BDR() / float64(runs)
	}
	return []float64{pulls, bdr}
}

func one(means [][]float64, rng *rand.Rand) (fdr.Counts, error) {
	settings := fdr.DefaultProcessSettings()
	settings.Bandit = bandit.DefaultSettings()
	settings.Bandit.Budget = budget
	process, err := fdr.NewProcess(fdr.LORD3, 0.1, settings)
	if err != nil {
		return fdr.Counts{}, err
	}
	for _, m := range means {
		if _, err := process.Run(context.Background(), bandit.Gaussian{Means: m, Sigma: 1}, rng); err != nil {
			return fdr.Counts{}, err
		}
	}
	return process.Count(means, 0)
}
