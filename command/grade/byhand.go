package grade

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gaucho/command/notebook"
)

// handFile is where a person enters marks, next to grades.csv: student, cell, points, comment. A line with a cell marks it, and
// takes the place of what its tests gave if it is a test. A line without a cell adds its points, which may be negative, to
// the sum. A cell without points is still to be marked.
const handFile = "marks.csv"

var handHeader = []string{"student", "cell", "points", "comment"}

// byHand is what a person gave to one student.
type byHand struct {
	cells  map[string]handMark
	others []handMark // that are of no cell
}

// A handMark is a line of the file of marks by hand.
type handMark struct {
	Points  *float64 // nil if it is still to be marked
	Comment string
}

// A handBook is the file, read.
type handBook struct {
	students map[string]byHand // by their names as the table of marks has them
	comma    rune              // what separates fields: spreadsheets write semicolons where a decimal comma is used
	newline  bool              // the file ends with its last line
	exists   bool
}

// readHandBook reads the marks that were given by hand. An error names the line: a mark that nobody gets would be lost.
func readHandBook(path string, a *Assignment, all []Submission) (*handBook, error) {
	b := &handBook{students: map[string]byHand{}, comma: ','}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	b.exists, b.newline = true, bytes.HasSuffix(data, []byte("\n"))
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if first, _, _ := bytes.Cut(data, []byte("\n")); bytes.Contains(first, []byte(";")) {
		b.comma = ';'
	}
	in := csv.NewReader(bytes.NewReader(data))
	in.Comma, in.FieldsPerRecord = b.comma, -1
	rows, err := in.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	known := map[string]bool{}
	for _, s := range all {
		known[text(s.Student)] = true
	}
	for i, row := range rows {
		row = append(slices.Clone(row), make([]string, max(0, len(handHeader)-len(row)))...)
		if i == 0 && strings.EqualFold(row[0], handHeader[0]) || strings.Join(row, "") == "" {
			continue
		}
		if err := b.enter(row, a, known); err != nil {
			return nil, fmt.Errorf("%s, record %d: %w", path, i+1, err)
		}
	}
	return b, nil
}

func (b *handBook) enter(row []string, a *Assignment, known map[string]bool) error {
	student, cell, points, comment := row[0], strings.TrimSpace(row[1]), strings.TrimSpace(row[2]), row[3]
	if !known[student] {
		return fmt.Errorf("there is no student %q among the submissions", student)
	}
	m := handMark{Comment: comment}
	if points != "" {
		if b.comma == ';' {
			points = strings.Replace(points, ",", ".", 1)
		}
		v, err := strconv.ParseFloat(points, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("the points of %s are %q, must be a number", student, row[2])
		}
		m.Points = &v
	}
	s := b.students[student]
	if s.cells == nil {
		s.cells = map[string]handMark{}
	}
	switch p := a.byID[cell]; {
	case cell == "":
		s.others = append(s.others, m)
	case p == nil || !slices.Contains(a.marked(), p):
		return fmt.Errorf("the assignment has no cell %q with points; a line without a cell adds its points to the sum", cell)
	default:
		if _, twice := s.cells[cell]; twice {
			return fmt.Errorf("%s has points for the cell %s already", student, cell)
		}
		s.cells[cell] = m
	}
	b.students[student] = s
	return nil
}

// invite appends a line for each answer that is to be marked and is not in the file yet, question by question.
func (b *handBook) invite(path string, a *Assignment, reports []*Report) error {
	var out bytes.Buffer
	if b.exists && !b.newline {
		out.WriteByte('\n')
	}
	w := csv.NewWriter(&out)
	w.Comma = b.comma
	if !b.exists {
		w.Write(handHeader)
	}
	lines := 0
	for i, p := range a.marked() {
		if !p.isManual() {
			continue
		}
		for _, r := range reports {
			if _, there := r.hand.cells[p.id]; !there && !r.unmarked && !r.Marks[i].Empty {
				w.Write([]string{text(r.Student), p.id, "", ""})
				lines++
			}
		}
	}
	w.Flush()
	if lines == 0 {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(out.Bytes())
	return errors.Join(err, f.Close())
}

// given returns the points of a mark, by tests or by hand, and false if it is still to be marked.
func (r *Report) given(m *Mark) (points float64, ok bool) {
	if h := r.hand.cells[m.ID]; h.Points != nil {
		return *h.Points, true
	}
	return m.Points, !m.Manual || m.Empty
}

// total is the sum of all points that were given, and of those of cells that a person must still mark.
func (r *Report) total() (points, open float64) {
	for i := range r.Marks {
		if v, ok := r.given(&r.Marks[i]); ok {
			points += v
		} else {
			open += r.Marks[i].Of
		}
	}
	for _, h := range r.hand.others {
		if h.Points != nil {
			points += *h.Points
		}
	}
	return points, open
}

// writeQuestions writes a page for each cell that a person marks: the source's answer, then those of all students.
func (b *gradebook) writeQuestions(a *Assignment) error {
	for _, p := range a.marked() {
		if !p.isManual() {
			continue
		}
		title := b.title + ": " + p.id
		page := b.render(a.question(p, b), title)
		if page == nil {
			page = b.render([]*notebook.Cell{{Type: "markdown", Source: "The answers together are too large for a page; they are on the pages of the students' feedback."}}, title)
		}
		if err := writeFile(filepath.Join(b.dir, "questions", fileOf(p.id)+".html"), page); err != nil {
			return err
		}
	}
	return nil
}
