package worker

import (
	"slices"
	"sync"

	"gaucho/interp/rt/run"
)

// ends is what is called when code ends: what was held back lest it be shown too often, such as the last state of a bar.
type ends struct {
	mu     sync.Mutex
	byCell map[int][]ending // of the cells and messages whose code runs
}

type ending struct {
	key any
	f   func()
}

// open has add take functions for a cell until close is called.
func (e *ends) open(cell int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byCell == nil {
		e.byCell = map[int][]ending{}
	}
	e.byCell[cell] = nil
}

// add adds a function for a cell, unless the cell has ended or has one of that key.
func (e *ends) add(cell int, key any, f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	list, runs := e.byCell[cell]
	if runs && !slices.ContainsFunc(list, func(old ending) bool { return old.key == key }) {
		e.byCell[cell] = append(list, ending{key, f})
	}
}

// close calls the functions of a cell.
func (e *ends) close(c *run.Cell) {
	e.mu.Lock()
	list := e.byCell[c.ID]
	delete(e.byCell, c.ID)
	e.mu.Unlock()
	c.As(func() {
		for _, end := range list {
			end.f()
		}
	})
}
