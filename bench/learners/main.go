//go:build unix

// Command learners is the Go side of the benchmark of package rl's learners; bench.py runs it beside Stable-Baselines3.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"time"

	"gaucho/stdlib/rl"
)

// An answer is what a run comes to: the mean return of ten episodes by mean actions, and the processor time of the training alone.
type answer struct {
	Return  float64 `json:"return"`
	Seconds float64 `json:"seconds"`
	Steps   int     `json:"steps"`
}

var systems = map[string]rl.System{
	"CartPole-v1": rl.NewCartPole(), "Acrobot-v1": rl.NewAcrobot(), "Pendulum-v1": rl.NewPendulum(),
	"MountainCar-v0": rl.NewMountainCar(), "MountainCarContinuous-v0": rl.NewMountainCarContinuous(),
	"cheetah": rl.NewCheetah(),
}

// makers make the learners with the library's defaults, and for TRPO two layers of 64, as Stable-Baselines3 has them.
var makers = map[string]func(s rl.System, rng *rand.Rand) (rl.Learner, error){
	"PPO":  func(s rl.System, rng *rand.Rand) (rl.Learner, error) { return rl.NewPPO(s, nil, rng) },
	"TRPO": func(s rl.System, rng *rand.Rand) (rl.Learner, error) { return rl.NewTRPO(s, network(), rng) },
	"A2C":  func(s rl.System, rng *rand.Rand) (rl.Learner, error) { return rl.NewA2C(s, nil, rng) },
	"DQN":  func(s rl.System, rng *rand.Rand) (rl.Learner, error) { return rl.NewDQN(s, nil, rng) },
	"DDPG": func(s rl.System, rng *rand.Rand) (rl.Learner, error) { return rl.NewDDPG(s, nil, rng) },
	"SAC":  func(s rl.System, rng *rand.Rand) (rl.Learner, error) { return rl.NewSAC(s, nil, rng) },
}

func network() *rl.PolicyGradientSettings {
	return &rl.PolicyGradientSettings{Policy: &rl.PolicySettings{Hidden: []int{64, 64}}}
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("learners: ")
	fmt.Println("{}")
	lines, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for lines.Scan() {
		a, err := run(lines.Text())
		if err == nil {
			err = out.Encode(a)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// run does a case such as "SAC Pendulum-v1 5000 3": method, environment, steps and seed.
func run(line string) (*answer, error) {
	var method, environment string
	var steps int
	var seed uint64
	if _, err := fmt.Fscan(strings.NewReader(line), &method, &environment, &steps, &seed); err != nil {
		return nil, fmt.Errorf("%q is no case: %w", line, err)
	}
	ctx, rng := context.Background(), rand.New(rand.NewPCG(seed, 0))
	l, err := makers[method](systems[environment], rng)
	if err != nil {
		return nil, err
	}
	began := processorTime()
	curve, err := rl.Train(ctx, l, steps, nil)
	if err != nil {
		return nil, err
	}
	a := &answer{Seconds: (processorTime() - began).Seconds(), Steps: curve[len(curve)-1].Steps}
	a.Return, err = rl.Evaluate(ctx, systems[environment], l.Actor(), 10, rng)
	return a, err
}

// processorTime is what the process has used so far, all threads together.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		log.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
