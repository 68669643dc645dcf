package rl

import (
	"fmt"
	"slices"
)

// moves of a grid: rows and columns for up, right, down, left.
var moves = [4][2]int{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}

// grid is an MDP on rows x columns cells. outcome says what comes of the move from a
// cell to the neighbour that it leads to, which is the cell itself at a wall.
func grid(name string, rows, columns, steps int, cells []cell, choices [4]int, slips []int, outcome func(from, to int) Transition) *MDP {
	table, start := make([][][]Transition, rows*columns), make([]float64, rows*columns)
	starts := 0
	for s := range table {
		if cells[s] == startCell {
			starts++
		}
		for _, choice := range choices {
			var outcomes []Transition
			for _, slip := range slips {
				move := moves[(choice+slip+4)%4]
				r, c := s/columns+move[0], s%columns+move[1]
				r, c = min(max(r, 0), rows-1), min(max(c, 0), columns-1)
				t := outcome(s, r*columns+c)
				t.Probability = 1 / float64(len(slips))
				outcomes = append(outcomes, t)
			}
			table[s] = append(table[s], outcomes)
		}
	}
	for s := range start {
		if cells[s] == startCell {
			start[s] = 1 / float64(starts)
		}
	}
	m, err := NewMDP(name, table, start, steps)
	if err != nil {
		panic(err) // not with these tables
	}
	m.columns, m.cells = columns, cells
	return m
}

// Up, right, down and left, as CliffWalking counts; and FrozenLake's order.
var (
	upFirst   = [4]int{0, 1, 2, 3}
	leftFirst = [4]int{3, 2, 1, 0}
	straight  = []int{0}
	slippery  = []int{-1, 0, 1}
)

// NewGridWorld returns the walk on a rows x columns grid of Sutton & Barto 2018,
// example 4.1: actions 0 to 3 go up, right, down and left, each step costs 1, the
// first and the last cell terminate; the start is uniform over the others.
func NewGridWorld(rows, columns int) (*MDP, error) {
	if rows < 1 || columns < 1 || rows*columns < 3 {
		return nil, fmt.Errorf("rl: the grid is %d x %d, must have at least 3 cells", rows, columns)
	}
	cells := slices.Repeat([]cell{startCell}, rows*columns)
	cells[0], cells[len(cells)-1] = goalCell, goalCell
	m := grid("GridWorld", rows, columns, 100, cells, upFirst, straight, func(from, to int) Transition {
		if cells[from] == goalCell {
			return Transition{Next: from, End: true}
		}
		return Transition{Next: to, Reward: -1, End: cells[to] == goalCell}
	})
	return m, nil
}

// NewCliff returns the walk along a cliff of Sutton & Barto 2018, example 6.6, with the
// table of Gymnasium's CliffWalking-v1: 4 x 12 cells, actions 0 to 3 go up, right, down
// and left, each step costs 1; a step over the cliff costs 100 and leads back to the
// start; the goal terminates.
func NewCliff() *MDP {
	const columns, start, goal = 12, 36, 47
	cells := make([]cell, 48)
	cells[start], cells[goal] = startCell, goalCell
	for s := start + 1; s < goal; s++ {
		cells[s] = holeCell
	}
	return grid("CliffWalking-v1", 4, columns, 200, cells, upFirst, straight, func(_, to int) Transition {
		if cells[to] == holeCell {
			return Transition{Next: start, Reward: -100}
		}
		return Transition{Next: to, Reward: -1, End: to == goal}
	})
}

// NewFrozenLake returns the walk over ice with holes, with the table of Gymnasium's
// FrozenLake-v1: actions 0 to 3 go left, down, right and up; if slips is set each goes
// to either side with probability 1/3. Reaching the goal pays 1; it and the holes
// terminate. The map holds rows of S (start), F (frozen), H (hole) and G (goal); nil is
// Gymnasium's of 4 x 4.
func NewFrozenLake(rows []string, slips bool) (*MDP, error) {
	if rows == nil {
		rows = []string{"SFFF", "FHFH", "FFFH", "HFFG"}
	}
	if len(rows) == 0 || len(rows[0]) == 0 {
		return nil, fmt.Errorf("rl: the map has no cells, must have some")
	}
	var cells []cell
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			return nil, fmt.Errorf("rl: row %d of the map has %d cells, must have %d as row 0", i, len(row), len(rows[0]))
		}
		for _, r := range row {
			kind, ok := map[rune]cell{'S': startCell, 'F': plainCell, 'H': holeCell, 'G': goalCell}[r]
			if !ok {
				return nil, fmt.Errorf("rl: the map has the cell %q, must be S, F, H or G", r)
			}
			cells = append(cells, kind)
		}
	}
	if !slices.Contains(cells, startCell) {
		return nil, fmt.Errorf("rl: the map has no start, must have an S")
	}
	slip, over := straight, func(s int) bool { return cells[s] == holeCell || cells[s] == goalCell }
	if slips {
		slip = slippery
	}
	m := grid("FrozenLake-v1", len(rows), len(rows[0]), 100, cells, leftFirst, slip, func(from, to int) Transition {
		t := Transition{Next: to, End: over(to)}
		if cells[to] == goalCell {
			t.Reward = 1
		}
		return t
	})
	for s := range m.table { // what is over stays where it is, for certain
		for a := range m.table[s] {
			if over(s) {
				m.table[s][a] = []Transition{{Probability: 1, Next: s, End: true}}
			}
		}
	}
	return m, nil
}
