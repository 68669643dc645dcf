package interp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"gaucho/interp/workertest"
)

// The test binary is its own worker. Under the race detector the worker is a program that was built without it, for cells
// race where their authors let them.
func TestMain(m *testing.M) {
	workertest.Serve()
	if len(os.Args) > 1 && os.Args[1] == "kit" {
		makeKit()
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "busy" {
		beBusy()
		return
	}
	status := 0
	if raceDetector {
		status = withPlainWorker(m)
	} else {
		status = m.Run()
	}
	for _, dir := range removeAtEnd {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

// removeAtEnd are directories that tests share.
var removeAtEnd []string

func withPlainWorker(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gaucho-worker")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "gaucho")
	if err := buildProgram(program); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	workerCommand = []string{program, "worker"}
	return m.Run()
}

// A transcript is a Sink that writes down what cells send.
type transcript struct {
	mu    sync.Mutex
	text  map[string]*strings.Builder
	input []string
}

func (r *transcript) of(cell string) *strings.Builder {
	if r.text == nil {
		r.text = map[string]*strings.Builder{}
	}
	if r.text[cell] == nil {
		r.text[cell] = &strings.Builder{}
	}
	return r.text[cell]
}

func (r *transcript) Stream(cell, name, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of(cell).WriteString(text)
}

func (r *transcript) Display(cell string, d Display) {
	r.mu.Lock()
	defer r.mu.Unlock()
	verb := "display"
	if d.Update {
		verb = "update"
	}
	fmt.Fprintf(r.of(cell), "<%s %s>\n", verb, plainText(d.Data))
}

func (r *transcript) Clear(cell string, wait bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(r.of(cell), "<clear %v>\n", wait)
}

func (r *transcript) Comm(cell string, c Comm) {}

func (r *transcript) Input(_ context.Context, cell, prompt string, password bool) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of(cell).WriteString(prompt)
	if len(r.input) == 0 {
		return "", fmt.Errorf("nobody answers")
	}
	line := r.input[0]
	r.input = r.input[1:]
	return line, nil
}

func plainText(data map[string]any) string {
	switch t := data["text/plain"].(type) {
	case string:
		return t
	case json.RawMessage:
		return string(t)
	}
	return fmt.Sprint(data)
}

var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

// runCell runs a cell and returns all that a user would see of it.
func runCell(s *Session, r *transcript, n int, src string) string {
	id := fmt.Sprint("cell", n)
	res := s.Execute(context.Background(), Cell{ID: id, Number: n, Source: src, Stdin: true})
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.of(id).String()
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	if res.Display != nil {
		out += "= " + plainText(res.Display.Data) + "\n"
	}
	if res.Err != nil {
		out += "! " + res.Err.Name + ": " + res.Err.Value + "\n"
		for _, l := range res.Err.Traceback {
			out += "| " + ansi.ReplaceAllString(l, "") + "\n"
		}
	}
	return out
}

// TestCells runs the sessions of testdata/cells. A file is one session: cells after lines ">>>", each with what a user
// must see after a line "---": printed text, "= " and the value, "! " and the error with its traceback after "| ". A
// last line "..." stands for any further lines. What follows a line "--- yaegi" is what that engine's users see: it knows
// the statement of the top level and the functions that a panic came through, but not the lines in these.
func TestCells(t *testing.T) { runCells(t, "testdata/cells/*.txt") }

func runCells(t *testing.T, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := &transcript{}
			s := newSession(t, Options{Engine: "yaegi", Sink: r, Dir: t.TempDir()})
			runSnippets(t, s, r, snippets(string(text)), func(got, want string) bool {
				if _, yaegi, ok := strings.Cut(want, "\n--- yaegi\n"); ok {
					want = yaegi
				}
				return agrees(got, want)
			})
		})
	}
}

func agrees(got, want string) bool {
	want, _, _ = strings.Cut(want, "\n--- yaegi\n")
	if head, ok := strings.CutSuffix(strings.TrimRight(want, "\n"), "..."); ok {
		return strings.HasPrefix(got, head)
	}
	return strings.TrimRight(got, "\n") == strings.TrimRight(want, "\n")
}

// TestDeadlockPlace: a deadlock is at the statement that waits, also where a library's function does.
func TestDeadlockPlace(t *testing.T) {
	r := &transcript{}
	s := newSession(t, Options{Sink: r, Engine: "yaegi"})
	for i, src := range []string{"x := 1\nselect {}", "mu := sync.Mutex{}\nmu.Lock(); \nmu.Lock()"} {
		got := runCell(s, r, i+1, src)
		want := fmt.Sprintf("| Cell [%d], line %d\n", i+1, 1+strings.Count(src, "\n"))
		if !strings.Contains(got, "deadlock!") || !strings.Contains(got, want) {
			t.Errorf("%s\ngave %s, must name %s", src, got, want)
		}
	}
}
