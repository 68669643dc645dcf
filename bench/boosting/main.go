// Command boosting is the Go side of the benchmark of package boosting; bench.py runs it beside NumPy.
package main

import (
	"context"
	"flag"
	"log"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/mat"

	"gaucho/bench/side"
	"gaucho/stdlib/boosting"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

const n, dim, iterations = 2000, 5, 1000

type problem struct {
	design            *boosting.Design
	squared           *boosting.SquaredPath
	y, labels, target []float64
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("boosting: ")
	dir := flag.String("data", ".", "directory that the data are written to")
	flag.Parse()
	p, err := newProblem(*dir)
	if err != nil {
		log.Fatal(err)
	}
	side.Serve(p.run)
}

func newProblem(dir string) (*problem, error) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 20))
	x := mat.NewDense(n, dim, nil)
	p := &problem{target: make([]float64, n)}
	for i := range n {
		row := x.RawRowView(i)
		for a := range row {
			row[a] = rng.NormFloat64()
		}
		p.target[i] = math.Sin(row[0]) + row[1]*row[2]/2
	}
	p.y, p.labels = boosting.Squared{}.Draw(p.target, 0.5, rng), boosting.Logistic{}.Draw(p.target, rng)
	for name, v := range map[string][]float64{"x": x.RawMatrix().Data, "y": p.y, "labels": p.labels, "target": p.target} {
		if err := side.Write(dir, name, v); err != nil {
			return nil, err
		}
	}
	var err error
	if p.design, err = boosting.NewDesign(ctx, rkhs.Gaussian{Bandwidth: 2}, x); err != nil {
		return nil, err
	}
	p.squared, err = boosting.NewSquaredPath(ctx, p.design, p.y, 0.75)
	return p, err
}

func (p *problem) run(name string) (*side.Answer, error) {
	ctx, s := context.Background(), boosting.DefaultSettings()
	s.Iterations = iterations
	began := time.Now()
	switch name {
	case "eigen":
		tr, err := p.squared.Trace(ctx, iterations, p.target)
		if err != nil {
			return nil, err
		}
		a := &side.Answer{Seconds: time.Since(began).Seconds()}
		for _, series := range [][]float64{tr.Loss, tr.Norm, tr.Error, tr.AveragedError} {
			a.Values = append(a.Values, series[1], series[100], series[iterations])
		}
		return a, nil
	case "logistic":
		s.Loss = boosting.Logistic{}
	}
	y := p.y
	if name == "logistic" {
		y = p.labels
	}
	path, err := boosting.Boost(ctx, p.design, y, s)
	if err != nil {
		return nil, err
	}
	a := &side.Answer{Seconds: time.Since(began).Seconds()}
	for _, t := range []int{0, 1, 10, 100, iterations} {
		a.Values = append(a.Values, path.Loss[t])
	}
	a.Values = append(a.Values, vec.Dot(path.Last, path.Last))
	return a, nil
}
