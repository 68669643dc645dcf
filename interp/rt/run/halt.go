package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// halts is what a cell knows about ending its goroutines one by one.
type halts struct {
	started atomic.Int64                    // goroutines that got a number
	marked  atomic.Pointer[map[int]*halted] // those that must end, by number; never changed, only replaced

	mu      sync.Mutex
	cancels map[int]context.CancelCauseFunc // of the contexts that goroutines have asked for
}

// halted is the mark of a goroutine that must end while its cell goes on.
type halted struct {
	stop  *Stop
	ended atomic.Bool
}

var errHalted = errors.New("goroutine stopped")

// mark returns the mark of the goroutine, nil if it has none.
func (g *goroutine) mark() *halted {
	if m := g.cell.halts.marked.Load(); m != nil {
		return (*m)[g.n]
	}
	return nil
}

// mustEnd says why the goroutine must end: its cell must, or it alone.
func (g *goroutine) mustEnd() *Stop {
	if why := g.cell.stop.Load(); why != nil {
		return why
	}
	if m := g.mark(); m != nil {
		return m.stop
	}
	return nil
}

// ctxPatience is how long a call of a library that may have the goroutine's context has to return. An interrupt waits a little
// longer before it says that the cell goes on.
const ctxPatience = 1500 * time.Millisecond

// returns reports whether a call of a library may be about to return since the goroutine's context has ended: what it returns is
// then assigned.
func (g *goroutine) returns(why *Stop) bool {
	return g.shown.Load() && time.Since(why.at) < ctxPatience
}

// context returns the context that ends when the goroutine must end. The main goroutine's is the cell's own; another one
// gets its own, a child of that, when it first asks.
func (g *goroutine) context() context.Context {
	if g.n == 0 {
		return g.cell.ctx
	}
	if ctx := g.ctx.Load(); ctx != nil {
		return *ctx
	}
	h := &g.cell.halts
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx := g.ctx.Load(); ctx != nil {
		return *ctx
	}
	ctx, cancel := context.WithCancelCause(g.cell.ctx)
	if g.mark() != nil {
		cancel(errHalted)
	} else {
		if h.cancels == nil {
			h.cancels = map[int]context.CancelCauseFunc{}
		}
		h.cancels[g.n] = cancel
	}
	g.ctx.Store(&ctx)
	return ctx
}

// done is called when the goroutine has ended. A context that its code has seen lives on, for the code may have given it
// away; one that only served to wake it from a wait ends.
func (g *goroutine) done() {
	if m := g.mark(); m != nil {
		m.ended.Store(true)
	}
	if g.ctx.Load() == nil {
		return
	}
	h := &g.cell.halts
	h.mu.Lock()
	defer h.mu.Unlock()
	if cancel := h.cancels[g.n]; cancel != nil {
		delete(h.cancels, g.n)
		if !g.shown.Load() {
			cancel(nil)
		}
	}
}

// StopGoroutine ends goroutine n of a cell: its context ends, a wait for a channel or for time ends, and it ends itself at
// its next check. Goroutines that it started go on. The function that it returns reports whether it has ended.
func StopGoroutine(id, n int) (ended func() bool, ok bool) {
	cells.Lock()
	c := cells.byID[id]
	cells.Unlock()
	if c == nil || n < 1 || int64(n) > c.halts.started.Load() {
		return nil, false
	}
	return c.haltOne(n).ended.Load, true
}

// haltOne marks goroutine n and makes it look at the mark.
func (c *Cell) haltOne(n int) *halted {
	h := &c.halts
	h.mu.Lock()
	defer h.mu.Unlock()
	all := map[int]*halted{}
	if old := h.marked.Load(); old != nil {
		maps.Copy(all, *old)
	}
	if m := all[n]; m != nil {
		return m
	}
	m := &halted{stop: &Stop{Name: "Interrupt", Value: "the goroutine was stopped", at: time.Now()}}
	all[n] = m
	h.marked.Store(&all)
	if cancel := h.cancels[n]; cancel != nil {
		delete(h.cancels, n)
		cancel(errHalted)
	}
	raiseFlag()
	go pulse(func() bool { return !m.ended.Load() && c.live.Load() > 0 }, func() bool { return false })
	return m
}

// Labelled is whom a goroutine's label names: goroutine Number of a cell.
type Labelled struct{ Cell, Number int }

// places are where goroutines have come to a check.
type places struct {
	mu sync.Mutex
	at map[Labelled]Place
}

var placing atomic.Pointer[places]

// Standing looks for so long where goroutines of cells come to checks.
func Standing(patience time.Duration) map[Labelled]Place {
	p := &places{at: map[Labelled]Place{}}
	if !placing.CompareAndSwap(nil, p) {
		return nil
	}
	raiseFlag()
	time.Sleep(patience)
	lowerFlag()
	placing.Store(nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.at
	p.at = nil // for one that comes late
	return at
}

// came records that the running goroutine has come to a check.
func (p *places) came(at Place) {
	g := self()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at != nil {
		p.at[Labelled{g.cell.ID, g.n}] = at
	}
}

// labelText is the value of a goroutine's label: its cell, a point, its number in it, and where it was started if that is
// known.
func labelText(who Labelled, start Place) string {
	if start.Line == 0 {
		return fmt.Sprintf("%d.%d", who.Cell, who.Number)
	}
	return fmt.Sprintf("%d.%d@%d:%d", who.Cell, who.Number, start.Cell, start.Line)
}

// ParseLabel reads the value of a goroutine's label.
func ParseLabel(s string) (who Labelled, start Place, err error) {
	name, at, found := strings.Cut(s, "@")
	if _, err = fmt.Sscanf(name, "%d.%d", &who.Cell, &who.Number); err == nil && found {
		_, err = fmt.Sscanf(at, "%d:%d", &start.Cell, &start.Line)
	}
	return
}
