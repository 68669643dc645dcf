package interp

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// laterVersion makes a notebook's folder in which a module that the worker is linked with has a later version, of the same
// source, without a network.
func laterVersion(t *testing.T, module string) (folder, now, later string) {
	t.Helper()
	own, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(regexp.QuoteMeta(module) + ` (v\d+\.\d+\.)(\d+)`).FindStringSubmatch(string(own))
	if found == nil {
		t.Fatal("Gaucho does not require", module)
	}
	now, later = found[1]+found[2], found[1]+"1"+found[2]
	src, err := exec.Command("go", "list", "-C", "..", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "later"), os.DirFS(strings.TrimSpace(string(src)))); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("module lab\n\ngo 1.26\n\nreplace %s %s => ./later\n", module, later)
	if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return folder, now, later
}

// TestCompiledGet: %get of another version of a module that the worker is linked with changes nothing and says so; with -f
// a worker runs that is built with that version, in which the session can be declared again.
func TestCompiledGet(t *testing.T) {
	startCompiled(t, &transcript{}).Close() // the worker is built
	t.Setenv("GOPROXY", "off")
	const module = "golang.org/x/term"
	folder, now, later := laterVersion(t, module)
	r := &transcript{}
	s := startIn(t, "compiled", folder, r)
	const version = "info, _ := debug.ReadBuildInfo()\nfor _, d := range info.Deps {\n\tif d.Path == \"" + module + "\" {\n\t\tfmt.Println(d.Version)\n\t}\n}"
	checkCells(t, s, r, []cellCheck{
		{"x := 20\nfunc f() int { return x + 1 }", nil},
		{version, []string{now + "\n"}},
		{"%get " + module + "@" + later, []string{"! ModuleError", "linked with: " + module + " from " + now + " to " + later, "%get -f " + module + "@" + later + " starts a new worker"}},
		{"f()", []string{"= 21"}},
		{"%get -f " + module + "@" + later, []string{"Added: " + module, later, "A new worker runs; all variables are gone. %replay"}},
		{"f()", []string{"undefined: f"}},
		{"%replay", []string{"Declared again: f\n", "Brought back as last saved: x\n"}},
		{"f()", []string{"= 21"}},
		{version, []string{later + "\n"}},
	})
}
