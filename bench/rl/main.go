// Command rl is the Go side of the benchmark of package rl's environments; bench.py runs it beside Gymnasium.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"time"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rl"
)

type answer struct {
	Seconds float64   `json:"seconds"`
	Values  []float64 `json:"values"`
}

var systems = map[string]rl.System{"CartPole-v1": rl.NewCartPole(), "Pendulum-v1": rl.NewPendulum(), "Acrobot-v1": rl.NewAcrobot()}

func main() {
	log.SetFlags(0)
	log.SetPrefix("rl: ")
	flag.String("data", ".", "not used: there are no data")
	flag.Parse()
	fmt.Println("{}")
	lines, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for lines.Scan() {
		a := &answer{}
		var err error
		if lines.Text() == "vector" {
			a, err = vector()
		} else {
			a, err = single(systems[lines.Text()])
		}
		if err != nil {
			log.Fatal(err)
		}
		if err := out.Encode(a); err != nil {
			log.Fatal(err)
		}
	}
}

// act is the action of both sides in step i: a choice, or a torque.
func act(system rl.System, i int) float64 {
	_, space := system.Spaces()
	if space.N > 0 {
		return float64(i * i / 3 % space.N)
	}
	return float64(i*i%17)/8 - 1
}

func single(system rl.System) (*answer, error) {
	env := rl.NewEnv(system, rand.New(rand.NewPCG(1, 1)))
	start := make([]float64, system.Dim())
	for i := range start {
		start[i] = 0.01 * float64(i+1)
	}
	if err := env.SetState(start, 0); err != nil {
		return nil, err
	}
	actions := make([]float64, 1024)
	for i := range actions {
		actions[i] = act(system, i)
	}
	for i := range 10 {
		env.Step(actions[i])
	}
	a := &answer{Values: env.Observation()}
	const steps = 20000
	env.Reset()
	began := time.Now()
	for i := range steps {
		if _, _, terminated, truncated := env.Step(actions[i%len(actions)]); terminated || truncated {
			env.Reset()
		}
	}
	a.Seconds = time.Since(began).Seconds() * 1000 / steps
	return a, nil
}

func vector() (*answer, error) {
	const n, steps = 4096, 200
	v, err := rl.NewVector(rl.NewCartPole(), n, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		return nil, err
	}
	actions := mat.NewDense(n, 1, nil)
	for i := range n {
		actions.Set(i, 0, float64(i*i/3%2))
	}
	v.Step(actions)
	began := time.Now()
	for range steps {
		v.Step(actions)
	}
	return &answer{time.Since(began).Seconds() * 1000 / (n * steps), []float64{n}}, nil
}
