// Command limit says what the machine is and what it can do at this moment, as a line of JSON: products of matrices that stay
// in the first caches, which run at the speed of the multiply units, and memory written, each in a number of bursts. Benchmarks
// run it before and after themselves, to notice that something else ran too.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

const bursts = 25

func main() {
	log.SetFlags(0)
	log.SetPrefix("limit: ")
	threads := runtime.GOMAXPROCS(0)
	said := struct {
		Machine  string    `json:"machine"`
		Go       string    `json:"go"`
		Products []float64 `json:"products"` // GFLOP/s
		Written  []float64 `json:"written"`  // GB/s
	}{machine(), runtime.Version(), products(threads), written(threads)}
	if err := json.NewEncoder(os.Stdout).Encode(said); err != nil {
		log.Fatal(err)
	}
}

// machine is the machine in words.
func machine() string {
	words := fmt.Sprintf("%d cores", runtime.NumCPU())
	if model := field("/proc/cpuinfo", "model name"); model != "" {
		words += " of " + model
	}
	words += fmt.Sprintf(", kernels for %v", linalg.Path())
	var kib float64
	if n, _ := fmt.Sscanf(field("/proc/meminfo", "MemTotal"), "%g kB", &kib); n == 1 {
		words += fmt.Sprintf(", %.0f GiB", kib/(1<<20))
	}
	return words + ", " + runtime.GOOS + "/" + runtime.GOARCH
}

// field is the first value of a key in a file of lines "key : value"; empty where there is none.
func field(file, key string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "" // not Linux
	}
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// timed returns what each burst did a nanosecond when all threads do work of the given amount, after a burst that warms up.
func timed(threads int, amount float64, make func(thread int) func()) []float64 {
	work := []func(){}
	for t := range threads {
		work = append(work, make(t))
	}
	var rates []float64
	for burst := range bursts + 1 {
		var wg sync.WaitGroup
		start := time.Now()
		for _, w := range work {
			wg.Go(w)
		}
		wg.Wait()
		if burst > 0 {
			rates = append(rates, amount*float64(threads)/float64(time.Since(start).Nanoseconds()))
		}
	}
	return rates
}

func products(threads int) []float64 {
	const m, n, k, times = 64, 24, 256, 2000
	return timed(threads, 2*m*n*k*times, func(int) func() {
		a, b, c := make([]float64, m*k), make([]float64, k*n), make([]float64, m*n)
		return func() {
			for range times {
				linalg.Gemm(false, false, m, n, k, 1, a, k, b, n, 0, c, n)
			}
		}
	})
}

func written(threads int) []float64 {
	const n, times = 1 << 23, 2
	return timed(threads, 8*n*times, func(int) func() {
		x := make([]float64, n)
		return func() {
			for range times {
				vec.Fill(x, 1)
			}
		}
	})
}
