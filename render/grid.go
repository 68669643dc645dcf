package render

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"gaucho/internal/words"
)

// A cell is one entry of a table, as text.
type cell struct {
	text   string
	number bool // aligned at the right, at the decimal point among other numbers
}

// A sheet is a table about to be written as text or HTML.
type sheet struct {
	caption string
	head    []cell // column names, may be nil
	rows    [][]cell
	more    string // what the last line says of rows left out
}

// number formats a number of a table, with six digits or as many as are set.
func number(x float64) string { return words.Number(x, digitsOr(6)) }

func runes(s string) int { return utf8.RuneCountInString(s) }

// alignPoints pads the numbers of every column so that their decimal points are below each other.
func alignPoints(rows [][]cell) {
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	for j := range width {
		right := 0
		for _, r := range rows {
			if j < len(r) && r[j].number {
				right = max(right, len(fraction(r[j].text)))
			}
		}
		for _, r := range rows {
			if j < len(r) && r[j].number {
				r[j].text += strings.Repeat(" ", right-len(fraction(r[j].text)))
			}
		}
	}
}

// fraction returns what follows the integer part of a number's text, with the point.
func fraction(s string) string {
	if i := strings.IndexAny(s, ".e"); i >= 0 {
		return s[i:]
	}
	return ""
}

// plain writes the sheet as aligned text.
func (s sheet) plain() string {
	rows := s.rows
	if s.head != nil {
		rows = append([][]cell{s.head}, rows...)
	}
	var width []int
	for _, r := range rows {
		for j, c := range r {
			if j == len(width) {
				width = append(width, 0)
			}
			width[j] = max(width[j], runes(c.text))
		}
	}
	var b strings.Builder
	for i, r := range rows {
		var l strings.Builder
		for j, c := range r {
			pad := strings.Repeat(" ", width[j]-runes(c.text))
			if j > 0 {
				l.WriteString("  ")
			}
			if c.number || s.head != nil && i == 0 && len(s.rows) > 0 && j < len(s.rows[0]) && s.rows[0][j].number {
				l.WriteString(pad + c.text)
			} else {
				l.WriteString(c.text + pad)
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	if notes := s.notes(); notes != "" {
		b.WriteString(notes + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// figureSpaces returns a cell's text with the spaces that align its decimal point as wide as the point and digits that they
// stand for.
func figureSpaces(c cell) string {
	digits := strings.TrimRight(c.text, " ")
	n := len(c.text) - len(digits)
	if !c.number || n == 0 {
		return strings.TrimSpace(c.text)
	}
	if !strings.Contains(digits, ".") {
		return digits + "\u2008" + strings.Repeat("\u2007", n-1)
	}
	return digits + strings.Repeat("\u2007", n)
}

// notes returns what is below the table.
func (s sheet) notes() string { return strings.Trim(s.more+" · "+s.caption, " ·") }

// Styles of HTML tables. Colours are the page's own or half transparent, so that they suit light and dark themes.
const (
	styleTable = "border-collapse:collapse;margin:.2em 0;font-variant-numeric:tabular-nums"
	styleHead  = "padding:.2em .7em;border-bottom:1px solid rgba(128,128,128,.6);font-weight:600;text-align:"
	styleCell  = "padding:.15em .7em;border:none;vertical-align:top;text-align:"
)

// side returns how a cell is aligned; short text keeps to one line.
func side(number bool, text string) string {
	switch {
	case number:
		return "right;white-space:pre"
	case runes(text) < 28:
		return "left;white-space:nowrap"
	}
	return "left"
}

// html writes the sheet as an HTML table.
func (s sheet) html() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<div style="overflow-x:auto"><table style="%s">`, styleTable)
	if s.head != nil {
		b.WriteString("<thead><tr>")
		for j, c := range s.head {
			num := len(s.rows) > 0 && j < len(s.rows[0]) && s.rows[0][j].number
			element := "th scope=\"col\""
			if c.text == "" { // above the names of rows, an empty cell heads nothing
				element = "td"
			}
			fmt.Fprintf(&b, `<%s style="%s%s">%s</%s>`, element, styleHead, side(num, c.text), html.EscapeString(c.text), element[:2])
		}
		b.WriteString("</tr></thead>")
	}
	b.WriteString("<tbody>")
	for _, r := range s.rows {
		b.WriteString("<tr>")
		for _, c := range r {
			fmt.Fprintf(&b, `<td style="%s%s">%s</td>`, styleCell, side(c.number, c.text), html.EscapeString(figureSpaces(c)))
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table>")
	if notes := s.notes(); notes != "" {
		fmt.Fprintf(&b, `<div style="%s">%s</div>`, words.StyleCaption, html.EscapeString(notes))
	}
	b.WriteString("</div>")
	return b.String()
}
