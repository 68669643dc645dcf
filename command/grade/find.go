package grade

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Submission is one student's notebook.
type Submission struct {
	Student string
	Path    string
	Problem string // why there is no notebook to mark; empty if there is one
}

// Find lists the submissions in a directory, in the order of the students' names: STUDENT.ipynb, STUDENT/NAME.ipynb, or as
// nbgrader has them STUDENT/ASSIGNMENT/NAME.ipynb, where NAME is the source's if a student has several. What cannot be
// marked has a Problem, so that nobody is missing: a directory without a notebook, several notebooks none of which has the
// name, and links, pipes and the like, which could lead to another student's work or to no end.
func Find(dir, name string) ([]Submission, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("grade: %w", err)
	}
	found := map[string][]offer{}
	for _, e := range entries {
		student, isNotebook := strings.CutSuffix(e.Name(), ".ipynb")
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			found[e.Name()] = append(found[e.Name()], inDirectory(path)...)
		case isNotebook:
			found[student] = append(found[student], newOffer(path, e))
		}
	}
	var all []Submission
	for student, notebooks := range found {
		all = append(all, choose(student, notebooks, name))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("grade: no notebook is in %s", dir)
	}
	slices.SortFunc(all, func(a, b Submission) int { return strings.Compare(a.Student, b.Student) })
	return all, nil
}

// An offer is something that a student handed in under the name of a notebook, or a directory that could not be read.
type offer struct{ path, problem string }

func newOffer(path string, e fs.DirEntry) offer {
	h := offer{path: path}
	if !e.Type().IsRegular() {
		h.problem = fmt.Sprintf("%s is %s, must be a file", e.Name(), kind(e.Type()))
	}
	return h
}

func kind(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a link"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m.IsDir():
		return "a directory"
	}
	return "a special file"
}

// inDirectory lists the notebooks of a student's directory and of those in it.
func inDirectory(dir string) (all []offer) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		switch {
		case err != nil:
			all = append(all, offer{path, fmt.Sprintf("the directory %s cannot be read", filepath.Base(path))})
			return fs.SkipDir
		case path != dir && strings.HasPrefix(d.Name(), ".") && d.IsDir(),
			d.IsDir() && strings.Count(filepath.ToSlash(rel), "/") > 0:
			return fs.SkipDir
		case !d.IsDir() && !strings.HasPrefix(d.Name(), ".") && filepath.Ext(path) == ".ipynb":
			all = append(all, newOffer(path, d))
		}
		return nil
	})
	return all
}

// choose picks the notebook to mark from what a student handed in.
func choose(student string, all []offer, name string) Submission {
	named := slices.IndexFunc(all, func(h offer) bool { return filepath.Base(h.path) == name+".ipynb" && h.problem == "" })
	switch {
	case named >= 0:
		return Submission{Student: student, Path: all[named].path}
	case len(all) == 0:
		return Submission{Student: student, Problem: "no notebook was handed in"}
	case len(all) > 1:
		return Submission{Student: student, Problem: fmt.Sprintf("%d notebooks were handed in, and none is a file called %s.ipynb", len(all), name)}
	}
	return Submission{Student: student, Path: all[0].path, Problem: all[0].problem}
}
