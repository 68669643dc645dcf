package interp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/lower"
	"gaucho/interp/symbols"
)

// FuzzCell checks that no text brings down the front end, and that a cell that is refused leaves no trace.
func FuzzCell(f *testing.F) {
	files, _ := filepath.Glob("testdata/cells/*.txt")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, block := range strings.Split("\n"+string(text), "\n>>>")[1:] {
			_, body, _ := strings.Cut(block, "\n")
			src, _, _ := strings.Cut(body, "\n---\n")
			f.Add(src, len(src)/2)
		}
	}
	f.Add("x := func() { /* \n `", 3)
	f.Add("type T struct { T }\nvar t T\nt.", 27)
	f.Add("func (", 6)
	f.Add("%%time\n\x00", 2)
	f.Fuzz(func(t *testing.T, src string, cursor int) {
		lib := &check.Library{Importer: symbols.NewImporter()}
		s := &Session{checker: check.NewChecker(lib, lib), engine: lower.New(lib), scope: check.NewScope(), opts: Options{Log: testLog(t)}}
		s.places, s.library = map[int]cell.Place{}, lib
		lib.Modules = noModules(t, s.checker)
		names := len(s.scope.Names)
		s.prepare(1, Cell{}, cell.Read(src), nil)
		if len(s.scope.Names) != names {
			t.Error("a cell that did not run declared names")
		}
		s.Complete(src, cursor)
		s.Inspect(src, cursor, 1)
		s.IsComplete(src)
	})
}
