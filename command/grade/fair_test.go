package grade

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gaucho/command/notebook"
)

// TestCopiedCells: JupyterLab copies the metadata of a cell that is copied or split, grade_id and all. A notebook that is right
// from top to bottom gets all points, its page shows each cell, and the note tells of the copies. A copied test counts once.
func TestCopiedCells(t *testing.T) {
	a, dir := assignment(t), t.TempDir()
	wrong := "func Double(x float64) float64 { return 0 } // the first try"
	half := "func twice(x float64) float64 { return 2 * x } // a half"
	rest := "func Double(x float64) float64 { return twice(x) }"
	for student, cells := range map[string][]*notebook.Cell{
		"above": {cell("double", wrong, 0), cell("double", right, 0), cell("test", "", 3), cell("other", "", 1)},
		"below": {cell("double", right, 0), cell("double", "fmt.Println(`trying`)", 0), cell("test", "", 3), cell("other", "", 1)},
		"split": {cell("double", half, 0), cell("double", rest, 0), cell("test", "", 3), cell("other", "", 1)},
		"tests": {cell("double", right, 0), cell("test", "", 3), cell("test", "", 3), cell("other", "", 1)},
		"reset": {cell("", "%reset -f", 0), cell("double", right, 0), cell("test", "", 3), cell("other", "", 1)},
	} {
		if err := homework("", cells...).WriteFile(filepath.Join(dir, student+".ipynb")); err != nil {
			t.Fatal(err)
		}
	}
	reports := markAll(t, a, dir, options())
	notes := map[string]string{"above": "the cell double is there twice", "below": "the cell double is there twice", "split": "the cell double is there twice"}
	shown := map[string]string{"above": "the first try", "below": "trying", "split": "a half", "reset": "does nothing here"}
	for _, r := range reports {
		if r.Points != 4 || r.note() != notes[r.Student] {
			t.Errorf("%s: %v points, the note is %q, want %q", r.Student, r.Points, r.note(), notes[r.Student])
		}
		page := pageOf(t, r)
		if !strings.Contains(page, shown[r.Student]) && !strings.Contains(strings.ReplaceAll(page, "</span>", ""), shown[r.Student]) {
			t.Errorf("%s: the page does not show %q", r.Student, shown[r.Student])
		}
	}
}

// TestReasons: the note says why a mark is 0, where that can be told.
func TestReasons(t *testing.T) {
	a, dir := assignment(t), t.TempDir()
	tested := []*notebook.Cell{cell("test", "", 3), cell("other", "", 1)}
	solved := func(source string) []*notebook.Cell {
		return append([]*notebook.Cell{cell("double", source, 0)}, tested...)
	}
	submissions := map[string][]*notebook.Cell{
		"right":     solved(right),
		"wrong":     solved("func Double(x float64) float64 { return x }"),
		"unchanged": solved(a.releasedSource(a.byID["double"])),
		"syntax":    solved("func Double(x float64) float64 {\n\treturn 2 *\n}"),
		"type":      solved("func Double(x float64) float64 {\n\treturn \"two\"\n}"),
		"name":      solved("func double(x float64) float64 { return 2 * x }"),
		"empty":     solved("// later"),
		"missing":   tested,
		"after":     append(slices.Clone(tested), cell("double", right, 0)),
	}
	for student, cells := range submissions {
		if err := homework("", cells...).WriteFile(filepath.Join(dir, student+".ipynb")); err != nil {
			t.Fatal(err)
		}
	}
	reports := markAll(t, a, dir, options())
	want := map[string]string{"unchanged": "cell double is unchanged", "syntax": "cell double does not compile: line ", "type": "cell double does not compile: line 2: ",
		"name": "cell double declares double, not Double", "empty": "cell double does not declare Double", "missing": "cell double is missing",
		"after": "cell double comes after its test test"}
	for _, r := range reports {
		if note, want := r.note(), want[r.Student]; !strings.HasPrefix(note, want) || want == "" && note != "" {
			t.Errorf("%s: the note is %q, want %q", r.Student, note, want)
		}
	}
}

