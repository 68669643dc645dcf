package interp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"gaucho/interp/kit"
)

// A NativeStage is what one stage of the native engine's test gave: an empty verdict if all was well, else why compiled cells do not run on
// this system. An error is about the moment of the test.
type NativeStage struct {
	Name    string // tables, pages, cells, large or many
	Took    time.Duration
	Verdict string
	Err     error
}

// A nativeTest tests the native engine on this system, each stage in a process of its own, which the system may end. The stages are from
// cheap to dear, and the first that fails is the last.
type nativeTest struct {
	opts  Options
	first string // a cell that the stages of cells run before their own; tests break the worker with it
}

// A testLength says how much is tested, and how long that may take.
type testLength struct {
	stages []string
	limit  time.Duration
}

var (
	// shortTest is what the first session waits for, a second or two.
	shortTest = testLength{[]string{"tables", "pages", "cells"}, time.Minute}
	// longTest takes minutes on a slow machine.
	longTest = testLength{[]string{"tables", "pages", "cells", "large", "many"}, 30 * time.Minute}
)

// errSlow says that a stage has not ended in time.
var errSlow = errors.New("it took too long")

// TryNative makes the long test of the native engine on this system, reports what each stage gave, and keeps the verdict for sessions of this
// program. It takes some ten seconds.
func TryNative(ctx context.Context, opts Options, tell func(NativeStage)) error {
	k, err := kit.Open(ctx, func(string, ...any) {})
	if err != nil {
		return err
	}
	_, err = testNative(ctx, k, opts, longTest, tell)
	return err
}

// testNative tests the native engine and keeps the verdict. A test that has taken too long says nothing for ever, but is not made again
// for a day.
func testNative(ctx context.Context, k *kit.Kit, opts Options, length testLength, tell func(NativeStage)) (verdict string, err error) {
	t := nativeTest{opts: opts}
	verdict, err = t.run(ctx, length, tell)
	keep := k.SetVerdict
	if errors.Is(err, errSlow) {
		verdict, keep, err = fmt.Sprintf("the test of the native engine has not ended within %v (%v); it is made again tomorrow, or now by gaucho doctor --test-native", length.limit, err), k.SetVerdictForDay, nil
	}
	if err != nil {
		return "", err
	}
	if err := keep(verdict); err != nil && opts.Log != nil {
		opts.Log.Warn("the test of the native engine is run again the next time", "err", err)
	}
	return verdict, nil
}

// run makes stages until one fails.
func (t *nativeTest) run(ctx context.Context, length testLength, tell func(NativeStage)) (verdict string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, length.limit, errSlow)
	defer cancel()
	for _, name := range length.stages {
		start := time.Now()
		var wrong string
		switch name {
		case "tables", "pages":
			wrong, err = t.probe(ctx, name)
		case "cells":
			wrong, err = t.cells(ctx, selfTestCells)
		case "large":
			wrong, err = t.cells(ctx, largeCells())
		case "many":
			wrong, err = t.cells(ctx, manyCells(500))
		}
		if cause := context.Cause(ctx); cause != nil {
			wrong, err = "", fmt.Errorf("in its stage %s: %w", name, cause)
		}
		if wrong != "" {
			wrong = fmt.Sprintf("the native engine failed its test on this system: in its stage %s %s; report this with what gaucho doctor --test-native prints. "+
				"--engine native or GAUCHO_ENGINE=native takes the engine all the same", name, wrong)
		}
		tell(NativeStage{Name: name, Took: time.Since(start), Verdict: wrong, Err: err})
		if wrong != "" || err != nil {
			return wrong, err
		}
	}
	return "", nil
}

// probe has a worker look at its symbol table, or try executable pages.
func (t *nativeTest) probe(ctx context.Context, what string) (verdict string, err error) {
	command := t.opts.Worker
	if command == nil {
		self, err := os.Executable()
		if err != nil {
			return "", err
		}
		command = []string{self, "worker"}
	}
	cmd := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], "probe", what)...)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return "", nil
	}
	if ended := new(exec.ExitError); !errors.As(err, &ended) {
		return "", err
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return fmt.Sprintf("a process ended with %v: %s", err, line), nil
}

// A testCell is a cell with what it must print, or show as its error. A cell with an interrupt is interrupted when it has printed "it runs".
type testCell struct {
	source, want string
	interrupt    bool
}

// cells runs cells in a native session of its own, in which the collector runs often and overwrites what it has freed.
func (t *nativeTest) cells(ctx context.Context, cells []testCell) (verdict string, err error) {
	said := &saying{}
	opts := Options{Engine: "native", Dir: os.TempDir(), MemoryLimit: t.opts.MemoryLimit, Log: t.opts.Log, Sink: said, Worker: t.opts.Worker,
		Env: []string{"GOGC=5", "GODEBUG=clobberfree=1"}}
	opts.Env = append(opts.Env, t.opts.Env...)
	s, err := Start(ctx, opts)
	if err != nil {
		return "", err
	}
	defer s.Close()
	said.runs = s.Interrupt
	if t.first != "" {
		s.Execute(ctx, Cell{ID: "first", Number: len(cells) + 1, Source: t.first})
	}
	for i, cell := range cells {
		said.interrupt(cell.interrupt)
		r := s.Execute(ctx, Cell{ID: "test", Number: i + 1, Source: cell.source})
		got := said.take()
		if r.Err != nil {
			got += r.Err.Name + ": " + r.Err.Value
		}
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case r.Err != nil && r.Err.Name == "BuildError":
			return "", r.Err
		case !strings.Contains(got, cell.want):
			return fmt.Sprintf("cell %d gave %q", i+1, got), nil
		}
	}
	return "", nil
}

// saying is a Sink that keeps what is printed and shown as text.
type saying struct {
	Sink
	mu    sync.Mutex
	text  strings.Builder
	runs  func() // called, if wanted, when a cell has said that it runs
	wants bool
}

func (s *saying) Stream(_, _, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.WriteString(text)
	if s.wants && strings.Contains(s.text.String(), "it runs\n") {
		s.wants = false
		go s.runs()
	}
}

func (s *saying) Display(_ string, d Display) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(&s.text, d.Data["text/plain"])
}

// interrupt says whether the next cell is interrupted.
func (s *saying) interrupt(it bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wants = it
}

// take returns what was said since the last time.
func (s *saying) take() (text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text = s.text.String()
	s.text.Reset()
	return text
}

func (*saying) Clear(string, bool) {}
func (*saying) Comm(string, Comm)  {}
func (*saying) Input(context.Context, string, string, bool) (string, error) {
	return "", errors.New("nobody is there to ask")
}
