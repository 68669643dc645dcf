package widgets

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// A call is a callback, the cell that installed it, and the widget whose change it follows. depth is how many callbacks caused
// one another before it, since somebody touched a control.
type call struct {
	cell    int
	f       func()
	of      *Model
	waiting *atomic.Bool // lowered when the call begins; nil for one that need not know
	depth   int
}

// deepest is how many callbacks may cause one another.
const deepest = 500

// queue is where callbacks wait: they run one at a time, in order. Whoever adds some runs them, unless somebody does so
// already: a callback that changes a widget returns before what that causes is called.
var queue callQueue

type callQueue struct {
	sync.Mutex
	calls   []call
	running bool
	now     call   // the one that runs
	by      string // the goroutine that runs it
}

// run adds calls. It panics in a callback that is the last of a chain of deepest.
func (q *callQueue) run(calls []call) {
	if len(calls) == 0 {
		return
	}
	q.Lock()
	me := goroutine()
	if q.running && q.by == me {
		for i := range calls {
			calls[i].depth = q.now.depth + 1
		}
		if calls[0].depth > deepest {
			cause, of := q.now.of, calls[0].of
			q.drop()
			q.Unlock()
			panic(endless(cause, of))
		}
	}
	q.calls = append(q.calls, calls...)
	if q.running {
		q.Unlock()
		return
	}
	q.running, q.by = true, me
	defer func() { // also when a callback panics, outside a notebook
		q.drop()
		q.running, q.now = false, call{}
		q.Unlock()
	}()
	for len(q.calls) > 0 {
		q.now = q.calls[0]
		q.calls = q.calls[1:]
		if !q.outside(q.now) {
			q.drop()
		}
	}
}

// drop forgets what waits. The lock is held.
func (q *callQueue) drop() {
	for _, c := range q.calls {
		c.begin()
	}
	q.calls = nil
}

// outside makes a call without the lock. It returns false if the code that makes the calls has been interrupted.
func (q *callQueue) outside(c call) bool {
	q.Unlock()
	defer q.Lock()
	c.begin()
	hub.Lock()
	host := hub.host
	hub.Unlock()
	if host == nil {
		c.f()
		return true
	}
	return host.Callback(c.cell, c.f)
}

// begin says that the call does not wait any more.
func (c call) begin() {
	if c.waiting != nil {
		c.waiting.Store(false)
	}
}

// endless describes a chain of callbacks that has no end.
func endless(cause, of *Model) string {
	names := "the callbacks of a comm"
	switch {
	case of == nil:
	case cause == nil || cause == of:
		names = of.name() + " sets itself"
	default:
		names = cause.name() + " and " + of.name() + " set each other"
	}
	return fmt.Sprintf("widgets: %s: %d callbacks without anybody touching a control", names, deepest)
}

// goroutine returns what names the running goroutine.
func goroutine() string {
	var b [40]byte
	name, _, _ := bytes.Cut(b[:runtime.Stack(b[:], false)], []byte("["))
	return string(name)
}
