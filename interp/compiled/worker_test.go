package compiled

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// slowGo is a builder whose go command is a script: it names two packages, then does the rest.
func slowGo(t *testing.T, rest string) *Builder {
	t.Helper()
	if Supported() != nil {
		t.Skip("no plugins here")
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "go")
	text := "#!/bin/sh\ncd " + dir + "\necho start >> starts\necho math/rand >&2\necho example.org/x >&2\nwhile [ \"$1\" != -o ]; do shift; done\n" + rest
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return &Builder{Tools: &Toolchain{Go: script}, dir: dir, mod: dir}
}

// waitFor waits until something is so.
func waitFor(t *testing.T, so func() bool) {
	t.Helper()
	for range 2000 {
		if so() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it does not become so")
}

// TestBuildWorkerOnce: those that wait share one build, one that gives up leaves at once, and the others get the worker.
func TestBuildWorkerOnce(t *testing.T) {
	b := slowGo(t, "while [ ! -e go-on ]; do sleep .01; done\ntouch \"$2\"\n")
	packages := 0
	got := make(chan error, 1)
	go func() {
		_, err := b.BuildWorker(context.Background(), func(n int) { packages = n })
		got <- err
	}()
	ctx, cancel := context.WithCancel(t.Context())
	waitFor(t, func() bool {
		b.worker.mu.Lock()
		defer b.worker.mu.Unlock()
		return b.worker.running != nil && b.worker.running.packages.get() == 2
	})
	time.AfterFunc(1500*time.Millisecond, cancel)
	if _, err := b.BuildWorker(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("one that gives up gets %v", err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "go-on"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := <-got; err != nil {
		t.Error(err)
	}
	if _, ok := b.WorkerFile(); !ok || packages != 2 {
		t.Errorf("there is a worker: %v, and %d packages were told", ok, packages)
	}
	if starts, _ := os.ReadFile(filepath.Join(b.dir, "starts")); string(starts) != "start\n" {
		t.Errorf("builds: %q", starts)
	}
}

// TestBuildWorkerGivenUp: what nobody waits for ends, leaves nothing behind, and is begun again by the next.
func TestBuildWorkerGivenUp(t *testing.T) {
	b := slowGo(t, "if [ -e begun ]; then touch \"$2\"; exit; fi\ntouch \"$2\" begun\nwhile true; do sleep .01; done\n")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		waitFor(t, func() bool { _, err := os.Stat(filepath.Join(b.dir, "begun")); return err == nil })
		cancel()
	}()
	if _, err := b.BuildWorker(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("it gets %v", err)
	}
	waitFor(t, func() bool {
		left, _ := filepath.Glob(filepath.Join(b.dir, "worker*"))
		return len(left) == 0
	})
	if path, err := b.BuildWorker(t.Context(), nil); err != nil {
		t.Error(err)
	} else if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// TestBuildWorkerFails: the error is what the go command complains of, without the packages that it has named, and the
// next call tries again.
func TestBuildWorkerFails(t *testing.T) {
	b := slowGo(t, "if [ -e broken ]; then touch \"$2\"; exit; fi\ntouch broken\necho 'x.go:3:1: bad thing' >&2\nexit 1\n")
	_, err := b.BuildWorker(t.Context(), nil)
	wantError(t, err, "cannot be built", "x.go:3:1: bad thing")
	if err != nil && strings.Contains(err.Error(), "math/rand") {
		t.Errorf("the error names packages: %v", err)
	}
	if _, err := b.BuildWorker(t.Context(), nil); err != nil {
		t.Error(err)
	}
}
