package zmtp

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// Settings bound what a socket spends. Nil means the defaults.
type Settings struct {
	MaxMessage int64         // bytes of one incoming message
	Queue      int           // bytes that wait for one peer
	Handshake  time.Duration // a peer must have introduced itself by then
	Log        *slog.Logger  // gets peers that were dropped; nil for none
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

// A server accepts peers and runs them; the kinds of socket differ in its three functions.
type server struct {
	l    net.Listener
	set  Settings
	kind zmq4.SocketType

	joined  func(*conn)           // after the handshake
	left    func(*conn)           // after the last message
	message func(*conn, Message)  // of a peer
	command func(*conn, zmq4.Cmd) // of a peer, other than PING

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
			s.set.Log.Warn("zmtp: accept", "socket", s.kind, "err", err)
			time.Sleep(pause)
			pause = min(2*pause, time.Second)
			continue
		}
		pause = time.Millisecond
		c := newConn(nc, s.set.Queue)
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
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		s.set.Log.Debug("zmtp: peer left", "socket", s.kind, "err", err)
	default:
		s.set.Log.Warn("zmtp: peer dropped", "socket", s.kind, "err", err)
	}
}

func (s *server) serve(c *conn) error {
	c.stream.SetDeadline(time.Now().Add(s.set.Handshake))
	if err := c.handshake(s.kind, s.set.MaxMessage); err != nil {
		return err
	}
	c.stream.SetDeadline(time.Time{})
	s.done.Go(func() { c.out.write(c) })
	if s.joined != nil {
		s.joined(c)
	}
	if s.left != nil {
		defer s.left(c)
	}
	for {
		m, command, err := c.receive()
		switch {
		case err != nil:
			return err
		case m != nil:
			s.message(c, m)
		case command.Name == zmq4.CmdPing:
			if len(command.Body) < 2 || len(command.Body) > 18 { // time to live and context
				return errors.New("PING of a wrong size")
			}
			c.out.push(item{zmq4.CmdPong, Message{command.Body[2:]}})
		case command.Name == zmq4.CmdError:
			return fmt.Errorf("peer says %q", command.Body)
		case s.command != nil:
			s.command(c, command)
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
