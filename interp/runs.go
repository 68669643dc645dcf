package interp

import (
	"maps"
	"slices"
	"sync"
)

// runs numbers what the worker runs for a session: cells, what magics and the variables pane have run, and comm messages. It
// knows which of them run, for interrupts, and what their output is addressed with. Its lock is held while no other is taken.
type runs struct {
	mu         sync.Mutex
	last       int            // number of the last one
	ids        map[int]string // what output is addressed with
	turn       int            // number of the cell that has its turn and runs, 0 for none
	stop       func()         // interrupts it, and Execute before it runs
	concurrent map[int]func() // interrupt the cells of subshells, by number
	running    map[int]*program
}

// number assigns the next number. What it prints is addressed with id, which is empty for what prints nothing.
func (r *runs) number(id string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	if r.ids == nil {
		r.ids = map[int]string{}
	}
	if id != "" {
		r.ids[r.last] = id
	}
	return r.last
}

// id returns what the output of a run is addressed with.
func (r *runs) id(n int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ids[n]
}

// A holder makes stop what interrupts run n, until end is called.
type holder func(n int, stop func()) (end func())

// take gives the turn to n, 0 for none yet, and makes stop what interrupts it, until end is called.
func (r *runs) take(n int, stop func()) (end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, beforeStop := r.turn, r.stop
	r.turn, r.stop = n, stop
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.turn, r.stop = before, beforeStop
	}
}

// join adds a cell that runs whoever has the turn, until end is called.
func (r *runs) join(n int, stop func()) (end func()) {
	return hold(&r.mu, &r.concurrent, n, stop)
}

// current returns the number of the cell that has its turn, 0 for none.
func (r *runs) current() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.turn
}

// interrupt stops all cells that run. They are stopped with the lock released, for that takes as long as they like.
func (r *runs) interrupt() {
	r.mu.Lock()
	stops := slices.Collect(maps.Values(r.concurrent))
	if r.stop != nil {
		stops = append(stops, r.stop)
	}
	r.mu.Unlock()
	for _, stop := range stops {
		stop()
	}
}

// start notes that a program runs under number n, until end is called.
func (r *runs) start(n int, prog *program) (end func()) {
	return hold(&r.mu, &r.running, n, prog)
}

// programs returns those that run.
func (r *runs) programs() []*program {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Collect(maps.Values(r.running))
}

// hold puts v under n into a map that mu guards, until end is called.
func hold[V any](mu *sync.Mutex, m *map[int]V, n int, v V) (end func()) {
	mu.Lock()
	defer mu.Unlock()
	if *m == nil {
		*m = map[int]V{}
	}
	(*m)[n] = v
	return func() {
		mu.Lock()
		defer mu.Unlock()
		delete(*m, n)
	}
}
