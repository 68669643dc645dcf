package compiled

import (
	"os"
	"path/filepath"
	"testing"
)

// TestReady: a worker that was noted is found while its file is there.
func TestReady(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	file, err := readyFile()
	if err != nil {
		t.Fatal(err)
	}
	b := &Builder{dir: filepath.Join(filepath.Dir(file), "x")}
	if err := os.MkdirAll(b.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := b.MarkReady(); err == nil {
		t.Error("a worker that is not there is noted")
	}
	worker, _ := b.WorkerFile()
	if err := os.WriteFile(worker, nil, 0o777); err != nil {
		t.Fatal(err)
	}
	if got := ReadyWorker(); got != "" {
		t.Errorf("before it is noted there is %q", got)
	}
	if err := b.MarkReady(); err != nil {
		t.Fatal(err)
	}
	if got := ReadyWorker(); got != worker {
		t.Errorf("there is %q, want %q", got, worker)
	}
	os.Remove(worker)
	if got := ReadyWorker(); got != "" {
		t.Errorf("of a worker that is gone there is %q", got)
	}
}
