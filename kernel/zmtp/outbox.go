package zmtp

import (
	"net"
	"sync"
	"time"
)

// batch is how many bytes the writer hands to the system at once; progress is noted after each.
const batch = 1 << 18

// An outbox is the queue of one connection. Invariant: size is the number of bytes in queue plus those that the writer
// has taken and not yet handed to the system.
type outbox struct {
	mu       sync.Mutex
	changed  sync.Cond // something was queued, or the box was closed
	queue    [][]byte
	size     int
	limit    int
	dropped  int       // messages refused because the queue was full
	progress time.Time // when the peer last took something, or the queue was last empty
	closed   bool
	idle     chan struct{} // closed when the writer has ended
}

func newOutbox(limit int) *outbox {
	o := &outbox{limit: limit, idle: make(chan struct{}), progress: time.Now()}
	o.changed.L = &o.mu
	return o
}

// push queues one encoded message. It says false when the queue is full or closed.
// A message larger than the limit is taken when the queue is empty.
func (o *outbox) push(b []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return false
	}
	if o.size > 0 && o.size+len(b) > o.limit {
		o.dropped++
		return false
	}
	if o.size == 0 {
		o.progress = time.Now()
	}
	o.queue = append(o.queue, b)
	o.size += len(b)
	o.changed.Signal()
	return true
}

// take waits for something to write and returns up to a batch of it; nil when the box is closed and empty.
func (o *outbox) take() net.Buffers {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) == 0 && !o.closed {
		o.changed.Wait()
	}
	n, size := 0, 0
	for n < len(o.queue) && (n == 0 || size+len(o.queue[n]) <= batch) {
		size += len(o.queue[n])
		n++
	}
	taken := append(net.Buffers(nil), o.queue[:n]...)
	clear(o.queue[:n])
	o.queue = o.queue[n:]
	if len(o.queue) == 0 {
		o.queue = nil
	}
	return taken
}

// wrote notes that n bytes went out.
func (o *outbox) wrote(n int) {
	o.mu.Lock()
	o.size -= n
	o.progress = time.Now()
	o.mu.Unlock()
}

// write sends what is queued until the box is closed and empty, or the connection fails.
func (o *outbox) write(nc net.Conn) {
	defer close(o.idle)
	for {
		b := o.take()
		if b == nil {
			return
		}
		for len(b) > 0 { // large messages in pieces, so that progress shows
			piece := b
			rest := net.Buffers(nil)
			if len(b[0]) > batch {
				piece, rest = net.Buffers{b[0][:batch]}, b
				rest[0] = b[0][batch:]
			}
			n, err := piece.WriteTo(nc)
			o.wrote(int(n))
			if err != nil {
				o.discard()
				return
			}
			b = rest
		}
	}
}

// close stops further messages; what is queued still goes out.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.changed.Broadcast()
	o.mu.Unlock()
}

// discard closes the box and forgets what is queued.
func (o *outbox) discard() {
	o.mu.Lock()
	o.closed = true
	o.queue, o.size = nil, 0
	o.changed.Broadcast()
	o.mu.Unlock()
}

// backlog says how many bytes wait and since when the peer has taken nothing.
func (o *outbox) backlog() (size int, since time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.size, o.progress
}
