package grade

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gaucho/command/notebook"
)

// writeCSV writes the marks of all, a line a student: the points of each cell, nothing for one that is still to be marked, their
// sum, and a note on why a submission did not run to its end, on the first test that took too long, and on what may explain the marks.
func writeCSV(w io.Writer, reports []*Report) error {
	out := csv.NewWriter(w)
	for i, r := range reports {
		if i == 0 {
			header := []string{"student", "points", "of"}
			if r.manual() {
				header = append(header, "open")
			}
			for _, m := range r.Marks {
				header = append(header, text(m.ID))
			}
			out.Write(append(header, "note"))
		}
		points, open := r.total()
		row := []string{text(r.Student), number(points), number(r.of())}
		if r.manual() {
			row = append(row, number(open))
		}
		for i := range r.Marks {
			if v, ok := r.given(&r.Marks[i]); ok && !r.unmarked {
				row = append(row, number(v))
			} else {
				row = append(row, "")
			}
		}
		if r.unmarked {
			row[1] = ""
		}
		out.Write(append(row, text(r.note())))
	}
	out.Flush()
	return out.Error()
}

// manual reports whether a person must mark something.
func (r *Report) manual() bool {
	return slices.ContainsFunc(r.Marks, func(m Mark) bool { return m.Manual })
}

// note says what limit a submission ran into, what of it did not run for a reason that need not be its own, and what may explain
// its marks.
func (r *Report) note() string {
	if r.unmarked {
		return "not marked yet"
	}
	var notes []string
	switch slow := r.slow(); {
	case r.End != "":
		notes = append(notes, r.End)
	case slow != "":
		notes = append(notes, slow)
	case r.Refused != "":
		notes = append(notes, "not run by the interpreter, which need not be wrong: "+r.Refused)
	}
	return strings.Join(append(notes, r.Why...), "; ")
}

