package kernel

import (
	"sync"
	"sync/atomic"
	"time"
)

// queueBytes bounds what waits in one queue; beyond it the connection that brings more is not read.
const queueBytes = 512 << 20

// A question waits for the cell before it for grace, so that after short cells the order of the requests is kept, and
// for many of them at most for patience. Both in nanoseconds; a test changes them, for which cells are short however busy
// the machine is.
var grace, patience atomic.Int64

// A front end that runs a whole notebook sends its cells in one go, which takes a while, so a cell that fails at once may be
// answered before the last of them has come. Its answer is therefore held until nothing has come for settled, at most for
// settling, in nanoseconds as above.
var settled, settling atomic.Int64

func init() {
	grace.Store(int64(20 * time.Millisecond))
	patience.Store(int64(500 * time.Millisecond))
	settled.Store(int64(50 * time.Millisecond))
	settling.Store(int64(time.Second))
}

// A queue holds the requests of one shell or of the control channel in the order of their arrival.
type queue struct {
	mu      sync.Mutex
	items   []queued
	last    uint64    // number of the newest request that was put
	arrived time.Time // when that came
	bytes   int
	closed  bool
	changed chan struct{} // holds a token when something may have changed for the taker
	space   sync.Cond
}

type queued struct {
	*request
	number uint64
}

func newQueue() *queue {
	q := &queue{changed: make(chan struct{}, 1)}
	q.space.L = &q.mu
	return q
}

// put adds a request. It waits while the queue is full, and drops the request when the queue is closed.
func (q *queue) put(r *request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.bytes > queueBytes && !q.closed {
		q.space.Wait()
	}
	if q.closed {
		return
	}
	q.last++
	q.arrived = r.arrived
	q.bytes += len(r.content)
	q.items = append(q.items, queued{r, q.last})
	q.signal()
}

func (q *queue) signal() {
	select {
	case q.changed <- struct{}{}:
	default:
	}
}

// next waits for a request and takes it. It says false when the queue is closed.
func (q *queue) next() (queued, bool) {
	for {
		q.mu.Lock()
		if q.closed {
			q.mu.Unlock()
			return queued{}, false
		}
		if len(q.items) > 0 {
			r := q.remove(0)
			q.mu.Unlock()
			return r, true
		}
		q.mu.Unlock()
		<-q.changed
	}
}

// question takes the first request other than a cell to run, if it may overtake the cell that runs since started.
// Otherwise it returns in how long that will be so; zero when there is none.
func (q *queue) question(started time.Time) (r queued, ok bool, in time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.items {
		if q.items[i].Type == executeRequest {
			continue
		}
		arrived := q.items[i].arrived
		wait := min(time.Duration(grace.Load())-time.Since(later(arrived, started)), time.Duration(patience.Load())-time.Since(arrived))
		if wait > 0 {
			return queued{}, false, wait
		}
		return q.remove(i), true, 0
	}
	return queued{}, false, 0
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// remove takes item i out; q.mu is held.
func (q *queue) remove(i int) queued {
	r := q.items[i]
	if i == 0 {
		q.items[0] = queued{}
		q.items = q.items[1:]
	} else {
		q.items = append(q.items[:i], q.items[i+1:]...)
	}
	if len(q.items) == 0 {
		q.items = nil
	}
	q.bytes -= len(r.content)
	q.space.Broadcast()
	return r
}

// newest waits until no request has come for a moment, and returns the number of the last one.
func (q *queue) newest() uint64 {
	limit := time.Now().Add(time.Duration(settling.Load()))
	for {
		q.mu.Lock()
		last, arrived, closed := q.last, q.arrived, q.closed
		q.mu.Unlock()
		now := time.Now()
		wait := min(time.Duration(settled.Load())-now.Sub(arrived), limit.Sub(now))
		if wait <= 0 || closed {
			return last
		}
		time.Sleep(wait)
	}
}

// close forgets what waits and ends next.
func (q *queue) close() {
	q.mu.Lock()
	q.closed, q.items, q.bytes = true, nil, 0
	q.space.Broadcast()
	q.mu.Unlock()
	q.signal()
}
