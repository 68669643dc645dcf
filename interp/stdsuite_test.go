package interp

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gaucho/interp/stdsuite"
)

var (
	wholeLibrary = flag.Bool("library", false, "run all of the standard library's examples and tests, not only a sample")
	libraryPage  = flag.String("page", "", "write what became of the standard library's examples and tests to this file")
	onePackage   = flag.String("package", "", "run the examples and tests of this package of the standard library only")
)

// libraryRoot is the standard library's source.
func libraryRoot(t *testing.T) string {
	root := stdsuite.Root()
	if root == "" {
		t.Skip("the Go distribution here has no tests of the standard library")
	}
	return root
}

// printedOnly is a Sink that keeps what cells print on standard output.
type printedOnly struct {
	transcript
	mu  sync.Mutex
	out strings.Builder
}

func (p *printedOnly) Stream(cell, name, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if name == "stdout" {
		p.out.WriteString(text)
	}
}

func (p *printedOnly) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.out.String()
	p.out.Reset()
	return s
}

func TestStandardLibraryExamples(t *testing.T) {
	root := libraryRoot(t)
	for _, engine := range []string{"native", "yaegi"} {
		t.Run(engine, func(t *testing.T) {
			for _, pkg := range stdsuite.Packages {
				if *onePackage != "" && pkg != *onePackage {
					continue
				}
				t.Run(pkg, func(t *testing.T) {
					dir := prepare(t, root, pkg)
					examples, err := stdsuite.Examples(root, pkg)
					if err != nil {
						t.Fatal(err)
					}
					for i, e := range examples {
						if !*wholeLibrary && i%50 != 0 {
							continue
						}
						out := runExample(t, engine, dir, e)
						if out != "" {
							t.Errorf("%s.Example%s: %s", pkg, e.Name, out)
						}
					}
				})
			}
		})
	}
}

// prepare makes a directory for the sessions of a package.
func prepare(t *testing.T, root, pkg string) string {
	// Package time's examples are shown in the time zone of its tests, whose data come with Go.
	t.Setenv("GOROOT", filepath.Dir(root))
	if pkg == "time" {
		t.Setenv("TZ", "America/Los_Angeles")
	}
	dir := filepath.Join(t.TempDir(), pkg)
	if err := stdsuite.Prepare(dir, root, pkg); err != nil {
		t.Fatal(err)
	}
	return dir
}

// startLibrary starts a session in a directory that prepare made.
func startLibrary(t *testing.T, engine, dir string, sink Sink) *Session {
	t.Setenv("GAUCHO_ENGINE", engine) // the stand-ins ask for it
	o := Options{Sink: sink, Engine: engine, Dir: dir, Worker: nativeProgram(t)} // go test's own program has flags of its own
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// runExample runs an example in a session of its own and says what is wrong with what it printed.
func runExample(t *testing.T, engine, dir string, e *stdsuite.Example) string {
	sink := &printedOnly{}
	s := startLibrary(t, engine, dir, sink)
	defer s.Close()
	for i, c := range e.Cells {
		res := s.Execute(context.Background(), Cell{ID: fmt.Sprint("cell", i+1), Number: i + 1, Source: c})
		if res.Err != nil {
			return fmt.Sprintf("%s: %s\n%s", res.Err.Name, res.Err.Value, c)
		}
	}
	got := notes.ReplaceAllString(sink.take(), "")
	if !e.Agrees(got) {
		return fmt.Sprintf("printed\n%s\nmust print\n%s", got, e.Output)
	}
	return ""
}

func TestStandardLibraryTests(t *testing.T) {
	root := libraryRoot(t)
	for _, engine := range []string{"native", "yaegi"} {
		t.Run(engine, func(t *testing.T) {
			for _, pkg := range stdsuite.Packages {
				if *onePackage != "" && pkg != *onePackage {
					continue
				}
				t.Run(pkg, func(t *testing.T) {
					tests, err := stdsuite.ExternalTests(root, pkg)
					if err != nil {
						t.Fatal(err)
					}
					runTests(t, engine, prepare(t, root, pkg), tests)
				})
			}
		})
	}
}

var errorPlace = regexp.MustCompile(`^Cell \[\d+\], line (\d+)(?:, column \d+)?: (.*)`)

// runTests runs a package's tests in one session.
func runTests(t *testing.T, engine, dir string, tests *stdsuite.Tests) {
	sink := &printedOnly{}
	s := startLibrary(t, engine, dir, sink)
	defer func() { s.Close() }()
	declare := func() bool {
		const short = "testing.Init()\nif err := flag.Set(\"test.short\", \"true\"); err != nil { panic(err) }"
		if res := s.Execute(context.Background(), Cell{ID: "cell0", Number: 1, Source: short}); res.Err != nil {
			t.Error(res.Err)
			return false
		}
		for len(tests.LeftOut) < len(tests.Names) {
			res := s.Execute(context.Background(), Cell{ID: "cell1", Number: 1, Source: tests.Cell()})
			if res.Err == nil {
				return true
			}
			if !dropRefused(tests, res.Err) {
				t.Errorf("the cell of all tests: %s: %s\n%s", res.Err.Name, res.Err.Value, strings.Join(res.Err.Traceback, "\n"))
				return false
			}
		}
		return false
	}
	if !declare() {
		return
	}
	passed, skipped := 0, 0
	for _, name := range tests.Names {
		if tests.LeftOut[name] != "" {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), libraryPatience)
		sink.take()
		res := s.Execute(ctx, Cell{ID: "cell2", Number: 2, Source: "%test ^" + name + "$"})
		cancel()
		out := sink.take()
		switch {
		case res.Err == nil && strings.Contains(out, "--- SKIP: "+name+" "):
			skipped++
		case res.Err == nil:
			passed++
		default:
			t.Errorf("%s: %s: %s\n%s", name, res.Err.Name, res.Err.Value, out)
		}
		if res.Err != nil && res.Err.Lost && !declare() {
			return
		}
	}
	t.Logf("%s: %d passed, %d skipped of %d", tests.Package, passed, skipped, len(tests.Names))
	for _, name := range tests.Names {
		if why := tests.LeftOut[name]; why != "" {
			t.Logf("%s: %s", name, why)
		}
	}
}

const libraryPatience = time.Minute

// dropRefused takes the declarations out of the cell that an error is about.
func dropRefused(tests *stdsuite.Tests, e *Error) bool {
	dropped := false
	if e.Name != "CompileError" {
		return false
	}
	for _, l := range e.Traceback {
		if m := errorPlace.FindStringSubmatch(ansi.ReplaceAllString(l, "")); m != nil {
			line, _ := strconv.Atoi(m[1])
			dropped = tests.Drop(line, m[2]) || dropped
		}
	}
	return dropped
}
