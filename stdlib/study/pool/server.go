package pool

import (
	"crypto/tls"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
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