// slow says of the first test that took too long how long that was.
func (r *Report) slow() string {
	for _, m := range r.Marks {
		for _, result := range m.Results {
			problem := strings.TrimPrefix(result.Problem, testNeeds)
			if what, ok := strings.CutPrefix(problem, "Timeout: "); ok {
				return m.ID + ": " + what
			}
		}
	}
	return ""
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// text keeps a spreadsheet from taking a student's words for a formula, and a terminal from obeying them.
func text(s string) string {
	s = printable(s)
	if s != "" && strings.Contains("=+-@'", s[:1]) {
		return "'" + s
	}
	return s
}

// printable writes control characters, backslashes, and bytes that are no UTF-8, as Go does in strings.
func printable(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || r == '\\' || !unicode.IsPrint(r) {
			b.WriteString(strings.Trim(strconv.Quote(s[:n]), `"`))
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// of is what a report's cells are worth.
func (r *Report) of() (sum float64) {
	for _, m := range r.Marks {
		sum += m.Of
	}
	return sum
}

// heading is the first cell of a student's page.
func (r *Report) heading(title string) *notebook.Cell {
	points, open := r.total()
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s: **%s of %s points**", plain(title), plain(r.Student), number(points), number(r.of()))
	if open > 0 {
		fmt.Fprintf(&b, "; answers for %s points are still to be marked", number(open))
	}
	b.WriteString("\n\n")
	if r.Ended != "" {
		fmt.Fprintf(&b, "The notebook did not run to its end: %s.\n\n", plain(r.Ended))
	}
	for _, why := range r.Why {
		fmt.Fprintf(&b, "- %s\n", plain(why))
	}
	b.WriteString("\n| cell | points | of | |\n|---|---|---|---|\n")
	for i := range r.Marks {
		m := &r.Marks[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", plain(m.ID), r.shownPoints(m), number(m.Of), plain(r.hand.cells[m.ID].Comment))
	}
	for _, h := range r.hand.others {
		points := ""
		if h.Points != nil {
			points = number(*h.Points)
		}
		fmt.Fprintf(&b, "| | %s | | %s |\n", plain(points), plain(h.Comment))
	}
	return &notebook.Cell{Type: "markdown", Source: b.String()}
}

func (r *Report) shownPoints(m *Mark) string {
	if points, ok := r.given(m); ok {
		return plain(number(points))
	}
	return "open"
}

// pageCells are the cells of a student's feedback: the notebook as it ran, and after each cell with points how it was marked.
// Of hidden tests it says only whether they hold.
func (r *Report) pageCells(title string) []*notebook.Cell {
	cells := []*notebook.Cell{r.heading(title)}
	for i, c := range r.cells {
		cells = append(cells, c)
		id, _ := c.Metadata[partKey].(string)
		if at := r.markOf(id); at >= 0 && !slices.ContainsFunc(r.cells[:i], func(c *notebook.Cell) bool { return c.Metadata[partKey] == id }) {
			cells = append(cells, r.markCell(&r.Marks[at]))
		}
	}
	return cells
}

// plainCells are the cells of a page without anything that the student wrote.
func (r *Report) plainCells(title string) []*notebook.Cell {
	cells := []*notebook.Cell{r.heading(title), {Type: "markdown", Source: "The notebook is left out: a page that shows it would be too large, or take too long to make."}}
	for i := range r.Marks {
		cells = append(cells, r.markCell(&r.Marks[i]))
	}
	return cells
}

// markOf is where the mark of a cell is, or -1.
func (r *Report) markOf(id string) int {
	return slices.IndexFunc(r.Marks, func(m Mark) bool { return id != "" && m.ID == id })
}

// markCell is a cell of the page that says how a cell was marked.
func (r *Report) markCell(m *Mark) *notebook.Cell {
	var b strings.Builder
	if _, ok := r.given(m); !ok {
		fmt.Fprintf(&b, "**%s: still to be marked, of %s points**\n\n", plain(m.ID), number(m.Of))
	} else {
		fmt.Fprintf(&b, "**%s: %s of %s points**\n\n", plain(m.ID), r.shownPoints(m), number(m.Of))
	}
	if comment := r.hand.cells[m.ID].Comment; comment != "" {
		fmt.Fprintf(&b, "%s\n\n", plain(comment))
	}
	hidden := 0
	for _, r := range m.Results {
		what := code(r.Test)
		if r.Hidden {
			hidden++
			what = fmt.Sprintf("hidden test %d", hidden)
		}
		switch {
		case r.Problem == "":
			fmt.Fprintf(&b, "- ✓ %s\n", what)
		case r.Hidden:
			fmt.Fprintf(&b, "- ✗ %s\n", what)
		case r.Shown == "":
			fmt.Fprintf(&b, "- ✗ %s: it does not hold when hidden tests run as well\n", what)
		default:
			fmt.Fprintf(&b, "- ✗ %s: %s\n", what, plain(r.Shown))
		}
	}
	return &notebook.Cell{Type: "markdown", Source: b.String()}
}

// question lists the cells of a page with all answers to one question.
func (a *Assignment) question(p *part, b *gradebook) []*notebook.Cell {
	cells := []*notebook.Cell{{Type: "markdown", Source: fmt.Sprintf("# %s\n\nOf %s points. Enter them in %s, where each answer has a line.\n\nThe source:",
		plain(p.id), number(p.points), plain(handFile))},
		{Type: p.cell.Type, Source: p.cell.Source}}
	for _, r := range b.reports {
		at := r.markOf(p.id)
		if r.unmarked || at < 0 || r.Marks[at].Empty {
			continue
		}
		cells = append(cells, &notebook.Cell{Type: "markdown", Source: fmt.Sprintf("## %s\n\n%s of %s points", plain(r.Student), r.shownPoints(&r.Marks[at]), number(p.points))})
		answer := answerTo(p, b.cellsOf(r))
		if text, err := json.Marshal(answer); err != nil || len(text) > maxAnswer {
			answer = []*notebook.Cell{{Type: "markdown", Source: "The answer is too large for this page; it is on the page of the student's feedback."}}
		}
		cells = append(cells, answer...)
	}
	return cells
}

// maxAnswer is how large an answer may be to be shown among those of others.
const maxAnswer = 1 << 20

// answerTo picks the cells of an answer: the cell itself and its copies, or after a task what the student put there.
func answerTo(p *part, all []*notebook.Cell) (answer []*notebook.Cell) {
	inside := false
	for _, c := range all {
		id, _ := c.Metadata[partKey].(string)
		if !p.task && id == p.id || p.task && inside && id == "" {
			answer = append(answer, c)
		}
		inside = id == p.id || inside && id == ""
	}
	return answer
}

// plain is text as Markdown that means nothing but the text.
func plain(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) > 500 {
		s = strings.ToValidUTF8(s[:500], "") + "…"
	}
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_{}[]()<>#+-.!|~$&\"", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code is text as code in Markdown, on one line.
func code(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return "`` " + strings.ReplaceAll(s, "``", "` `") + " ``"
}
