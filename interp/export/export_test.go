package export

import (
	"go/build/constraint"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestExport(t *testing.T) {
	out, err := Notebook(t.Context(), "", []Cell{
		{Source: "# Title", Text: true},
		{Source: "// order of bytes\norder := binary.LittleEndian // as here\nconst n = 3"},
		{Source: "x := y", Fails: true},
		{Source: "panic(\"meant\")", Fails: true},
		{Source: "%who"},
		{Source: "binary.Write?"},
		{Source: "%figure 1in 2in scale=3"},
		{Source: "%%prof\nfmt.Println(n)"},
		{Source: "text := plotting.Literal(n)"},
		{Source: "%%timeit\nfmt.Sprint(order.Uint16([]byte{1, n}))"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"// # Title\n", "var order = binary.LittleEndian", "// order of bytes\n\torder = binary.LittleEndian // as here\n",
		"const n = 3", "// x := y\n", "mayFail(cell3)", "// %who\n", "// binary.Write?\n", "plotting.SetSize(72, 144)", "plotting.SetResolution(3)", "render.Literal(n)", "// %%prof\n\tfmt.Println(n)\n", "testing.Benchmark(", "fmt.Sprint(order.Uint16([]byte{1, n}))",
	} {
		if !strings.Contains(string(out.Source), want) {
			t.Errorf("no %q in\n%s", want, out.Source)
		}
	}
	if len(out.Notes) != 4 {
		t.Errorf("notes %q, want one for the cell that does not compile, for %%who, for the question and for %%%%prof", out.Notes)
	}
	if out, err = Notebook(t.Context(), "", []Cell{{Source: "n := 1"}}, nil); err != nil || !slices.Equal(out.Imports, []string{"flag", "fmt", "os"}) {
		t.Errorf("%s, %v: only what takes arguments is imported", out.Source, err)
	}
}

// TestExportConstraints: what would say when to build a program is a comment, in a program that Go builds.
func TestExportConstraints(t *testing.T) {
	out, err := Notebook(t.Context(), "", []Cell{
		{Source: "//go:build windows\nx := 1\nfmt.Println(x)"}, {Source: "fmt.Println(x)\n// +build plan9\ny := `\n//go:build z\n`"},
		{Source: "//go:build go1.99\nfunc f() {}\nfmt.Println(len(y))"}, {Source: "+build windows", Text: true},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, out.Source, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := exec.Command("go", "run", file).CombinedOutput(); err != nil || string(got) != "1\n1\n14\n" {
		t.Errorf("%v: %s\n%s", err, got, out.Source)
	}
}

// TestExportHiding: a variable that hides what its value uses has another name where that is meant.
func TestExportHiding(t *testing.T) {
	out, err := Notebook(t.Context(), "", []Cell{{Source: "max := max(1, 2)\nurl, err := url.Parse(\"http://h/p\")\nfmt.Println(max, url.Host, err)"}, {Source: "max := max + 1\nfmt.Println(max)"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, out.Source, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := exec.Command("go", "run", file).CombinedOutput(); err != nil || string(got) != "2 h <nil>\n3\n" {
		t.Errorf("%v\n%s\n%s", err, got, out.Source)
	}
}

// TestExportBuildLine: text that looks as what once said when to build a file is a comment like any other.
func TestExportBuildLine(t *testing.T) {
	out, err := Notebook(t.Context(), "", []Cell{{Text: true, Source: "# Title\n\n+build ignore\n\n  +build never"}, {Source: "println(1)"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out.Source)) {
		if constraint.IsPlusBuild(strings.TrimSpace(line)) || constraint.IsGoBuild(line) {
			t.Errorf("the program has %s", line)
		}
	}
	if !strings.Contains(string(out.Source), "+build ignore") {
		t.Errorf("the text is lost:\n%s", out.Source)
	}
}

// TestExportModules: a program takes along the packages in directories that the notebook uses, and requires the other modules of its go.mod.
func TestExportModules(t *testing.T) {
	out, err := Notebook(t.Context(), "../testdata/modules/lab", []Cell{{Source: "import \"example.org/shapes\"\nfmt.Println(shapes.Order())"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out.Source), `"example.org/shapes"`) || out.Modules == nil || len(out.Modules.Dirs) != 1 ||
		out.Modules.Dirs[0].Path != "example.org/shapes" || out.Modules.Dirs[0].Files["go.mod"] == "" {
		t.Errorf("modules %+v, program\n%s", out.Modules, out.Source)
	}
	if _, err := Notebook(t.Context(), "", []Cell{{Source: "import \"example.org/shapes\""}}, nil); err == nil {
		t.Error("a module that is not to be had is exported")
	}
}

// TestExportMust: a program has the must functions that the notebook uses, and a notebook's own in their place.
func TestExportMust(t *testing.T) {
	out, err := Notebook(t.Context(), "", []Cell{{Source: "n := must(strconv.Atoi(\"5\"))"}, {Source: "must0(os.Chdir(\".\"))\nm := must(strconv.Atoi(\"6\"))"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"func must[T any](x T, err error) T {", "func must0(err error) {", "n = must(strconv.Atoi(\"5\"))"} {
		if strings.Count(string(out.Source), want) != 1 {
			t.Errorf("not once %q in\n%s", want, out.Source)
		}
	}
	out, err = Notebook(t.Context(), "", []Cell{{Source: "func must(n int) int { return n }\nmust(2)"}}, nil)
	if err != nil || strings.Contains(string(out.Source), "func must[") {
		t.Errorf("%v, a function that hides the notebook's own in\n%s", err, out.Source)
	}
}

// TestExportHistory: a program has no Out and In, and the error says what to do; a notebook's own variables of these names
// are as any others.
func TestExportHistory(t *testing.T) {
	for _, src := range []string{"Out[1] + 1", "fmt.Println(In[1])"} {
		_, err := Notebook(t.Context(), "", []Cell{{Source: "1 + 1"}, {Source: src}}, nil)
		if err == nil || !strings.Contains(err.Error(), "a program has none") {
			t.Errorf("%s gave the error %v", src, err)
		}
	}
	if _, err := Notebook(t.Context(), "", []Cell{{Source: "Out := []int{1}\ntype T struct{ In int }"}, {Source: "Out[0] + T{In: 1}.In"}}, nil); err != nil {
		t.Error(err)
	}
}

// TestExportEffects: a package that a cell imports for its effect is one of the program's.
func TestExportEffects(t *testing.T) {
	out, err := Notebook(t.Context(), "../testdata/modules/lab", []Cell{{Source: "import _ \"image/png\"\nimport _ \"example.org/trouble/driver\""}, {Source: "fmt.Println(1)"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"\t_ \"image/png\"\n", "\t_ \"example.org/trouble/driver\"\n"} {
		if !strings.Contains(string(out.Source), line) {
			t.Errorf("the program has no line %q:\n%s", line, out.Source)
		}
	}
}
