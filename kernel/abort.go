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
	sent    time.Time // on that client's clock: what it sent until then was sent without knowledge
	until   time.Time // on our clock: nothing stays on the way for longer
}

// clockSlack makes up for clients that write times in milliseconds.
const clockSlack = time.Millisecond

// failed notes that a request to run a cell failed and is answered now.
func (a *abortion) failed(r *request, newest uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.number, a.session, a.until = newest, r.Session, time.Now().Add(2*time.Second)
	a.sent = time.Time{}
	if sent, ok := r.sentAt(); ok {
		// The client sent r at sent and we have had it since arrived: on its clock it is later than this.
		a.sent = sent.Add(max(0, time.Since(r.arrived)-clockSlack))
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
	return ok && !sent.After(a.sent)
}

// sentAt is the time at which the client says it sent the request. It is not used if it is a whole second, because the client's
// clock may not be finer.
func (r *request) sentAt() (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, r.Date)
	return t, err == nil && t.Nanosecond() != 0
}
