// Command mabfdr is the Go side of the benchmark of MAB-FDR; bench.py runs it beside NumPy.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"gaucho/stdlib/bandit"
	"gaucho/stdlib/fdr"
)

const experiments, arms, budget = 500, 50, 300

type answer struct {
	Seconds float64   `json:"seconds"`
	Values  []float64 `json:"values"`
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("mabfdr: ")
	dir := flag.String("data", ".", "directory that the data are written to")
	flag.Parse()
	means, err := fdr.ContestMeans(experiments, arms, 8, 3, 0.4, false, rand.New(rand.NewPCG(47, 50)))
	if err != nil {
		log.Fatal(err)
	}
	f, err := os.Create(filepath.Join(*dir, "means"))
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range means {
		if err := binary.Write(f, binary.LittleEndian, m); err != nil {
			log.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("{}")
	lines, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for seed := uint64(0); lines.Scan(); seed++ {
		runs, err := strconv.Atoi(lines.Text())
		if err != nil {
			log.Fatal(err)
		}
		began := time.Now()
		values := all(means, runs, seed)
		if err := out.Encode(answer{time.Since(began).Seconds(), values}); err != nil {
			log.Fatal(err)
		}
	}
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
