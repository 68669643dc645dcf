package interp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gaucho/interp/assist"
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
