package rl

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
)

// vectorBlock is the number of environments that one goroutine steps at a time.
const vectorBlock = 256

// A Vector is n environments of one system that step together, on all cores.
// Environment i has a random stream of its own, so that what happens in it does
// not depend on how many there are or how many cores.
//
// An episode that ends starts anew in the same step: Observations then holds the
// start of the next one, and Final the end of the last.
type Vector struct {
	// Observations holds what is seen of each environment, n x d.
	Observations *mat.Dense
	// Rewards, Terminated and Truncated are those of the last step; see [Env.Step].
	Rewards               []float64
	Terminated, Truncated []bool
	// Final holds, in the rows of environments whose episode ended in the last
	// step, what was seen last; other rows are old.
	Final *mat.Dense

	system  System
	batch   BatchSystem // the system, if it steps many states
	action  Space
	states  []float64
	limit   int
	elapsed []int
	sources []*rand.PCG
	rngs    []*rand.Rand
}

// NewVector returns n environments at the start of an episode. It draws one key
// from rng.
func NewVector(system System, n int, rng *rand.Rand) (*Vector, error) {
	if err := checkGiven(system, rng); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, fmt.Errorf("rl: number of environments is %d, must be at least 1", n)
	}
	observation, action := system.Spaces()
	d := observation.Dim()
	v := &Vector{
		Observations: mat.NewDense(n, d, nil), Rewards: make([]float64, n), Terminated: make([]bool, n), Truncated: make([]bool, n),
		Final: mat.NewDense(n, d, nil), system: system, batch: batched(system), action: action, limit: system.Limit(),
		states: make([]float64, n*system.Dim()), elapsed: make([]int, n), sources: make([]*rand.PCG, n), rngs: make([]*rand.Rand, n),
	}
	key := rng.Uint64()
	for i := range n {
		v.sources[i] = rand.NewPCG(key, uint64(i))
		v.rngs[i] = rand.New(v.sources[i])
		system.Init(v.state(i), v.rngs[i])
		system.Observe(v.Observations.RawRowView(i), v.state(i))
	}
	return v, nil
}

func (v *Vector) state(i int) []float64 {
	d := v.system.Dim()
	return v.states[i*d : (i+1)*d : (i+1)*d]
}

// Len returns the number of environments.
func (v *Vector) Len() int { return len(v.Rewards) }

// Step does one step in every environment, with the actions in the rows of
// actions, n x action dimensions, and fills the exported fields. It panics as
// [Env.Step] does.
func (v *Vector) Step(actions *mat.Dense) {
	n, d := actions.Dims()
	if n != v.Len() || d != v.action.Dim() {
		panic(fmt.Sprintf("rl: actions are %d x %d, must be %d x %d", n, d, v.Len(), v.action.Dim()))
	}
	raw := actions.RawMatrix()
	for i := range n {
		v.action.checkActions(raw.Data[i*raw.Stride : i*raw.Stride+d])
	}
	all := v.batch != nil && raw.Stride == d
	parallel.Blocks(n, vectorBlock, func(_, lo, hi int) {
		if all {
			k := v.system.Dim()
			v.batch.StepAll(v.states[lo*k:hi*k], raw.Data[lo*d:hi*d], v.Rewards[lo:hi], v.Terminated[lo:hi], v.rngs[lo:hi])
		} else {
			for i := lo; i < hi; i++ {
				v.Rewards[i], v.Terminated[i] = v.system.Step(v.state(i), raw.Data[i*raw.Stride:i*raw.Stride+d], v.rngs[i])
			}
		}
		for i := lo; i < hi; i++ {
			v.settle(i)
		}
	})
}

// settle sees to what follows a step of environment i: the end of an episode, and
// what is seen.
func (v *Vector) settle(i int) {
	state := v.state(i)
	v.elapsed[i]++
	v.Truncated[i] = !v.Terminated[i] && v.elapsed[i] == v.limit
	if v.Terminated[i] || v.Truncated[i] {
		v.system.Observe(v.Final.RawRowView(i), state)
		v.system.Init(state, v.rngs[i])
		v.elapsed[i] = 0
	}
	v.system.Observe(v.Observations.RawRowView(i), state)
}

// savedVector is what MarshalBinary writes.
type savedVector struct {
	States  []float64
	Elapsed []int
	Sources []*rand.PCG
}

// MarshalBinary writes the environments as they are, with their random streams.
func (v *Vector) MarshalBinary() ([]byte, error) {
	return encodeState(savedVector{v.states, v.elapsed, v.sources})
}

// UnmarshalBinary reads what MarshalBinary wrote into as many environments of the same
// system. Observations is set; what describes the last step is not.
func (v *Vector) UnmarshalBinary(data []byte) error {
	var s savedVector
	if err := decodeState(data, &s); err != nil {
		return err
	}
	if len(s.States) != len(v.states) || len(s.Elapsed) != v.Len() || len(s.Sources) != v.Len() {
		return fmt.Errorf("rl: the data hold %d environments with %d numbers, must be %d with %d", len(s.Elapsed), len(s.States), v.Len(), len(v.states))
	}
	v.states, v.elapsed, v.sources = s.States, s.Elapsed, s.Sources
	for i := range v.rngs {
		v.rngs[i] = rand.New(v.sources[i])
		v.system.Observe(v.Observations.RawRowView(i), v.state(i))
	}
	return nil
}
