package command

import (
	"bytes"
	"encoding/json"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"gaucho/install"
)

// TestMain makes the test's program the command itself when a test (or the command, for its worker) starts it so.
func TestMain(m *testing.M) {
	_, file, _, _ := runtime.Caller(0)
	Sources = os.DirFS(filepath.Join(filepath.Dir(file), ".."))
	if os.Getenv("GAUCHO_ENGINE") == "" {
		os.Setenv("GAUCHO_ENGINE", "yaegi") // the test's program has no symbol table, and would say so
	}
	// A fence empties the environment of what it starts, which then has a command's name.
	named := len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-")
	if named || os.Getenv("GAUCHO_TEST_COMMAND") != "" {
		os.Exit(Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// gaucho runs the command in a directory, and returns what it printed and its exit status.
func gaucho(t *testing.T, dir string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	return gauchoWithInput(t, dir, "", args...)
}

func gauchoWithInput(t *testing.T, dir, input string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "GAUCHO_TEST_COMMAND=1")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// write makes a file in a directory of the test's.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// notebookFile makes a notebook of code cells; one that begins with "parameters:" has that tag.
func notebookFile(t *testing.T, dir, name string, sources ...string) {
	t.Helper()
	var cells []any
	for _, s := range sources {
		metadata := map[string]any{}
		if rest, ok := strings.CutPrefix(s, "parameters:"); ok {
			s, metadata = rest, map[string]any{"tags": []string{"parameters"}}
		}
		cells = append(cells, map[string]any{"cell_type": "code", "source": s, "metadata": metadata, "outputs": []any{}, "execution_count": nil})
	}
	data, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 4, "metadata": map[string]any{}, "cells": cells})
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, name, string(data))
}

func TestHelp(t *testing.T) {
	out, _, status := gaucho(t, ".", "help")
	for _, c := range commands() {
		if listed := strings.Contains(out, "gaucho "+c.name); listed != (c.short != "") {
			t.Errorf("help lists %s: %v", c.name, listed)
		}
		if c.short == "" { // for other programs
			continue
		}
		if text, _, status := gaucho(t, ".", "help", c.name); status != 0 || !strings.HasPrefix(text, "usage: gaucho "+c.name) {
			t.Errorf("help %s: status %d, %s", c.name, status, text)
		}
	}
	if status != 0 {
		t.Errorf("help: status %d", status)
	}
	var told map[string]any
	if out, _, status := gaucho(t, ".", "version", "--json"); status != 0 || json.Unmarshal([]byte(out), &told) != nil ||
		told["version"] != install.Version || "go"+told["go"].(string) != runtime.Version() || told["arch"] != runtime.GOARCH {
		t.Errorf("version --json: status %d, %s", status, out)
	}
	if out, _, status := gaucho(t, ".", "version", "--licences"); status != 0 || !strings.Contains(out, "github.com/traefik/yaegi v") || !strings.Contains(out, "SIL OPEN FONT LICENSE") {
		t.Errorf("version --licences: status %d, %.200s", status, out)
	}
	if out, _, status := gaucho(t, ".", "version"); status != 0 || !strings.HasPrefix(out, "gaucho "+install.Version) {
		t.Errorf("version: status %d, %s", status, out)
	}
}

// TestCommandsInDocuments: README or a page shows how each command is called that people call.
func TestCommandsInDocuments(t *testing.T) {
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, name := range append(pages, "../README.md") {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(page)
	}
	for _, c := range commands() {
		if c.short != "" && c.name != "kernel" && !strings.Contains(text.String(), "gaucho "+c.name) { // Jupyter calls kernel
			t.Errorf("no document shows gaucho %s", c.name)
		}
	}
}

