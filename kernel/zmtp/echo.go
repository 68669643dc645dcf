package zmtp

import (
	"net"

	"github.com/go-zeromq/zmq4"
)

// An Echo sends every message back to where it came from: the heartbeat of a Jupyter kernel.
type Echo struct{ server }

// NewEcho serves a listener.
func NewEcho(l net.Listener, set *Settings) *Echo {
	e := &Echo{}
	e.kind = zmq4.Rep
	e.message = func(c *conn, m Message) { c.out.push(item{frames: m}) }
	e.start(l, set)
	return e
}
