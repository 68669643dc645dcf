// Command nn is the Go side of the benchmark of packages nn and rl; bench.py runs it beside JAX and PyTorch.
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
	"gaucho/stdlib/nn"
	"gaucho/stdlib/rl"
	"gaucho/stdlib/vec"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("nn: ")
	dir := flag.String("data", ".", "directory that the data are written to")
	flag.Parse()
	rng := rand.New(rand.NewPCG(1, 1))
	net, err := nn.NewMLP([]int{4, 64, 64, 1}, nn.Tanh, rng)
	if err != nil {
		log.Fatal(err)
	}
	x, y := mat.NewDense(64, 4, nil), mat.NewDense(64, 1, nil)
	for _, m := range []*mat.Dense{x, y} {
		m.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, m)
	}
	for name, values := range map[string][]float64{"x": x.RawMatrix().Data, "y": y.RawMatrix().Data, "params": net.Params()} {
		if err := side.Write(*dir, name, values); err != nil {
			log.Fatal(err)
		}
	}
	side.Serve(func(name string) (*side.Answer, error) {
		if name == "gradient" {
			return gradient(net, x, y), nil
		}
		return update()
	})
}

func gradient(net *nn.Network, x, y *mat.Dense) *side.Answer {
	pass, grad, dout := net.NewPass(64), make([]float64, len(net.Params())), mat.NewDense(64, 1, nil)
	var loss float64
	step := func() {
		loss = nn.SquaredLoss(dout, pass.Forward(x), y)
		pass.Backward(grad, dout, nil)
	}
	step()
	began := time.Now()
	for range 100 {
		step()
	}
	return &side.Answer{Seconds: time.Since(began).Seconds(), Values: []float64{loss, math.Sqrt(vec.Dot(grad, grad)), grad[0], grad[len(grad)-1]}}
}

func update() (*side.Answer, error) {
	ctx, settings := context.Background(), rl.DefaultSBEEDSettings()
	settings.Updates = 20
	learner, err := rl.NewSBEED(rl.NewPendulum(), settings, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		return nil, err
	}
	if _, err := learner.Iterate(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	_, err = learner.Iterate(ctx)
	return &side.Answer{Seconds: time.Since(began).Seconds(), Values: []float64{20}}, err
}
