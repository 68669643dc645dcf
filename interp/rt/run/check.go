package run

import (
	"sync/atomic"
	"time"
)

// A checkCall is a function that a cell's main goroutine is to call at its next check.
type checkCall struct {
	cell    *Cell
	f       func()
	claimed atomic.Bool
	done    chan struct{}
}

var atCheck atomic.Pointer[checkCall]

func (p *checkCall) run() {
	if p.claimed.CompareAndSwap(false, true) {
		defer close(p.done)
		p.f()
	}
}

// AtCheck has the main goroutine of a cell call f where cell code checks whether to stop, so that the cell's statements
// pause meanwhile, and waits for it. It reports false when the cell does not run, or comes to no check in time; then
// f is not called. One call waits at a time.
func AtCheck(cell int, patience time.Duration, f func()) bool {
	cells.Lock()
	c := cells.byID[cell]
	cells.Unlock()
	if c == nil || current.Load() != c {
		return false
	}
	p := &checkCall{cell: c, f: f, done: make(chan struct{})}
	if !atCheck.CompareAndSwap(nil, p) {
		return false
	}
	defer atCheck.Store(nil)
	raiseFlag()
	defer lowerFlag()
	select {
	case <-p.done:
		return true
	case <-time.After(patience):
	case <-c.ctx.Done():
	}
	if p.claimed.CompareAndSwap(false, true) {
		return false
	}
	<-p.done
	return true
}

// Busy reports whether goroutines of cells run alongside the main one of the cell that runs.
func Busy() bool {
	cells.Lock()
	defer cells.Unlock()
	n := int64(0)
	for _, c := range cells.byID {
		n += c.live.Load()
	}
	return n > 1
}

// AnyLive reports whether any goroutine of a cell runs.
func AnyLive() bool {
	cells.Lock()
	defer cells.Unlock()
	for _, c := range cells.byID {
		if c.live.Load() > 0 {
			return true
		}
	}
	return false
}
