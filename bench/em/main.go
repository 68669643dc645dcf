// Command em is the Go side of the benchmark of package em; bench.py runs it beside hmmlearn.
package main

import (
	"context"
	"flag"
	"log"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/mat"

	"gaucho/bench/side"
	"gaucho/stdlib/em"
)

const states, dim, steps, iterations = 8, 10, 100000, 10

func main() {
	log.SetFlags(0)
	log.SetPrefix("em: ")
	dir := flag.String("data", ".", "directory that the data are written to")
	flag.Parse()
	start, x := problem()
	means := start(em.Diagonal).Output.(*em.Gaussian).Means
	for name, m := range map[string]*mat.Dense{"x": x, "means": means, "transition": start(em.Diagonal).Transition} {
		if err := side.Write(*dir, name, m.RawMatrix().Data); err != nil {
			log.Fatal(err)
		}
	}
	side.Serve(func(name string) (*side.Answer, error) { return run(name, start, x) })
}

// problem draws a sequence of a model whose means lie about 2 sigma from each other in each coordinate, and returns
// starts near that model.
func problem() (start func(em.Kind) *em.Model, x *mat.Dense) {
	rng := rand.New(rand.NewPCG(1, 10))
	means, near, unit := mat.NewDense(states, dim, nil), mat.NewDense(states, dim, nil), mat.NewDense(states, dim, nil)
	transition := mat.NewDense(states, states, nil)
	for j := range states {
		for a := range dim {
			m := rng.NormFloat64()
			means.Set(j, a, m)
			near.Set(j, a, m+0.3*rng.NormFloat64())
			unit.Set(j, a, 1)
		}
		for k := range states {
			transition.Set(j, k, 0.3/(states-1))
		}
		transition.Set(j, j, 0.7)
	}
	model := func(kind em.Kind, means *mat.Dense) *em.Model {
		g := &em.Gaussian{Means: means, Kind: kind, Variances: unit}
		m := &em.Model{Start: make([]float64, states), Transition: transition, Output: g}
		for j := range states {
			m.Start[j] = 1.0 / states
			c := mat.NewSymDense(dim, nil)
			for a := range dim {
				c.SetSym(a, a, 1)
			}
			g.Covariances = append(g.Covariances, c)
		}
		return m
	}
	x, _, err := model(em.Diagonal, means).Sample(steps, rng)
	if err != nil {
		log.Fatal(err)
	}
	return func(kind em.Kind) *em.Model { return model(kind, near) }, x
}

func run(name string, start func(em.Kind) *em.Model, x *mat.Dense) (*side.Answer, error) {
	if name == "viterbi" {
		m := start(em.Diagonal)
		began := time.Now()
		path, logp, err := m.Viterbi(x)
		a := &side.Answer{Seconds: time.Since(began).Seconds()}
		sum := 0
		for i, k := range path {
			sum += k * (1 + i%97)
		}
		a.Values = []float64{logp, float64(sum)}
		return a, err
	}
	m := start(em.Kind(name))
	began := time.Now()
	fit, err := em.BaumWelch(context.Background(), *m, x, &em.Settings{Iterations: iterations, Tolerance: em.None})
	if err != nil {
		return nil, err
	}
	return &side.Answer{Seconds: time.Since(began).Seconds(), Values: fit.LogLikelihood[:iterations]}, nil
}
