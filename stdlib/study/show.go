package study

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// A sheet is a table as it is shown: a line above it, rows under heads, a line below it.
type sheet struct {
	title, note string
	head        []string
	rows        [][]string
}

// shownPoints is how many points of results are shown at most.
const shownPoints = 50

// String says how large the study is, and which values its parameters take.
func (s *Study) String() string { return s.sheet().text() }

// HTML shows what String says.
func (s *Study) HTML() string { return s.sheet().html() }

// String returns a table with a row for each point: how many replications there are, and of each field that is a number in all
// records the mean with its standard error, and the median.
func (r *Results) String() string { return r.sheet().text() }

// HTML shows what String says.
func (r *Results) HTML() string { return r.sheet().html() }

// size says how large the study is.
func (s *Study) size() string {
	text := fmt.Sprintf("%d points × %d replications, seed %d", len(s.Points), s.Replications, s.Seed)
	if s.Version != "" {
		text += ", version " + s.Version
	}
	return text
}

func (s *Study) sheet() *sheet {
	sh := &sheet{title: fmt.Sprintf("study %s: %s", s.Name, s.size()), note: s.About, head: []string{"parameter", "values", ""}}
	for _, name := range paramsOf(s.Points) {
		paired := ""
		if slices.Contains(s.Paired, name) {
			paired = "paired"
		}
		sh.rows = append(sh.rows, []string{name, strings.Join(valuesOf(s.Points, name), ", "), paired})
	}
	return sh
}

// valuesOf are the values that a parameter takes, in their order.
func valuesOf(points []Point, name string) (values []string) {
	seen := map[string]bool{}
	for _, p := range points {
		if v, ok := p.Value(name); ok && !seen[fmt.Sprint(v)] {
			seen[fmt.Sprint(v)] = true
			values = append(values, fmt.Sprint(v))
		}
	}
	return values
}

func (r *Results) sheet() *sheet { return r.sheetOf(shownPoints) }

// sheetOf shows as many points at most.
func (r *Results) sheetOf(most int) *sheet {
	if r.Study == nil || len(r.from) != len(r.Study.Points)+1 {
		return &sheet{title: "study: no results"}
	}
	sh := &sheet{title: fmt.Sprintf("study %s: %d records of %s", r.Study.Name, r.Len(), r.Study.size())}
	params, fields := paramsOf(r.Study.Points), r.NumberFields()
	sh.head = append(slices.Clone(params), "replications")
	for _, f := range fields {
		sh.head = append(sh.head, f, "median")
	}
	points := r.Study.Points
	if len(points) > most {
		points, sh.note = points[:most], fmt.Sprintf("… and %d more points. ", len(points)-most)
	}
	for i, p := range points {
		var row []string
		for _, name := range params {
			v, _ := p.Value(name)
			row = append(row, text(v, 0))
		}
		row = append(row, fmt.Sprint(r.from[i+1]-r.from[i]))
		for _, f := range fields {
			mean, median := "", ""
			if s, err := r.Summary(p, f); err == nil {
				mean, median = s.meanText(), fmt.Sprintf("%.4g", s.Median)
			}
			row = append(row, mean, median)
		}
		sh.rows = append(sh.rows, row)
	}
	if len(fields) > 0 {
		sh.note += "Means ± standard errors, and medians."
	}
	if lost := r.Missing + len(r.Failures); lost > 0 {
		sh.note += fmt.Sprintf(" Missing or failed: %d.", lost)
	}
	for _, note := range r.Notes {
		sh.note += "\n" + note
	}
	return sh
}

// meanText is the mean with its standard error.
func (s Summary) meanText() string {
	switch {
	case math.IsNaN(s.StdErr):
		return fmt.Sprintf("%.4g", s.Mean)
	case 10 <= s.StdErr && s.StdErr < 1e4:
		return fmt.Sprintf("%.4g ± %.0f", s.Mean, s.StdErr)
	}
	return fmt.Sprintf("%.4g ± %.2g", s.Mean, s.StdErr)
}

func (sh *sheet) text() string {
	widths := make([]int, len(sh.head))
	rows := append([][]string{sh.head}, sh.rows...)
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	lines := []string{sh.title}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	if sh.note != "" {
		lines = append(lines, sh.note)
	}
	return strings.Join(lines, "\n")
}

func (sh *sheet) html() string {
	const align = ` style="text-align:left"`
	var b strings.Builder
	fmt.Fprintf(&b, "<div><b>%s</b></div><table><thead><tr>", html.EscapeString(sh.title))
	for _, h := range sh.head {
		fmt.Fprintf(&b, "<th scope=\"col\"%s>%s</th>", align, html.EscapeString(h))
	}
	b.WriteString("</tr></thead><tbody>")
	for _, row := range sh.rows {
		b.WriteString("<tr>")
		for _, cell := range row {
			fmt.Fprintf(&b, "<td%s>%s</td>", align, html.EscapeString(cell))
		}
		b.WriteString("</tr>")
	}
	fmt.Fprintf(&b, "</tbody></table><div>%s</div>", strings.ReplaceAll(html.EscapeString(sh.note), "\n", "<br>"))
	return b.String()
}
