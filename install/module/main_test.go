package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gaucho/internal/modpath"
)

const other = "example.org/gaucho"

func TestRewrite(t *testing.T) {
	own := modpath.Path
	for _, c := range []struct{ name, text, want string }{
		{"go.mod", "module " + own + "\n\ngo 1.26\n", "module example.org/gaucho\n\ngo 1.26\n"},
		{"stdlib/gen/go.mod", "module " + own + "/stdlib/gen\n", "module example.org/gaucho/stdlib/gen\n"},
		{"lab/go.mod", "module example.org/lab\n", "module example.org/lab\n"},
		{"a.go", "package a\n\nimport \"" + own + "/stdlib/em\"\n\nconst cell = \"gaucho/stdlib/em\"\n", "package a\n\nimport \"example.org/gaucho/stdlib/em\"\n\nconst cell = \"gaucho/stdlib/em\"\n"},
		{"b.go", "package b\n\nimport (\n\t\"fmt\"\n\n\t\"cmp.org/x\"\n\tv \"" + own + "/stdlib/vec\"\n\t\"" + own + "s/x\"\n)\n",
			"package b\n\nimport (\n\t\"fmt\"\n\n\t\"cmp.org/x\"\n\tv \"example.org/gaucho/stdlib/vec\"\n\t\"" + own + "s/x\"\n)\n"},
		{"c.go", "package c\n\nimport (\n\t\"" + own + "/z\"\n\t\"f.org/x\"\n)\n", "package c\n\nimport (\n\t\"example.org/gaucho/z\"\n\t\"f.org/x\"\n)\n"},
		{"d.go", "package d\n\nvar  x = 1 // is as it was\n", "package d\n\nvar  x = 1 // is as it was\n"},
		{"x/testdata/cell.go", "import \"" + own + "/stdlib/em\"\n", "import \"" + own + "/stdlib/em\"\n"},
	} {
		if got, err := rewrite(c.name, []byte(c.text), other); err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

// TestMisuse: what cannot be done is refused before a file is written.
func TestMisuse(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, dir string
		library   bool
		want      string
	}{
		{"", "", false, "-path"}, {"no domain/x", "", false, "-path"}, {other, "", true, "-o DIR"}, {other, full, false, "is not empty"},
	} {
		if err := run(c.path, c.dir, c.library); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("run(%q, %q, %v) = %v, want %q in it", c.path, c.dir, c.library, err, c.want)
		}
	}
}

// TestLibrary: the library under another path builds, vet finds nothing, and its module requires neither an interpreter, nor a
// broker, nor sockets.
func TestLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the library anew")
	}
	dir := copyTree(t, true)
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"yaegi", "nats-io", "zmq4"} {
		if strings.Contains(string(text), m) {
			t.Errorf("the library's module requires %s:\n%s", m, text)
		}
	}
	command(t, dir, "go", "build", "-trimpath", "./...")
	command(t, dir, "go", "vet", "-trimpath", "./...")
	command(t, dir, "go", "test", "-trimpath", "./stdlib/fdr", "-run", "Example")
}

var whole = flag.Bool("whole", false, "check the whole module under another path, which takes as long as all short tests")

// TestWhole: the whole module under another path passes make quick as a change of every file.
func TestWhole(t *testing.T) {
	if !*whole {
		t.Skip("runs with -whole")
	}
	dir := copyTree(t, false)
	command(t, dir, "git", "init", "-q", "-b", "main", ".")
	commit := []string{"-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "--allow-empty", "-m", "nothing"}
	command(t, dir, "git", commit...)
	command(t, dir, "go", "build", "./...")
	command(t, dir, "make", "quick", "LIMIT=2h")
}

// copyTree returns a copy of this tree, or of the library in it, under the other path.
func copyTree(t *testing.T, library bool) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir("../..")
	if err := run(other, dir, library); err != nil {
		t.Fatal(err)
	}
	return dir
}

func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
