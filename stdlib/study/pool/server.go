package pool

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// startServer starts the embedded server on its file store, which an earlier one may have left.
func (p *Settings) startServer() (*server.Server, error) {
	host, port, err := p.checkListen()
	if err != nil {
		return nil, err
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	o := &server.Options{
		ServerName: "gaucho", Host: host, Port: port, JetStream: true, StoreDir: p.Store, Authorization: p.Token,
		NoSigs: true, NoLog: true, MaxPayload: maxMessage,
	}
	if p.Cert != "" {
		pair, err := tls.LoadX509KeyPair(p.Cert, p.Key)
		if err != nil {
			return nil, fmt.Errorf("pool: certificate: %w", err)
		}
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
		o.TLSTimeout = 10
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("pool: the server does not start: %w", err)
	}
	words := &complaints{}
	s.SetLogger(words, false, false)
	s.Start()
	ready := false
	for until := time.Now().Add(10 * time.Second); !ready && words.first() == nil && time.Now().Before(until); {
		ready = s.ReadyForConnections(50 * time.Millisecond)
	}
	if !ready || !s.JetStreamEnabled() {
		s.Shutdown()
		s.WaitForShutdown()
		err := words.first()
		if err == nil {
			err = errors.New("it was not ready in 10 seconds")
		}
		return nil, fmt.Errorf("pool: the server does not start on %s with the store %s: %w", p.Listen, p.Store, err)
	}
	return s, nil
}

// A hub is a connection to a server, that is embedded or not.
type hub struct {
	nc     *nats.Conn
	url    string         // that workers are given
	server *server.Server // nil if it is not embedded
}

// reach connects to the server that the settings name, or starts one.
func (p *Settings) reach() (*hub, error) {
	if p.URL != "" {
		nc, err := p.connect(p.URL)
		return &hub{nc, p.URL, nil}, err
	}
	s, err := p.startServer()
	if err != nil {
		return nil, err
	}
	h := &hub{url: joinURL(s), server: s}
	if h.nc, err = p.connect("nats://localhost", nats.InProcessServer(s)); err != nil { // whatever its certificate's names
		h.close()
		return nil, err
	}
	return h, nil
}

// connections counts those to an embedded server, with that of the hub: now, and since it began. They are 0 of another server.
func (h *hub) connections() (now, ever int) {
	if h.server == nil {
		return 0, 0
	}
	v, err := h.server.Varz(nil)
	if err != nil {
		return 0, 0
	}
	return v.Connections, int(v.TotalConnections)
}

func (h *hub) close() {
	if h.nc != nil {
		h.nc.Close()
	}
	if h.server != nil {
		h.server.Shutdown()
		h.server.WaitForShutdown()
	}
}

// joinURL is the URL by which workers reach the embedded server. One that listens on all addresses goes by the machine's
// name.
func joinURL(s *server.Server) string {
	u, err := url.Parse(s.ClientURL())
	if err != nil {
		return s.ClientURL()
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsUnspecified() {
		name, _ := os.Hostname()
		u.Host = net.JoinHostPort(cmp.Or(name, u.Hostname()), u.Port())
	}
	return u.String()
}
