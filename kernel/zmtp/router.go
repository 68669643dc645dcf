package zmtp

import (
	"encoding/binary"
	"errors"
	"net"
	"sync"

	"github.com/go-zeromq/zmq4"
)

// ErrNoPeer is returned by Send when nobody with that identity is connected.
var ErrNoPeer = errors.New("zmtp: no such peer")

// ErrFull is returned by Send when the peer does not read and its queue is full. The message is lost.
var ErrFull = errors.New("zmtp: the peer's queue is full")

// A Router takes messages from its peers and sends to each by its identity.
type Router struct {
	server
	byName map[string]*conn
	names  sync.Mutex
	count  uint32
}

// NewRouter serves a listener. handle is called with every message, for each peer in order and for different peers at
// once; peer is the identity to answer to. While handle does not return, no more is read from that peer.
func NewRouter(l net.Listener, handle func(peer string, m Message), set *Settings) *Router {
	r := &Router{byName: map[string]*conn{}}
	r.kind = zmq4.Router
	r.joined, r.left = r.join, r.leave
	r.message = func(c *conn, m Message) { handle(c.identity, m) }
	r.start(l, set)
	return r
}

// join gives a nameless peer a name (which begins with a zero byte, as no peer's own may), and lets a peer with the
// name of another take its place.
func (r *Router) join(c *conn) {
	r.names.Lock()
	if c.identity == "" {
		r.count++
		c.identity = string(binary.BigEndian.AppendUint32([]byte{0}, r.count))
	}
	old := r.byName[c.identity]
	r.byName[c.identity] = c
	r.names.Unlock()
	if old != nil {
		old.end()
	}
}

func (r *Router) leave(c *conn) {
	r.names.Lock()
	defer r.names.Unlock()
	if r.byName[c.identity] == c {
		delete(r.byName, c.identity)
	}
}

// Send queues a message, whose frames must not change from then on, for the peer; it does not wait for it.
func (r *Router) Send(peer string, m Message) error {
	r.names.Lock()
	c := r.byName[peer]
	r.names.Unlock()
	if c == nil {
		return ErrNoPeer
	}
	if !c.out.push(item{frames: m}) {
		return ErrFull
	}
	return nil
}
