package compiled

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// A workerBuild is the build of a session's worker, for which several goroutines may wait.
type workerBuild struct {
	mu      sync.Mutex
	running *running // nil while nothing is built
}

// running is a build under way.
type running struct {
	waiting  int // those that wait for it; the last to leave ends it
	cancel   context.CancelFunc
	packages *packageCount
	done     chan struct{}
	err      error // once done
}

// BuildWorker builds the worker unless it is there. It may be called by several goroutines: all wait for one build, which
// ends when nobody waits any more. What failed is tried again when it is called again. Meanwhile it tells now and then how many
// packages have been compiled; tell may be nil.
func (b *Builder) BuildWorker(ctx context.Context, tell func(packages int)) (string, error) {
	path, ok := b.WorkerFile()
	if ok {
		return path, nil
	}
	w := &b.worker
	w.mu.Lock()
	r := w.running
	if r == nil {
		r = &running{packages: &packageCount{}, done: make(chan struct{})}
		var building context.Context
		building, r.cancel = context.WithCancel(context.Background())
		w.running = r
		go func() {
			err := b.buildWorker(building, path, r.packages)
			w.mu.Lock()
			defer w.mu.Unlock()
			r.err = err
			if w.running == r {
				w.running = nil
			}
			r.cancel()
			close(r.done)
		}()
	}
	r.waiting++
	w.mu.Unlock()
	return path, w.wait(ctx, r, tell)
}

// wait waits for a build, or until the one who waits gives up.
func (w *workerBuild) wait(ctx context.Context, r *running, tell func(packages int)) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	told := 0
	for {
		select {
		case <-r.done:
			return r.err
		case <-tick.C:
			if n := r.packages.get(); tell != nil && n > told {
				told = n
				tell(n)
			}
		case <-ctx.Done():
			w.mu.Lock()
			defer w.mu.Unlock()
			if r.waiting--; r.waiting == 0 {
				r.cancel()
				if w.running == r {
					w.running = nil
				}
			}
			return ctx.Err()
		}
	}
}

// forget has the next call build a worker, whatever was built before.
func (w *workerBuild) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = nil
}

func (b *Builder) buildWorker(ctx context.Context, path string, packages *packageCount) error {
	tmp := fmt.Sprintf("%s.%d", path, os.Getpid())
	defer os.Remove(tmp)
	_, err := b.Tools.runTold(ctx, packages, b.mod, b.Tools.Go, "build", "-v", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", tmp, workerPackage)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("the worker for compiled cells cannot be built: %w", diskError(complaints(err)))
	}
	return os.Rename(tmp, path)
}

// complaints is what go build -v complains of, without the names of packages.
func complaints(err error) error {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		if strings.ContainsAny(strings.TrimSpace(line), " \t:") {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	if len(lines) == 0 {
		return err
	}
	return errors.New(strings.Join(lines, "\n"))
}

// packageCount counts the packages that go build -v names, one in a line, as it compiles them.
type packageCount struct {
	mu sync.Mutex
	n  int
}

func (c *packageCount) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += bytes.Count(p, []byte("\n"))
	return len(p), nil
}

func (c *packageCount) get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