// byHandAssignment has a question of each kind: 4 points for tests, 6 for what a person marks.
func byHandAssignment(t *testing.T) *Assignment {
	t.Helper()
	a := assignment(t)
	nb := a.notebook
	marked := func(id, kind, source string, points float64, task bool) *notebook.Cell {
		return &notebook.Cell{Type: kind, Source: source, Metadata: map[string]any{"nbgrader": map[string]any{
			"grade_id": id, "solution": !task, "grade": !task, "task": task, "locked": task, "points": points, "schema_version": 3}}}
	}
	nb.Cells = append(nb.Cells, marked("why", "markdown", "Because.", 3, false), marked("figure", "code", "display.HTML(`a figure`)", 2, false),
		marked("report", "markdown", "Try something.", 1, true))
	path := filepath.Join(nb.Dir, "ps.ipynb")
	if err := nb.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	a, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestByHand: what a person marks has a column, points and a page of all answers; what is entered in marks.csv is added and shown,
// with comments and penalties, and nothing is lost.
func TestByHand(t *testing.T) {
	a, in, out := byHandAssignment(t), t.TempDir(), t.TempDir()
	if a.Points != 10 {
		t.Fatalf("the assignment has %v points, want 10", a.Points)
	}
	for student, why := range map[string]string{"ann": "Since *errors* grow.", "bob": "YOUR ANSWER HERE"} {
		nb, err := a.Release()
		if err != nil {
			t.Fatal(err)
		}
		nb.Cells[0].Source, nb.Cells[3].Source, nb.Cells[4].Source = right, why, "fmt.Println(`drawn by "+student+"`)"
		nb.Cells = append(nb.Cells, &notebook.Cell{Type: "code", Source: "fmt.Println(`tried by " + student + "`)"})
		if err := nb.WriteFile(filepath.Join(in, student+".ipynb")); err != nil {
			t.Fatal(err)
		}
	}
	grade := func() error {
		all, err := Find(in, "ps", out)
		if err != nil {
			t.Fatal(err)
		}
		return a.Grade(context.Background(), all, out, "ps", options())
	}
	read := func(name string) string {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if err := grade(); err != nil {
		t.Fatal(err)
	}
	if got, want := read("grades.csv"), "student,points,of,open,test,other,why,figure,report,note\nann,4,10,6,3,1,,,,\nbob,4,10,3,3,1,0,,,\n"; got != want {
		t.Errorf("the table is\n%s, want\n%s", got, want)
	}
	if got, want := read("marks.csv"), "student,cell,points,comment\nann,why,,\nann,figure,,\nbob,figure,,\nann,report,,\nbob,report,,\n"; got != want {
		t.Errorf("what is to be marked is\n%s, want\n%s", got, want)
	}
	for page, want := range map[string][]string{"feedback/ann.html": {"4 of 10 points", "6 points are still to be marked", "why: still to be marked"},
		"questions/why.html": {"Because.", "ann", "<em>errors</em>"}, "questions/figure.html": {"drawn by ann", "drawn by bob"},
		"questions/report.html": {"tried by ann", "tried by bob"}} {
		for _, w := range want {
			if !strings.Contains(read(page), w) {
				t.Errorf("%s lacks %q", page, w)
			}
		}
	}
	hand := "student;cell;points;comment\nann;why;2,5;good, but short\nann;figure;;\nbob;figure;1;\nbob;test;2;half of it\nbob;;-0,5;late"
	if err := os.WriteFile(filepath.Join(out, "marks.csv"), []byte(hand), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := grade(); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := read("grades.csv"), "student,points,of,open,test,other,why,figure,report,note\nann,6.5,10,3,3,1,2.5,,,\nbob,3.5,10,1,2,1,0,1,,\n"; got != want {
		t.Errorf("the table is\n%s, want\n%s", got, want)
	}
	if got, want := read("marks.csv"), hand+"\nann;report;;\nbob;report;;\n"; got != want {
		t.Errorf("marks.csv is\n%s, want\n%s", got, want)
	}
	for page, want := range map[string][]string{"feedback/ann.html": {"6.5 of 10 points", "good, but short", "drawn by ann"}, "feedback/bob.html": {"3.5 of 10", "late", "-0.5", "half of it"}} {
		for _, w := range want {
			if !strings.Contains(read(page), w) {
				t.Errorf("%s lacks %q", page, w)
			}
		}
	}
	for text, want := range map[string]string{"student,cell,points\neva,why,1": `record 2: there is no student "eva"`, "student,cell,points\nann,whi,1": `no cell "whi"`,
		"student,cell,points\nann,why,one": `"one", must be a number`, "student,cell,points\nann,why,1\nann,why,2": "already"} {
		os.WriteFile(filepath.Join(out, "marks.csv"), []byte(text), 0o644)
		if err := grade(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestEditedTable: a table that somebody has written into is never overwritten.
func TestEditedTable(t *testing.T) {
	a, in, out := assignment(t), t.TempDir(), t.TempDir()
	submit(t, filepath.Join(in, "ann.ipynb"), right)
	grade := func() error {
		all, err := Find(in, "ps", out)
		if err != nil {
			t.Fatal(err)
		}
		return a.Grade(context.Background(), all, out, "ps", options())
	}
	if err := grade(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(out, "grades.csv")
	table, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(table), "ann,4", "ann,3", 1)
	if err := os.WriteFile(path, []byte(edited), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := grade(); err == nil || !strings.Contains(err.Error(), "was changed by hand, and is not overwritten") {
		t.Errorf("the error is %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != edited {
		t.Errorf("the table is\n%s, want\n%s", got, edited)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := grade(); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != string(table) {
		t.Errorf("the table is\n%s, want\n%s", got, table)
	}
}

// TestFileNames: no two students have one page, on file systems too that do not distinguish upper case.
func TestFileNames(t *testing.T) {
	odd := "e10a\nb"
	var all []Submission
	for _, s := range []string{"Anna", "anna", odd, fileOf(odd), "bob"} {
		all = append(all, Submission{Student: s})
	}
	names := fileNames(all)
	distinct := map[string]bool{}
	for n := range maps.Values(names) {
		distinct[strings.ToLower(n)] = true
	}
	if len(distinct) != len(all) || names["bob"] != "bob" {
		t.Errorf("the files are %q", names)
	}
}

// TestGreedyPages: pages that would take hours or gigabytes are left out, what they were to show is said, and the marks and the pages
// of the others are there.
func TestGreedyPages(t *testing.T) {
	a, in, out := assignment(t), t.TempDir(), t.TempDir()
	n := 4000
	table := strings.Repeat("|a", n) + "\n" + strings.Repeat("|-", n) + "\n" + strings.Repeat("|a\n", n)
	references := "[a]: http://x/" + strings.Repeat("x", 20*n) + "\n\n" + strings.Repeat("[a] ", n)
	pages := map[string]string{"table": table, "references": references, "modest": "# Mine"}
	if testing.Short() {
		delete(pages, "table") // takes all the time that a page may
	}
	for student, text := range pages {
		nb := homework("", &notebook.Cell{Type: "markdown", Source: text}, cell("double", right, 0), cell("test", "", 3), cell("other", "", 1))
		if err := nb.WriteFile(filepath.Join(in, student+".ipynb")); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Find(in, "ps", out)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Grade(context.Background(), all, out, "ps", options()); err != nil {
		t.Fatal(err)
	}
	for student := range pages {
		left := student != "modest"
		page, err := os.ReadFile(filepath.Join(out, "feedback", student+".html"))
		if err != nil {
			t.Fatal(err)
		}
		if len(page) > 1<<20 || strings.Contains(string(page), "The notebook is left out") != left || !strings.Contains(string(page), "4 of 4 points") {
			t.Errorf("%s has a page of %d bytes: %.200s", student, len(page), page)
		}
	}
}

// TestWriteRelease: what students get is written after the same checks as before marking, with its data, and holds no solution in any
// spelling; the source is never overwritten.
func TestWriteRelease(t *testing.T) {
	a, out := assignment(t), t.TempDir()
	write := func(a *Assignment, path string) error { return a.WriteRelease(context.Background(), path, options()) }
	for path, files := range map[string][]string{"folder": {"ps.ipynb", "data.txt"}, "file/student.ipynb": {"student.ipynb", "data.txt"}} {
		if err := write(a, filepath.Join(out, path)); err != nil {
			t.Fatal(err)
		}
		dir, _, _ := strings.Cut(path, "/")
		for _, f := range files {
			text, err := os.ReadFile(filepath.Join(out, dir, f))
			if err != nil || strings.Contains(string(text), "SOLUTION") || strings.Contains(string(text), "84.25") {
				t.Errorf("%s: %s has %q, error %v", path, f, text, err)
			}
		}
	}
	if err := write(a, filepath.Join(out, "ps.zip")); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(filepath.Join(out, "ps.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if len(z.File) != 2 || z.File[0].Name != "data.txt" || z.File[1].Name != "ps.ipynb" {
		t.Errorf("the archive has %v", z.File)
	}
	for _, path := range []string{a.notebook.Dir, filepath.Join(a.notebook.Dir, "ps.ipynb")} {
		if err := write(a, path); err == nil || !strings.Contains(err.Error(), "overwrite the source") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := write(assignmentOf(t, "check.Equal(Double(2), 5)"), filepath.Join(out, "wrong")); err == nil || !strings.Contains(err.Error(), "the source's own solution fails") {
		t.Errorf("a wrong expected value: %v", err)
	}
	for _, source := range []string{"// begin hidden tests\ncheck.Equal(Double(3), 6)\n// end hidden tests", "// BEGIN HIDDEN TEST\ncheck.Equal(Double(3), 6)", "// Begin Solution\ncheck.Equal(Double(3), 6)"} {
		if err := write(assignmentOf(t, source), filepath.Join(out, "left")); err == nil || !strings.Contains(err.Error(), "students would get it with the words") {
			t.Errorf("%q: %v", source, err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "left")); err == nil {
		t.Error("something was released")
	}
}

// TestWeaknesses: tests that a constant or a copied output passes are named, and those of a comparison; others are not.
func TestWeaknesses(t *testing.T) {
	cases := map[string]string{
		"check.Equal(Double(2), 4)": "every test calls Double with the same arguments, as in Double(2)",
		"sum := 0.0\nfor range 3 {\n\tsum += Double(2)\n}\ncheck.Equal(sum, 12)":                           "every test calls Double with the same arguments",
		"check.Equal(Double(2), 4)\ncheck.Between(Double(3), 3, 6)":                                        "Double gives the same in every test",
		"check.Equal(math.Abs(Double(2)-4) < 1e-9, true)\ncheck.Equal(Double(3), 6)":                       "tests a comparison",
		"check.Equal(Double(2), 4)\ncheck.Equal(Double(3), 6)":                                             "",
		"sum := 0.0\nfor i := range 3 {\n\tsum += Double(float64(i))\n}\ncheck.Equal(sum, 6)":              "",
		"check.Equal(Double(2), 4)\n// BEGIN HIDDEN TESTS\ncheck.Equal(Double(3), 6)\n// END HIDDEN TESTS": "",
		"f := func(x float64) float64 { return Double(x) }\ncheck.Equal(f(2), 4)\ncheck.Equal(f(3), 6)":    "",
	}
	for i, tests := range slices.Sorted(maps.Keys(cases)) {
		if testing.Short() && i%3 > 0 {
			continue
		}
		want := cases[tests]
		var got []string
		o := options()
		o.Warn = func(w string) { got = append(got, w) }
		if _, err := assignmentOf(t, tests).verify(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		if all := strings.Join(got, "\n"); len(got) > 1 || !strings.Contains(all, want) || want == "" && all != "" {
			t.Errorf("%q: warned of %q, want %q", tests, all, want)
		}
	}
}

// TestReplaced: a submission that is replaced by a link to another's, after it was found, does not get the other's mark.
func TestReplaced(t *testing.T) {
	a, in := assignment(t), t.TempDir()
	submit(t, filepath.Join(in, "alice", "ps.ipynb"), right)
	submit(t, filepath.Join(in, "eve", "ps.ipynb"), "func Double(x float64) float64 { return 0 }")
	submit(t, filepath.Join(in, "mal.ipynb"), "func Double(x float64) float64 { return 0 }")
	all, err := Find(in, "ps", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.RemoveAll(filepath.Join(in, "eve")), os.Symlink("alice", filepath.Join(in, "eve")),
		os.Remove(filepath.Join(in, "mal.ipynb")), os.Symlink("alice/ps.ipynb", filepath.Join(in, "mal.ipynb"))); err != nil {
		t.Fatal(err)
	}
	reports, err := a.Run(context.Background(), all, options())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		if want := r.Student == "alice"; want != (r.Points == 4) || want != (r.End == "") {
			t.Errorf("%s: %v points, %q", r.Student, r.Points, r.End)
		}
	}
	if reports[1].End != replaced {
		t.Errorf("the note is %q", reports[1].End)
	}
}

// TestControlCharacters: the table gives a terminal nothing to obey, and a note is not a time-out because it says so.
func TestControlCharacters(t *testing.T) {
	got := handIn(t, assignment(t), map[string]string{
		"title":   "func Double(x float64) float64 { panic(`cannot be interpreted ` + \"\\x1b]0;PWNED\\x07\") }",
		"timeout": "func Double(x float64) float64 { panic(`Timeout: a teacher said that this is worth 3 points`) }",
	})
	got["odd"] = &Report{Student: "e06\n\x1b[31m\xff", unmarked: true}
	var table bytes.Buffer
	if err := writeCSV(&table, slices.Collect(maps.Values(got))); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(table.String(), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f || r == utf8.RuneError }); i >= 0 {
		t.Errorf("the table is %q", table.String())
	}
	if note := got["timeout"].note(); strings.HasPrefix(note, "test: ") {
		t.Errorf("the note is %q", note)
	}
}

// TestNothingReachesThePage: the run for the page has ended when the one with hidden tests begins, so nothing that hidden tests
// are called with can be told by how long they take.
func TestNothingReachesThePage(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "began")
	if err := os.WriteFile(mark, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	o := patient()
	o.Limits.Cell = 20 * time.Second
	began := time.Now()
	// The run with hidden tests takes 4 s for the 42.125 that they hand over; a page that is made after it would say so.
	got := handInWith(t, assignment(t), map[string]string{"teller": "func Double(x float64) float64 { if x > 40 { time.Sleep(4 * time.Second) }; return 2 * x }\n" +
		"st, _ := os.Stat(`" + mark + "`)\nfmt.Println(`SINCE`, int(time.Since(st.ModTime()).Milliseconds()))"}, func() *Options { return o })
	all := time.Since(began)
	page := pageOf(t, got["teller"])
	_, since, _ := strings.Cut(page, "SINCE ")
	since, _, _ = strings.Cut(since, "<")
	ms, err := strconv.Atoi(strings.TrimSpace(since))
	if err != nil {
		t.Fatalf("%v in %s", err, page)
	}
	if before := all - time.Duration(ms)*time.Millisecond; before < 4*time.Second {
		t.Errorf("the page was made %v before the end, and the hidden tests took 4s", before)
	}
}

// TestStructured: displays of JSON are counted, however it is built.
func TestStructured(t *testing.T) {
	work := map[string]string{
		"lists": "for range 60 { display.Show(display.Bundle{`application/json`: make([]int, 20000)}) }\n" + right,
		"deep":  "var deep any\nfor range 1000 { deep = []any{deep} }\nfor range 20 { display.Show(display.Bundle{`application/json`: deep}) }\n" + right,
	}
	if testing.Short() {
		delete(work, "lists")
	}
	for student, r := range handIn(t, assignment(t), work) {
		if r.Points != 4 {
			t.Errorf("%s: %v points, %s", student, r.Points, r.note())
		}
		var text bytes.Buffer
		if err := pageNotebook(r.cells).Encode(&text); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(text.String(), "0,"); n > 600_000 {
			t.Errorf("%s: %d numbers are shown, and a megabyte may be", student, n)
		}
	}
}
