package zmtp

import (
	"bufio"
	"io"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// batch is how many bytes the writer hands to the system at once; progress is noted after each.
const batch = 1 << 18

// gathered is how many bytes of small frames are written together.
const gathered = 1 << 15

// An outbox is the queue of one connection. Invariant: size is the number of bytes on the wire of the items in queue and
// of those that the writer has taken and not yet handed to the system.
type outbox struct {
	mu       sync.Mutex
	changed  sync.Cond // something was queued, or the box was closed
	queue    []item
	size     int
	limit    int
	progress time.Time // when the peer last took something, or the queue was last empty
	closed   bool
	idle     chan struct{} // closed when the writer has ended
}

// An item is a message, or a command if it has the name of one; its data are then the only frame.
type item struct {
	command string
	frames  Message
}

// size is the number of bytes of the item on the wire: a frame's head has two bytes, or nine if the frame is long.
func (i item) size() int {
	size := 0
	for _, f := range i.frames {
		n := len(f)
		if i.command != "" {
			n += 1 + len(i.command)
		}
		size += n + 2
		if n > 255 {
			size += 7
		}
	}
	return size
}

func (i item) send(z *zmq4.Conn) error {
	if i.command != "" {
		return z.SendCmd(i.command, i.frames[0])
	}
	return z.SendMsg(zmq4.Msg{Frames: i.frames})
}

func newOutbox(limit int) *outbox {
	o := &outbox{limit: limit, idle: make(chan struct{}), progress: time.Now()}
	o.changed.L = &o.mu
	return o
}

// push queues an item, whose frames must not change from then on. It returns false if the queue is full or closed.
// An item larger than the limit is taken when the queue is empty.
func (o *outbox) push(i item) bool {
	size := i.size()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || o.size > 0 && o.size+size > o.limit {
		return false
	}
	if o.size == 0 {
		o.progress = time.Now()
	}
	o.queue = append(o.queue, i)
	o.size += size
	o.changed.Signal()
	return true
}

// take waits for something to send and returns all of it; nil when the box is closed and empty.
func (o *outbox) take() []item {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) == 0 && !o.closed {
		o.changed.Wait()
	}
	taken := o.queue
	o.queue = nil
	return taken
}

// write sends what is queued until the box is closed and empty, or the connection fails.
func (o *outbox) write(c *conn) {
	defer close(o.idle)
	w := bufio.NewWriterSize(pieces{c.stream.Conn, o}, gathered)
	c.stream.out = w
	for {
		items := o.take()
		if items == nil {
			return
		}
		for n, i := range items {
			if i.send(c.z) != nil {
				break // Flush fails, too
			}
			items[n] = item{} // its memory is free before all are sent
		}
		if w.Flush() != nil {
			o.discard()
			return
		}
	}
}

// pieces writes to a peer, a large slice in several calls, and notes each time that the peer has taken something.
type pieces struct {
	to io.Writer
	o  *outbox
}

func (p pieces) Write(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var taken int
		taken, err = p.to.Write(b[n:min(n+batch, len(b))])
		n += taken
		p.o.mu.Lock()
		p.o.size -= taken
		p.o.progress = time.Now()
		p.o.mu.Unlock()
	}
	return n, err
}

// close stops further items; what is queued still goes out.
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

// backlog returns how many bytes wait and since when the peer has taken nothing.
func (o *outbox) backlog() (size int, since time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.size, o.progress
}
