package pool

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// certificate makes a certificate for this machine that vouches for itself, and returns the files of it and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "gaucho"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// TestTLSAndToken: a server that other machines reach takes workers that know its certificate and the token, and no
// others.
func TestTLSAndToken(t *testing.T) {
	t.Parallel()
	s := walks(5, nil)
	p := testSettings(t)
	port := freePort(t)
	p.Listen, p.Token = "0.0.0.0:"+port, "open sesame"
	p.Cert, p.Key = certificate(t)
	other, _ := certificate(t)
	worker := func(change func(*Settings)) *Settings {
		w := *p
		w.URL, w.CA, w.Cert, w.Key = "nats://localhost:"+port, p.Cert, "", ""
		if change != nil {
			change(&w)
		}
		return &w
	}
	res, err := serveWith(t, context.Background(), s, t.TempDir(), p, func(ctx context.Context, _ string) {
		for what, w := range map[string]*Settings{
			"another token":       worker(func(w *Settings) { w.Token = "open rye" }),
			"no token":            worker(func(w *Settings) { w.Token = "" }),
			"no certificate":      worker(func(w *Settings) { w.CA = "" }),
			"another certificate": worker(func(w *Settings) { w.CA = other }),
		} {
			if err := Work(ctx, w, loadStudy(s)); err == nil || !strings.Contains(err.Error(), "pool: no server answers at nats://localhost") {
				t.Errorf("%s: %v", what, err)
			}
		}
		w := worker(nil)
		runWorker(t, ctx, w, w.URL, loadStudy(s))
	})
	if err != nil || csvOf(t, res) != local(t, s) {
		t.Errorf("over TLS: %v", err)
	}
}
