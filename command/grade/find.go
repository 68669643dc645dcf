package grade

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A Submission is one student's notebook.
type Submission struct {
	Student string
	Path    string
	Problem string // why there is no notebook to mark; empty if there is one

	found fs.FileInfo // what was at the path when it was found; nil for not known
}

// replaced is the problem of a submission that another file took the place of.
const replaced = "the file was replaced while submissions were marked; run the command again"

// open opens the notebook, which must still be the file that was found: a link that has taken its place, or that of a directory
// above it, would lead to another student's work.
func (s Submission) open() (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(s.Path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe would keep it waiting
	if err != nil {
		return nil, nil, errors.New("it cannot be read")
	}
	st, err := f.Stat()
	switch {
	case err != nil:
		err = errors.New("it cannot be read")
	case s.found != nil && !os.SameFile(st, s.found):
		err = errors.New(replaced)
	case !st.Mode().IsRegular():
		err = errors.New("it is not a file")
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, st, nil
}

// content returns the notebook's bytes.
func (s Submission) content() ([]byte, error) {
	if s.Problem != "" {
		return nil, errors.New(s.Problem)
	}
	f, st, err := s.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st.Size() > maxNotebook {
		return nil, fmt.Errorf("the notebook has %s, and may have %s", size(st.Size()), size(maxNotebook))
	}
	data, err := io.ReadAll(io.LimitReader(f, maxNotebook))
	if err != nil {
		return nil, errors.New("it cannot be read")
	}
	return data, nil
}

// ofTheSystem are files that file managers and Jupyter make by themselves.
var ofTheSystem = []string{".DS_Store", "Thumbs.db", "desktop.ini", ".ipynb_checkpoints", "__MACOSX"}

// Find lists the submissions in a directory, in the order of the students' names: STUDENT.ipynb, STUDENT/NAME.ipynb, or as
// nbgrader has them STUDENT/ASSIGNMENT/NAME.ipynb, where NAME is the source's if a student has several. Everything else has a
// Problem, so that nobody is missing: a directory without a notebook, several notebooks none of which has the
// name, other files, hidden ones, and links, pipes and the like, which could lead to another student's work or to no end. The
// directory of the marks, which may not exist yet, is no student's.
func Find(dir, name, marks string) ([]Submission, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("grade: %w", err)
	}
	out, _ := os.Stat(marks)
	if top, err := os.Stat(dir); err == nil && out != nil && os.SameFile(top, out) {
		return nil, fmt.Errorf("grade: the marks would be written among the submissions in %s; give them another directory with -o", dir)
	}
	found := map[string][]offer{}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if slices.Contains(ofTheSystem, e.Name()) {
			continue
		}
		if e.IsDir() {
			if st, err := e.Info(); err == nil && out != nil && os.SameFile(st, out) {
				continue
			}
			found[e.Name()] = append(found[e.Name()], inDirectory(path)...)
			continue
		}
		student := studentOf(e.Name())
		found[student] = append(found[student], newOffer(path, e))
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

// studentOf returns the name of the student who handed in a file: the file's without its extension.
func studentOf(file string) string {
	if at := strings.Index(strings.ToLower(file), ".ipynb"); at > 0 {
		return file[:at]
	}
	if name := strings.TrimSuffix(file, filepath.Ext(file)); name != "" {
		return name
	}
	return file
}

// An offer is something that a student handed in, or a directory that could not be read.
type offer struct {
	path    string
	problem string // why it cannot be marked; empty for a notebook
	other   bool   // it is not called a notebook
	found   fs.FileInfo
}

func newOffer(path string, e fs.DirEntry) offer {
	h := offer{path: path}
	h.found, _ = e.Info()
	switch notebook := strings.EqualFold(filepath.Ext(path), ".ipynb"); {
	case !e.Type().IsRegular():
		h.problem, h.other = fmt.Sprintf("%s is %s, must be a file", e.Name(), kind(e.Type())), !notebook
	case strings.HasPrefix(e.Name(), "."):
		h.problem, h.other = fmt.Sprintf("%s is hidden: its name begins with a dot", e.Name()), true
	case !notebook:
		h.problem, h.other = fmt.Sprintf("%s is not a notebook: its name does not end in .ipynb", e.Name()), true
	case h.found == nil:
		h.problem = fmt.Sprintf("%s cannot be read", e.Name())
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

// inDirectory lists what is in a student's directory and in those in it.
func inDirectory(dir string) (all []offer) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		switch {
		case err != nil:
			all = append(all, offer{path: path, problem: fmt.Sprintf("the directory %s cannot be read", filepath.Base(path))})
			return fs.SkipDir
		case path == dir:
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || strings.Contains(filepath.ToSlash(rel), "/")):
			return fs.SkipDir
		case !d.IsDir() && !slices.Contains(ofTheSystem, d.Name()):
			all = append(all, newOffer(path, d))
		}
		return nil
	})
	return all
}

// choose picks the notebook to mark from what a student handed in.
func choose(student string, all []offer, name string) Submission {
	notebooks := slices.DeleteFunc(slices.Clone(all), func(h offer) bool { return h.other })
	named := slices.IndexFunc(notebooks, func(h offer) bool {
		return strings.EqualFold(filepath.Base(h.path), name+".ipynb") && h.problem == ""
	})
	switch {
	case named >= 0:
		return Submission{Student: student, Path: notebooks[named].path, found: notebooks[named].found}
	case len(all) == 0:
		return Submission{Student: student, Problem: "no notebook was handed in"}
	case len(notebooks) == 0:
		return Submission{Student: student, Problem: "no notebook was handed in: " + all[0].problem}
	case len(notebooks) > 1:
		return Submission{Student: student, Problem: fmt.Sprintf("%d notebooks were handed in, and none is a file called %s.ipynb", len(notebooks), name)}
	}
	return Submission{Student: student, Path: notebooks[0].path, Problem: notebooks[0].problem, found: notebooks[0].found}
}
