package fuzzdiff

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gaucho/internal/modpath"
	"gaucho/interp"
	"gaucho/interp/kit"
	"gaucho/interp/symbols"
	"gaucho/interp/workertest"
)

var (
	programs = flag.Int("programs", 30, "how many programs to compare")
	first    = flag.Uint64("first", 1, "the first program's seed")
	show     = flag.Uint64("show", 0, "the seed of a program to print")
	batch    = flag.Int("batch", 100, "how many programs a binary of the reference has")
	engine   = flag.String("engine", "yaegi", "what runs the programs")
)

func TestMain(m *testing.M) {
	workertest.Serve()
	flag.Parse()
	os.Exit(run(m))
}

// run runs the tests, and before them builds Gaucho for the native engine: its worker needs the symbol table, of which go
// test strips its programs.
func run(m *testing.M) int {
	if *engine != "native" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "gaucho-fuzz")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	gaucho := filepath.Join(dir, "gaucho")
	build := exec.Command("go", "build", "-o", gaucho, modpath.Path)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	kit.Module = "../../.."
	workerCommand = []string{gaucho, "worker"}
	return m.Run()
}

// workerCommand is the worker of sessions; nil for this program.
var workerCommand []string

// A sink keeps what a cell writes.
type sink struct {
	sync.Mutex
	text strings.Builder
}

func (s *sink) Stream(_, _, text string) {
	s.Lock()
	defer s.Unlock()
	s.text.WriteString(text)
}

func (s *sink) take() string {
	s.Lock()
	defer s.Unlock()
	defer s.text.Reset()
	return s.text.String()
}

func (*sink) Display(string, interp.Display) {}
func (*sink) Clear(string, bool)             {}
func (*sink) Comm(string, interp.Comm)       {}
func (*sink) Input(context.Context, string, string, bool) (string, error) {
	return "", os.ErrClosed
}

func TestShow(t *testing.T) {
	if *show != 0 {
		fmt.Println(Generate(*show).Source("main") + "\nfunc main() { Run() }")
	}
}

// TestGenerateEnds writes more programs than are compared: one that grew without end held up all that follow.
func TestGenerateEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	for seed := range uint64(1000) {
		Generate(seed)
	}
}

// TestPatterns compares programs of all patterns.
func TestPatterns(t *testing.T) {
	var list []Program
	for i := range max(1, *programs/30) {
		p := Patterns(*first + uint64(i))
		if err := Check(p, symbols.NewImporter()); err != nil {
			t.Fatal(p.Seed, err)
		}
		list = append(list, p)
	}
	ref, err := Build(t.TempDir(), list)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		want, err := ref.Run(p)
		if err != nil {
			t.Fatal(err)
		}
		want = compared(want)
		s := start(t)
		for how, run := range map[string]func(Program) (string, error){"program": s.program, "cells": s.cells} {
			if got, err := run(p); err != nil || got != want {
				t.Errorf("patterns %d as %s: %v\n%s", p.Seed, how, err, difference(got, want))
			}
		}
		s.Close()
	}
}

// TestDiff compares random programs with the Go compiler's, as whole programs and as cells of one session.
func TestDiff(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	importer := symbols.NewImporter()
	var tally struct{ wrong, right, refused, different int }
	for seed, left := *first, *programs; left > 0; {
		var list []Program
		for ; len(list) < min(left, *batch); seed++ {
			p := Generate(seed)
			if err := Check(p, importer); err != nil {
				tally.wrong++
				if *show != 0 {
					t.Log(seed, err)
				}
				continue
			}
			list = append(list, p)
		}
		left -= len(list)
		ref, err := Build(t.TempDir(), list)
		if err != nil {
			t.Fatal(err)
		}
		s := start(t)
		for _, p := range list {
			want, err := ref.Run(p)
			if err != nil || ill(want) {
				tally.wrong++ // it never ends, or cannot be compared
				continue
			}
			want = compared(want)
			cells := p.Seed%3 == 0
			var got string
			if cells {
				got, err = s.cells(p)
				if again, err2 := s.cells(p); err == nil && (err2 != nil || again != got) {
					t.Errorf("program %d, its cells run again: %v\n%s", p.Seed, err2, difference(again, got))
				}
				s.Close() // a type declared again keeps methods of earlier cells
				s = start(t)
			} else {
				got, err = s.program(p)
			}
			switch {
			case err != nil && strings.Contains(err.Error(), "the native engine runs it"):
				tally.refused++
				if *show != 0 {
					t.Log(p.Seed, err)
				}
			case err != nil || got != want:
				tally.different++
				t.Errorf("program %d (cells: %v): %v\n%s", p.Seed, cells, err, difference(got, want))
			default:
				tally.right++
			}
		}
		s.Close()
	}
	t.Logf("%d right, %d different, %d refused, %d not made well", tally.right, tally.different, tally.refused, tally.wrong)
}

// A session runs programs.
type session struct {
	*interp.Session
	out *sink
	n   int
}

func start(t *testing.T) *session {
	out := &sink{}
	s := startWith(t, *engine, workerCommand, out)
	s.out = out
	return s
}

func startWith(t *testing.T, engine string, worker []string, out interp.Sink) *session {
	s := &session{}
	var err error
	if s.Session, err = interp.Start(context.Background(), interp.Options{Engine: engine, Worker: worker, Sink: out, Dir: t.TempDir(), Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))}); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *session) execute(src string, program bool) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	s.n++
	res := s.Execute(ctx, interp.Cell{ID: "p.go", Number: s.n, Source: src, Program: program})
	out := compared(s.out.take())
	if res.Err != nil {
		return out, fmt.Errorf("%w\n%s", error(res.Err), strings.Join(res.Err.Traceback[:min(6, len(res.Err.Traceback))], "\n"))
	}
	return out, nil
}

func (s *session) program(p Program) (string, error) {
	return s.execute(p.Source("main")+"\nfunc main() { Run() }\n", true)
}

// compared is what a program printed without what no two runs have in common, and in the interpreter without what is
// known to differ.
func compared(out string) string {
	out = withoutAddresses(utf8Text(out))
	if *engine == "native" {
		return out
	}
	return known(out)
}

// utf8Text is what a program printed as a notebook can hold it: one sign stands for bytes that are no text.
func utf8Text(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	for strings.Contains(s, "\ufffd\ufffd") {
		s = strings.ReplaceAll(s, "\ufffd\ufffd", "\ufffd")
	}
	return s
}

// cells runs a program cut into cells at random places. A cell in which a selector is ambiguous, because the method that
// decides it comes further down, goes together with the next one.
func (s *session) cells(p Program) (string, error) {
	rng := rand.New(rand.NewPCG(p.Seed, 2))
	cell := p.Imports
	for i, d := range p.Decls {
		cell += "\n" + d
		if last := i == len(p.Decls)-1; last || rng.IntN(4) == 0 {
			_, err := s.execute(cell, false)
			if err != nil && !last && strings.Contains(err.Error(), "ambiguous selector") {
				continue
			}
			if err != nil {
				return "", err
			}
			cell = ""
		}
	}
	return s.execute("Run()", false)
}

// difference shows the first line that differs, with some before it.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < min(len(g), len(w)) && g[i] == w[i] {
		i++
	}
	part := func(lines []string) string {
		return strings.Join(slices.Clone(lines[min(len(lines), i):min(len(lines), i+6)]), "\n    ")
	}
	return fmt.Sprintf("  %s\n  got\n    %s\n  want\n    %s", strings.Join(g[max(0, i-3):min(i, len(g))], "\n  "), part(g), part(w))
}
