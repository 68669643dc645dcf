package interp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gaucho/interp/kit"
)

// nativeWorker is a program whose symbols the loader can read: go test strips those of its own.
var nativeWorker = sync.OnceValues(func() ([]string, error) {
	dir, err := os.MkdirTemp("", "gaucho-native")
	if err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "gaucho")
	if err := buildProgram(program); err != nil {
		return nil, err
	}
	removeAtEnd = append(removeAtEnd, dir)
	return []string{program, "worker"}, nil
})

// nativeProgram is the command of a worker of the native engine.
func nativeProgram(t testing.TB) []string {
	t.Helper()
	if raceDetector {
		t.Skip("cells are not compiled for the race detector")
	}
	kit.Module = ".."
	program, err := nativeWorker()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// startNative starts a session of the native engine.
func startNative(t testing.TB, r Sink) *Session {
	t.Helper()
	return newSessionFor(t, nativePatience, Options{Sink: r, Engine: "native", Dir: t.TempDir(), Worker: nativeProgram(t)})
}

// nativePatience is how long a test may have a session for which a program or a kit is built, which takes minutes on a busy
// machine.
const nativePatience = 15 * time.Minute

// TestNativeCells runs the transcripts of testdata/cells in the native engine, which must show what yaegi shows.
func TestNativeCells(t *testing.T) {
	runNative(t, "testdata/cells/*.txt", agrees)
}

// TestNative runs transcripts of what is the native engine's own.
func TestNative(t *testing.T) {
	runNative(t, "testdata/native/*.txt", agrees)
}

// TestNativeForeignSettings: what the user has set for other builds changes nothing for cells.
func TestNativeForeignSettings(t *testing.T) {
	nativeProgram(t)
	for name, value := range map[string]string{"GOOS": "plan9", "GOARCH": "wasm", "GOAMD64": "v4", "GOARM64": "v9.5", "GOEXPERIMENT": "nogreenteagc"} {
		t.Setenv(name, value)
	}
	r := &transcript{}
	if got := runCell(startNative(t, r), r, 1, "func f() int { return 3 }\nf()"); got != "= 3\n" {
		t.Errorf("the cell shows %s", got)
	}
}

// TestNativeInterrupt: a loop ends, what it assigned stays, and so do functions of any shape that do not return.
func TestNativeInterrupt(t *testing.T) {
	r := &transcript{}
	s := startNative(t, r)
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
	number := 10                               // each has its own, for interrupted waits for what the cell prints
	for src, place := range map[string]string{ // after a line that interrupted puts first
		"for {}":      "line 2",
		"for { n++ }": "line 2",
		"y := 1\nfor i := range 1 << 60 {\n\ty += i\n}":     "line 3",
		"y := 1\nfor i := 0; i < 1<<60; i++ {\n\ty += i\n}": "line 3",
		"y := 1\nselect {}":                        "line 3",
		"c := make(chan int)\nfor range c {\n}":    "line 3",
		"mu := sync.Mutex{}\nmu.Lock()\nmu.Lock()": "line 4",
		"func spin2() {\n\tfor {\n\t}\n}\nspin2()": "line 3, in spin2",
	} {
		number++
		got := interrupted(t, s, r, number, src)
		if !strings.Contains(got, fmt.Sprintf("| Cell [%d], %s\n", number, place)) {
			t.Errorf("%s\nwas interrupted, as it says, at\n%s, must be %s", src, got, place)
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

// TestNativeAgain: the same text is built once, also where its cell has another number.
func TestNativeAgain(t *testing.T) {
	r := &transcript{}
	s := startNative(t, r)
	runCell(s, r, 1, "x := 1")
	unit := func(id int, src string) string {
		prog, problems := s.front.compileText(id, src)
		if problems != nil {
			t.Fatal(problems)
		}
		s.front.Lock()
		defer s.front.Unlock()
		defer s.front.abandon(prog, 0)
		return prog.steps[0].unit.Package
	}
	if a, b := unit(101, "x += 2\nx"), unit(102, "x += 2\nx"); a != b {
		t.Errorf("the same cell is made twice: %s and %s", a, b)
	}
	if a, b := unit(103, "x += 2"), unit(104, "x += 3"); a == b {
		t.Errorf("two cells are one: %s", a)
	}
}

// TestNativeEveryday runs the snippets of testdata/everyday in the native engine.
func TestNativeEveryday(t *testing.T) {
	runNative(t, "testdata/everyday/*.txt", func(got, want string) bool {
		return printed(got) == strings.TrimRight(want, "\n")
	})
}

// runNative runs the files of a pattern, each in a session of its own.
func runNative(t *testing.T, pattern string, agree func(got, want string) bool) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range sample(files, 3) {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if name == "refused" { // the native engine refuses nothing of these
			continue
		}
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := &transcript{}
			s := startNative(t, r)
			runSnippets(t, s, r, snippets(string(text)), agree)
		})
	}
}

// TestNativeModules: cells that import modules show what they show in the interpreter, also what the interpreter refuses,
// and modules are completed and documented once a cell has imported them.
func TestNativeModules(t *testing.T) {
	r := &transcript{}
	s := inLab(t, "native", r)
	text, err := os.ReadFile("testdata/modules/cells.txt")
	if err != nil {
		t.Fatal(err)
	}
	runSnippets(t, s, r, snippets(string(text))[:2], agrees)
	lookAtModules(t, s)
	checkCells(t, s, r, []cellCheck{
		{"import \"example.org/trouble/asm\"\nasm.Add(1, 2)", []string{"= 3"}},
		{"asm.Second(&asm.Pair{1, 7})", []string{"= 7"}},
		{"asm.Calls()", []string{"LoadError", "example.org/trouble/asm.Calls"}},
		{"asm.Lost()", []string{"LoadError", "example.org/trouble/asm.Lost"}},
		{"import \"example.org/trouble/c\"\nc.One()", []string{"package example.org/trouble/c uses cgo"}},
		{"import \"example.org/trouble/broken\"", []string{"package example.org/trouble/broken does not compile", "broken.go:3:"}},
		{"import \"example.org/trouble/prog\"", []string{"is a program, not an importable package"}},
		{"import \"example.org/nowhere\"", []string{"example.org/nowhere cannot be had", "cannot be fetched without a network"}},
		{"sq.Hello()", []string{"= \"I am Ann\""}},
	})
}
