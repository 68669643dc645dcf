package worker

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"gaucho/interp/supervisor"
	"gaucho/interp/wire"
)

// The test binary is its own worker.
func TestMain(m *testing.M) {
	if file := os.Getenv("GAUCHO_TEST_ENDS"); file != "" {
		f, _ := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		f.WriteString(".")
		os.Exit(5)
	}
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		ready = answerComms
		os.Exit(Main(os.Args[2:], echoTask))
	}
	if os.Getenv("GAUCHO_TEST_KERNEL") != "" {
		helperKernel()
	}
	os.Exit(m.Run())
}

// echoTask answers a task with itself.
func echoTask(task []byte, news func([]byte)) { news(append([]byte("asked to "), task...)) }

// A task reaches each worker, and its news come back.
func TestTask(t *testing.T) {
	said := make(chan string, 2)
	s := start(t, func(o *supervisor.Options) {
		o.Task, o.News = []byte("wait"), func(news []byte) { said <- string(news) }
	})
	for range 2 {
		select {
		case got := <-said:
			if got != "asked to wait" {
				t.Errorf("the news are %q", got)
			}
		case <-time.After(time.Minute):
			t.Fatal("no news after a minute")
		}
		if err := s.p.Restart(); err != nil {
			t.Fatal(err)
		}
	}
}

// helperKernel runs a kernel of its own, for a test that kills it.
var helperKernel = func() {}

// An event is one call of a sink.
type event struct {
	Cell int
	Kind string // stdout, stderr, display, clear, comm
	Text string
}

// recorder is a sink that keeps what it gets.
type recorder struct {
	mu     sync.Mutex
	events []event
	input  func(prompt string) (string, error)
	slow   time.Duration // each call of Stream takes that long
}

func (r *recorder) add(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

func (r *recorder) Stream(cell int, name, text string) {
	time.Sleep(r.slow)
	r.add(event{cell, name, text})
}
func (r *recorder) Display(cell int, d *wire.Display) {
	r.add(event{cell, "display", d.Data.Text("text/plain")})
}
func (r *recorder) Clear(cell int, wait bool) { r.add(event{cell, "clear", fmt.Sprint(wait)}) }
func (r *recorder) Comm(c *wire.Comm)         { r.add(event{c.Cell, "comm", c.Type}) }
func (r *recorder) Input(ctx context.Context, cell int, prompt string, password bool) (string, error) {
	if r.input == nil {
		return "", io.EOF
	}
	return r.input(prompt)
}

// text returns all that a stream of a cell got.
func (r *recorder) text(cell int, name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, e := range r.events {
		if e.Cell == cell && e.Kind == name {
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

// kinds lists the events of a cell in order, pieces of one stream that follow each other as one.
func (r *recorder) kinds(cell int) (list []event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.events {
		if e.Cell != cell {
			continue
		}
		if n := len(list); n > 0 && list[n-1].Kind == e.Kind && e.Kind[:3] == "std" {
			list[n-1].Text += e.Text
			continue
		}
		list = append(list, e)
	}
	return list
}

// await waits until the stream has the text.
func (r *recorder) await(t *testing.T, cell int, name, text string) {
	t.Helper()
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(2 * time.Millisecond) {
		if strings.Contains(r.text(cell, name), text) {
			return
		}
	}
	t.Fatalf("%s of cell %d is %q, without %q", name, cell, r.text(cell, name), text)
}

// A session runs lowered text cell by cell.
type session struct {
	t    testing.TB
	p    *supervisor.Process
	sink *recorder
	n    int
}

func start(t testing.TB, change ...func(*supervisor.Options)) *session {
	t.Helper()
	s := &session{t: t, sink: &recorder{}}
	o := supervisor.Options{Sink: s.sink}
	for _, f := range change {
		f(&o)
	}
	p, err := supervisor.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	s.p = p
	return s
}

const imports = `import fmt "fmt"; import os "os"; import time "time"; import sync "sync"; import syscall "syscall"`

// cell returns a run of lowered text: declarations, and the statements of its entry.
func (s *session) cell(decls, body string) *wire.Run {
	s.n++
	entry := fmt.Sprintf("c_%d_0", s.n)
	text := "package main\n"
	if s.n == 1 {
		text += imports + "\n"
	}
	text += fmt.Sprintf("//line c%d/_.go:1\n%s\nfunc %s() {\n//line c%d/_.go:100\n%s\n}\n", s.n, decls, entry, s.n, body)
	return &wire.Run{Cell: s.n, Number: s.n, Worker: s.p.Generation(), Units: []wire.Unit{{
		Imports: []string{"fmt", "os", "time", "sync", "syscall"},
		Text:    text, Entry: entry, Show: strings.Contains(body, "rt.Result(")}}}
}

func (s *session) run(decls, body string) *wire.Done {
	s.t.Helper()
	d, err := s.p.Run(context.Background(), s.cell(decls, body), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

// ok runs a cell that must not fail, and returns what it showed.
func (s *session) ok(decls, body string) string {
	s.t.Helper()
	d := s.run(decls, body)
	if d.Error != nil {
		s.t.Fatalf("cell %d: %+v %s", s.n, d.Error, s.sink.text(s.n, "stderr"))
	}
	return d.Result.Text("text/plain")
}

func TestRun(t *testing.T) {
	s := start(t)
	s.ok("var v_x int", "v_x = 41")
	if got := s.ok("", "v_x++; rt.Result(v_x)"); got != "42" {
		t.Errorf("v_x is %s, want 42", got)
	}
}
