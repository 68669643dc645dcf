package interp

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gaucho/interp/compiled"
)

var everything = flag.Bool("compiled", false, "run all of testdata in the compiled engine, not only a sample")

// startCompiled starts a session of the compiled engine; without a toolchain and a C compiler there is none to test.
func startCompiled(t testing.TB, r Sink) *Session {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil || compiled.Supported() != nil {
		t.Skip("Go's plugins need a C compiler, and a platform that has them")
	}
	compiled.Sources = os.DirFS("..")
	s := newSessionFor(t, compiledPatience, Options{Sink: r, Engine: "compiled", Dir: t.TempDir()})
	buildCompiledWorker(t, s)
	if err := s.nativeWorker(context.Background(), Cell{ID: "build"}); err != nil {
		t.Fatal(err)
	}
	return s
}

// compiledPatience is how long a test may have a session that builds a worker, which takes minutes on a busy machine.
const compiledPatience = 15 * time.Minute

// buildPatience is how long a build may go on without another package compiled.
const buildPatience = 4 * time.Minute

// buildCompiledWorker builds the worker for compiled cells, and fails with what it waited for when that comes to a stop.
func buildCompiledWorker(t testing.TB, s *Session) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	built := 0
	var processes []byte
	stuck := time.AfterFunc(buildPatience, func() {
		processes, _ = exec.Command("ps", "-eo", "pid,ppid,stat,wchan:24,etime,time,args").Output()
		cancel()
	})
	_, err := s.builder.BuildWorker(ctx, func(packages int) {
		if packages > built {
			built = packages
			stuck.Reset(buildPatience)
		}
	})
	if !stuck.Stop() {
		t.Fatalf("go build of the worker came to a stop after %d packages: none in %v (%v)\n%s", built, buildPatience, err, processes)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestCompiledCells runs transcripts of testdata/cells in the compiled engine, which must show what yaegi shows.
func TestCompiledCells(t *testing.T) {
	runCompiled(t, "testdata/cells/*.txt", "results", func(got, want string) bool { return agrees(got, want) })
}

// TestCompiled runs transcripts of what is the compiled engine's own.
func TestCompiled(t *testing.T) {
	runCompiled(t, "testdata/compiled/*.txt", "", agrees)
}

// TestCompiledInterrupt: a loop ends, what it assigned stays, and so do functions of any shape that do not return.
func TestCompiledInterrupt(t *testing.T) {
	r := &transcript{}
	s := startCompiled(t, r)
	runCell(s, r, 1, "n := 0")
	for i, src := range []string{
		"for { n++ }",
		"func spin(x int) int { for x > 0 { x ^= 1; x++ }; return x }\nspin(1)",
		"func a(n int) { if n > 0 { b(n) } }\nfunc b(n int) { for range 10 { a(n - 1) } }\na(1 << 40)",
		"<-make(chan int)",
		"defer func() { recover() }()\nselect {}",
	} {
		if got := interrupted(t, s, r, i+2, src); !strings.Contains(got, "! Interrupt") {
			t.Errorf("%s\ngave %s", src, got)
		}
	}
	if got := runCell(s, r, 9, "n > 1000"); got != "= true\n" {
		t.Errorf("after the interrupts n > 1000 gave %s", got)
	}
}

// interrupted runs a cell and interrupts it once it runs.
func interrupted(t *testing.T, s *Session, r *transcript, n int, src string) string {
	t.Helper()
	id, ended := fmt.Sprint("cell", n), make(chan bool)
	defer close(ended)
	go func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
			r.mu.Lock()
			runs := strings.Contains(r.of(id).String(), "it runs")
			r.mu.Unlock()
			if runs {
				s.Interrupt()
			}
		}
	}()
	return runCell(s, r, n, "fmt.Println(\"it runs\")\n"+src)
}

// TestCompiledAgain: the same text is built once, also where its cell has another number.
func TestCompiledAgain(t *testing.T) {
	r := &transcript{}
	s := startCompiled(t, r)
	runCell(s, r, 1, "x := 1")
	unit := func(id int, src string) string {
		s.front.Lock()
		defer s.front.Unlock()
		prog, problems := s.compile(id, src)
		if problems != nil {
			t.Fatal(problems)
		}
		defer s.abandon(prog, 0)
		return prog.steps[0].unit.Package
	}
	if a, b := unit(101, "x += 2\nx"), unit(102, "x += 2\nx"); a != b {
		t.Errorf("the same cell is made twice: %s and %s", a, b)
	}
	if a, b := unit(103, "x += 2"), unit(104, "x += 3"); a == b {
		t.Errorf("two cells are one: %s", a)
	}
}

// TestCompiledEveryday runs snippets of testdata/everyday in the compiled engine.
func TestCompiledEveryday(t *testing.T) {
	runCompiled(t, "testdata/everyday/*.txt", "objects", func(got, want string) bool {
		return strings.TrimRight(notes.ReplaceAllString(got, ""), "\n") == strings.TrimRight(want, "\n")
	})
}

// runCompiled runs the files of a pattern, or the sample if there is one, each in a session of its own.
func runCompiled(t *testing.T, pattern, sample string, agree func(got, want string) bool) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if sample != "" && name != sample && !*everything || name == "refused" { // the compiled engine refuses nothing of these
			continue
		}
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := &transcript{}
			s := startCompiled(t, r)
			for i, sn := range snippets(string(text)) {
				if got := runCell(s, r, i+1, sn.src); !agree(got, sn.want) {
					t.Errorf("snippet %d%s\n%s\n--- got\n%s\n--- want\n%s", i+1, sn.title, sn.src, got, sn.want)
				}
			}
		})
	}
}

// TestCompiledGivenWorker: the engine needs its own worker, and says so where another is given.
func TestCompiledGivenWorker(t *testing.T) {
	_, err := Start(context.Background(), Options{Sink: &transcript{}, Engine: "compiled", Worker: []string{"gaucho", "worker"}})
	if err == nil || !strings.Contains(err.Error(), "Options.Worker") {
		t.Errorf("the error is %v", err)
	}
}

// TestCompiledModules: cells that import modules show what they show in the interpreter, also what the interpreter refuses,
// and modules are completed and documented once a cell has imported them.
func TestCompiledModules(t *testing.T) {
	startCompiled(t, &transcript{}).Close() // the worker is built
	r := &transcript{}
	s := inLab(t, "compiled", r)
	text, err := os.ReadFile("testdata/modules/cells.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, sn := range snippets(string(text))[:2] {
		if got := runCell(s, r, i+1, sn.src); !agrees(got, sn.want) {
			t.Errorf("cell %d%s\n%s\n--- got\n%s\n--- want\n%s", i+1, sn.title, sn.src, got, sn.want)
		}
	}
	lookAtModules(t, s)
	checkCells(t, s, r, []cellCheck{
		{"import \"example.org/trouble/asm\"\nasm.Add(1, 2)", []string{"= 3"}},
		{"import \"example.org/trouble/c\"\nc.One()", []string{"= 1"}},
		{"import \"example.org/trouble/broken\"", []string{"package example.org/trouble/broken cannot be had", "broken.go:3:"}},
		{"import \"example.org/trouble/prog\"", []string{"is a program, not an importable package"}},
		{"import \"example.org/nowhere\"", []string{"example.org/nowhere cannot be had", "cannot be fetched without a network"}},
		{"sq.Hello()", []string{"= \"I am Ann\""}},
	})
}
