package docs

import (
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

func TestAddFile(t *testing.T) {
	src := "// Package p is one.\npackage p\n\n// T is a type.\ntype T struct {\n\tX int // of T\n\t// Y has a comment above.\n\tY, y int\n}\n\n" +
		"// M is a method.\nfunc (t *T) M() {}\n\n// Group.\nconst (\n\tA = 1\n\tB = 2 // second\n)\n"
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	d := Docs{}
	d.AddFile(f)
	for key, want := range map[string]string{
		"": "Package p is one.", "T": "T is a type.", "T.X": "of T", "T.Y": "Y has a comment above.", "T.y": "",
		"T.M": "M is a method.", "A": "Group.", "B": "second",
	} {
		if d[key] != want {
			t.Errorf("%q: %q, want %q", key, d[key], want)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go":       "// Package p is one.\npackage p\n\n// F is a function.\nfunc F() {}\n",
		"b_plan9.go": "package p\n\n// G is for another system.\nfunc G() {}\n",
		"a_test.go":  "package p_test\n\nfunc ExampleF_twice() {\n\tp.F()\n\tp.F()\n\t// Output: x\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := build.Default
	c.GOOS, c.GOARCH = "linux", "amd64"
	d, err := Read(dir, &c)
	if err != nil {
		t.Fatal(err)
	}
	if d.Doc("F", "") != "F is a function." || d.Doc("G", "") != "" {
		t.Errorf("documentation: %v", d)
	}
	if list := d.Examples("F", ""); len(list) != 1 || list[0] != (Example{"twice", "p.F()\np.F()\n// Output:\n// x"}) {
		t.Errorf("examples: %q", list)
	}
	if _, err := Read(t.TempDir(), &c); err == nil {
		t.Error("an empty folder is read")
	}
}
