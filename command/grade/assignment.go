package grade

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gaucho/command/notebook"
)

// An Assignment is a source notebook, understood.
type Assignment struct {
	notebook *notebook.Notebook
	files    []string         // that students' code is given, by their paths in the notebook's directory
	parts    []*part          // in the notebook's order
	byID     map[string]*part // those that have an id
	Points   float64          // what all is worth, tests and what a person must mark
	hides    bool             // some test is hidden
}

// A part is a code cell of the source, or a text cell that has points.
type part struct {
	cell     *notebook.Cell
	id       string // grade_id; empty for a cell that nbgrader knows nothing of
	solution bool   // students write it
	grade    bool   // it has points
	task     bool   // it has points for what students put after it
	locked   bool   // students may not change it
	points   float64
	steps    []*step // of tests
	open     []*step // of what students see of the tests
}

// wanted returns the step among all whose expected values are those of an open test.
func (p *part) wanted(open *step) *step {
	n := 0
	for _, s := range p.open {
		if s == open {
			break
		}
		if s.test != "" {
			n++
		}
	}
	for _, s := range p.steps {
		if s.test != "" && !s.hidden {
			if n == 0 {
				return s
			}
			n--
		}
	}
	return nil
}

// isTest says that a part's points are given by tests.
func (p *part) isTest() bool { return p.grade && !p.solution && p.cell.Type == "code" }

// isManual says that a person marks the part: prose, a figure, a task of nbgrader's.
func (p *part) isManual() bool { return p.grade && p.solution || p.task }

// marked lists the parts that have points, in the order of a report's marks.
func (a *Assignment) marked() (all []*part) {
	for _, p := range a.parts {
		if p.isTest() || p.isManual() {
			all = append(all, p)
		}
	}
	return all
}

// Read reads a source notebook. Its errors name the cell.
func Read(path string) (*Assignment, error) {
	nb, err := notebook.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a, err := understand(nb)
	if err == nil {
		a.files, err = givenFiles(nb)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

func understand(nb *notebook.Notebook) (*Assignment, error) {
	if nb.Language() != "go" {
		return nil, fmt.Errorf("the notebook's language is %q, must be go", nb.Language())
	}
	a := &Assignment{notebook: nb, byID: map[string]*part{}}
	for i, c := range nb.Cells {
		p, err := newPart(c)
		if err != nil {
			return nil, fmt.Errorf("cell %d%s: %w", i+1, named(c), err)
		}
		if c.Type != "code" && !p.isManual() {
			continue
		}
		if p.id != "" {
			if a.byID[p.id] != nil {
				return nil, fmt.Errorf("cell %d: the grade_id %s is another cell's already", i+1, p.id)
			}
			a.byID[p.id] = p
		}
		a.parts = append(a.parts, p)
		a.hides = a.hides || len(hiddenRanges(c.Source)) > 0 && p.isTest()
		if p.isTest() || p.isManual() {
			a.Points += p.points
		}
	}
	if a.Points == 0 {
		return nil, errors.New("no cell is marked as a test or an answer with points; nbgrader's \"Create Assignment\" does that")
	}
	return a, nil
}

func named(c *notebook.Cell) string {
	if id, _ := nbgraderOf(c)["grade_id"].(string); id != "" {
		return " (" + id + ")"
	}
	return ""
}

func nbgraderOf(c *notebook.Cell) map[string]any {
	m, _ := c.Metadata["nbgrader"].(map[string]any)
	return m
}

func newPart(c *notebook.Cell) (*part, error) {
	m := nbgraderOf(c)
	p := &part{cell: c}
	p.id, _ = m["grade_id"].(string)
	p.solution, _ = m["solution"].(bool)
	p.grade, _ = m["grade"].(bool)
	p.locked, _ = m["locked"].(bool)
	p.task, _ = m["task"].(bool)
	switch v := m["points"].(type) {
	case json.Number:
		p.points, _ = v.Float64()
	case float64:
		p.points = v
	}
	if p.isManual() && p.id == "" {
		return nil, errors.New("it has points, but no grade_id to enter them by")
	}
	if !p.isTest() {
		return p, nil
	}
	if strings.Contains(c.Source, "### AUTOTEST") || strings.Contains(c.Source, "### HASHED AUTOTEST") {
		return nil, errors.New("AUTOTEST is nbgrader's; here a test is a call of package check")
	}
	var err error
	if p.steps, err = split(c.Source); err != nil {
		return nil, err
	}
	if p.open, err = split(withoutHidden(c.Source)); err != nil {
		return nil, fmt.Errorf("without its hidden tests: %w", err)
	}
	for _, s := range p.steps {
		if s.test != "" {
			return p, nil
		}
	}
	return nil, errors.New("it has points but no test; a test is a call of package check, such as check.Equal(F(2), 4)")
}
