package kernel

import (
	"slices"
	"sync"
)

// busy publishes the status of the kernel around every request. Clients take any idle for the kernel's own, so when a
// question was answered while a cell runs, the cell's busy is said again after it.
type busy struct {
	iopub *iopub
	tidy  *tidier

	mu    sync.Mutex
	cells []*parent // that run
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
	if n := len(b.cells); n > 0 {
		b.iopub.status(b.cells[n-1], "busy")
	} else {
		b.tidy.idle()
	}
}

// interrupt marks the cells that run, for those that have not come to the session yet.
func (b *busy) interrupt() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.cells {
		p.interrupted.Store(true)
	}
}
