package worker

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gaucho/interp/rt/run"
	"gaucho/interp/rt/value"
	"gaucho/interp/wire"
)

// A diversion takes the output of a cell.
type diversion struct {
	cell int
	to   io.Writer
}

// test runs test functions, benchmarks and examples as go test -v does, of subtests those that match, and says which failed.
func (w *server) test(r *wire.Run, values []any) *wire.Error {
	cell, tests := r.Cell, r.Tests
	var failed []string
	var mu sync.Mutex
	fail := func(name string) {
		mu.Lock()
		defer mu.Unlock()
		if !slices.Contains(failed, name) {
			failed = append(failed, name)
		}
	}
	say := func(end run.Ending) string {
		e := w.failure(end)
		return e.Value + "\n" + strings.TrimSuffix(strings.Join(w.places(e), ""), "\n")
	}
	run.EndingText.Store(&say)
	var list []testing.InternalTest
	var bench []testing.InternalBenchmark
	examples := 0
	for i, t := range tests {
		switch f := values[i].(type) {
		case func(*testing.T):
			f = run.GuardT(f)
			list = append(list, testing.InternalTest{Name: t.Name, F: func(tt *testing.T) {
				tt.Cleanup(func() {
					if tt.Failed() {
						fail(t.Name)
					}
				})
				f(tt)
			}})
		case func(*testing.B):
			f = run.GuardB(f)
			bench = append(bench, testing.InternalBenchmark{Name: t.Name, F: func(b *testing.B) {
				b.ReportAllocs()
				b.Cleanup(func() {
					if b.Failed() {
						fail(t.Name)
					}
				})
				f(b)
			}})
		case func():
			examples++
		}
	}
	status := w.runTesting(r, list, bench)
	for i, t := range tests {
		if f, ok := values[i].(func()); ok && !t.Compiles && !w.example(cell, t, f) {
			fail(t.Name)
			status = 1
		}
	}
	if status == 0 {
		fmt.Fprintln(run.Stdout, "PASS")
		return nil
	}
	fmt.Fprintln(run.Stdout, "FAIL")
	return &wire.Error{Name: "TestFailure", Value: fmt.Sprintf("%d of %d failed: %s", len(failed), len(list)+len(bench)+examples, strings.Join(failed, ", "))}
}

// runTesting runs tests and benchmarks by package testing, whose own output joins that of the cell in order.
func (w *server) runTesting(r *wire.Run, list []testing.InternalTest, bench []testing.InternalBenchmark) int {
	if len(list)+len(bench) == 0 {
		return 0
	}
	to := &testWriter{w: w, cell: r.Cell}
	file, end, err := collect(to)
	if err != nil {
		fmt.Fprintln(run.Stderr, err)
		return 1
	}
	stdout := os.Stdout
	os.Stdout = file
	w.divert.Store(&diversion{r.Cell, file})
	defer func() {
		w.divert.Store(nil)
		os.Stdout = stdout
		end()
		to.close()
	}()
	parseFlags()
	defer setFlag("test.benchtime", "1s")
	for _, f := range [][2]string{
		{"test.v", "true"}, {"test.run", r.Match}, {"test.bench", cmp.Or(r.Match, ".")}, {"test.benchtime", "300ms"}, {"test.timeout", "0"},
		{"test.short", strconv.FormatBool(r.Short)},
	} {
		if err := setFlag(f[0], f[1]); err != nil {
			fmt.Fprintln(run.Stderr, err)
			return 1
		}
	}
	return testing.MainStart(testDeps{}, list, bench, nil, nil).Run()
}

// hostFlags are the flags of the packages that the worker links, package testing's among them.
var hostFlags = flag.CommandLine

// newCommandLine gives cells a set of flags of their own, with none of hostFlags.
func newCommandLine() {
	testing.Init() // the first time, flag.CommandLine is hostFlags
	flag.CommandLine = flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	flag.CommandLine.Usage = func() { flag.Usage() }
}

// parseFlags marks the flags as read; package testing reads the command line otherwise, which is the worker's.
func parseFlags() {
	if !flag.Parsed() {
		flag.CommandLine.Parse(nil)
	}
}

func setFlag(name, value string) error { return hostFlags.Set(name, value) }

