package rl

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// A Transition is one thing that may happen after an action: with Probability the
// next state is Next and Reward is paid; if End, the episode terminates there.
type Transition struct {
	Probability float64
	Next        int
	Reward      float64
	End         bool
}

// An MDP is a finite Markov decision process, given as a table; it is a [System]
// whose observations and actions are choices. [NewMDP] makes one.
type MDP struct {
	name    string
	table   [][][]Transition
	start   []float64
	steps   int
	columns int
	cells   []cell
}

// A cell is how a state shows in a scene.
type cell byte

const (
	plainCell cell = iota
	goalCell
	holeCell
	startCell
)

var _ System = (*MDP)(nil)

// NewMDP returns the process with the given transitions by state and action, every
// state with as many actions, and the probabilities of states at the start. steps is
// the limit of an episode, 0 for none.
func NewMDP(name string, table [][][]Transition, start []float64, steps int) (*MDP, error) {
	if len(table) == 0 || len(table[0]) == 0 {
		return nil, fmt.Errorf("rl: the table has no states or no actions, must have some")
	}
	for s, row := range table {
		if len(row) != len(table[0]) {
			return nil, fmt.Errorf("rl: state %d has %d actions, must have %d as state 0", s, len(row), len(table[0]))
		}
		for a, outcomes := range row {
			sum := 0.0
			for _, t := range outcomes {
				if t.Next < 0 || t.Next >= len(table) {
					return nil, fmt.Errorf("rl: action %d in state %d leads to state %d, must be from 0 to %d", a, s, t.Next, len(table)-1)
				}
				if !(t.Probability >= 0) || t.Reward-t.Reward != 0 {
					return nil, fmt.Errorf("rl: action %d in state %d has the probability %v and the reward %v, must be at least 0 and finite", a, s, t.Probability, t.Reward)
				}
				sum += t.Probability
			}
			if !(math.Abs(sum-1) < 1e-9) {
				return nil, fmt.Errorf("rl: probabilities of action %d in state %d sum to %v, must to 1", a, s, sum)
			}
		}
	}
	sum := 0.0
	for _, p := range start {
		if !(p >= 0) {
			return nil, fmt.Errorf("rl: a start has the probability %v, must be at least 0", p)
		}
		sum += p
	}
	if len(start) != len(table) || !(math.Abs(sum-1) < 1e-9) {
		return nil, fmt.Errorf("rl: %d probabilities of the start sum to %v, must be %d that sum to 1", len(start), sum, len(table))
	}
	if steps < 0 {
		return nil, fmt.Errorf("rl: steps is %d, must be at least 0", steps)
	}
	return &MDP{name: name, table: table, start: start, steps: steps, columns: len(table), cells: make([]cell, len(table))}, nil
}

// States returns the number of states.
func (m *MDP) States() int { return len(m.table) }

// Actions returns the number of actions.
func (m *MDP) Actions() int { return len(m.table[0]) }

// Outcomes returns what may happen after an action in a state, not a copy.
func (m *MDP) Outcomes(state, action int) []Transition { return m.table[state][action] }

// Name is the one that it was given.
func (m *MDP) Name() string { return m.name }

// Dim is 1.
func (m *MDP) Dim() int { return 1 }

// Limit is the number of steps that was given.
func (m *MDP) Limit() int { return m.steps }

// Spaces: states and actions are choices.
func (m *MDP) Spaces() (observation, action Space) {
	return Choices(m.States()), Choices(m.Actions())
}

// Init draws a start.
func (m *MDP) Init(s []float64, rng *rand.Rand) {
	s[0] = float64(pick(m.start, rng.Float64()))
}

// pick returns the index in whose share of the sum of p the number u in [0, 1) falls.
func pick(p []float64, u float64) int {
	last := 0
	for i, v := range p {
		if v > 0 {
			last = i
			if u < v {
				return i
			}
			u -= v
		}
	}
	return last
}

// draw returns an outcome by its probability.
func (m *MDP) draw(state, action int, rng *rand.Rand) *Transition {
	outcomes := m.table[state][action]
	if len(outcomes) == 1 {
		return &outcomes[0]
	}
	u := rng.Float64()
	for i := range outcomes {
		if u -= outcomes[i].Probability; u < 0 {
			return &outcomes[i]
		}
	}
	return &outcomes[len(outcomes)-1]
}

// Step draws an outcome.
func (m *MDP) Step(s, action []float64, rng *rand.Rand) (float64, bool) {
	t := m.draw(int(s[0]), int(action[0]), rng)
	s[0] = float64(t.Next)
	return t.Reward, t.End
}

// Observe shows the state.
func (m *MDP) Observe(o, s []float64) { o[0] = s[0] }

// Scene shows the states as squares, those of a grid by rows, and where one is.
func (m *MDP) Scene(s []float64) Scene {
	var shapes []Shape
	rows := (m.States() + m.columns - 1) / m.columns
	for i := range m.States() {
		x, y := float64(i%m.columns), float64(rows-1-i/m.columns)
		color := []Shape{{Color: iceColor}, {Color: goalColor}, {Color: dangerColor}, {Color: groundColor}}[m.cells[i]].Color
		shapes = append(shapes, box(x+0.03, y+0.03, x+0.97, y+0.97, color))
	}
	at := int(s[0])
	shapes = append(shapes, disc(float64(at%m.columns)+0.5, float64(rows-1-at/m.columns)+0.5, 0.5, bodyColor))
	return Scene{-0.1, float64(m.columns) + 0.1, -0.1, float64(rows) + 0.1, shapes}
}

// RandomMDP returns a process in which every action leads to the given number of
// different random states with uniform weights, normalised, and rewards are uniform
// on [0, 1) by state and action; starts are uniform and nothing ends. With 20 states, 4
// actions and 3 successors it is the one of the tests.
func RandomMDP(states, actions, successors int, rng *rand.Rand) (*MDP, error) {
	if states < 1 || actions < 1 || successors < 1 || successors > states {
		return nil, fmt.Errorf("rl: %d states, %d actions and %d successors, must be at least 1 each and no more successors than states", states, actions, successors)
	}
	table, start := make([][][]Transition, states), make([]float64, states)
	for s := range table {
		start[s] = 1 / float64(states)
		table[s] = make([][]Transition, actions)
		for a := range table[s] {
			reward, sum := rng.Float64(), 0.0
			for _, next := range rng.Perm(states)[:successors] {
				p := 1 - rng.Float64()
				sum += p
				table[s][a] = append(table[s][a], Transition{p, next, reward, false})
			}
			for i := range table[s][a] {
				table[s][a][i].Probability /= sum
			}
		}
	}
	return NewMDP("RandomMDP", table, start, 100)
}
