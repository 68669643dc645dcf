package kernel

import (
	"slices"
	"sync"
)

// late is what goroutines show after their cell has ended. It belongs to that cell, and a notebook that somebody looks at shows
// it there. A client that lets a cell ask nothing, as nbclient does and with it papermill and nbconvert, reads only what belongs
// to the cell that it waits for: for it the same goes to the cell that runs, or to the next.
type late struct {
	mu      sync.Mutex
	running []*parent
	waiting []func(*parent)
}

// lateLimit is how much waits for the next cell; what is more goes to the cell that has ended.
const lateLimit = 1000

// unattended reports whether a request runs a cell for a client that reads nothing once it has ended.
func (p *parent) unattended() bool { return p.cell && !p.stdin }

// begin takes note of a cell that runs, and publishes with it what waits.
func (l *late) begin(p *parent) {
	if !p.unattended() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running = append(l.running, p)
	for _, publish := range l.waiting {
		publish(p)
	}
	l.waiting = nil
}

// end takes note of a cell that has ended, before that is published.
func (l *late) end(p *parent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running = slices.DeleteFunc(l.running, func(q *parent) bool { return q == p })
}

// publish publishes what a cell shows, with the cell that it goes to.
func (l *late) publish(of *parent, publish func(*parent)) {
	if !of.unattended() {
		publish(of)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch n := len(l.running); {
	case slices.Contains(l.running, of) || n == 0 && len(l.waiting) >= lateLimit:
		publish(of)
	case n > 0:
		publish(l.running[n-1])
	default:
		l.waiting = append(l.waiting, publish)
	}
}
