package grade

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gaucho/command/grade/fence"
	"gaucho/command/notebook"
)

const beginSolution, endSolution = "BEGIN SOLUTION", "END SOLUTION"

// stub is what students find where a solution was.
const stub = "// YOUR CODE HERE\npanic(\"not implemented\")"

// Release returns the notebook that students get: without solutions, hidden tests and outputs. nbgrader's "generate" makes
// the same of the same source.
func (a *Assignment) Release() (*notebook.Notebook, error) {
	out := *a.notebook
	out.Metadata = maps.Clone(a.notebook.Metadata)
	out.Cells = nil
	for i, c := range a.notebook.Cells {
		copied := *c
		copied.Outputs, copied.Count = nil, 0
		var err error
		if copied.Source, err = released(c); err == nil {
			err = refuseMarks(copied.Source)
		}
		if err != nil {
			return nil, fmt.Errorf("cell %d%s: %w", i+1, named(c), err)
		}
		out.Cells = append(out.Cells, &copied)
	}
	return &out, nil
}

// WriteRelease checks the assignment as Grade does, and writes what students get: to standard output if path is empty or "-" the
// notebook, to a file that ends in .zip a packed directory, to one that ends in .ipynb the notebook and next to it the files
// that are given with it, and otherwise to a directory. It never overwrites the source.
func (a *Assignment) WriteRelease(ctx context.Context, path string, o *Options) error {
	nb, err := a.Release()
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	own := *o // no code but the source's own runs
	own.Unfenced = o.Unfenced || fence.Available() != nil
	if err := own.fenced(); err != nil {
		return err
	}
	if _, err := a.verify(ctx, &own); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := nb.Encode(&text); err != nil {
		return err
	}
	files := map[string][]byte{}
	for _, f := range a.files {
		if files[f], err = os.ReadFile(filepath.Join(a.notebook.Dir, f)); err != nil {
			return fmt.Errorf("grade: %w", err)
		}
	}
	name := a.notebook.Name + ".ipynb"
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case path == "" || path == "-":
		_, err := os.Stdout.Write(text.Bytes())
		return err
	case ext == ".zip":
		files[name] = text.Bytes()
		return writeZip(path, files)
	case ext == ".ipynb":
		name = filepath.Base(path)
		path = filepath.Dir(path)
	}
	files[name] = text.Bytes()
	return a.writeBeside(path, files)
}

// writeBeside writes files into a directory, but none of the source's over itself.
func (a *Assignment) writeBeside(dir string, files map[string][]byte) error {
	source, err := os.Stat(filepath.Join(a.notebook.Dir, a.notebook.Name+".ipynb"))
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	home, err := os.Stat(a.notebook.Dir)
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	there, err := os.Stat(dir)
	same := err == nil && os.SameFile(home, there)
	for name, data := range files {
		path := filepath.Join(dir, name)
		if st, err := os.Stat(path); err == nil && os.SameFile(st, source) {
			return fmt.Errorf("grade: what students get would overwrite the source, %s; give it another place with -o", path)
		}
		if same && slices.Contains(a.files, name) {
			continue
		}
		if err := notebook.WriteFile(path, data); err != nil {
			return fmt.Errorf("grade: %w", err)
		}
	}
	return nil
}

// writeZip packs files, the same bytes for the same files.
func writeZip(path string, files map[string][]byte) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(filepath.ToSlash(name))
		if err != nil {
			return err
		}
		if _, err := w.Write(files[name]); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return notebook.WriteFile(path, b.Bytes())
}

// released is the source of a cell as students get it.
func released(c *notebook.Cell) (string, error) {
	m := nbgraderOf(c)
	solution, _ := m["solution"].(bool)
	grade, _ := m["grade"].(bool)
	switch {
	case solution && c.Type == "code":
		return withoutSolution(c.Source, stub)
	case solution && c.Type == "markdown":
		return withoutSolution(c.Source, "YOUR ANSWER HERE")
	case grade:
		return withoutHidden(c.Source), nil
	}
	return c.Source, nil
}

// releasedSource is a part's source as students get it.
func (a *Assignment) releasedSource(p *part) string {
	source, err := released(p.cell)
	if err != nil {
		return p.cell.Source
	}
	return source
}

// leftMark matches what looks like a mark of solutions or hidden tests, in any spelling.
var leftMark = regexp.MustCompile(`(?i)\b(begin|end)[ \t_-]+(solution|hidden)`)

// refuseMarks returns an error if what is to be released still has such a mark: what it encloses would be released with it.
func refuseMarks(source string) error {
	if m := leftMark.FindString(source); m != "" {
		return fmt.Errorf("students would get it with the words %q, and what they enclose: mark the cell as a solution or a test, and write "+
			"BEGIN SOLUTION, END SOLUTION, BEGIN HIDDEN TESTS, END HIDDEN TESTS, each on a line of its own", m)
	}
	return nil
}

// withoutSolution puts the stub in place of what is between the marks, or of everything if there are none.
func withoutSolution(source, stub string) (string, error) {
	var b strings.Builder
	inside, found := false, false
	for line := range strings.Lines(source) {
		switch {
		case strings.Contains(line, beginSolution):
			if inside {
				return "", fmt.Errorf("BEGIN SOLUTION inside a solution")
			}
			inside, found = true, true
			indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
			for s := range strings.SplitSeq(stub, "\n") {
				b.WriteString(indent + s + "\n")
			}
		case strings.Contains(line, endSolution):
			if !inside {
				return "", fmt.Errorf("END SOLUTION has no BEGIN SOLUTION")
			}
			inside = false
		case !inside:
			b.WriteString(line)
		}
	}
	if inside {
		return "", fmt.Errorf("BEGIN SOLUTION has no END SOLUTION")
	}
	if !found {
		return stub, nil
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// withoutHidden takes hidden tests out of a test cell.
func withoutHidden(source string) string {
	hidden := hiddenRanges(source)
	for i := len(hidden) - 1; i >= 0; i-- {
		source = source[:hidden[i][0]] + source[hidden[i][1]:]
	}
	return strings.TrimSuffix(source, "\n")
}
