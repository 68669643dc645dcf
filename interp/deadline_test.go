package interp

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gaucho/internal/modpath"
)

// testPatience is how long a test may have a session. The slowest needs a tenth of it on a quiet machine.
const testPatience = 5 * time.Minute

// newSession starts a session that ends with the test. When that takes too long, it fails with what it waited for: the
// cells that run, and the goroutines of the worker and of the session.
func newSession(t testing.TB, o Options) *Session {
	t.Helper()
	return newSessionFor(t, testPatience, o)
}

func newSessionFor(t testing.TB, patience time.Duration, o Options) *Session {
	t.Helper()
	log := &lockedBuffer{}
	o.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s, err := Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	said := make(chan struct{})
	end := time.AfterFunc(time.Hour, func() { panic("a test waits for something other than its session") })
	end.Stop()
	late := time.AfterFunc(patience, func() {
		defer close(said)
		t.Errorf("the test has not ended after %v\n%s", patience, s.waitsFor(log))
		s.Close() // what waits for a cell goes on
		end.Reset(10 * time.Second)
	})
	t.Cleanup(func() {
		if !late.Stop() {
			<-said
		}
		end.Stop()
		s.Close()
		if t.Failed() {
			t.Logf("the session's log:\n%s", log)
		}
	})
	return s
}

// buildPatience is how long the build of a worker may take.
const buildPatience = 8 * time.Minute

// buildProgram builds Gaucho, and says what runs when that takes too long.
func buildProgram(file string) error {
	ctx, cancel := context.WithTimeout(context.Background(), buildPatience)
	defer cancel()
	build := exec.CommandContext(ctx, "go", "build", "-o", file, modpath.Path)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.WaitDelay = 2 * time.Second
	var processes []byte
	build.Cancel = func() error {
		processes, _ = exec.Command("ps", "-eo", "pid,ppid,stat,wchan:24,etime,time,args").Output()
		return build.Process.Kill()
	}
	out, err := build.CombinedOutput()
	if ctx.Err() != nil {
		return fmt.Errorf("go build of the worker has not ended after %v\n%s\n%s", buildPatience, out, processes)
	}
	if err != nil {
		return fmt.Errorf("go build of the worker: %v\n%s", err, out)
	}
	return nil
}

// waitsFor says what runs, and ends the worker to hear what its goroutines do.
func (s *Session) waitsFor(log *lockedBuffer) string {
	var b strings.Builder
	s.runs.mu.Lock()
	ids := []int{s.runs.turn}
	for id := range s.runs.concurrent {
		ids = append(ids, id)
	}
	s.runs.mu.Unlock()
	if s.front.TryLock() {
		for _, id := range ids {
			fmt.Fprintf(&b, "--- cell %d, which runs (0 is none)\n%s\n", id, strings.Join(s.front.places[id].Lines, "\n"))
		}
		s.front.Unlock()
	}
	fmt.Fprintf(&b, "--- the session\n%s\n--- the worker\n", stacks())
	pid := s.worker.PID()
	if p, err := os.FindProcess(pid); err == nil {
		p.Signal(syscall.SIGQUIT)
	}
	for start := time.Now(); s.worker.PID() == pid && time.Since(start) < 10*time.Second; {
		time.Sleep(10 * time.Millisecond)
	}
	b.WriteString(strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(log.String()))
	return b.String()
}

func stacks() []byte {
	b := make([]byte, 1<<20)
	return b[:runtime.Stack(b, true)]
}

// A lockedBuffer may be written and read at the same time.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestDeadline: a test that waits says for what, with the worker's goroutines.
func TestDeadline(t *testing.T) {
	said := &recordedFailure{TB: t}
	s := newSessionFor(said, 2*time.Second, Options{Sink: &transcript{}})
	res := s.Execute(context.Background(), Cell{ID: "c", Number: 1, Source: "never := make(chan int, 1)\ngo func() { time.Sleep(time.Hour) }()\n<-never"})
	if res.Err == nil || !res.Err.Lost {
		t.Errorf("the cell ended with %+v", res.Err)
	}
	said.ended()
	text := said.text.String()
	for _, want := range []string{"has not ended after 2s", "<-never", "interp.(*Session).Execute", "worker.(*server).serve", "run.Recv"} {
		if !strings.Contains(text, want) {
			t.Errorf("the failure does not say %q:\n%s", want, text)
		}
	}
}

// A recordedFailure is a test that writes down how it fails.
type recordedFailure struct {
	testing.TB
	text lockedBuffer
	ends []func()
}

func (r *recordedFailure) Errorf(format string, args ...any) { fmt.Fprintf(&r.text, format, args...) }
func (r *recordedFailure) Cleanup(f func())                  { r.ends = append(r.ends, f) }
func (r *recordedFailure) Helper()                           {}
func (r *recordedFailure) ended() {
	for _, f := range r.ends {
		f()
	}
}

// busy has processes eat the processors until the test ends.
func busy(t testing.TB, processes int) {
	t.Helper()
	for range processes {
		p, err := startBusy()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p)
	}
}

// startBusy starts one, and returns what ends it.
func startBusy() (end func(), err error) {
	in, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	p, err := os.StartProcess(os.Args[0], []string{os.Args[0], "busy"}, &os.ProcAttr{Files: []*os.File{in, nil, nil}})
	if err != nil {
		out.Close()
		return nil, err
	}
	return func() {
		out.Close()
		p.Kill()
		p.Wait()
	}, nil
}

// beBusy is what such a process does: it ends with the test that started it, or after five minutes.
func beBusy() {
	go func() {
		os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}()
	for start := time.Now(); time.Since(start) < 5*time.Minute; {
	}
}
