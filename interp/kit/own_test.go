//go:build unix

package kit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"
)

func quiet(string, ...any) {}

// ownKit is a kit of a program that carries none, made by a function.
func ownKit(root, id string, make func(ctx context.Context, dir string, say Say) error) *Kit {
	return &Kit{Dir: filepath.Join(root, id), ID: id, own: true, make: make}
}

// entries are the names in a directory.
func entries(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// TestOwnOnce: of sessions that want the same kit at once one makes it, and the others wait and say so.
func TestOwnOnce(t *testing.T) {
	root := filepath.Join(t.TempDir(), "kits")
	var made, waited atomic.Int32
	var group sync.WaitGroup
	for range 3 {
		k := ownKit(root, "own-a", func(_ context.Context, dir string, _ Say) error {
			made.Add(1)
			time.Sleep(500 * time.Millisecond)
			return os.WriteFile(filepath.Join(dir, "compile"), nil, 0o700)
		})
		group.Go(func() {
			err := k.Restore(t.Context(), func(string, ...any) { waited.Add(1) })
			if err != nil || k.Missing() {
				t.Errorf("the kit is missing: %v; error %v", k.Missing(), err)
			}
		})
	}
	group.Wait()
	if made.Load() != 1 || waited.Load() != 2 {
		t.Errorf("made %d times, and %d waited", made.Load(), waited.Load())
	}
}

// TestOwnFails: what fails or is interrupted leaves no kit behind. A failure is remembered in one line until the kit is made, an
// interrupt is none.
func TestOwnFails(t *testing.T) {
	root := filepath.Join(t.TempDir(), "kits")
	var result error
	k := ownKit(root, "own-a", func(ctx context.Context, dir string, _ Say) error {
		if err := os.WriteFile(filepath.Join(dir, "compile"), nil, 0o700); err != nil {
			return err
		}
		return errors.Join(result, ctx.Err())
	})
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := k.Restore(stopped, quiet); !errors.Is(err, context.Canceled) || k.Failure() != "" {
		t.Errorf("interrupted: error %v, failure %q", err, k.Failure())
	}
	result = errors.New("go: no network\ngo: at all")
	if err := k.Restore(t.Context(), quiet); !errors.Is(err, result) || k.Failure() != "go: no network; go: at all" {
		t.Errorf("error %v, failure %q", err, k.Failure())
	}
	if got := entries(t, root); got != "failed lock" {
		t.Errorf("failed makings leave %s", got)
	}
	if other := ownKit(root, "own-b", nil); other.Failure() != "" {
		t.Errorf("another program's kit failed by %q", other.Failure())
	}
	result = nil
	if err := k.Restore(t.Context(), quiet); err != nil || k.Failure() != "" || k.Missing() {
		t.Errorf("error %v, failure %q, missing %v", err, k.Failure(), k.Missing())
	}
}

// TestPrepare: another process makes the kit, unless there is no go command that could.
func TestPrepare(t *testing.T) {
	k := ownKit(t.TempDir(), "own-a", nil)
	done := make(chan bool)
	if err := k.Prepare([]string{"go", "version"}, func() { close(done) }); err != nil {
		t.Fatal(err)
	}
	<-done
	t.Setenv("PATH", t.TempDir())
	if err := k.Prepare([]string{os.Args[0]}, func() { t.Error("something was started") }); err == nil || !strings.Contains(err.Error(), "install Go") {
		t.Errorf("without Go: %v", err)
	}
}

// TestSameSources: a kit does not fit a program that was built from other sources, where these have not changed since.
func TestSameSources(t *testing.T) {
	built := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	sources := func(answer string, changed time.Time) fstest.MapFS {
		tree := fstest.MapFS{}
		for _, part := range parts {
			name := part
			if part != "LICENSE" && !strings.HasPrefix(part, "go.") {
				name += "/a.go"
			}
			tree[name] = &fstest.MapFile{Data: []byte("package a"), ModTime: built.Add(-time.Hour)}
		}
		tree["stdlib/a.go"] = &fstest.MapFile{Data: []byte(answer), ModTime: changed}
		return tree
	}
	before, after := built.Add(-time.Minute), built.Add(time.Minute)
	packed := sources("42", before)
	added := sources("42", before)
	added["stdlib/b.go"] = &fstest.MapFile{Data: []byte("package a"), ModTime: before}
	tested := sources("42", before)
	tested["stdlib/a_test.go"] = &fstest.MapFile{Data: []byte("package a"), ModTime: before}
	for name, c := range map[string]struct {
		checkout    fstest.MapFS
		same, known bool
	}{
		"the same":      {sources("42", before), true, true},
		"edited":        {sources("7", before), false, true},
		"edited since":  {sources("7", after), false, false},
		"a new file":    {added, false, true},
		"a test":        {tested, true, true},
		"gone meantime": {fstest.MapFS{}, false, false},
	} {
		if same, known := sameSources(packed, c.checkout, built); known != c.known || known && same != c.same {
			t.Errorf("%s: same %v, known %v", name, same, known)
		}
	}
}
