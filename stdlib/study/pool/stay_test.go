package pool

import (
	"context"
	"sync"
	"testing"

	"gaucho/stdlib/study"
)

// TestWorkerStays serves one study after another: the worker of the first runs the second too, whose server has a queue of its own.
func TestWorkerStays(t *testing.T) {
	t.Parallel()
	p := testSettings(t)
	studies := []*study.Study{walks(5, nil), walks(7, nil)}
	load := func(ctx context.Context, description, task []byte) (Executor, error) {
		if e, err := loadStudy(studies[0])(ctx, description, task); err == nil {
			return e, nil
		}
		return loadStudy(studies[1])(ctx, description, task)
	}
	working, end := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer end()
	for i, s := range studies {
		res, err := serveWith(t, context.Background(), s, t.TempDir(), p, func(_ context.Context, url string) {
			if i == 0 {
				wg.Go(func() { runWorker(t, working, p, url, load) })
			}
		})
		if err != nil || csvOf(t, res) != local(t, s) {
			t.Fatalf("study %d: records differ, %v", i, err)
		}
	}
}
