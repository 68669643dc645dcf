package pool

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestNobodyLeft: the server says once that the workers are gone, and not before one came.
func TestNobodyLeft(t *testing.T) {
	t.Parallel()
	s, p := walks(2, nil), testSettings(t)
	p.AckWait = 200 * time.Millisecond
	var said safeText
	p.Log = slog.New(slog.NewTextHandler(&said, nil))
	_, err := serveWith(t, context.Background(), s, t.TempDir(), p, func(ctx context.Context, url string) {
		settings := *p
		settings.URL, settings.Log = url, nil
		time.Sleep(4 * p.AckWait)
		if text := said.String(); strings.Contains(text, "no worker is left") {
			t.Errorf("before any worker came: %s", text)
		}
		first, gone := context.WithCancel(ctx)
		time.AfterFunc(2*p.AckWait, gone)
		Work(first, &settings, Load(func(ctx context.Context, _, _ []byte) (Executor, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}))
		for began := time.Now(); strings.Count(said.String(), "no worker is left") != 1; time.Sleep(10 * time.Millisecond) {
			if time.Since(began) > 30*time.Second {
				t.Errorf("after the worker left: %s", said.String())
				break
			}
		}
		runWorker(t, ctx, &settings, url, loadStudy(s))
	})
	if text := said.String(); err != nil || strings.Count(text, "no worker is left") != 1 {
		t.Errorf("%v, %s", err, text)
	}
}

// A safeText is written and read by several goroutines.
type safeText struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *safeText) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(text)
}

func (s *safeText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
