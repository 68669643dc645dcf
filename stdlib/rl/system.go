package rl

import (
	"fmt"
	"image"
	"math/rand/v2"
	"reflect"
	"slices"
)

// A System is an environment without its state, which callers hold. Its methods
// change nothing in it and may run at the same time.
type System interface {
	// Name is the name under which people know the environment.
	Name() string
	// Spaces returns the spaces of observations and of actions.
	Spaces() (observation, action Space)
	// Dim is the number of float64 in a state.
	Dim() int
	// Limit is the number of steps after which an episode is cut off; 0 for none.
	Limit() int
	// Init sets state to the start of an episode.
	Init(state []float64, rng *rand.Rand)
	// Step moves state on by one step under the action, and returns the reward
	// and whether the state is terminal. It clips actions outside of a box and
	// does not keep or change them.
	Step(state, action []float64, rng *rand.Rand) (reward float64, terminated bool)
	// Observe sets observation to what is seen of the state.
	Observe(observation, state []float64)
	// Scene returns a picture of the state.
	Scene(state []float64) Scene
}

// A BatchSystem steps many states in one call, which is faster than one by one, and
// much so where the system is written in a notebook's cell. [Vector] calls it for up
// to 256 states at a time, from several goroutines.
type BatchSystem interface {
	System
	// StepAll does for row i of states, each of Dim numbers, and of actions what Step
	// does for one, with rngs[i], and sets rewards[i] and terminated[i].
	StepAll(states, actions, rewards []float64, terminated []bool, rngs []*rand.Rand)
	// Batched is the system whose Step StepAll does: the receiver. A type that embeds
	// a BatchSystem has the embedded one's, and is stepped by its own Step.
	Batched() System
}

// batched returns the system as one that steps many states, nil if it has no
// StepAll of its own.
func batched(s System) BatchSystem {
	b, ok := s.(BatchSystem)
	if !ok || !reflect.TypeOf(s).Comparable() || b.Batched() != s {
		return nil
	}
	return b
}

// An Env is a system with its state, which people know from Gymnasium: Reset, then
// Step until the episode is terminated or truncated.
type Env struct {
	system  System
	action  Space
	rng     *rand.Rand
	state   []float64
	seen    []float64
	elapsed int
	over    bool
}

// checkGiven says which of the arguments that everything needs is nil.
func checkGiven(system System, rng *rand.Rand) error {
	if system == nil {
		return fmt.Errorf("rl: system is nil, must be an environment")
	}
	if rng == nil {
		return fmt.Errorf("rl: rng is nil, must be a source of random numbers")
	}
	return nil
}

// NewEnv returns an environment at the start of an episode. All that is random in
// it comes from rng. It panics when one of them is nil.
func NewEnv(system System, rng *rand.Rand) *Env {
	if err := checkGiven(system, rng); err != nil {
		panic(err)
	}
	observation, action := system.Spaces()
	e := &Env{system: system, action: action, rng: rng, state: make([]float64, system.Dim()), seen: make([]float64, observation.Dim())}
	e.Reset()
	return e
}

// System returns the system that was given to NewEnv.
func (e *Env) System() System { return e.system }

// Reset starts an episode and returns what is seen, a copy.
func (e *Env) Reset() []float64 {
	e.system.Init(e.state, e.rng)
	e.elapsed, e.over = 0, false
	return e.Observation()
}

// Observation returns what is seen now, a copy.
func (e *Env) Observation() []float64 {
	e.system.Observe(e.seen, e.state)
	return slices.Clone(e.seen)
}

// Step does one step under an action: one number for a space of choices, as many
// as dimensions for a box, whose bounds clip it. It returns what is seen then, the
// reward, whether the episode has come to its end (terminated: no rewards follow)
// and whether it is cut off at the limit of steps (truncated: rewards would
// follow, and learning must not take the last state for worthless). It panics
// when the action is none, or the episode is over and Reset was not called.
func (e *Env) Step(action ...float64) (observation []float64, reward float64, terminated, truncated bool) {
	reward, terminated, truncated = e.advance(action)
	return e.Observation(), reward, terminated, truncated
}

// advance is Step without the observation.
func (e *Env) advance(action []float64) (reward float64, terminated, truncated bool) {
	if len(action) != e.action.Dim() {
		panic(fmt.Sprintf("rl: the action has %d numbers, must have %d", len(action), e.action.Dim()))
	}
	e.action.checkActions(action)
	if e.over {
		panic("rl: the episode is over, Reset starts the next")
	}
	reward, terminated = e.system.Step(e.state, action, e.rng)
	e.elapsed++
	truncated = !terminated && e.elapsed == e.system.Limit()
	e.over = terminated || truncated
	return reward, terminated, truncated
}

// Elapsed returns the number of steps since Reset.
func (e *Env) Elapsed() int { return e.elapsed }

// State returns a copy of the state.
func (e *Env) State() []float64 { return slices.Clone(e.state) }

// SetState goes on from another state, after the given number of steps.
func (e *Env) SetState(state []float64, elapsed int) error {
	if len(state) != len(e.state) {
		return fmt.Errorf("rl: the state has %d numbers, must have %d", len(state), len(e.state))
	}
	for i, v := range state {
		if v-v != 0 {
			return fmt.Errorf("rl: number %d of the state is %v, must be finite", i, v)
		}
	}
	if limit := e.system.Limit(); elapsed < 0 || limit > 0 && elapsed >= limit {
		return fmt.Errorf("rl: elapsed is %d, must be from 0 to below the limit %d", elapsed, limit)
	}
	copy(e.state, state)
	e.elapsed, e.over = elapsed, false
	return nil
}

// Render draws the state, width x height pixels.
func (e *Env) Render(width, height int) image.Image {
	return e.system.Scene(e.state).Image(width, height)
}
