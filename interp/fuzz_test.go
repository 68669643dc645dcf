package interp

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"gaucho/interp/assist"
	"gaucho/interp/cell"
	"gaucho/interp/lower"
)

// FuzzCell checks that no text brings down the front end, and that a cell that is refused leaves no trace.
func FuzzCell(f *testing.F) {
	files, _ := filepath.Glob("testdata/cells/*.txt")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, sn := range sample(snippets(string(text)), 4) {
			f.Add(sn.src, len(sn.src)/2)
		}
	}
	f.Add("x := func() { /* \n `", 3)
	f.Add("type T struct { T }\nvar t T\nt.", 27)
	f.Add("func (", 6)
	f.Add("%%time\n\x00", 2)
	f.Fuzz(func(t *testing.T, src string, cursor int) {
		f := newFront(t)
		names := len(f.scope.Names)
		f.compileText(1, src)
		if len(f.scope.Names) != names {
			t.Error("a cell that did not run declared names")
		}
		v := f.view()
		v.Complete(src, cursor)
		v.Inspect(src, cursor, 1)
		assist.IsComplete(src)
	})
}

// newFront is the front of a session of the interpreter, without a worker and without modules.
func newFront(t *testing.T) *front {
	t.Setenv("GOMODCACHE", t.TempDir())
	f := &front{kind: lower.Yaegi{}}
	f.open(&Options{Log: testLog(t), Dir: t.TempDir()})
	f.renew(0, nil)
	return f
}

// compileText compiles the text of a cell.
func (f *front) compileText(id int, src string) (*program, []cell.Problem) {
	parsed, problems := cell.Read(src).Parse(f.fset, id, cell.Options{})
	if problems != nil {
		return nil, problems
	}
	return f.compile(parsed, Cell{}, nil)
}

// testLog fails the test when the front end reports a mistake of its own.
func testLog(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(failWriter{t}, &slog.HandlerOptions{Level: slog.LevelError}))
}

type failWriter struct{ t *testing.T }

func (w failWriter) Write(p []byte) (int, error) {
	w.t.Errorf("%s", p)
	return len(p), nil
}
