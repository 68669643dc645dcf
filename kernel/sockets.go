package kernel

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"gaucho/kernel/zmtp"
)

// sockets are the five that a connection file names, or their like that one client holds. Peers are taken from open on,
// when all else is ready.
type sockets struct {
	shell, control, stdin router
	iopub                 publisher
	heart                 *zmtp.Echo
	open                  func()
	ready                 chan struct{} // closed when all are open
}

// A router sends to each of its peers, as a [zmtp.Router] does.
type router interface {
	Send(peer string, m zmtp.Message) error
	Close(linger time.Duration)
}

// A publisher sends to all that listen, as a [zmtp.Publisher] does.
type publisher interface {
	Publish(m zmtp.Message)
	Wait(ctx context.Context)
	Close(linger time.Duration)
}

// listen binds all five addresses, so that a port that is taken is an error before anything runs.
func (k *kernel) listen(c *Connection) (*sockets, error) {
	listeners := map[string]net.Listener{}
	for _, p := range c.ports() {
		l, err := zmtp.Listen(c.address(p.port))
		if err != nil {
			for _, l := range listeners {
				l.Close()
			}
			return nil, fmt.Errorf("kernel: the %s socket: %w", p.name, err)
		}
		listeners[p.name] = l
	}
	set := zmtp.DefaultSettings()
	set.Log = k.log
	s := &sockets{ready: make(chan struct{})}
	s.iopub = zmtp.NewPublisher(listeners["iopub"], k.composer.welcome, set)
	k.publishTo(s.iopub)
	// A Jupyter server names the notebook to its kernels. One without limits can have GAUCHO_RATE_LIMIT=off set.
	if os.Getenv("JPY_SESSION_NAME") != "" && os.Getenv("GAUCHO_RATE_LIMIT") != "off" {
		k.iopub.limit, k.iopub.chunk = newThrottle(), limitedBytes
	}
	s.open = func() {
		s.heart = zmtp.NewEcho(listeners["hb"], set)
		s.control = zmtp.NewRouter(listeners["control"], k.receive("control", k.control.queue.put), set)
		s.shell = zmtp.NewRouter(listeners["shell"], k.receive("shell", k.shells.put), set)
		s.stdin = zmtp.NewRouter(listeners["stdin"], k.receive("stdin", k.input.put), set)
		close(s.ready)
	}
	return s, nil
}

// publishTo makes p what the kernel publishes by.
func (k *kernel) publishTo(p publisher) {
	k.iopub = &iopub{pub: p, composer: k.composer, topic: "kernel." + k.ident + ".", chunk: chunkBytes, streams: map[string]*stream{}}
}

// receive makes the handler of a socket: it drops what is not signed or has a wrong shape with a line on the log, and
// hands on the rest.
func (k *kernel) receive(socket string, put func(*request)) func(string, zmtp.Message) {
	return func(peer string, m zmtp.Message) {
		r, err := parseRequest(peer, m, k.composer.sign)
		if err != nil {
			k.log.Warn("kernel: message dropped", "socket", socket, "err", err)
			return
		}
		<-k.socks.ready
		put(r)
	}
}

// close sends what is queued for at most linger and closes all sockets.
func (s *sockets) close(linger time.Duration) {
	deadline := time.Now().Add(linger)
	for _, r := range []router{s.control, s.shell, s.stdin} {
		r.Close(time.Until(deadline))
	}
	s.iopub.Close(time.Until(deadline))
	if s.heart != nil {
		s.heart.Close(0)
	}
}