// A testWriter passes on what package testing prints, line by line: without the word PASS or FAIL at the end, after which
// examples may come, and without places in the interpreter, where a place in the cell should be.
type testWriter struct {
	w    *server
	cell int
	rest []byte // the last lines, not passed on yet
}

var hostPlace = regexp.MustCompile(`^(\s+)(value|unwind|run|makefunc|testguard)\.go:\d+: `)

func (d *testWriter) Write(p []byte) (int, error) {
	d.rest = append(d.rest, p...)
	for {
		line, more, whole := bytes.Cut(d.rest, []byte("\n"))
		if !whole || len(more) == 0 && (string(line) == "PASS" || string(line) == "FAIL") {
			return len(p), nil
		}
		d.w.out.write(d.cell, wire.Stdout, append(hostPlace.ReplaceAll(line, []byte("$1")), '\n'))
		d.rest = more
	}
}

// close passes on what is left.
func (d *testWriter) close() {
	if s := strings.TrimSpace(string(d.rest)); s != "" && s != "PASS" && s != "FAIL" {
		d.w.out.write(d.cell, wire.Stdout, d.rest)
	}
}

// example runs an example and compares what it prints with what its comment says.
func (w *server) example(cell int, t wire.Test, f func()) bool {
	fmt.Fprintf(run.Stdout, "=== RUN   %s\n", t.Name)
	var buf bytes.Buffer
	var mu sync.Mutex
	began := time.Now()
	w.divert.Store(&diversion{cell, writerFunc(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return buf.Write(p)
	})})
	var panicked any
	func() {
		returned := false
		defer func() {
			w.divert.Store(nil)
			if !returned {
				panicked = recover()
			}
		}()
		f()
		returned = true
	}()
	took := time.Since(began).Seconds()
	if run.Ctx().Err() != nil {
		panic(panicked)
	}
	mu.Lock()
	got := strings.TrimSpace(buf.String())
	mu.Unlock()
	want := strings.TrimSpace(t.Output)
	ok := got == want
	if t.Unordered {
		ok = sortedLines(got) == sortedLines(want)
	}
	if panicked != nil {
		_, text := value.Describe(panicked)
		fmt.Fprintf(run.Stdout, "--- FAIL: %s (%.2fs)\npanic: %s\n", t.Name, took, text)
		return false
	}
	if !ok {
		fmt.Fprintf(run.Stdout, "--- FAIL: %s (%.2fs)\ngot:\n%s\nwant:\n%s\n", t.Name, took, got, want)
		return false
	}
	fmt.Fprintf(run.Stdout, "--- PASS: %s (%.2fs)\n", t.Name, took)
	return true
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func sortedLines(s string) string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// testDeps is what package testing asks of the program that go test makes: names match when they are given, and there are
// no profiles, no coverage and no fuzzing.
type testDeps struct{}

var errNoDeps = errors.New("not in a notebook")

type corpusEntry = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

func (testDeps) ImportPath() string                          { return "" }
func (testDeps) ModulePath() string                          { return "" }
func (testDeps) MatchString(pat, str string) (bool, error)   { return regexp.MatchString(pat, str) }
func (testDeps) SetPanicOnExit0(bool)                        {}
func (testDeps) StartCPUProfile(io.Writer) error             { return errNoDeps }
func (testDeps) StopCPUProfile()                             {}
func (testDeps) StartTestLog(io.Writer)                      {}
func (testDeps) StopTestLog() error                          { return nil }
func (testDeps) WriteProfileTo(string, io.Writer, int) error { return errNoDeps }
func (testDeps) CoordinateFuzzing(time.Duration, int64, time.Duration, int64, int, []corpusEntry, []reflect.Type, string, string) error {
	return errNoDeps
}
func (testDeps) RunFuzzWorker(func(corpusEntry) error) error              { return errNoDeps }
func (testDeps) ReadCorpus(string, []reflect.Type) ([]corpusEntry, error) { return nil, errNoDeps }
func (testDeps) CheckCorpus([]any, []reflect.Type) error                  { return nil }
func (testDeps) ResetCoverage()                                           {}
func (testDeps) SnapshotCoverage()                                        {}
func (testDeps) InitRuntimeCoverage() (mode string, tearDown func(string, string) (string, error), snapcov func() float64) {
	return
}
