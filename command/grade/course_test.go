package grade

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"gaucho/command/notebook"
)

// TestCourse: the course's assignments can be marked as they are. Their own solutions get all points (Run sees to that), what
// students are given gets none, and so it goes with the answers of testdata/answers: other right ones get all points, and of
// the wrong ones, such as students hand in, the tests that are meant to distinguish them do.
func TestCourse(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	sources, err := filepath.Glob("../../notebooks/course/*.ipynb")
	if err != nil || len(sources) != 8 {
		t.Fatalf("%d assignments, error %v", len(sources), err)
	}
	o := options()
	o.Limits = defaultLimits()
	o.Limits.Cell, o.Limits.Total = time.Minute, 20*time.Minute
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), ".ipynb")
		t.Run(name, func(t *testing.T) {
			a, err := Read(source)
			if err != nil {
				t.Fatal(err)
			}
			answers := answersOf(t, filepath.Join("testdata", "answers", name+".txtar"))
			var all []Submission
			for _, answer := range append([]string{"released"}, slices.Sorted(maps.Keys(answers))...) {
				all = append(all, Submission{Student: answer, Path: filepath.Join(t.TempDir(), "ps.ipynb")})
				if err := handedIn(t, a, answers[answer]).WriteFile(all[len(all)-1].Path); err != nil {
					t.Fatal(err)
				}
			}
			reports, err := a.Run(context.Background(), all, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range reports {
				sameMarks(t, r)
			}
		})
	}
}

// sameMarks fails unless a report's marks are those that the name of the answer says: its words are the tests that fail.
func sameMarks(t *testing.T, r *Report) {
	t.Helper()
	if r.End != "" {
		t.Errorf("%s: %s", r.Student, r.End)
	}
	fails := strings.Fields(r.Student)
	for _, m := range r.Marks {
		want := m.Of
		if r.Student == "released" || slices.Contains(fails, m.ID) {
			want = 0
		}
		if m.Points != want {
			t.Errorf("%s: %s gives %v of %v points; %+v", r.Student, m.ID, m.Points, m.Of, m.Results)
		}
	}
}

// answersOf returns what a file has: for each answer, cells by their ids.
func answersOf(t *testing.T, path string) map[string]map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]map[string]string{}
	for _, f := range archive.Files {
		answer, cell, ok := strings.Cut(f.Name, "/")
		if !ok {
			t.Fatalf("%s: %q is not called ANSWER/CELL", path, f.Name)
		}
		if answers[answer] == nil {
			answers[answer] = map[string]string{}
		}
		answers[answer][cell] = string(f.Data)
	}
	return answers
}

// handedIn is an assignment's notebook with some solutions replaced and the others as in the source, without the cells that
// only show something; or as it is released, if there are none to replace.
func handedIn(t *testing.T, a *Assignment, cells map[string]string) *notebook.Notebook {
	t.Helper()
	nb, err := a.Release()
	if err != nil {
		t.Fatal(err)
	}
	if cells == nil {
		return nb
	}
	for id := range cells {
		if p := a.byID[id]; p == nil || !p.solution {
			t.Fatalf("no solution is called %s", id)
		}
	}
	nb.Cells = slices.DeleteFunc(nb.Cells, func(c *notebook.Cell) bool {
		id, _ := nbgraderOf(c)["grade_id"].(string)
		p := a.byID[id]
		if p != nil && p.solution {
			c.Source = p.cell.Source
			if replaced, ok := cells[id]; ok {
				c.Source = replaced
			}
		}
		return p == nil
	})
	return nb
}
