package run

import (
	"sync"
	"sync/atomic"
	"time"
)

// A Profile counts the time of a cell by line. Time is counted where cell code comes by: at each statement of the top level
// that has ended, and about every two milliseconds at a check (a loop's head, a function's entry), for the line of the
// check. Time that compiled code takes counts for the next place that cell code comes to.
type Profile struct {
	cell *Cell
	want atomic.Bool // a check is to be counted
	done chan struct{}

	mu     sync.Mutex
	last   time.Time
	lines  map[Place]time.Duration
	bodies []int // lines of the top level's statements in the part that runs
}

// A Place is a line of a cell.
type Place struct{ Cell, Line int }

const profilePeriod = 2 * time.Millisecond

var profiling atomic.Pointer[Profile]

// StartProfile begins to count the time of the running goroutine's cell.
func StartProfile() *Profile {
	p := &Profile{cell: self().cell, done: make(chan struct{}), last: time.Now(), lines: map[Place]time.Duration{}}
	profiling.Store(p)
	go p.run()
	return p
}

// run asks for a check now and then.
func (p *Profile) run() {
	runtime_setProfLabel(nil)
	t := time.NewTicker(profilePeriod)
	defer t.Stop()
	for {
		select {
		case <-p.done:
			if p.want.Swap(false) {
				lowerFlag()
			}
			return
		case <-t.C:
			if !p.want.Swap(true) {
				raiseFlag()
			}
		}
	}
}

// Part says which lines the statements of the part that runs next have.
func (p *Profile) Part(lines []int) {
	p.mu.Lock()
	p.bodies, p.last = lines, time.Now()
	p.mu.Unlock()
}

// Stop ends the counting and returns the time by line.
func (p *Profile) Stop() map[Place]time.Duration {
	profiling.CompareAndSwap(p, nil)
	close(p.done)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lines
}

// count adds the time since the last place to one.
func (p *Profile) count(at Place) {
	now := time.Now()
	p.mu.Lock()
	p.lines[at] += now.Sub(p.last)
	p.last = now
	p.mu.Unlock()
}

// statement counts a statement of the top level that has ended.
func (p *Profile) statement(n int) {
	p.mu.Lock()
	line := 0
	if n >= 1 && n <= len(p.bodies) {
		line = p.bodies[n-1]
	}
	p.mu.Unlock()
	if line > 0 {
		p.count(Place{p.cell.ID, line})
	}
}

// StoppedAt is Stopped for a check at a line of a cell.
func StoppedAt(cell, line int) {
	if p := profiling.Load(); p != nil && p.want.Load() && self() == p.cell.main && p.want.CompareAndSwap(true, false) {
		lowerFlag()
		p.count(Place{cell, line})
	}
	if p := placing.Load(); p != nil {
		p.came(Place{cell, line})
	}
	stopped(Place{cell, line})
}
