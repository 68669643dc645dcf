package zmtp

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"time"

	"github.com/go-zeromq/zmq4"
)

// recorded is a net.Conn on which a peer has said what is in it, and then went away. What is written is kept.
type recorded struct {
	io.Reader
	written bytes.Buffer
}

func (r *recorded) Write(p []byte) (int, error)      { return r.written.Write(p) }
func (r *recorded) Close() error                     { return nil }
func (r *recorded) LocalAddr() net.Addr              { return nil }
func (r *recorded) RemoteAddr() net.Addr             { return nil }
func (r *recorded) SetDeadline(time.Time) error      { return nil }
func (r *recorded) SetReadDeadline(time.Time) error  { return nil }
func (r *recorded) SetWriteDeadline(time.Time) error { return nil }

// opened returns a connection on which the peer has said all of wire.
func opened(wire []byte, limit int64) (*conn, *recorded, error) {
	r := &recorded{Reader: bytes.NewReader(wire)}
	c := newConn(r, 1<<20)
	return c, r, c.handshake(zmq4.Router, limit)
}

// CheckStranger serves a peer that says what is in wire and goes away. What it says must do no harm.
func CheckStranger(wire []byte) {
	s := &server{set: *DefaultSettings(), kind: zmq4.Router, message: func(*conn, Message) {}}
	s.set.Log = slog.New(slog.DiscardHandler)
	c := newConn(&recorded{Reader: bytes.NewReader(wire)}, s.set.Queue)
	s.run(c)
	s.done.Wait()
}

// CheckRoundTrip reads the messages that come in wire after introduction, and checks that each has at most limit bytes
// and is the same when it is sent and read again.
func CheckRoundTrip(introduction, wire []byte, limit int64) error {
	c, _, err := opened(slices.Concat(introduction, wire), limit)
	if err != nil {
		return err
	}
	for {
		m, _, err := c.receive()
		if err != nil {
			return nil
		}
		if m == nil {
			continue
		}
		size := 0
		for _, f := range m {
			size += len(f)
		}
		if int64(size) > limit {
			return fmt.Errorf("a message of %d bytes, limit %d", size, limit)
		}
		sender, sent, err := opened(introduction, limit)
		if err != nil {
			return err
		}
		sent.written.Reset()
		sender.out.push(item{frames: m})
		queued, _ := sender.out.backlog()
		sender.out.close()
		sender.out.write(sender)
		if left, _ := sender.out.backlog(); left != 0 || queued != sent.written.Len() {
			return fmt.Errorf("%d bytes queued, %d written, %d counted as left", queued, sent.written.Len(), left)
		}
		receiver, _, err := opened(slices.Concat(introduction, sent.written.Bytes()), limit)
		if err != nil {
			return err
		}
		again, _, err := receiver.receive()
		if err != nil || !slices.EqualFunc(m, again, bytes.Equal) {
			return fmt.Errorf("%q became %q, %v", m, again, err)
		}
	}
}
