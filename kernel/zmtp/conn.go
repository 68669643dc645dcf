package zmtp

import (
	"fmt"
	"net"
	"strings"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"
)

// A Message is a list of frames.
type Message [][]byte

// A conn is one peer. Of z, one goroutine receives and the outbox sends.
type conn struct {
	z        *zmq4.Conn
	stream   *stream
	identity string
	out      *outbox
}

func newConn(nc net.Conn, queue int) *conn {
	return &conn{stream: newStream(nc, maxReady), out: newOutbox(queue)}
}

// maxReady bounds what a peer says of itself.
const maxReady = 1 << 16

// handshake exchanges greetings and READY commands, and allows messages of up to limit bytes from then on.
func (c *conn) handshake(kind zmq4.SocketType, limit int64) (err error) {
	// zmq4 panics on a socket type that it does not know and on some metadata that are cut off.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("handshake: %v", r)
		}
	}()
	if c.z, err = zmq4.Open(c.stream, null.Security(), kind, nil, false, nil); err != nil {
		return err
	}
	c.stream.allow(limit)
	c.identity = c.z.Peer.Meta["Identity"]
	if len(c.identity) > 255 || strings.HasPrefix(c.identity, "\x00") {
		c.identity = ""
	}
	return nil
}

// receive waits for the next message or, if the result m is nil, the next command. It asks zmq4 for the one that comes:
// RecvMsg would take a command for a message.
func (c *conn) receive() (m Message, command zmq4.Cmd, err error) {
	is, err := c.stream.command()
	if err != nil {
		return nil, command, err
	}
	if is {
		command, err = c.z.RecvCmd()
		return nil, command, err
	}
	msg, err := c.z.RecvMsg()
	return msg.Frames, command, err
}

// end drops the connection at once.
func (c *conn) end() {
	c.out.discard()
	c.stream.Close()
}
