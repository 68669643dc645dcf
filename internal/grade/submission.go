package grade

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gaucho/internal/headless"
)

// A Submission is one student's notebook.
type Submission struct {
	Student string
	Path    string
}

// Find lists the submissions in a folder, in the order of the students' names: STUDENT.ipynb, STUDENT/NAME.ipynb, or as
// nbgrader has them STUDENT/ASSIGNMENT/NAME.ipynb, where NAME is the source's if a student has several. Links are passed
// over: they could lead to another student's work.
func Find(dir, name string) ([]Submission, error) {
	found := map[string][]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		elements := strings.Split(filepath.ToSlash(rel), "/")
		switch {
		case path != dir && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir() && len(elements) > 2:
			return fs.SkipDir
		case d.Type().IsRegular() && filepath.Ext(path) == ".ipynb":
			student := strings.TrimSuffix(elements[0], ".ipynb")
			found[student] = append(found[student], path)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("grade: %w", err)
	}
	var all []Submission
	for student, paths := range found {
		path := paths[0]
		if len(paths) > 1 {
			i := slices.IndexFunc(paths, func(p string) bool { return filepath.Base(p) == name+".ipynb" })
			if i < 0 {
				return nil, fmt.Errorf("grade: %s has %d notebooks and none is called %s.ipynb", student, len(paths), name)
			}
			path = paths[i]
		}
		all = append(all, Submission{student, path})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("grade: no notebook is in %s", dir)
	}
	slices.SortFunc(all, func(a, b Submission) int { return strings.Compare(a.Student, b.Student) })
	return all, nil
}

// A sitting is an exam, and what its cells are parts of.
type sitting struct {
	exam
	pieces []piece // as the exam's cells
	shown  []*headless.Cell
}

// A piece says what a cell of an exam is of.
type piece struct {
	cell *headless.Cell // of the page, which gets the outputs
	part *part          // of the source; nil for a student's own cell
	step *step          // of a test; nil for a whole cell
}

func (s *sitting) add(p piece, c examCell) {
	s.pieces, s.Cells = append(s.pieces, p), append(s.Cells, c)
}

// sit makes the exam of a submission: the student's cells in the student's order, but what students may not change, tests
// above all, as the source has it. Tests that are missing come at the end.
func (a *Assignment) sit(nb *headless.Notebook) *sitting {
	s := &sitting{}
	seen := map[*part]bool{}
	for _, c := range nb.Cells {
		if c.Type != "code" {
			if c.Type == "markdown" {
				s.shown = append(s.shown, &headless.Cell{Type: c.Type, Source: c.Source})
			}
			continue
		}
		id, _ := nbgraderOf(c)["grade_id"].(string)
		p := a.byID[id]
		switch {
		case p == nil:
			s.whole(nil, c.Source)
		case seen[p]:
			// a copy of a cell: whose tests would count twice
		default:
			seen[p] = true
			a.take(s, p, c.Source)
		}
	}
	for _, p := range a.parts {
		if p.id != "" && !seen[p] && p.locked {
			a.take(s, p, p.cell.Source)
		}
	}
	return s
}

func (a *Assignment) take(s *sitting, p *part, source string) {
	switch {
	case p.isTest():
		cell := &headless.Cell{Type: "code", Source: withoutHidden(p.cell.Source)}
		s.shown = append(s.shown, cell)
		for _, st := range p.steps {
			c := examCell{Source: st.setup}
			if st.test != "" {
				c.Asks = []string{st.got}
			}
			s.add(piece{cell, p, st}, c)
		}
	case p.locked:
		s.whole(p, p.cell.Source)
	default:
		s.whole(p, source)
	}
}

func (s *sitting) whole(p *part, source string) {
	cell := &headless.Cell{Type: "code", Source: source}
	s.shown = append(s.shown, cell)
	s.add(piece{cell, p, nil}, examCell{Source: source})
}

// key makes the exam of the source itself, which asks for what is expected as well.
func (a *Assignment) key() *sitting {
	s := &sitting{}
	for _, p := range a.parts {
		if !p.isTest() {
			s.whole(p, p.cell.Source)
			continue
		}
		for _, st := range p.steps {
			c := examCell{Source: st.all}
			if st.test != "" {
				c.Asks = append([]string{st.got}, st.args...)
			}
			s.add(piece{&headless.Cell{}, p, st}, c)
		}
	}
	return s
}

// copyData puts the files beside the source, which students were given with it, into a folder.
func (a *Assignment) copyData(dir string) error {
	root := a.notebook.Dir
	if root == "" {
		return nil
	}
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		hidden := path != root && strings.HasPrefix(d.Name(), ".")
		switch {
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(dir, rel), 0o755)
		case hidden, !d.Type().IsRegular(), filepath.Ext(path) == ".ipynb", d.Name() == "autotests.yml":
			return nil
		}
		return copyFile(path, filepath.Join(dir, rel))
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
