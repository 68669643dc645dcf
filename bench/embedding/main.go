// Command embedding is the Go side of the benchmark of package embedding; bench.py runs it beside NumPy.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/mat"

	"gaucho/bench/side"
	"gaucho/stdlib/embedding"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
)

var ctx = context.Background()

// data are what both sides read, by name.
var data = map[string][]float64{}

// features are random Fourier features whose frequencies the other side reads.
type features struct{ *linalg.Features }

func (f features) Len() int { _, n := f.Dims(); return n }

func (f features) Map(ctx context.Context, X *mat.Dense) (*mat.Dense, error) {
	return f.Features.Map(ctx, nil, X)
}

func (f features) MapTo(ctx context.Context, dst, X *mat.Dense) error {
	_, err := f.Features.Map(ctx, dst, X)
	return err
}

var maps = map[string]features{}

func main() {
	log.SetFlags(0)
	log.SetPrefix("embedding: ")
	dir := flag.String("data", ".", "directory that the data are written to")
	flag.Parse()
	prepare(rand.New(rand.NewPCG(5, 12)))
	for name, x := range data {
		if err := side.Write(*dir, name, x); err != nil {
			log.Fatal(err)
		}
	}
	side.Serve(func(name string) (*side.Answer, error) {
		began := time.Now()
		values, err := run(name)
		return &side.Answer{Seconds: time.Since(began).Seconds(), Values: values}, err
	})
}

func prepare(rng *rand.Rand) {
	fill := func(name string, n int, draw func(i int) float64) {
		x := make([]float64, n)
		for i := range x {
			x[i] = draw(i)
		}
		data[name] = x
	}
	fill("x", 500*50, func(int) float64 { return rng.Float64() - 0.5 + 0.05*rng.NormFloat64() })
	fill("y", 500*50, func(i int) float64 { return math.Sin(7*data["x"][i]) + 0.01*rng.NormFloat64() })
	fill("z", 500*500, func(i int) float64 { return data["x"][i/10] + 0.05*rng.NormFloat64() })
	fill("states", 2000*20*2, func(int) float64 { return 0.45 * rng.NormFloat64() })
	fill("next", 2000*20*2, func(i int) float64 { return data["states"][i] + 0.3*rng.NormFloat64() })
	fill("rewards", 2000*20, func(i int) float64 {
		a, b := data["states"][2*i], data["states"][2*i+1]
		return math.Exp(-100 * (a*a + b*b))
	})
	fill("cells", 5000*25, func(int) float64 { return float64(rng.IntN(25)) })
	fill("cells after", 5000*25, func(int) float64 { return float64(rng.IntN(25)) })
	fill("pay", 5000*25, func(i int) float64 { return data["cells"][i] / 24 })
	for _, f := range []struct {
		name      string
		d, count  int
		bandwidth float64
	}{{"psi1", 1, 400, 0.05}, {"phi2", 2, 400, 0.05}, {"psi2", 2, 1024, 0.1}, {"phi2large", 2, 1024, 0.1}, {"tied", 2, 256, 0.2}} {
		fill(f.name+"-w", f.d*f.count, func(int) float64 { return rng.NormFloat64() / f.bandwidth })
		fill(f.name+"-b", f.count, func(int) float64 { return 2 * math.Pi * rng.Float64() })
		phi, err := linalg.NewFeatures(mat.NewDense(f.d, f.count, data[f.name+"-w"]), data[f.name+"-b"], 0)
		if err != nil {
			log.Fatal(err)
		}
		maps[f.name] = features{phi}
	}
}

// rows returns rows lo to hi of a sample of dimension d.
func rows(name string, d, lo, hi int) *mat.Dense {
	return mat.NewDense(hi-lo, d, data[name][lo*d:hi*d])
}

func run(name string) ([]float64, error) {
	switch name {
	case "measurements":
		f := embedding.NewLinear(maps["psi1"])
		err := solve(f, embedding.NewLinear(maps["phi2"]), 500, func(t int) (*embedding.Batch, error) {
			y := data["y"][50*t : 50*t+50]
			dual, err := embedding.Join(rows("x", 1, 50*t, 50*t+50), 0.05, y)
			if err != nil {
				return nil, err
			}
			return embedding.Invariance(rows("z", 1, 500*t, 500*t+500), dual, y)
		})
		return f.Weights()[:50], err
	case "navigation", "gtd2":
		f, u, steps := embedding.NewLinear(maps["psi2"]), embedding.NewLinear(maps["phi2large"]), 500
		if name == "gtd2" {
			f, u, steps = embedding.NewLinear(maps["tied"]), embedding.NewLinear(maps["tied"]), 2000
		}
		err := solve(f, u, steps, walk)
		return f.Weights()[:50], err
	case "kernel":
		f, err := embedding.NewKernel(rkhs.Gaussian{Bandwidth: 0.3})
		if err != nil {
			return nil, err
		}
		u, err := embedding.NewKernel(rkhs.Gaussian{Bandwidth: 0.3})
		if err != nil {
			return nil, err
		}
		if err := solve(f, u, 200, walk); err != nil {
			return nil, err
		}
		return f.Values(ctx, rows("states", 2, 0, 20))
	case "table":
		f, err := embedding.NewTable(25)
		if err != nil {
			return nil, err
		}
		u, err := embedding.NewTable(25)
		if err != nil {
			return nil, err
		}
		err = solve(f, u, 5000, func(t int) (*embedding.Batch, error) {
			lo, hi := 25*t, 25*t+25
			return embedding.Bellman(&embedding.Transitions{States: rows("cells", 1, lo, hi), Next: rows("cells after", 1, lo, hi)}, data["pay"][lo:hi], 0.9)
		})
		return f.Weights(), err
	}
	return nil, fmt.Errorf("no such case")
}

// walk returns the batch of transitions of step t.
func walk(t int) (*embedding.Batch, error) {
	lo, hi := 20*t, 20*t+20
	return embedding.Bellman(&embedding.Transitions{States: rows("states", 2, lo, hi), Next: rows("next", 2, lo, hi)}, data["rewards"][lo:hi], 0.9)
}

func solve(f, u embedding.Function, steps int, next func(int) (*embedding.Batch, error)) error {
	settings := embedding.DefaultSettings()
	settings.Eta, settings.Shift, settings.AverageFrom = 5, 10, steps
	s, err := embedding.NewSolver(kernelmachine.Squared{}, f, u, settings)
	if err != nil {
		return err
	}
	return s.Run(ctx, steps, next)
}
