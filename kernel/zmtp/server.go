package zmtp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

// Settings bound what a socket spends. Nil means the defaults.
type Settings struct {
	MaxMessage int64         // bytes of one incoming message
	Queue      int           // bytes that wait for one peer
	Handshake  time.Duration // a peer must have introduced itself by then
	Log        *slog.Logger  // told of peers that were dropped; nil for none
}

// DefaultSettings returns 1 GiB a message, 64 MiB a queue, half a minute for the handshake and no log.
func DefaultSettings() *Settings {
	return &Settings{MaxMessage: 1 << 30, Queue: 64 << 20, Handshake: 30 * time.Second}
}

// Listen opens the address of a socket: tcp://IP:PORT or ipc://PATH. A Unix socket is open to its user only; what a
// dead process left at its path is removed.
func Listen(address string) (net.Listener, error) {
	scheme, rest, ok := strings.Cut(address, "://")
	switch {
	case ok && scheme == "tcp":
		return net.Listen("tcp", rest)
	case ok && scheme == "ipc":
		return listenUnix(rest)
	}
	return nil, fmt.Errorf("zmtp: address is %q, must be tcp://IP:PORT or ipc://PATH", address)
}

func listenUnix(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		if nc, err := net.Dial("unix", path); err == nil {
			nc.Close()
			return nil, fmt.Errorf("zmtp: %s is in use", path)
		}
		os.Remove(path)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// A conn is one peer.
type conn struct {
	nc       net.Conn
	r        *bufio.Reader
	identity string
	out      *outbox
}

// end drops the connection at once.
func (c *conn) end() {
	c.out.discard()
	c.nc.Close()
}

// A server accepts peers and runs them; the kinds of socket differ in its three functions.
type server struct {
	l          net.Listener
	set        Settings
	socketType string
	peers      []string // socket types that may connect

	joined  func(*conn)                             // after the handshake
	left    func(*conn)                             // after the last message
	message func(*conn, Message)                    // of a peer
	command func(c *conn, name string, data []byte) // of a peer, other than PING

	mu     sync.Mutex
	conns  map[*conn]bool
	closed bool
	done   sync.WaitGroup
}

func (s *server) start(l net.Listener, set *Settings) {
	if set == nil {
		set = DefaultSettings()
	}
	s.l, s.set, s.conns = l, *set, map[*conn]bool{}
	if s.set.Log == nil {
		s.set.Log = slog.New(slog.DiscardHandler)
	}
	s.done.Go(s.accept)
}

func (s *server) accept() {
	pause := time.Millisecond
	for {
		nc, err := s.l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // out of file descriptors, say: it may pass
			s.set.Log.Warn("zmtp: accept", "socket", s.socketType, "err", err)
			time.Sleep(pause)
			pause = min(2*pause, time.Second)
			continue
		}
		pause = time.Millisecond
		c := &conn{nc: nc, r: bufio.NewReaderSize(nc, 1<<16), out: newOutbox(s.set.Queue)}
		s.mu.Lock()
		if s.closed {
			nc.Close()
		} else {
			s.conns[c] = true
			s.done.Go(func() { s.run(c) })
		}
		s.mu.Unlock()
	}
}

// run serves one peer until it goes away.
func (s *server) run(c *conn) {
	err := s.serve(c)
	c.end()
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	var network *net.OpError // a client that was killed, say; what it sent was right
	switch {
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, errLooked):
		s.set.Log.Debug("zmtp: peer left", "socket", s.socketType, "err", err)
	default:
		s.set.Log.Warn("zmtp: peer dropped", "socket", s.socketType, "err", err)
	}
}

func (s *server) serve(c *conn) error {
	c.nc.SetDeadline(time.Now().Add(s.set.Handshake))
	if err := c.handshake(s.socketType, s.peers); err != nil {
		return err
	}
	c.nc.SetDeadline(time.Time{})
	s.done.Go(func() { c.out.write(c.nc) })
	if s.joined != nil {
		s.joined(c)
	}
	if s.left != nil {
		defer s.left(c)
	}
	for {
		m, name, data, err := readMessage(c.r, s.set.MaxMessage)
		switch {
		case err != nil:
			return err
		case name == "PING":
			if len(data) < 2 || len(data) > 18 {
				return errors.New("PING of a wrong size")
			}
			c.out.push(encodeCommand("PONG", data[2:]))
		case name == "ERROR":
			return fmt.Errorf("peer says %q", data)
		case name != "":
			if s.command != nil {
				s.command(c, name, data)
			}
		default:
			s.message(c, m)
		}
	}
}

// Addr is the address that the socket is bound to.
func (s *server) Addr() net.Addr { return s.l.Addr() }

// Close takes no more peers, lets what is queued go out for at most linger, and drops all peers. It returns when no
// handler runs any more, so a handler must not call it.
func (s *server) Close(linger time.Duration) {
	s.l.Close()
	s.mu.Lock()
	s.closed = true
	conns := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	for _, c := range conns {
		c.out.close()
	}
	limit := time.NewTimer(linger)
	defer limit.Stop()
	for _, c := range conns {
		if size, _ := c.out.backlog(); size == 0 {
			continue
		}
		select {
		case <-c.out.idle:
			continue
		case <-limit.C:
		}
		break
	}
	for _, c := range conns {
		c.end()
	}
	s.done.Wait()
}
