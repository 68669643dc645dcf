//go:build unix

package grade

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gaucho/command/notebook"
)

// table reads grades.csv: the rows by the student's name.
func table(t *testing.T, dir string) map[string][]string {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "grades.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatalf("grades.csv is no table: %v", err)
	}
	byName := map[string][]string{}
	for _, r := range rows[1:] {
		byName[r[0]] = r
	}
	return byName
}

// TestOddSubmissions: whatever is handed in, and under whatever name, has a line in the table and a page, and so have the others.
func TestOddSubmissions(t *testing.T) {
	a, in, out := assignment(t), t.TempDir(), t.TempDir()
	long := strings.Repeat("L", 252)
	odd := "a\nb\t\"c\" <d> -é\xff"
	for _, student := range []string{"right", long, odd, "=1+1", "-j", ". ."} {
		submit(t, filepath.Join(in, student, "ps.ipynb"), right)
	}
	submit(t, filepath.Join(in, "two", "a.ipynb"), right)
	submit(t, filepath.Join(in, "two", "b.ipynb"), right)
	os.Mkdir(filepath.Join(in, "none"), 0o755)
	os.MkdirAll(filepath.Join(in, "directory", "ps.ipynb"), 0o755)
	if err := errors.Join(syscall.Mkfifo(filepath.Join(in, "pipe.ipynb"), 0o644), os.Symlink("/dev/zero", filepath.Join(in, "zero.ipynb"))); err != nil {
		t.Fatal(err)
	}
	all, err := Find(in, "ps", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Grade(context.Background(), all, out, "ps", options()); err != nil {
		t.Fatal(err)
	}
	rows := table(t, out)
	for student, want := range map[string]string{"right": "4", long: "4", `a\nb\t"c" <d> -é\xff`: "4", "'=1+1": "4", "'-j": "4", "two": "1", "none": "1",
		"directory": "1", "pipe": "1", "zero": "1"} {
		r := rows[student]
		if want == "1" { // the cell that everybody passes is of a notebook, and here is none
			want = "0"
		}
		if len(r) < 3 || r[1] != want || (want == "0") != (r[len(r)-1] != "") {
			t.Errorf("%.20q has the row %q, want %s points", student, r, want)
		}
	}
	pages, _ := os.ReadDir(filepath.Join(out, "feedback"))
	if len(pages) != len(all) {
		t.Errorf("%d pages for %d submissions", len(pages), len(all))
	}
}

// TestKilled: a grader that is killed leaves a table of what was marked, the next one goes on from there, and the marks and
// pages are the same bytes as those of one that was not killed.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	a, in, killed, whole := assignment(t), t.TempDir(), t.TempDir(), t.TempDir()
	for i := range 6 {
		solution := right
		if i%2 == 1 {
			solution = "func Double(x float64) float64 { return 7 }"
		}
		submit(t, filepath.Join(in, fmt.Sprintf("student%d.ipynb", i)), solution)
	}
	args := func(out string) []string {
		return []string{"grade", filepath.Join(a.notebook.Dir, "ps.ipynb"), in, out}
	}
	cmd := exec.Command(os.Args[0], args(killed)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	marked := func(dir string) int {
		b, _ := os.ReadFile(filepath.Join(dir, markedFile))
		return bytes.Count(b, []byte("\n"))
	}
	for deadline := time.Now().Add(time.Minute); marked(killed) < 2; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited a minute for two of six to be marked, have %d", marked(killed))
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	rows := table(t, killed)
	if n := marked(killed); len(rows) != 6 || n == 6 {
		t.Fatalf("%d rows in the table, %d marked when killed", len(rows), n)
	}
	done := 0
	for student, r := range rows {
		unmarked := r[len(r)-1] == "not marked yet"
		if unmarked != (r[1] == "") {
			t.Errorf("%s has the row %q", student, r)
		}
		if !unmarked {
			done++
		}
	}
	if done < 1 {
		t.Error("nothing is in the table")
	}
	before := marked(killed)
	// A line that the end of a process tore is not taken for a mark.
	f, _ := os.OpenFile(filepath.Join(killed, markedFile), os.O_APPEND|os.O_WRONLY, 0)
	io.WriteString(f, `{"Key":"torn`)
	f.Close()
	for _, dir := range []string{killed, whole} {
		if out, err := exec.Command(os.Args[0], args(dir)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if n := marked(killed); n > 6+2+1 || n < 7 {
		t.Errorf("%d lines after the second run, %d before: what was marked is marked again", n, before)
	}
	same := func(name string) {
		x, err1 := os.ReadFile(filepath.Join(killed, name))
		y, err2 := os.ReadFile(filepath.Join(whole, name))
		if err := errors.Join(err1, err2); err != nil || !bytes.Equal(x, y) {
			t.Errorf("%s differs after a kill, error %v", name, err)
		}
	}
	same("grades.csv")
	for i := range 6 {
		same(fmt.Sprintf("feedback/student%d.html", i))
	}
	// A submission that changes is marked again, and only that one.
	submit(t, filepath.Join(in, "student1.ipynb"), right)
	n := marked(whole)
	if out, err := exec.Command(os.Args[0], args(whole)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if r := table(t, whole)["student1"]; r[1] != "4" || marked(whole) != n+1 {
		t.Errorf("the new row is %q, %d were marked", r, marked(whole)-n)
	}
}

// TestGivenFiles: what the source names is copied, nothing else, and nothing with answers in it.
func TestGivenFiles(t *testing.T) {
	dir := t.TempDir()
	for path, text := range map[string]string{"data/a.csv": "1", "data/sub/b.csv": "2", "data/.hidden": "3", "answers/right.go": "// BEGIN SOLUTION",
		"grades/grades.csv": "x", "submissions/bob/ps.ipynb": "{}", "notes.txt": "mine", "given.txt": "yours"} {
		if err := notebook.WriteFile(filepath.Join(dir, path), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	os.Symlink("/etc/passwd", filepath.Join(dir, "link"))
	for _, c := range []struct {
		list any
		want string
	}{
		{nil, "[data/a.csv data/sub/b.csv]"},
		{[]any{}, "[]"},
		{[]any{"given.txt", "data/sub"}, "[given.txt data/sub/b.csv]"},
		{[]any{"answers"}, "answers/right.go would be given to students' code: it has the words BEGIN SOLUTION"},
		{[]any{"grades"}, "holds tests or marks"},
		{[]any{"submissions"}, "it is a notebook"},
		{[]any{"link"}, "it is a link"},
		{[]any{"."}, "must name a file"},
		{[]any{"../x"}, "must name a file"},
		{[]any{"/etc/passwd"}, "must name a file"},
		{[]any{"missing"}, "missing"},
		{"data", "must be a list"},
	} {
		nb := homework(dir)
		if c.list != nil {
			nb.Metadata["gaucho"] = map[string]any{"files": c.list}
		}
		files, err := givenFiles(nb)
		got := fmt.Sprint(files)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%v: got %s, want %s", c.list, got, c.want)
		}
	}
}
