package reproduction

import (
	"fmt"
	"html"
	"strings"
)

// HTML returns the claims as a table.
func (cs Claims) HTML() string {
	var b strings.Builder
	b.WriteString(`<table style="max-width:60em"><thead><tr>`)
	for _, head := range []string{"", "the paper says", "what came out", ""} {
		fmt.Fprintf(&b, `<th style="text-align:left">%s</th>`, head)
	}
	b.WriteString("</tr></thead><tbody>")
	for _, c := range cs {
		tried := ""
		if c.Tried != "" {
			tried = "<br><i>" + html.EscapeString(c.Tried) + "</i>"
		}
		measure := ""
		if c.Measure != "" {
			measure = "<br><small>" + html.EscapeString(c.Measure) + "</small>"
		}
		b.WriteString("<tr>")
		for _, text := range []string{html.EscapeString(c.origin()), html.EscapeString(c.Statement) + measure,
			html.EscapeString(c.Found) + tried + `<br><small>` + html.EscapeString(c.From) + "</small>", "<b>" + html.EscapeString(c.Verdict) + "</b>"} {
			fmt.Fprintf(&b, `<td style="text-align:left;vertical-align:top;white-space:normal">%s</td>`, text)
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table>")
	return b.String()
}

// String returns the claims as text, one after the other.
func (cs Claims) String() string {
	var b strings.Builder
	for _, c := range cs {
		from := ""
		if c.From != "" {
			from = " (" + c.From + ")"
		}
		fmt.Fprintf(&b, "%s: %s\n  %s%s\n", c.origin(), c.Statement, strings.TrimSpace(c.Verdict+": "+c.Found), from)
	}
	return b.String()
}

// origin is where a claim stands. The claims of a section are all of one source, which the notebook names.
func (c Claim) origin() string {
	if c.Notebook != "" {
		return c.Place
	}
	return strings.TrimPrefix(strings.TrimSuffix(c.Source+", "+c.Place, ", "), ", ")
}
