package grade

import (
	"io"
	"os"
	"path/filepath"

	"gaucho/command/notebook"
)

// A sitting is an exam, and what its cells are parts of.
type sitting struct {
	exam
	open   bool
	pieces []piece // as the exam's cells
	shown  []shownCell
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
// above all, as the source has it. Tests that are missing come at the end. An open exam is without the hidden tests: what it
// shows may be shown to the student.
func (a *Assignment) sit(nb *notebook.Notebook, open bool) *sitting {
	s := &sitting{open: open}
	seen := map[*part]bool{}
	for _, c := range nb.Cells {
		if c.Type != "code" {
			if c.Type == "markdown" {
				s.shown = append(s.shown, shownCell{Cell: &notebook.Cell{Type: c.Type, Source: c.Source}})
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

func (s *sitting) whole(p *part, source string) {
	cell := &notebook.Cell{Type: "code", Source: source}
	s.shown = append(s.shown, shownCell{cell, p})
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
