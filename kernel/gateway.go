//go:build !js

package kernel

import (
	"context"
	"crypto/aes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"time"
)

// A Gateway is what Jupyter Enterprise Gateway gives a kernel that it has started on another machine.
type Gateway struct {
	KernelID        string
	ResponseAddress string // host:port that waits for the connection's description
	PublicKey       string // RSA, base64 of its DER, with which the description goes there
	LowPort         int    // the kernel's sockets use ports from LowPort
	HighPort        int    // to HighPort, or any if both are 0
}

// ServeGateway is Serve for a kernel behind Jupyter Enterprise Gateway: it chooses its own ports and key, sends them to the
// gateway, and takes signals and the order to end from the gateway's connections.
func ServeGateway(ctx context.Context, g *Gateway, o *Options) error {
	key, err := g.publicKey()
	if err != nil {
		return err
	}
	orders, err := g.listen()
	if err != nil {
		return err
	}
	defer orders.Close()
	c, err := g.connection()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	log := o.Log
	if log == nil {
		log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	from, err := g.hosts(ctx)
	if err != nil {
		return err
	}
	go obey(orders, from, cancel, log)
	if err := g.announce(ctx, c, orders.Addr().(*net.TCPAddr).Port, key); err != nil {
		return err
	}
	return Serve(ctx, c, o)
}

func (g *Gateway) publicKey() (*rsa.PublicKey, error) {
	der, err := base64.StdEncoding.DecodeString(g.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("kernel: the gateway's public key is not base64: %w", err)
	}
	key, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, fmt.Errorf("kernel: the gateway's public key: %w", err)
	}
	k, ok := key.(*rsa.PublicKey)
	if !ok {
		return nil, fmt.Errorf("kernel: the gateway's public key is %T, must be RSA", key)
	}
	return k, nil
}

// connection chooses free ports and a key. Between the choice and the kernel's own listening another program could take a
// port; the kernel then ends with an error and the gateway starts another.
func (g *Gateway) connection() (*Connection, error) {
	var ports [5]int
	for i := range ports {
		l, err := g.listen()
		if err != nil {
			return nil, err
		}
		defer l.Close() // at the end, so that no port is chosen twice
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return &Connection{Transport: "tcp", IP: "0.0.0.0", ShellPort: ports[0], IOPubPort: ports[1], StdinPort: ports[2],
		ControlPort: ports[3], HBPort: ports[4], SignatureScheme: "hmac-sha256", Key: rand.Text()}, nil
}

// listen listens on a free port of those allowed: on any where all are, else on some chosen at random, then on the first
// that is free.
func (g *Gateway) listen() (net.Listener, error) {
	on := func(port int) (net.Listener, error) { return net.Listen("tcp4", ":"+strconv.Itoa(port)) }
	count := g.HighPort - g.LowPort + 1
	if g.HighPort == 0 {
		return on(0)
	}
	if g.LowPort < 1 || g.HighPort > 65535 || count < 6 {
		return nil, fmt.Errorf("kernel: ports are %d to %d, must be at least six between 1 and 65535", g.LowPort, g.HighPort)
	}
	for range 20 {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(count)))
		if err != nil {
			return nil, err
		}
		if l, err := on(g.LowPort + int(n.Int64())); err == nil {
			return l, nil
		}
	}
	for port := g.LowPort; port <= g.HighPort; port++ {
		if l, err := on(port); err == nil {
			return l, nil
		}
	}
	return nil, fmt.Errorf("kernel: no port from %d to %d is free", g.LowPort, g.HighPort)
}

// announce sends the gateway the connection's description, the port for its orders, and the process.
func (g *Gateway) announce(ctx context.Context, c *Connection, orders int, key *rsa.PublicKey) error {
	info, err := json.Marshal(struct {
		*Connection
		PID      int    `json:"pid"`
		PGID     int    `json:"pgid"`
		CommPort int    `json:"comm_port"`
		KernelID string `json:"kernel_id"`
	}{c, os.Getpid(), processGroup(), orders, g.KernelID})
	if err != nil {
		return err
	}
	sealed, err := seal(info, key)
	if err != nil {
		return fmt.Errorf("kernel: the gateway's public key: %w", err)
	}
	conn, err := (&net.Dialer{Timeout: 30 * time.Second}).DialContext(ctx, "tcp", g.ResponseAddress)
	if err != nil {
		return fmt.Errorf("kernel: the gateway does not answer: %w", err)
	}
	_, err = conn.Write(sealed)
	return errors.Join(err, conn.Close())
}

// seal encrypts text as version 1 of the gateway's launchers do: by AES in blocks of their own, under a new key that is
// encrypted by RSA (PKCS #1 v1.5), both in JSON, all in base64.
func seal(text []byte, key *rsa.PublicKey) ([]byte, error) {
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	pad := aes.BlockSize - len(text)%aes.BlockSize // PKCS #7
	for range pad {
		text = append(text, byte(pad))
	}
	for i := 0; i < len(text); i += aes.BlockSize {
		block.Encrypt(text[i:], text[i:])
	}
	sealedSecret, err := rsa.EncryptPKCS1v15(rand.Reader, key, secret) //lint:ignore SA1019 the gateway takes no other
	if err != nil {
		return nil, err
	}
	payload, err := json.Marshal(struct {
		Version int    `json:"version"`
		Key     []byte `json:"key"`
		Info    []byte `json:"conn_info"`
	}{1, sealedSecret, text})
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.AppendEncode(nil, payload), nil
}

// hosts are the addresses of the host that waits for the connection's description, which is the gateway's.
func (g *Gateway) hosts(ctx context.Context) ([]netip.Addr, error) {
	host, _, err := net.SplitHostPort(g.ResponseAddress)
	if err != nil {
		return nil, fmt.Errorf("kernel: the response address is %q, must be host:port", g.ResponseAddress)
	}
	all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, fmt.Errorf("kernel: the gateway's host: %w", err)
	}
	for i, a := range all {
		all[i] = a.Unmap()
	}
	return all, nil
}

// obey does what the gateway's connections say, one object of JSON each: {"signum": n}, where 0 asks only whether the
// kernel is there, or {"shutdown": 1}. The protocol has no key for orders, so connections from other hosts are closed, as
// are those that come from this host when the gateway is elsewhere.
func obey(orders net.Listener, from []netip.Addr, end context.CancelFunc, log *slog.Logger) {
	for {
		conn, err := orders.Accept()
		if err != nil {
			return // closed
		}
		if remote, ok := conn.RemoteAddr().(*net.TCPAddr); !ok || !slices.Contains(from, remote.AddrPort().Addr().Unmap()) {
			log.Warn("kernel: an order that is not the gateway's is refused", "from", conn.RemoteAddr())
			conn.Close()
			continue
		}
		var order struct {
			Signum   int
			Shutdown int
		}
		conn.SetDeadline(time.Now().Add(5 * time.Second))
		err = json.NewDecoder(io.LimitReader(conn, 1<<10)).Decode(&order)
		conn.Close()
		switch {
		case err != nil:
			log.Warn("kernel: the gateway sent what is no order", "err", err)
		case order.Shutdown != 0:
			end()
		case order.Signum != 0:
			if err := signalSelf(order.Signum); err != nil {
				log.Warn("kernel: a signal from the gateway", "signum", order.Signum, "err", err)
			}
		}
	}
}
