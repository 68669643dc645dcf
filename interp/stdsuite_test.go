package interp

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gaucho/interp/stdsuite"
)

var (
	wholeLibrary = flag.Bool("library", false, "run all of the standard library's examples and tests, not only a sample")
	libraryPage  = flag.String("page", "", "with -library: write what became of examples and tests to this file")
)

// TestStandardLibrary runs the Examples and the tests of the standard library as sessions of both engines. What does not
// pass must be refused by name, or known for another reason than a wrong result.
func TestStandardLibrary(t *testing.T) {
	root := stdsuite.Root()
	if root == "" {
		t.Skip("the Go distribution here has no tests of the standard library")
	}
	t.Setenv("GOROOT", filepath.Dir(root)) // which has the data of time zones
	page := &stdsuite.Page{}
	for _, engine := range []string{"native", "yaegi"} {
		t.Run(engine, func(t *testing.T) {
			t.Setenv("GAUCHO_ENGINE", engine) // the stand-ins ask for it
			for i, pkg := range sample(stdsuite.Packages, 10) {
				t.Run(pkg, func(t *testing.T) {
					if pkg == "time" { // its examples are shown in the time zone of its tests
						t.Setenv("TZ", "America/Los_Angeles")
					}
					l := &libraryRun{t: t, page: page, engine: engine, pkg: pkg, dir: filepath.Join(t.TempDir(), pkg)}
					if err := stdsuite.Prepare(l.dir, root, pkg); err != nil {
						t.Fatal(err)
					}
					l.examples(root, i)
					if *wholeLibrary || slices.Contains(sampledTests, pkg) {
						l.tests(stdsuite.ExternalTests(root, pkg))
						if engine == "native" { // the interpreter would run a whole package for a few tests
							l.tests(stdsuite.PrivateTests(l.dir, root, pkg, l.left))
						}
						l.leftOut()
						l.tests(stdsuite.InternalTests(l.dir, root, pkg))
						l.leftOut()
					}
					if *wholeLibrary {
						if err := page.Save(libraryRecords, engine, pkg); err != nil {
							t.Fatal(err)
						}
					}
				})
			}
		})
	}
	if *wholeLibrary && *libraryPage != "" {
		earlier, err := os.ReadFile(*libraryPage)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		page, err := stdsuite.Saved(libraryRecords, string(earlier))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(*libraryPage, []byte(page.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// libraryRecords has what the last whole run of each package found, so that a package that is run again changes its row of the
// page alone.
const libraryRecords = "../dist/library"

// sampledTests are packages whose tests are part of the sample.
var sampledTests = []string{"errors", "path", "container/list"}

// libraryPatience is how long a test may take, and declarePatience the cell of all tests.
const (
	libraryPatience = time.Minute
	declarePatience = 5 * time.Minute
)

// A libraryRun runs what the suite has of a package in one engine.
type libraryRun struct {
	t                *testing.T
	page             *stdsuite.Page
	engine, pkg, dir string
	left             map[string]string // why tests have not run
}

// start starts a session whose printed text the sink keeps.
func (l *libraryRun) start(sink *printedOnly) *Session {
	s, err := Start(l.t.Context(), Options{Sink: sink, Engine: l.engine, Dir: l.dir, Worker: nativeProgram(l.t)}) // go test's own program has flags of its own
	if err != nil {
		l.t.Fatal(err)
	}
	return s
}

// failed enters what did not pass.
func (l *libraryRun) failed(kind, name string, text string) {
	verdict, why := "refused", stdsuite.Refusal(text)
	if why == "" {
		verdict, why = "known", stdsuite.Known(l.engine, l.pkg, name, text)
	}
	if why == "" {
		verdict, why = "wrong", "not explained"
		l.t.Errorf("%s.%s: %s", l.pkg, name, text)
	}
	l.page.Enter(l.engine, l.pkg, kind, name, verdict, why)
}

// examples runs the package's examples, each in a session of its own; of the sample one of every fifth package.
func (l *libraryRun) examples(root string, number int) {
	examples, err := stdsuite.Examples(root, l.pkg)
	if err != nil {
		l.t.Fatal(err)
	}
	for i, e := range examples {
		if !*wholeLibrary && (i > 0 || number%5 > 0) {
			break
		}
		if text := l.example(e); text != "" {
			l.failed("example", "Example"+e.Name, text)
		} else {
			l.page.Enter(l.engine, l.pkg, "example", e.Name, "right", "")
		}
	}
}

// example runs an example and says what is wrong with what it printed.
func (l *libraryRun) example(e *stdsuite.Example) string {
	sink := &printedOnly{}
	s := l.start(sink)
	defer s.Close()
	for i, c := range e.Cells {
		if res := execute(s, i+1, c); res.Err != nil {
			return fmt.Sprintf("%s: %s\n%s", res.Err.Name, res.Err.Value, c)
		}
	}
	if got := notes.ReplaceAllString(sink.take(), ""); !e.Agrees(got) {
		return fmt.Sprintf("printed\n%s\nmust print\n%s", got, e.Output)
	}
	return ""
}

func execute(s *Session, n int, src string) Result { return executeFor(s, n, src, libraryPatience) }

// executeFor runs a cell, until it has used its patience of the processor, which other programs share, or less than a twentieth of
// it for as long, without the time in which other programs kept this one from running. The error of a cell that was stopped
// says which.
func executeFor(s *Session, n int, src string, patience time.Duration) Result {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	go func() {
		first := processorTime(s)
		last, idle := first, time.Duration(0)
		for ctx.Err() == nil {
			const look = time.Second / 4
			before := time.Now()
			time.Sleep(look)
			used := processorTime(s)
			if used-last > patience/20 { // a session that waits looks up now and then
				last, idle = used, 0
			} else if time.Since(before) < 2*look {
				idle += look
			}
			switch {
			case used-first > patience:
				cancel(errors.New(stdsuite.Busy))
			case idle > patience:
				cancel(errors.New(stdsuite.Waits))
			}
		}
	}()
	res := s.Execute(ctx, Cell{ID: fmt.Sprint("cell", n), Number: n, Source: src})
	if why := context.Cause(ctx); res.Err != nil && res.Err.Name == "Interrupt" && why != nil {
		res.Err.Value = why.Error()
	}
	return res
}

// processorTime is what a session's worker and this process have used, as Linux reports it in hundredths of a second.
func processorTime(s *Session) time.Duration {
	ticks := 0
	for _, process := range []string{"self", fmt.Sprint(s.worker.PID())} {
		text, _ := os.ReadFile("/proc/" + process + "/stat")
		_, rest, _ := strings.Cut(string(text), ") ")
		if f := strings.Fields(rest); len(f) > 12 {
			user, _ := strconv.Atoi(f[11])
			system, _ := strconv.Atoi(f[12])
			ticks += user + system
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// tests runs a package's tests in one session.
func (l *libraryRun) tests(tests *stdsuite.Tests, err error) {
	if err != nil {
		l.t.Fatal(err)
	}
	defer l.note(tests)
	if len(tests.Names) == 0 {
		return
	}
	sink := &printedOnly{}
	s := l.start(sink)
	defer func() { s.Close() }()
	if l.declare(s, tests) {
		for _, name := range tests.Names {
			if tests.LeftOut[name] != "" {
				continue
			}
			sink.take()
			res := execute(s, 3, "%test -short ^"+name+"$")
			text := sink.take()
			switch {
			case res.Err == nil && strings.Contains(text, "--- SKIP: "+name+" "):
				l.page.Enter(l.engine, l.pkg, "test", name, "skipped", "")
			case res.Err == nil:
				l.page.Enter(l.engine, l.pkg, "test", name, "right", "")
			default:
				l.failed("test", name, fmt.Sprintf("%s\n%s: %s", text, res.Err.Name, res.Err.Value))
			}
			if res.Err != nil && (res.Err.Lost || res.Err.Name == "Interrupt") {
				s.Close()
				if s = l.start(sink); !l.declare(s, tests) {
					break
				}
			}
		}
	}
}

// note keeps why tests were left out, for those that were left out before the first reason.
func (l *libraryRun) note(tests *stdsuite.Tests) {
	left := map[string]string{}
	for name, why := range tests.LeftOut {
		left[name] = cmp.Or(l.left[name], why)
	}
	l.left = left
}

// leftOut enters the tests that did not run, of which some were refused.
func (l *libraryRun) leftOut() {
	for _, name := range slices.Sorted(maps.Keys(l.left)) {
		if why := l.left[name]; strings.HasSuffix(why, "(the native engine runs it)") {
			l.failed("test", name, why)
		} else {
			l.page.Enter(l.engine, l.pkg, "test", name, "left out", why)
		}
	}
	l.left = nil
}

// declare runs the cell of all tests, again and again without what the session does not take.
func (l *libraryRun) declare(s *Session, tests *stdsuite.Tests) bool {
	for len(tests.LeftOut) < len(tests.Names) {
		res := executeFor(s, 2, tests.Cell(), declarePatience)
		if res.Err == nil {
			return true
		}
		if !dropRefused(tests, res.Err) {
			// What a private copy needs is not always to be had, and its initialization may be refused.
			if res.Err.Name != "CompileError" && !strings.Contains(res.Err.Value, "/own/") && stdsuite.Refusal(res.Err.Value) == "" && res.Err.Value != stdsuite.Busy {
				l.t.Errorf("the cell of all tests: %s: %s\n%s", res.Err.Name, res.Err.Value, strings.Join(res.Err.Traceback, "\n"))
			}
			why := res.Err.Value
			if why == stdsuite.Busy {
				why = fmt.Sprintf("not declared and initialized in %v of the processor's time", declarePatience)
			}
			tests.DropAll(why)
		}
	}
	return false
}

var errorPlace = regexp.MustCompile(`^Cell \[\d+\], line (\d+)(?:, column \d+)?: (.*)`)

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

// take returns what was printed since the last call.
func (p *printedOnly) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.out.String()
	p.out.Reset()
	return s
}
