// Command kernelmachine is the Go side of the benchmark of package kernelmachine; bench.py runs it beside NumPy and
// scikit-learn.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"gonum.org/v1/gonum/mat"

	"gaucho/bench/side"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
)

const (
	bandwidth, regularization, step = 0.52, 1e-6, 4.0
	count, block, most              = 4096, 256, 256 // features, points and features a step, steps
)

var (
	ctx    = context.Background()
	kernel = rkhs.Gaussian{Bandwidth: bandwidth}
)

// problem is what both sides work on.
type problem struct {
	data         *dataset.Regression
	wide         *mat.Dense
	w            map[int]*mat.Dense
	phase, theta []float64
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("kernelmachine: ")
	dir := flag.String("data", ".", "directory that the data are written to")
	alone := flag.Bool("alone", false, "train on many points and nothing else")
	points := flag.Int("points", 1<<20, "number of points for -alone")
	size := flag.Int("size", 1<<10, "points and features a step for -alone")
	flag.Parse()
	if *alone {
		if err := large(*points, *size); err != nil {
			log.Fatal(err)
		}
		return
	}
	p, err := newProblem()
	if err == nil {
		err = p.write(*dir)
	}
	if err != nil {
		log.Fatal(err)
	}
	side.Serve(func(name string) (*side.Answer, error) {
		began := time.Now()
		values, err := p.run(name)
		if err != nil {
			return nil, err
		}
		return &side.Answer{Seconds: time.Since(began).Seconds(), Values: values[:50]}, nil
	})
}

func newProblem() (*problem, error) {
	rng := rand.New(rand.NewPCG(1, 3))
	data, err := dataset.RadialWave(1<<16, rng)
	if err != nil {
		return nil, err
	}
	normal := func(rows, cols int, scale float64) *mat.Dense {
		m := mat.NewDense(rows, cols, nil)
		for i := range rows {
			for j := range cols {
				m.Set(i, j, scale*rng.NormFloat64())
			}
		}
		return m
	}
	p := &problem{data: data, wide: normal(1<<15, 50, 1), w: map[int]*mat.Dense{2: normal(2, count, 1/bandwidth), 50: normal(50, count, 0.1)},
		phase: make([]float64, count), theta: make([]float64, count)}
	for j := range count {
		p.phase[j], p.theta[j] = 2*math.Pi*rng.Float64(), rng.NormFloat64()
	}
	return p, nil
}

// machine is a machine with steps in the order of the points; its seed is always the same.
func machine(create func(kernelmachine.Loss, rkhs.Kernel, *kernelmachine.Settings, *rand.Rand) (*kernelmachine.Machine, error)) (*kernelmachine.Machine, error) {
	s := kernelmachine.DefaultSettings()
	s.Regularization, s.Step = regularization, kernelmachine.ConstantStep(step)
	return create(kernelmachine.Squared{}, kernel, s, rand.New(rand.NewPCG(1, 4)))
}

func (p *problem) write(dir string) error {
	source, err := rkhs.NewFeatureSource(kernel)
	if err != nil {
		return err
	}
	key := rand.New(rand.NewPCG(1, 4)).Uint64() // the machine's seed
	blocks, phases := make([]float64, most*2*block), make([]float64, most*block)
	for b := range most {
		source.(rkhs.CosineSource).Frequencies(blocks[b*2*block:(b+1)*2*block], phases[b*block:(b+1)*block], 2, block, key, uint64(b))
	}
	for name, v := range map[string][]float64{
		"x": p.data.X.RawMatrix().Data, "y": p.data.Y, "wide": p.wide.RawMatrix().Data, "phase": p.phase, "theta": p.theta,
		"w2": p.w[2].RawMatrix().Data, "w50": p.w[50].RawMatrix().Data, "blocks": blocks, "phases": phases,
	} {
		if err := side.Write(dir, name, v); err != nil {
			return err
		}
	}
	return nil
}

func (p *problem) rows(lo, hi int) *mat.Dense { return p.data.X.Slice(lo, hi, 0, 2).(*mat.Dense) }

func (p *problem) run(name string) ([]float64, error) {
	switch name {
	case "features 2", "features 50":
		d, x := 2, p.rows(0, 1<<15)
		if name == "features 50" {
			d, x = 50, p.wide
		}
		f, err := linalg.NewFeatures(p.w[d], p.phase, 0)
		if err != nil {
			return nil, err
		}
		return f.MulVec(ctx, nil, x, p.theta)
	case "adjoint":
		f, err := linalg.NewFeatures(p.w[2], p.phase, 0)
		if err != nil {
			return nil, err
		}
		return f.TransMulVec(ctx, nil, p.rows(0, 1<<15), p.data.Y[:1<<15])
	case "doubly 64":
		return p.train(kernelmachine.New, 64)
	case "doubly 256":
		return p.train(kernelmachine.New, 256)
	case "norma":
		return p.train(kernelmachine.NewNORMA, 64)
	case "ridge":
		m, err := kernelmachine.Ridge(ctx, kernel, p.rows(0, 2048), p.data.Y[:2048], 1e-4)
		if err != nil {
			return nil, err
		}
		return m.Predict(ctx, p.rows(2048, 3072))
	case "process":
		g, err := kernelmachine.NewGaussianProcess(ctx, kernel, p.rows(0, 2048), p.data.Y[:2048], 0.1)
		if err != nil {
			return nil, err
		}
		mean, variance, err := g.At(ctx, p.rows(2048, 3072))
		return append(mean[:25:25], variance[:25]...), err
	}
	return nil, fmt.Errorf("no such case")
}

func (p *problem) train(create func(kernelmachine.Loss, rkhs.Kernel, *kernelmachine.Settings, *rand.Rand) (*kernelmachine.Machine, error), steps int) ([]float64, error) {
	m, err := machine(create)
	if err != nil {
		return nil, err
	}
	if err := m.PartialFit(ctx, p.rows(0, steps*block), p.data.Y[:steps*block]); err != nil {
		return nil, err
	}
	return m.Predict(ctx, p.rows(0, 50))
}

// large trains on a stream of points that are never in memory together, and says how long
// it took and how much memory.
func large(points, size int) error {
	rng := rand.New(rand.NewPCG(1, 5))
	s := kernelmachine.DefaultSettings()
	s.Regularization, s.Batch, s.Block = regularization, size, size
	s.Step = kernelmachine.HoldStep(10, 96, 32)
	m, err := kernelmachine.New(kernelmachine.Squared{}, kernel, s, rng)
	if err != nil {
		return err
	}
	test, err := dataset.RadialWave(4096, rng)
	if err != nil {
		return err
	}
	began, next := time.Now(), 64
	for m.Steps()*size < points {
		batch, err := dataset.RadialWave(size, rng)
		if err != nil {
			return err
		}
		if err := m.PartialFit(ctx, batch.X, batch.Y); err != nil {
			return err
		}
		if m.Steps() < next && m.Steps()*size < points {
			continue
		}
		next *= 2
		seconds := time.Since(began).Seconds()
		u, err := m.Predict(ctx, test.X)
		if err != nil {
			return err
		}
		var square float64
		for i, v := range u {
			square += (v - test.Truth[i]) * (v - test.Truth[i]) / 4096
		}
		var mem runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&mem)
		fmt.Printf("%8d points %6d steps %8.1f s  %.2f ns a feature and point  error %.2g  %d MB in use, %.1f MB of coefficients\n", m.Steps()*size,
			m.Steps(), seconds, seconds*1e9/float64(m.Evaluations()), square, mem.HeapAlloc>>20, 8*float64(m.Steps()*size)/(1<<20))
	}
	return nil
}
