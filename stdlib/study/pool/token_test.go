//go:build unix

package pool

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// TestOwnToken: a token is made once, in a file that is private, and one that is not private is refused.
func TestOwnToken(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	if token, err := ownToken(false, nil); token != "" || err != nil {
		t.Fatalf("a worker without a token gets %q, %v", token, err)
	}
	said := 0
	tell := func(string, string) { said++ }
	first, err := ownToken(true, tell)
	if err != nil || len(first) < 20 {
		t.Fatalf("%q, %v", first, err)
	}
	for _, create := range []bool{true, false} {
		if token, err := ownToken(create, tell); token != first || err != nil {
			t.Errorf("the token is %q the second time, %v", token, err)
		}
	}
	if said != 1 {
		t.Errorf("said %d times, want once", said)
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "gaucho", "pool-token")
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v", st.Mode(), err)
	}
	os.Chmod(file, 0o644)
	if _, err := ownToken(true, nil); err == nil || !strings.Contains(err.Error(), "not kept private") {
		t.Errorf("a token that all can read: %v", err)
	}
}

// TestLoopbackAsks: a server on this machine lets nobody in who has no token, and its own user's workers in without a word.
func TestLoopbackAsks(t *testing.T) {
	s, p := walks(5, nil), testSettings(t)
	p.Token = ""
	res, err := serveWith(t, context.Background(), s, t.TempDir(), p, func(ctx context.Context, url string) {
		if nc, err := nats.Connect(url, nats.Timeout(5*time.Second)); err == nil {
			t.Error("somebody without a token was let in")
			nc.Close()
		}
		runWorker(t, ctx, p, url, loadStudy(s))
	})
	if err != nil || csvOf(t, res) != local(t, s) {
		t.Errorf("the pool gives other records, %v", err)
	}
}