func TestWrongCalls(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "text.ipynb", "no notebook")
	write(t, dir, "old.ipynb", `{"nbformat": 3, "worksheets": []}`)
	write(t, dir, "python.ipynb", `{"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"language": "python"}}, "cells": []}`)
	notebookFile(t, dir, "good.ipynb", "parameters:n := 1")
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"", 2, "Gaucho runs Go in notebooks."},
		{"nope", 2, `gaucho: there is no command "nope"`},
		{"run", 2, "a notebook or a Go file is missing"},
		{"run missing.ipynb", 1, "gaucho: missing.ipynb: "},
		{"run text.ipynb", 1, "gaucho: text.ipynb: not a notebook: line 1 is not JSON"},
		{"run old.ipynb", 1, "gaucho: old.ipynb: notebook format is 3, must be 4"},
		{"run python.ipynb", 1, `gaucho: python.ipynb: the notebook's language is "python", must be go`},
		{"run good.ipynb other.ipynb", 2, `unexpected argument "other.ipynb"`},
		{"run good.ipynb -p n", 2, `parameter is "n", must be name=value`},
		{"run -p n=;; good.ipynb", 1, `parameter n: ";;" is no Go expression`},
		{"run --timeout x good.ipynb", 2, "-timeout"},
		{"run --memory much good.ipynb", 2, "must be a size such as 512MB or 4GB"},
		{"run --engine steam good.ipynb", 1, `engine is "steam"`},
		{"run --cwd nowhere good.ipynb", 1, "--cwd is nowhere, must be a directory"},
		{"run missing.go", 1, "missing.go"},
		{"run --html a.html prog.go", 2, "the flag -html is for notebooks"},
		{"kernel", 2, "-f is missing"},
		{"kernel -f missing.json", 1, "missing.json"},
		{"kernel -f text.ipynb", 1, "text.ipynb"},
		{"install --name a/b", 1, `name is "a/b"`},
		{"uninstall --prefix here", 1, "no kernelspec is in"},
		{"worker", 2, "not by hand"},
		{"doctor x", 2, "takes no arguments"},
	} {
		_, errs, status := gaucho(t, dir, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("gaucho %s: status %d, want %d, and %q in\n%s", c.args, status, c.status, c.want, errs)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args string
		want []string
		o    string
	}{
		{"a.ipynb", []string{"a.ipynb"}, ""},
		{"a.ipynb -o b", []string{"a.ipynb"}, "b"},
		{"-o b a.ipynb", []string{"a.ipynb"}, "b"},
		{"--o=b a.go -o c -x", []string{"a.go", "-o", "c", "-x"}, "b"},
		{"-o b -- -strange.ipynb -o", []string{"-strange.ipynb", "-o"}, "b"},
		{"", nil, ""},
	} {
		fs := flag.NewFlagSet("", flag.ContinueOnError)
		o := fs.String("o", "", "")
		got, status := parse(fs, strings.Fields(c.args), func(a string) bool { return strings.HasSuffix(a, ".go") })
		if status >= 0 || !reflect.DeepEqual(got, c.want) || *o != c.o {
			t.Errorf("%q: %q, -o %q, status %d", c.args, got, *o, status)
		}
	}
}

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int64{"512MB": 512 << 20, "4GB": 4 << 30, "4g": 4 << 30, "1.5 GiB": 3 << 29, "1000": 1000, "8KB": 8192, "1T": 1 << 40} {
		if got, err := parseSize(s); err != nil || got != want {
			t.Errorf("%s: %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "GB", "-1GB", "0", "x", "1e30GB", "NaN"} {
		if got, err := parseSize(s); err == nil {
			t.Errorf("%q is %d", s, got)
		}
	}
}

func TestInstallCommand(t *testing.T) {
	dir := t.TempDir()
	// The test's program lies where go run would have put it, from where Gaucho does not let itself be installed.
	if _, errs, status := gaucho(t, dir, "install", "--prefix", "env"); status != 1 || !strings.Contains(errs, "started by go run") {
		t.Errorf("installed a program of go run: status %d, %s", status, errs)
	}
	binary := filepath.Join(dir, "gaucho.exe")
	if err := os.Link(os.Args[0], binary); err != nil {
		data, err := os.ReadFile(os.Args[0])
		if err == nil {
			err = os.WriteFile(binary, data, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	before := os.Args[0]
	defer func() { os.Args[0] = before }()
	os.Args[0] = binary
	out, errs, status := gaucho(t, dir, "install", "--prefix", "env", "--name", "go2", "--display-name", "Go too")
	if want := filepath.Join(dir, "env", "share", "jupyter", "kernels", "go2"); status != 0 || !strings.HasPrefix(out, "installed in "+want+"\n") {
		t.Fatalf("status %d, %s%s", status, out, errs)
	}
	if _, errs, status := gaucho(t, dir, "uninstall", "--prefix", "env", "--name", "go2"); status != 0 {
		t.Errorf("uninstall: status %d, %s", status, errs)
	}
}

func TestRunNotebook(t *testing.T) {
	dir := t.TempDir()
	notebookFile(t, dir, "nb.ipynb",
		"parameters:n := 3\nscale := 1.5",
		"total := 0.0\nfor i := range n {\n\ttotal += scale * float64(i)\n}\nfmt.Println(\"n is\", n)",
		"total",
	)
	out, errs, status := gaucho(t, dir, "run", "nb.ipynb")
	if status != 0 || out != "n is 3\n4.5\n" || errs != "" {
		t.Errorf("status %d, printed %q and %q", status, out, errs)
	}
	out, errs, status = gaucho(t, dir, "run", "nb.ipynb", "-p", "n=5", "-p", "scale=2", "-p", "extra=1", "-o", "done/nb.ipynb", "--html", "done/nb.html")
	if status != 0 || out != "" || !strings.Contains(errs, "declares no parameter extra") {
		t.Errorf("status %d, printed %q and %q", status, out, errs)
	}
	data, err := os.ReadFile(filepath.Join(dir, "done", "nb.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"n is 5\n"`, `"20"`, `"injected-parameters"`, `"execution_count": 4`, `"name": "gaucho"`} {
		if !bytes.Contains(data, []byte(want)) {
			t.Errorf("the executed notebook has no %s:\n%s", want, data)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "done", "nb.html"))
	if err != nil || !bytes.Contains(page, []byte("n is 5")) {
		t.Errorf("page: %v", err)
	}
}

func TestRunFailingNotebook(t *testing.T) {
	dir := t.TempDir()
	notebookFile(t, dir, "nb.ipynb", "xs := []int{1, 2, 3}", "i := 5\nxs[i]", "fmt.Println(\"after\")")
	out, errs, status := gaucho(t, dir, "run", "nb.ipynb", "-o", "out.ipynb")
	if status != 1 || out != "" || !strings.Contains(errs, "cell [2] failed") ||
		!strings.Contains(errs, "index out of range") || strings.Contains(errs, "\x1b") {
		t.Errorf("status %d, printed %q and %q", status, out, errs)
	}
	data, err := os.ReadFile(filepath.Join(dir, "out.ipynb"))
	if err != nil || !bytes.Contains(data, []byte(`"output_type": "error"`)) || bytes.Contains(data, []byte(`"after\n"`)) {
		t.Errorf("the notebook as far as it came: %v\n%s", err, data)
	}
	out, errs, status = gaucho(t, dir, "run", "--allow-errors", "nb.ipynb")
	if status != 0 || out != "after\n" || !strings.Contains(errs, "cell [2] failed") || !strings.Contains(errs, "index out of range") ||
		!strings.Contains(errs, "1 of the cells failed, and the run went on") {
		t.Errorf("--allow-errors: status %d, printed %q and %q", status, out, errs)
	}
	out, errs, status = gaucho(t, dir, "run", "--allow-errors", "-o", "all.ipynb", "nb.ipynb")
	if status != 0 || out != "" || strings.Contains(errs, "index out of range") || !strings.Contains(errs, "1 of the cells failed") {
		t.Errorf("--allow-errors -o: status %d, printed %q and %q", status, out, errs)
	}
	notebookFile(t, dir, "slow.ipynb", "kept := 1", "for {\n}")
	if _, errs, status := gaucho(t, dir, "run", "--timeout", "300ms", "slow.ipynb"); status != 1 || !strings.Contains(errs, "Timeout: the cell took longer than 300ms") {
		t.Errorf("--timeout: status %d, printed %q", status, errs)
	}
	// Nobody is there to answer: a read ends at once.
	notebookFile(t, dir, "ask.ipynb", "n, _ := fmt.Scanln(new(string))\nn")
	if out, errs, status := gauchoWithInput(t, dir, "an answer\n", "run", "ask.ipynb"); status != 0 || out != "0\n" {
		t.Errorf("a cell that asks: status %d, printed %q and %q", status, out, errs)
	}
}

func TestRunProgram(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		body, input, out, errs string
		status                 int
	}{
		{`fmt.Println("hello")`, "", "hello\n", "", 0},
		{`var n int; fmt.Scan(&n); fmt.Print(n * n)`, "12\n", "144", "", 0},
		{"fmt.Print(`bye`); os.Exit(3)", "", "bye", "", 3},
		{`var xs []int; fmt.Println(xs[len(os.Args)])`, "", "", "index out of range", 2},
		{`fmt.Println(undefined)`, "", "", "undefined: undefined", 1},
		{`x := 1; fmt.Println()`, "", "", "declared and not used: x", 1},
	} {
		imports := "import \"fmt\"\n"
		if strings.Contains(c.body, "os.") {
			imports += "import \"os\"\n"
		}
		write(t, dir, "prog.go", "package main\n\n"+imports+"\nfunc main() {\n"+c.body+"\n}\n")
		out, errs, status := gauchoWithInput(t, dir, c.input, "run", "prog.go")
		if status != c.status || out != c.out || !strings.Contains(errs, c.errs) {
			t.Errorf("%s: status %d, printed %q and %q", c.body, status, out, errs)
		}
	}
	write(t, dir, "args.go", "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() { fmt.Println(os.Args[1:]) }\n")
	if out, errs, status := gaucho(t, dir, "run", "args.go", "a", "-o", "b"); status != 0 || out != "[a -o b]\n" {
		t.Errorf("arguments: status %d, printed %q and %q", status, out, errs)
	}
	write(t, dir, "unused.go", "package main\n\nimport \"os\"\n\nfunc main() {}\n")
	if _, errs, status := gaucho(t, dir, "run", "unused.go"); status != 1 || !strings.Contains(errs, `"os" imported and not used`) {
		t.Errorf("unused import: status %d, %s", status, errs)
	}
}

// TestRunProgramBytes: what a program writes to standard output is bytes, such as a picture for a pipe, and arrives as they are.
func TestRunProgramBytes(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "picture.go", `package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
)

func main() {
	m := image.NewGray(image.Rect(0, 0, 40, 40))
	for i := range 1600 {
		m.Set(i%40, i/40, color.Gray{uint8(i * i)})
	}
	if err := png.Encode(os.Stdout, m); err != nil {
		panic(err)
	}
	fmt.Print("\xff\xfe\x00 \xe2\x82")
	os.Stdout.Write([]byte{0xac, 0x80, '\n'})
	fmt.Fprintf(os.Stdout, "%s", []byte{0xc3, 0x28})
}
`)
	m := image.NewGray(image.Rect(0, 0, 40, 40))
	for i := range 1600 {
		m.Set(i%40, i/40, color.Gray{uint8(i * i)})
	}
	var want bytes.Buffer
	if err := png.Encode(&want, m); err != nil {
		t.Fatal(err)
	}
	want.WriteString("\xff\xfe\x00 \xe2\x82\xac\x80\n\xc3\x28")
	if out, errs, status := gaucho(t, dir, "run", "picture.go"); status != 0 || out != want.String() {
		t.Errorf("status %d, %d bytes, want %d\n%q\n%s", status, len(out), want.Len(), out, errs)
	}
}

func TestDoctorCommand(t *testing.T) {
	t.Setenv("JUPYTER_DATA_DIR", t.TempDir())
	out, errs, _ := gaucho(t, ".", "doctor")
	if !strings.Contains(out, "ok       cells      a session started and ran a cell") || errs != "" {
		t.Errorf("%s%s", out, errs)
	}
}

// TestReadme runs the cell that the README shows.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(text), "```go\n")
	code, _, ok := strings.Cut(code, "```")
	if !ok {
		t.Fatal("the README shows no cell")
	}
	dir := t.TempDir()
	notebookFile(t, dir, "readme.ipynb", code)
	out, errs, status := gaucho(t, dir, "run", "readme.ipynb", "-o", "-")
	if status != 0 || !strings.Contains(out, `"image/png"`) {
		t.Errorf("status %d: %s", status, errs)
	}
}
