package grade

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gaucho/command/notebook"
	"gaucho/command/page"
)

// writeCSV writes the marks of all, a line a student: the points of each test cell, their sum, and a note on why a submission
// did not run to its end, or on the first test that took too long.
func writeCSV(w io.Writer, reports []*Report) error {
	out := csv.NewWriter(w)
	for i, r := range reports {
		if i == 0 {
			header := []string{"student", "points", "of"}
			for _, m := range r.Marks {
				header = append(header, text(m.ID))
			}
			out.Write(append(header, "note"))
		}
		row := []string{text(r.Student), number(r.Points), number(r.of())}
		for _, m := range r.Marks {
			if m.Manual || r.unmarked {
				row = append(row, "")
				continue
			}
			row = append(row, number(m.Points))
		}
		if r.unmarked {
			row[1] = ""
		}
		out.Write(append(row, text(r.note())))
	}
	out.Flush()
	return out.Error()
}

// note says what limit a submission ran into, or what of it did not run for a reason that need not be its own.
func (r *Report) note() string {
	if r.unmarked {
		return "not marked yet"
	}
	if r.End != "" {
		return r.End
	}
	for _, m := range r.Marks {
		for _, result := range m.Results {
			if _, what, ok := strings.Cut(result.Problem, "Timeout: "); ok {
				return m.ID + ": " + what
			}
		}
	}
	if r.Refused != "" {
		return "not run by the interpreter, which need not be wrong: " + r.Refused
	}
	return ""
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// text keeps a spreadsheet from taking a student's words for a formula.
func text(s string) string {
	if s != "" && strings.Contains("=+-@\t\r", s[:1]) {
		return "'" + s
	}
	return s
}

// of is what a report's tests are worth.
func (r *Report) of() (sum float64) {
	for _, m := range r.Marks {
		if !m.Manual {
			sum += m.Of
		}
	}
	return sum
}

// writePage writes a student's feedback as an HTML page: the notebook as it ran, and under each test cell how its tests went.
// Of hidden tests it says only whether they hold. What the student's notebook brings along cannot run anything in the page.
func (r *Report) writePage(w io.Writer, title string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s: **%s of %s points**\n\n", plain(title), plain(r.Student), number(r.Points), number(r.of()))
	if r.ended != "" {
		fmt.Fprintf(&b, "The notebook did not run to its end: %s.\n\n", plain(r.ended))
	}
	b.WriteString("| test | points | of |\n|---|---|---|\n")
	for _, m := range r.Marks {
		points := number(m.Points)
		if m.Manual {
			points = "marked by hand"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", plain(m.ID), points, number(m.Of))
	}
	nb := &notebook.Notebook{
		Metadata: map[string]any{"language_info": map[string]any{"name": "go"}},
		Cells:    append([]*notebook.Cell{{Type: "markdown", Source: b.String()}}, r.cells...),
	}
	return page.Write(w, nb, &page.Options{Title: title + ": " + r.Student, Untrusted: true})
}

// cell is a cell of the page that says how tests went.
func (m Mark) cell() *notebook.Cell {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s: %s of %s points**\n\n", plain(m.ID), number(m.Points), number(m.Of))
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
