// Command inference is the Go side of the benchmark of particle mirror descent; bench.py runs it beside NumPy.
package main

import (
	"context"
	"flag"
	"log"
	"math/rand/v2"
	"time"

	"gaucho/bench/side"
	"gaucho/stdlib/inference"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("inference: ")
	dir := flag.String("data", ".", "directory that the data are written to")
	flag.Parse()
	model := inference.NewTiedMixture(nil)
	model.Simulate(1000, 1, -2, rand.New(rand.NewPCG(1, 5)))
	if err := side.Write(*dir, "x", model.X); err != nil {
		log.Fatal(err)
	}
	seed := uint64(0)
	side.Serve(func(name string) (*side.Answer, error) {
		s := inference.DefaultSettings()
		switch name {
		case "kernel":
			s.Steps = inference.None
		case "weights":
			s.KernelSteps, s.Steps = inference.None, 2000
		}
		began := time.Now()
		q, err := inference.MirrorDescent(context.Background(), model, s, rand.New(rand.NewPCG(seed, 6)))
		seed++
		if err != nil {
			return nil, err
		}
		values := []float64{q.Expect(func(x []float64) float64 { return max(x[1], -x[1]) }),
			q.Expect(func(x []float64) float64 { return x[1] * x[1] })}
		return &side.Answer{Seconds: time.Since(began).Seconds(), Values: values}, nil
	})
}
