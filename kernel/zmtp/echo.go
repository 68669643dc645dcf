package zmtp

import "net"

// An Echo sends every message back to where it came from: the heartbeat of a Jupyter kernel.
type Echo struct{ server }

// NewEcho serves a listener.
func NewEcho(l net.Listener, set *Settings) *Echo {
	e := &Echo{}
	e.socketType, e.peers = "REP", []string{"REQ", "DEALER"}
	e.message = func(c *conn, m Message) { c.out.push(encode(m)) }
	e.start(l, set)
	return e
}
