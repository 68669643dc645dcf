package grade

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gaucho/command/grade/fence"
	"gaucho/command/notebook"
	"gaucho/interp/workertest"
)

// right is a solution that others are handed in alongside: it must get its points whatever the others do.
const right = "func Double(x float64) float64 { return 2 * x }"

// pageOf is the body of the page of a report.
func pageOf(t *testing.T, r *Report) string {
	t.Helper()
	page, err := renderPage(pageNotebook(r.pageCells("ps")), "ps")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "<body")
	return text
}

func submit(t *testing.T, path, solution string) {
	t.Helper()
	nb := homework("", cell("double", solution, 0), cell("test", "", 3), cell("other", "1", 1))
	if err := nb.WriteFile(path); err != nil {
		t.Fatal(err)
	}
}

// patient lets a cell take as long as a machine with much else to do may need.
func patient() *Options {
	o := options()
	o.Limits.Cell = 10 * time.Second
	return o
}

// gradeAlone is a grader in a process of its own, which tests can kill: its arguments are the source, the submissions and
// the directory for the marks.
func gradeAlone(args []string) int {
	a, err := Read(args[0])
	if err == nil {
		var all []Submission
		if all, err = Find(args[1], "ps", ""); err == nil {
			err = a.Grade(context.Background(), all, args[2], "ps", options())
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// processes are those that a grader and tests start.
var processes = map[string]func(args []string) int{"examiner": Examiner, "fenced-worker": FencedWorker, "grade-page": Page, "grade": gradeAlone}

// TestMain lets the test's own program be one of the processes.
func TestMain(m *testing.M) {
	workertest.Serve()
	if len(os.Args) > 1 && processes[os.Args[1]] != nil {
		os.Exit(processes[os.Args[1]](os.Args[2:]))
	}
	os.Exit(m.Run())
}

// cell makes a code cell as nbgrader marks it: a solution, or a test with points.
func cell(id, source string, points float64) *notebook.Cell {
	test := points > 0
	return &notebook.Cell{Type: "code", Source: source, Metadata: map[string]any{"nbgrader": map[string]any{
		"grade_id": id, "solution": !test, "grade": test, "locked": test, "points": points, "schema_version": 3}}}
}

// free marks a test as meant to be passed by whoever hands in the notebook as it is.
func free(c *notebook.Cell) *notebook.Cell {
	c.Metadata["tags"] = []any{passesAsReleased}
	return c
}

func homework(dir string, cells ...*notebook.Cell) *notebook.Notebook {
	return &notebook.Notebook{Cells: cells, Dir: dir, Name: "ps", Minor: 4,
		Metadata: map[string]any{"kernelspec": map[string]any{"name": "gaucho", "language": "go"}}}
}

const solution = `// Double returns twice x.
func Double(x float64) float64 {
	// BEGIN SOLUTION
	return 2 * x
	// END SOLUTION
}`

const tests = `x := 3.5
check.Near(Double(x), 7.0, 1e-12)
check.Equal(Double(0), 0)
// BEGIN HIDDEN TESTS
secret := 84.25
check.Equal(Double(42.125), secret)
// END HIDDEN TESTS`

// assignment is an assignment in a directory of its own, beside which lies a file with data.
func assignment(t *testing.T) *Assignment {
	t.Helper()
	return assignmentOf(t, tests)
}

func assignmentOf(t *testing.T, tests string) *Assignment {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "data.txt"), []byte("21"), 0o644); err != nil {
		t.Fatal(err)
	}
	nb := homework(dir, cell("double", solution, 0), cell("test", tests, 3), free(cell("other", "one := 1\ncheck.Equal(one+1, 2)", 1)))
	nb.Metadata["gaucho"] = map[string]any{"files": []any{"data.txt"}}
	if err := nb.WriteFile(filepath.Join(dir, "ps.ipynb")); err != nil {
		t.Fatal(err)
	}
	a, err := Read(filepath.Join(dir, "ps.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func options() *Options {
	o := DefaultOptions()
	o.Limits.Cell = 300 * time.Millisecond
	o.Limits.Memory = 256 << 20
	o.Limits.Disk = 8 << 20
	o.Parallel = 4
	o.Unfenced = fence.Available() != nil
	return o
}

// handIn writes submissions that put something in place of the solution, and marks them.
func handIn(t *testing.T, a *Assignment, solutions map[string]string) map[string]*Report {
	t.Helper()
	return handInWith(t, a, solutions, options)
}

// markAll marks all submissions in a directory.
func markAll(t *testing.T, a *Assignment, dir string, o *Options) []*Report {
	t.Helper()
	all, err := Find(dir, "ps", "")
	if err != nil {
		t.Fatal(err)
	}
	reports, err := a.Run(context.Background(), all, o)
	if err != nil {
		t.Fatal(err)
	}
	return reports
}

func handInWith(t *testing.T, a *Assignment, solutions map[string]string, options func() *Options) map[string]*Report {
	t.Helper()
	dir := t.TempDir()
	for student, source := range solutions {
		nb := homework("", cell("double", source, 0), cell("test", "// the student's own idea of a test", 3), cell("other", "1", 1))
		if err := nb.WriteFile(filepath.Join(dir, student+".ipynb")); err != nil {
			t.Fatal(err)
		}
	}
	reports := markAll(t, a, dir, options())
	byStudent := map[string]*Report{}
	for _, r := range reports {
		byStudent[r.Student] = r
	}
	return byStudent
}

func TestMarks(t *testing.T) {
	got := handIn(t, assignment(t), map[string]string{
		"right":       "func Double(x float64) float64 { return x + x }",
		"as released": "func Double(x float64) float64 { panic(`not implemented`) }",
		"visible":     "func Double(x float64) float64 { if x > 4 { return 0 }; return 2 * x }",
		"no Go":       "func Double(x float64 {",
		"other type":  "func Double(x float64) string { return `7` }",
		"with data":   "func Double(x float64) float64 { b, _ := os.ReadFile(`data.txt`); if string(b) == `21` { return 2 * x }; return 0 }",
	})
	for student, want := range map[string]float64{"right": 4, "as released": 1, "visible": 1, "no Go": 1, "other type": 1, "with data": 4} {
		if r := got[student]; r.Points != want || r.End != "" {
			t.Errorf("%s: %v points, want %v; %s; %+v", student, r.Points, want, r.End, r.Marks)
		}
	}
	if p := got["visible"].Marks[0].Results; p[0].Problem != "" || p[2].Problem != "got 0, want 84.25" || !p[2].Hidden {
		t.Errorf("results are %+v", p)
	}
}

// TestNotes: the table says what ended a submission, or that something took too long, and nothing of the teacher's directories.
func TestNotes(t *testing.T) {
	a := assignment(t)
	got := handIn(t, a, map[string]string{
		"large": "b := make([]byte, 100<<30)\nb[99<<30] = 1",
		"slow":  "func Double(x float64) float64 { for {} }",
		// The interpreter has no reflect.New of a cell's type.
		"refused": "type pair struct{ a, b int }\nfmt.Println(reflect.New(reflect.TypeOf(pair{})))",
	})
	broken := filepath.Join(t.TempDir(), "broken.ipynb")
	if err := os.WriteFile(broken, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	reports, err := a.Run(context.Background(), []Submission{{Student: "broken", Path: broken}}, options())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		report *Report
		want   string
	}{
		{got["large"], "a cell ended the process, and nothing after it could run (out of memory: "},
		{got["slow"], "test: the cell took longer than 300ms"},
		{reports[0], "not a notebook: "},
		{got["refused"], "not run by the interpreter, which need not be wrong: "},
	} {
		if note := c.report.note(); !strings.HasPrefix(note, c.want) || strings.Contains(note, "by the clock") {
			t.Errorf("%s: the note is %q, want %q", c.report.Student, note, c.want)
		}
	}
}

func TestFeedback(t *testing.T) {
	got := handIn(t, assignment(t), map[string]string{"visible": "fmt.Println(`<b>hello`)\nfunc Double(x float64) float64 { return 7 }"})
	html, err := renderPage(pageNotebook(got["visible"].pageCells("ps")), "ps")
	if err != nil {
		t.Fatal(err)
	}
	page := bytes.NewBuffer(html)
	for _, want := range []string{"1 of 4 points", "&lt;b&gt;hello", "hidden test 1", "got 7, want 0"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, secret := range []string{"84.25", "42.125"} {
		if strings.Contains(page.String(), secret) {
			t.Errorf("the page tells %s, which is hidden", secret)
		}
	}
	var table bytes.Buffer
	if err := writeCSV(&table, []*Report{got["visible"], {Student: "=cmd()", End: "it, \"failed\""}}); err != nil {
		t.Fatal(err)
	}
	want := "student,points,of,test,other,note\nvisible,1,4,0,1,\n'=cmd(),0,0,\"it, \"\"failed\"\"\"\n"
	if table.String() != want {
		t.Errorf("the table is %q, want %q", table.String(), want)
	}
}

// TestHint: the lecturer's hint is on the page, that of a hidden test is not.
func TestHint(t *testing.T) {
	a := assignmentOf(t, "check.Near(Double(3.5), 7.0, 1e-12, \"twice of what?\")\n// BEGIN HIDDEN TESTS\ncheck.Equal(Double(4), 8, `a secret`)\n// END HIDDEN TESTS")
	got := handIn(t, a, map[string]string{"wrong": "func Double(x float64) float64 { return x }", "right": right})
	page := pageOf(t, got["wrong"])
	if got["right"].Points != 4 || got["wrong"].Points != 1 || !strings.Contains(page, "to within 7e-12; twice of what?") || strings.Contains(page, "a secret") {
		t.Errorf("%v and %v points, %s", got["right"].Points, got["wrong"].Points, page)
	}
}

func TestRelease(t *testing.T) {
	nb, err := assignment(t).Release()
	if err != nil {
		t.Fatal(err)
	}
	want := "// Double returns twice x.\nfunc Double(x float64) float64 {\n\t// YOUR CODE HERE\n\tpanic(\"not implemented\")\n}"
	if nb.Cells[0].Source != want {
		t.Errorf("students get %q", nb.Cells[0].Source)
	}
	if want := "x := 3.5\ncheck.Near(Double(x), 7.0, 1e-12)\ncheck.Equal(Double(0), 0)"; nb.Cells[1].Source != want {
		t.Errorf("students get the tests %q", nb.Cells[1].Source)
	}
}

// TestBadSources: a source that cannot be used is an error that says why.
func TestBadSources(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells []*notebook.Cell
		want  string
	}{
		{"no tests", []*notebook.Cell{cell("a", "x := 1", 0)}, "no cell is marked as a test"},
		{"points without a test", []*notebook.Cell{cell("a", "x := 1", 2)}, "points but no test"},
		{"a test in a loop", []*notebook.Cell{cell("a", "for i := range 3 {\n\tcheck.Equal(i, i)\n}", 2)}, "line 2: a test must be a statement of its own"},
		{"a test that is none", []*notebook.Cell{cell("a", "check.Same(f(), 2)", 2)}, "no test Same"},
		{"a hint that is no text", []*notebook.Cell{cell("a", "hint := `x`\ncheck.Equal(f(), 2, hint)", 2)}, "no test Equal with 3 arguments"},
		{"too many arguments", []*notebook.Cell{cell("a", "check.Equal(f(), 2, 3)", 2)}, "no test Equal with 3 arguments"},
		{"one id twice", []*notebook.Cell{cell("a", "check.Equal(f(), 1)", 2), cell("a", "check.Equal(f(), 1)", 2)}, "another cell's already"},
		{"a solution that fails", []*notebook.Cell{cell("a", "x := 1\ncheck.Equal(x, 2)", 2)}, "the source's own solution fails check.Equal(x, 2): got 1, want 2"},
		{"a constant", []*notebook.Cell{cell("a", "check.Equal(55, f(10))", 2)}, "line 1: check.Equal(55, f(10)) tests a constant"},
		{"a constant in disguise", []*notebook.Cell{cell("a", "check.Near([]float64{float64(3), -1e3}, f(10), 1)", 2)}, "tests a constant"},
		{"a test that everybody passes", []*notebook.Cell{cell("f", "func f() int {\n\t// BEGIN SOLUTION\n\treturn 1\n\t// END SOLUTION\n}", 0),
			cell("a", "want := 1\ncheck.Equal(want, f())", 2), cell("b", "check.Equal(f(), 1)", 3)}, "passes a (2 points)"},
		{"a cell that fails", []*notebook.Cell{cell("b", "undefinedName", 0), cell("a", "check.Equal(f(), 1)", 2)}, "the source's own cell (b) fails"},
	} {
		a, err := understand(homework("", c.cells...))
		if err == nil {
			_, err = a.Run(context.Background(), nil, options())
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestSplit: what a student's process is given of a test cell does not hold what only the expected values need.
func TestSplit(t *testing.T) {
	steps, err := split("x := 1\nwant := 3\nwant += x\ny := x + 1\ncheck.Equal(f(y), want)\nfor i := range 3 {\n\ty += i\n}\ncheck.Equal(f(y), 7)\nclose(c)")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range steps {
		got = append(got, s.setup+" | "+s.test+" "+s.got)
	}
	want := []string{"x := 1\ny := x + 1 | Equal f(y)", "for i := range 3 {\n\ty += i\n} | Equal f(y)", "close(c) |  "}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestFind: submissions lie in any of three ways, links are nobody's, and nobody is missing.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	nb := homework("", cell("a", "1", 0))
	for _, path := range []string{"ann.ipynb", "bob/ps.ipynb", "bob/other.ipynb", "cyd/week1/ps.ipynb", "cyd/week1/.ipynb_checkpoints/ps-checkpoint.ipynb"} {
		os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o755)
		if err := nb.WriteFile(filepath.Join(dir, path)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "ann.ipynb"), filepath.Join(dir, "eve.ipynb")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"dan/one.ipynb", "dan/two.ipynb"} {
		if err := nb.WriteFile(filepath.Join(dir, path)); err != nil {
			t.Fatal(err)
		}
	}
	os.Mkdir(filepath.Join(dir, "fay"), 0o755)
	all, err := Find(dir, "ps", "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range all {
		rel, _ := filepath.Rel(dir, s.Path)
		if s.Problem != "" {
			rel = s.Problem
		}
		got = append(got, s.Student+" "+filepath.ToSlash(rel))
	}
	if want := "[ann ann.ipynb bob bob/ps.ipynb cyd cyd/week1/ps.ipynb dan 2 notebooks were handed in, and none is a file called ps.ipynb " +
		"eve eve.ipynb is a link, must be a file fay no notebook was handed in]"; fmt.Sprint(got) != want {
		t.Errorf("found %v, want %s", got, want)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "gil.IPYNB"), nil, 0o644), os.WriteFile(filepath.Join(dir, "hal.ipynb.txt"), nil, 0o644),
		os.WriteFile(filepath.Join(dir, "ida.zip"), nil, 0o644), os.WriteFile(filepath.Join(dir, ".joe.ipynb"), nil, 0o644),
		os.WriteFile(filepath.Join(dir, "fay", "ps.ipynb.txt"), nil, 0o644), os.WriteFile(filepath.Join(dir, "ann.pdf"), nil, 0o644),
		os.Symlink(filepath.Join(dir, "bob"), filepath.Join(dir, "kim")), os.Mkdir(filepath.Join(dir, "marks"), 0o755)); err != nil {
		t.Fatal(err)
	}
	all, err = Find(dir, "ps", filepath.Join(dir, "marks"))
	if err != nil {
		t.Fatal(err)
	}
	problems := map[string]string{"gil": "", "hal": "no notebook was handed in: hal.ipynb.txt is not a notebook: its name does not end in .ipynb",
		"ida": "no notebook was handed in: ida.zip is not a notebook: its name does not end in .ipynb", ".joe": "no notebook was handed in: .joe.ipynb is hidden: its name begins with a dot",
		"fay": "no notebook was handed in: ps.ipynb.txt is not a notebook: its name does not end in .ipynb", "kim": "no notebook was handed in: kim is a link, must be a file", "ann": ""}
	for _, s := range all {
		if want, ok := problems[s.Student]; ok && s.Problem != want {
			t.Errorf("%s: %q, want %q", s.Student, s.Problem, want)
		}
		delete(problems, s.Student)
		if s.Student == "marks" {
			t.Error("the directory of the marks is a student")
		}
	}
	if len(problems) > 0 {
		t.Errorf("missing are %v", problems)
	}
	if _, err := Find(dir, "ps", dir); err == nil || !strings.Contains(err.Error(), "another directory with -o") {
		t.Errorf("marks among the submissions: %v", err)
	}
	if _, err := Find(t.TempDir(), "ps", ""); err == nil {
		t.Error("an empty folder: no error")
	}
}
