package widgets

import "sync"

// A call is a callback and the cell that installed it.
type call struct {
	cell int
	f    func()
}

// queue is where callbacks wait: they run one at a time, in order. Whoever adds some runs them, unless somebody does so
// already: a callback that changes a widget returns before what that causes is called.
var queue callQueue

type callQueue struct {
	sync.Mutex
	calls   []call
	running bool
}

func (q *callQueue) run(calls []call) {
	if len(calls) == 0 {
		return
	}
	q.Lock()
	q.calls = append(q.calls, calls...)
	if q.running {
		q.Unlock()
		return
	}
	q.running = true
	defer func() { // also when a callback panics, outside a notebook
		q.running = false
		q.Unlock()
	}()
	for len(q.calls) > 0 {
		c := q.calls[0]
		q.calls = q.calls[1:]
		q.outside(c)
	}
}

// outside makes a call without the lock.
func (q *callQueue) outside(c call) {
	q.Unlock()
	defer q.Lock()
	hub.Lock()
	host := hub.host
	hub.Unlock()
	if host == nil {
		c.f()
		return
	}
	host.Callback(c.cell, c.f)
}
