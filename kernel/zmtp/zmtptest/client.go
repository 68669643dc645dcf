// Package zmtptest is the other end of a ZMTP connection, for tests: it sends and reads frames as a client does.
package zmtptest

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// A Client is one connection. Its methods are not safe for concurrent use, apart from one reader and one writer.
type Client struct {
	net.Conn
	r *bufio.Reader
}

// Dial connects to tcp://IP:PORT or ipc://PATH as a socket of the given type and identity (which may be empty), with
// the given minor version of ZMTP 3.
func Dial(address, socketType, identity string, minor byte) (*Client, error) {
	network, rest, _ := strings.Cut(address, "://")
	if network == "ipc" {
		network = "unix"
	}
	nc, err := net.DialTimeout(network, rest, 5*time.Second)
	if err != nil {
		return nil, err
	}
	c := &Client{nc, bufio.NewReader(nc)}
	g := make([]byte, 64)
	g[0], g[9], g[10], g[11] = 0xff, 0x7f, 3, minor
	copy(g[12:], "NULL")
	nc.Write(g)
	if _, err := io.ReadFull(c.r, g); err != nil {
		nc.Close()
		return nil, err
	}
	ready := "\x05READY" + property("Socket-Type", socketType) + property("Identity", identity)
	c.WriteFrame(4, []byte(ready))
	_, flags, err := c.ReadFrame()
	if err != nil || flags&4 == 0 {
		nc.Close()
		return nil, fmt.Errorf("no READY: %v", err)
	}
	return c, nil
}

func property(name, value string) string {
	return string([]byte{byte(len(name))}) + name + string(binary.BigEndian.AppendUint32(nil, uint32(len(value)))) + value
}

// WriteFrame sends one frame with the given flags; the flag of long frames is set as needed.
func (c *Client) WriteFrame(flags byte, body []byte) error {
	head := []byte{flags, byte(len(body))}
	if len(body) > 255 {
		head = binary.BigEndian.AppendUint64([]byte{flags | 2}, uint64(len(body)))
	}
	_, err := c.Write(append(head, body...))
	return err
}

// Send sends one message.
func (c *Client) Send(frames ...[]byte) error {
	for i, f := range frames {
		flags := byte(1)
		if i == len(frames)-1 {
			flags = 0
		}
		if err := c.WriteFrame(flags, f); err != nil {
			return err
		}
	}
	return nil
}

// Subscribe subscribes to a topic in the way of ZMTP 3.1.
func (c *Client) Subscribe(topic string) error { return c.WriteFrame(4, []byte("\x09SUBSCRIBE"+topic)) }

// ReadFrame reads one frame.
func (c *Client) ReadFrame() (body []byte, flags byte, err error) {
	var head [9]byte
	if _, err := io.ReadFull(c.r, head[:2]); err != nil {
		return nil, 0, err
	}
	size := uint64(head[1])
	if head[0]&2 != 0 {
		if _, err := io.ReadFull(c.r, head[2:]); err != nil {
			return nil, 0, err
		}
		size = binary.BigEndian.Uint64(head[1:])
	}
	body = make([]byte, size)
	_, err = io.ReadFull(c.r, body)
	return body, head[0], err
}

// Receive reads one message; commands are passed over.
func (c *Client) Receive() (m [][]byte, err error) {
	for {
		body, flags, err := c.ReadFrame()
		if err != nil {
			return nil, err
		}
		if flags&4 != 0 {
			continue
		}
		m = append(m, body)
		if flags&1 == 0 {
			return m, nil
		}
	}
}
