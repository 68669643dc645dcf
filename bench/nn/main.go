// Command nn is the Go side of the benchmark of packages nn and rl; bench.py runs it beside JAX.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/nn"
	"gaucho/stdlib/rl"
	"gaucho/stdlib/vec"
)

type answer struct {
	Seconds float64   `json:"seconds"`
	Values  []float64 `json:"values"`
}

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
		if err := write(filepath.Join(*dir, name), values); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("{}")
	lines, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var a *answer
		if lines.Text() == "gradient" {
			a = gradient(net, x, y)
		} else if a, err = update(); err != nil {
			log.Fatal(err)
		}
		if err := out.Encode(a); err != nil {
			log.Fatal(err)
		}
	}
}

func gradient(net *nn.Network, x, y *mat.Dense) *answer {
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
	return &answer{time.Since(began).Seconds(), []float64{loss, math.Sqrt(vec.Dot(grad, grad)), grad[0], grad[len(grad)-1]}}
}

func update() (*answer, error) {
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
	return &answer{time.Since(began).Seconds(), []float64{20}}, err
}

func write(path string, values []float64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err := binary.Write(w, binary.LittleEndian, values); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
