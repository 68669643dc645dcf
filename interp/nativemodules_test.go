package interp

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestNativeModuleKinds: what packages of modules need of the native engine beyond what cells need. What the cells show is what Go
// programs with the same statements print.
// The second session takes the packages that the first one compiled, and their types.
func TestNativeModuleKinds(t *testing.T) {
	t.Run("compiled", checkModuleKinds)
	t.Run("kept", checkModuleKinds)
}

func checkModuleKinds(t *testing.T) {
	r := &transcript{}
	s := inLab(t, "native", r)
	checkCells(t, s, r, []cellCheck{
		// An import is an effect, also of a package that nothing mentions, and once.
		{"import _ \"example.org/trouble/driver\"", nil},
		{"import \"example.org/trouble/driver/registry\"\nregistry.Names", []string{"= []string{\"driver\"}"}},
		{"import _ \"example.org/trouble/driver\"\nlen(registry.Names)", []string{"= 1"}},
		// Build tags are Go's own.
		{"import \"example.org/trouble/variants\"\nvariants.Chosen()", []string{"= \"full\""}},
		// Assembly that calls functions of the program, and functions pulled by their names.
		{"import \"example.org/trouble/syscalls\"\nsyscalls.Pid() == os.Getpid()", []string{"= true"}},
		{"syscalls.Len(map[string]int{\"a\": 1, \"b\": 2})", []string{"= 2"}},
		// Functions that everybody inlines.
		{"import \"example.org/trouble/generic\"\ngeneric.Sort([]string{\"b\", \"a\", \"c\"})", []string{"{\"a\", \"b\", \"c\"}"}},
		{"import \"crypto/hkdf\"\nkey, err := hkdf.Key(sha256.New, []byte(\"k\"), nil, \"i\", 4)\nfmt.Print(key)", []string{"[193 40 242 150]"}},
		{"func derive[H hash.Hash](h func() H) []byte { return must(hkdf.Key(h, []byte(\"k\"), nil, \"i\", 4)) }", nil},
		{"derive(sha256.New)[0]", []string{"= 193"}},
		{"prk, err := generic.Extract(sha256.New, []byte(\"k\"))\nlen(prk)", []string{"= 32"}},
		// Interfaces with methods that are not exported.
		{"import \"example.org/trouble/kinds\"\nkinds.Offset()", []string{"= 8"}},
		{"kinds.Open().Trace(\"abc\")", []string{"= 3"}},
		{"type X struct{ ast.Expr }\nvar e ast.Expr = X{ast.NewIdent(\"a\")}\ne.(X).Expr.(*ast.Ident).Name", []string{"= \"a\""}},
		{"var rt reflect.Type = struct{ reflect.Type }{reflect.TypeOf(1)}\nrt.Name()", []string{"= \"int\""}},
		{"import \"C\"", []string{"import \"C\" is cgo, which cells cannot use"}},
		// Methods of the standard library's interfaces as functions, in two packages.
		{"import \"example.org/trouble/methods\"\naddr := &net.TCPAddr{Port: 5}\nmethods.Ways[\"string\"](addr) + methods.Ways[\"network\"](addr)", []string{"= \":5tcp\""}},
		{"methods.Read(io.NopCloser(strings.NewReader(\"abc\")), make([]byte, 2))", []string{"= 2"}},
		{"import \"example.org/trouble/methods/again\"\nagain.Name(addr)", []string{"= \":5\""}},
		// A package clause after //line.
		{"import \"example.org/trouble/parser\"\nparser.Parse()", []string{"= \"3\""}},
	})
}

// TestNativeModuleEdited: a session compiles a package anew whose source, or that of a package it imports, another session saw otherwise.
func TestNativeModuleEdited(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module edited\n\ngo 1.26\n")
	write("outer/outer.go", "package outer\n\nimport \"edited/inner\"\n\nfunc Get() any { return inner.Get() }\n\nvar Last = inner.Get()\n")
	for _, c := range []struct{ inner, want string }{
		{"func Get() int { return 1 }", "= 1\n1\n"},
		{"func Get() int { return 2 }", "= 2\n2\n"},
		{"func Get() string { return \"three\" }", "= \"three\"\n\"three\"\n"},
		{"func Get() int { return 1 }", "= 1\n1\n"},
	} {
		write("inner/inner.go", "package inner\n\n"+c.inner+"\n")
		r := &transcript{}
		s := startIn(t, "native", dir, r)
		if got := runCell(s, r, 1, "import \"edited/outer\"\nouter.Get(), outer.Last"); got != c.want {
			t.Errorf("after %s the cell shows %s, want %s", c.inner, got, c.want)
		}
	}
}

// TestNativeProgramImports: an import of a program is an effect as well.
func TestNativeProgramImports(t *testing.T) {
	r := &transcript{}
	s := inLab(t, "native", r)
	source := `package main

import (
	"fmt"

	_ "example.org/trouble/driver"
	"example.org/trouble/driver/registry"
)

func main() { fmt.Println(registry.Names) }
`
	if res := s.Execute(t.Context(), Cell{ID: "p", Source: source, Program: true}); res.Err != nil {
		t.Fatal(res.Err.Value)
	}
	if got := r.of("p").String(); got != "[driver]\n" {
		t.Errorf("the program printed %q", got)
	}
}
