package pool

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/nats-io/nats.go"

	"gaucho/stdlib/internal/settings"
)

// Settings say where the queue is and how it is used. Fields that are zero have the
// values of [DefaultSettings].
type Settings struct {
	// Listen is the address of the server that Serve embeds, a port of 0 takes a free one; Store is the directory in which
	// that server keeps its queues. Serve embeds none when URL is set.
	Listen string
	Store  string
	// URL is that of a server. Anything but this machine is spoken to over TLS.
	URL string
	// Cert and Key are files with the embedded server's certificate and key; CA is one with the certificate by which a
	// client knows a server that none of the system's authorities vouches for.
	Cert, Key, CA string
	// Token is what an embedded server asks its clients for: the right to have workers run code. Without one, a server and the
	// workers on its machine use their user's own, which is kept in gaucho/pool-token in the directory of the user's settings.
	// Credentials is a file for an existing cluster.
	Token       string
	Credentials string
	// Version is that of the program. Server and workers must be of the same one, because a replication is to give the
	// same bits wherever it runs.
	Version string
	// Batch is the number of replications that a worker is given at a time; 0 takes as many as fill half a second by
	// the study's own word, at most 100.
	Batch int
	// AckWait is how long a worker may be silent before its batch is given to another.
	AckWait time.Duration
	// Workers is the number of batches that Work runs at a time.
	Workers int
	// Idle ends Work when there has been nothing to do for so long; 0 waits for ever.
	Idle time.Duration
	// Log gets what goes wrong and is mended. It may be nil.
	Log *slog.Logger
	// Ready is called with the URL of the server once workers can connect. It may be nil.
	Ready func(url string)
}

// DefaultSettings returns a server on this machine at NATS' own port, 30 seconds of patience, and one batch at a time.
func DefaultSettings() *Settings {
	return &Settings{Listen: "127.0.0.1:4222", AckWait: 30 * time.Second, Workers: 1}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *Settings) WithDefaults() *Settings { return settings.Fill(s, DefaultSettings()) }

func (p *Settings) check() error {
	switch {
	case p.AckWait < 100*time.Millisecond:
		return fmt.Errorf("pool: patience with a silent worker is %v, must be at least 100ms", p.AckWait)
	case p.Workers <= 0:
		return fmt.Errorf("pool: workers is %d, must be positive", p.Workers)
	case p.Batch < 0:
		return fmt.Errorf("pool: batch is %d, must not be negative", p.Batch)
	case p.Idle < 0:
		return fmt.Errorf("pool: idle time is %v, must not be negative", p.Idle)
	case (p.Cert == "") != (p.Key == ""):
		return errors.New("pool: a certificate needs its key, and a key its certificate")
	}
	return nil
}

func (p *Settings) log() *slog.Logger {
	if p.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return p.Log
}

// checkListen refuses an address that others can reach without being asked who they are.
func (p *Settings) checkListen() (host string, port int, err error) {
	host, text, err := net.SplitHostPort(p.Listen)
	if err == nil {
		port, err = net.LookupPort("tcp", text)
	}
	if err != nil {
		return "", 0, fmt.Errorf("pool: the address to listen on is %q, must be host:port", p.Listen)
	}
	if p.Store == "" {
		return "", 0, errors.New("pool: the directory for the server's queues is missing")
	}
	if !isLoopback(host) && (p.Cert == "" || p.Token == "") {
		return "", 0, fmt.Errorf("pool: %s can be reached from other machines, which needs a certificate with its key and a token: workers run what they are sent", p.Listen)
	}
	return host, port, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// connect opens a connection that comes back by itself after the network has failed, however long that takes. There is no
// TLS with other options, which are for a server in this process.
func (p *Settings) connect(server string, embedded ...nats.Option) (*nats.Conn, error) {
	u, err := url.Parse(server)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("pool: the server is %q, must be a URL as nats://127.0.0.1:4222", server)
	}
	log := p.log()
	opts := []nats.Option{
		nats.Name("gaucho"), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.PingInterval(5 * time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // nil when we close it
				log.Warn("the server is out of reach", "err", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("the server is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("the connection fails", "err", err) }),
	}
	if p.Token != "" {
		opts = append(opts, nats.Token(p.Token))
	}
	if p.Credentials != "" {
		if _, err := os.Stat(p.Credentials); err != nil {
			return nil, fmt.Errorf("pool: credentials: %w", err)
		}
		opts = append(opts, nats.UserCredentials(p.Credentials))
	}
	if opts = append(opts, embedded...); embedded == nil && (p.CA != "" || p.Cert != "" || !isLoopback(u.Hostname())) {
		t, err := p.clientTLS()
		if err != nil {
			return nil, err
		}
		opts = append(opts, nats.Secure(t))
	}
	nc, err := nats.Connect(server, opts...)
	if err != nil {
		return nil, fmt.Errorf("pool: no server answers at %s: %w", u.Redacted(), err)
	}
	return nc, nil
}

// clientTLS trusts the system's authorities, the one that is named, and the embedded server's own certificate.
func (p *Settings) clientTLS() (*tls.Config, error) {
	t := &tls.Config{MinVersion: tls.VersionTLS12}
	for _, file := range []string{p.CA, p.Cert} {
		if file == "" {
			continue
		}
		pem, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("pool: certificate: %w", err)
		}
		if t.RootCAs == nil {
			if t.RootCAs, err = x509.SystemCertPool(); err != nil {
				t.RootCAs = x509.NewCertPool()
			}
		}
		if !t.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("pool: %s holds no certificate", file)
		}
	}
	return t, nil
}
