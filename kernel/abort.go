package kernel

import (
	"sync"
	"time"
)

// An abortion says which requests to run cells were sent before the failure of another could be known, and are
// therefore answered aborted: those that had arrived when it was answered, and those that the client's own clock shows to
// have been on the way. No request that was sent later is ever aborted, since clients take aborted for success.
type abortion struct {
	mu      sync.Mutex
	number  uint64    // requests up to this one had arrived
	session string    // of the client whose request failed
	first   time.Time // on that client's clock: what it sent from then on,
	sent    time.Time // until then, was sent without knowledge. A time before first is of a clock that was put back.
	until   time.Time // on our clock
}

const (
	clockSlack = time.Millisecond // makes up for clients that write times in milliseconds
	onTheWay   = 2 * time.Second  // nothing is on the way for longer
)

// failed notes that a request to run a cell failed and is answered now.
func (a *abortion) failed(r *request, newest uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.number, a.session, a.until = newest, r.Session, time.Now().Add(onTheWay)
	a.sent = time.Time{}
	if sent, ok := r.sentAt(); ok {
		// The client sent r at sent and we have had it since arrived: on its clock it is later than this.
		a.sent = sent.Add(max(0, time.Since(r.arrived)-clockSlack))
		a.first = later(sent, a.sent.Add(-onTheWay))
	}
}

// covers says whether a request is to be aborted.
func (a *abortion) covers(r queued) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.number <= a.number {
		return true
	}
	if a.sent.IsZero() || r.Session != a.session || time.Now().After(a.until) {
		return false
	}
	sent, ok := r.sentAt()
	return ok && !sent.Before(a.first) && !sent.After(a.sent)
}

// sentAt is the time at which the client says it sent the request. It is not used if it is a whole second, because the client's
// clock may not be finer.
func (r *request) sentAt() (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, r.Date)
	return t, err == nil && t.Nanosecond() != 0
}
