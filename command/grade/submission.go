package grade

import (
	"io"
	"os"
	"path/filepath"
	"slices"

	"gaucho/command/notebook"
)

// A sitting is an exam, and what its cells are parts of.
type sitting struct {
	exam
	open   bool
	pieces []piece // as the exam's cells
	shown  []shownCell
	twice  []string // the solutions that a student has several cells of, by their ids
}

// A shownCell is a cell of the page, and the part of the source that it is, if it is one.
type shownCell struct {
	*notebook.Cell
	part *part
}

// A piece says what a cell of an exam is of.
type piece struct {
	cell *notebook.Cell // of the page, which gets the outputs
	part *part          // of the source; nil for a student's own cell
	step *step          // of a test; nil for a whole cell
}

func (s *sitting) add(p piece, c examCell) {
	s.pieces, s.Cells = append(s.pieces, p), append(s.Cells, c)
}

// sit makes the exam of a submission: the student's cells in the student's order, but what students may not change, tests
// above all, as the source has it. Tests that are missing come at the end. JupyterLab copies a cell's id when the cell is copied
// or split: a second cell with the id of a solution runs where it is, like any other cell of the student's. An open exam is without the hidden tests: what it
// shows may be shown to the student.
func (a *Assignment) sit(nb *notebook.Notebook, open bool) *sitting {
	s := &sitting{open: open}
	seen := map[*part]bool{}
	for _, c := range nb.Cells {
		id, _ := nbgraderOf(c)["grade_id"].(string)
		p := a.byID[id]
		if p != nil && p.cell.Type != c.Type {
			p = nil
		}
		if c.Type != "code" {
			if c.Type == "markdown" {
				s.text(p, c.Source)
				seen[p] = true
			}
			continue
		}
		switch {
		case p == nil:
			s.whole(nil, c.Source)
		case seen[p] && (p.locked || p.isTest()):
			// a copy of a cell of the source, whose tests would count twice
		case seen[p]: // a solution that was copied or split
			if s.whole(nil, c.Source); !slices.Contains(s.twice, p.id) {
				s.twice = append(s.twice, p.id)
			}
		default:
			seen[p] = true
			a.take(s, p, c.Source)
		}
	}
	for _, p := range a.parts {
		if p.id != "" && !seen[p] && p.locked && p.cell.Type == "code" {
			a.take(s, p, p.cell.Source)
		}
	}
	return s
}

func (a *Assignment) take(s *sitting, p *part, source string) {
	switch {
	case p.isTest():
		cell := &notebook.Cell{Type: "code", Source: withoutHidden(p.cell.Source)}
		s.shown = append(s.shown, shownCell{cell, p})
		steps := p.steps
		if s.open {
			steps = p.open
		}
		for _, st := range steps {
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

// text adds a text cell, which only the page has.
func (s *sitting) text(p *part, source string) {
	if p != nil && p.task {
		source = p.cell.Source
	}
	s.shown = append(s.shown, shownCell{&notebook.Cell{Type: "markdown", Source: source}, p})
}

func (s *sitting) whole(p *part, source string) {
	cell := &notebook.Cell{Type: "code", Source: source}
	s.shown = append(s.shown, shownCell{cell, p})
	s.add(piece{cell, p, nil}, examCell{Source: source})
}

// key makes the exam of the source itself, which asks for what is expected as well.
func (a *Assignment) key() *sitting {
	s := &sitting{}
	for _, p := range a.parts {
		if p.cell.Type != "code" {
			continue
		}
		if !p.isTest() {
			s.whole(p, p.cell.Source)
			continue
		}
		for _, st := range p.steps {
			c := examCell{Source: st.all}
			if st.test != "" {
				c.Asks = append([]string{st.got}, st.args...)
			}
			s.add(piece{&notebook.Cell{}, p, st}, c)
		}
	}
	return s
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
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
