package kernel

import (
	"slices"
	"sync"
	"time"

	"gaucho/interp/api"
)

// busy publishes the status of the kernel around every request. Clients take any idle for the kernel's own, so when a
// question was answered while a cell runs, the cell's busy is said again after it; after a look at variables the look's own is,
// and the cell's later.
type busy struct {
	iopub *iopub
	tidy  *tidier

	mu    sync.Mutex
	cells []*parent // that run
	again bool      // the cell's busy is to be said again
}

// begin reports busy for a request; cell says whether it runs a cell.
func (b *busy) begin(p *parent, cell bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if cell {
		b.cells = append(b.cells, p)
	}
	b.tidy.busy()
	b.iopub.status(p, "busy")
}

// end says idle for a request.
func (b *busy) end(p *parent) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cells = slices.DeleteFunc(b.cells, func(q *parent) bool { return q == p })
	b.iopub.status(p, "idle")
	switch {
	case len(b.cells) == 0:
		b.tidy.idle()
	case p.looks:
		b.iopub.status(p, "busy")
		b.sayLater()
	default:
		b.say()
	}
}

// say says busy for the newest cell; b.mu is held.
func (b *busy) say() {
	if n := len(b.cells); n > 0 {
		b.iopub.status(b.cells[n-1], "busy")
	}
}

// sayLater says it when a look can see something new; b.mu is held. JupyterLab looks at the variables with each message that a
// cell has: at once, it would look again and again as fast as it gets answers, and not at all, it would show old values while a
// cell prints nothing.
func (b *busy) sayLater() {
	if b.again {
		return
	}
	b.again = true
	time.AfterFunc(api.LookPause, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.again = false
		b.say()
	})
}

// interrupt marks the cells that run, for those that have not come to the session yet.
func (b *busy) interrupt() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.cells {
		p.interrupted.Store(true)
	}
}
