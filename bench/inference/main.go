// Command inference is the Go side of the benchmark of particle mirror descent; bench.py runs it beside NumPy.
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
	"time"

	"gaucho/stdlib/inference"
)

type answer struct {
	Seconds float64   `json:"seconds"`
	Values  []float64 `json:"values"`
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("inference: ")
	dir := flag.String("data", ".", "directory that the data are written to")
	flag.Parse()
	model := inference.NewTiedMixture(nil)
	model.Simulate(1000, 1, -2, rand.New(rand.NewPCG(1, 5)))
	f, err := os.Create(filepath.Join(*dir, "x"))
	if err != nil {
		log.Fatal(err)
	}
	if err := binary.Write(f, binary.LittleEndian, model.X); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("{}")
	lines, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for seed := uint64(0); lines.Scan(); seed++ {
		s := inference.DefaultSettings()
		switch lines.Text() {
		case "kernel":
			s.Steps = 0
		case "weights":
			s.KernelSteps, s.Steps = 0, 2000
		}
		began := time.Now()
		q, err := inference.MirrorDescent(context.Background(), model, s, rand.New(rand.NewPCG(seed, 6)))
		if err != nil {
			log.Fatal(err)
		}
		values := []float64{q.Expect(func(x []float64) float64 { return max(x[1], -x[1]) }),
			q.Expect(func(x []float64) float64 { return x[1] * x[1] })}
		if err := out.Encode(answer{time.Since(began).Seconds(), values}); err != nil {
			log.Fatal(err)
		}
	}
}
