package table

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html"
	"slices"
	"strings"
)

// Styles of the table. Colours are the page's own or half transparent, so that they suit light and dark themes.
const (
	styleTable = "border-collapse:collapse;margin:.2em 0;font-variant-numeric:tabular-nums"
	styleHead  = "padding:.2em .7em;border-bottom:1px solid rgba(128,128,128,.6);font-weight:600;text-align:"
	styleCell  = "padding:.15em .7em;border:none;vertical-align:top;white-space:pre;text-align:"
	styleFaint = "font-size:85%;opacity:.7"
)

// HTML returns the table for a notebook: its first and last rows, with the types of its columns, and its size. Where the page
// runs scripts, as a trusted notebook does, a table of up to a thousand rows can be sorted by a click on a column's name and
// leafed through, without the kernel; elsewhere it stays as it is.
func (t *Table) HTML() string {
	cols, gap := t.view()
	var b strings.Builder
	script, id := t.script()
	fmt.Fprintf(&b, `<div style="overflow-x:auto" data-gaucho-table="%s"><table style="%s"><thead><tr>`, id, styleTable)
	for _, c := range cols {
		fmt.Fprintf(&b, `<th scope="col" style="%s%s">%s<br><span style="%s;font-weight:400">%s</span></th>`, styleHead, c.side(),
			html.EscapeString(c.name), styleFaint, c.kind)
	}
	b.WriteString("</tr></thead><tbody>")
	for i := range t.shownRows(gap) {
		if gap >= 0 && i == gap {
			b.WriteString("<tr>")
			for _, c := range cols {
				fmt.Fprintf(&b, `<td style="%s%s">⋮</td>`, styleCell, c.side())
			}
			b.WriteString("</tr>")
		}
		b.WriteString("<tr>")
		for j, c := range cols {
			faint := ""
			if j == 0 || c.cells[i] == "–" {
				faint = ";opacity:.6"
			}
			fmt.Fprintf(&b, `<td style="%s%s%s">%s</td>`, styleCell, c.side(), faint, html.EscapeString(c.cells[i]))
		}
		b.WriteString("</tr>")
	}
	fmt.Fprintf(&b, `</tbody></table><div style="%s">%s</div></div>`, styleFaint, t.size())
	return b.String() + script
}

func (c shown) side() string {
	if c.right {
		return "right"
	}
	return "left"
}

// What a page sorts and leafs through: tables of at most so many rows, and so many bytes of text.
const (
	maxLiveRows  = 1000
	maxLiveBytes = 200_000
)

//go:embed live.js
var live string

// liveTable is what live.js is given.
type liveTable struct {
	Cells   [][]string `json:"cells"`   // by column, the numbers of the rows first
	Right   []bool     `json:"right"`   // columns of numbers
	Orders  [][]uint32 `json:"orders"`  // the rows in the order of each column, those without a value last
	Missing []int      `json:"missing"` // values of each column
}

// script returns the script that makes the table live, and a name for the element that it looks for: the same for the same
// content, so that a notebook does not change when it is run again. Both are empty for a table that is too small or large.
func (t *Table) script() (script, id string) {
	if t.rows < 2 || t.rows > maxLiveRows || len(t.cols) == 0 {
		return "", ""
	}
	rows := numbersTo[uint32](t.rows)
	index := shown{right: true}
	for i := range rows {
		index.cells = append(index.cells, fmt.Sprint(i))
	}
	lt := liveTable{Cells: [][]string{index.cells}, Right: []bool{true}, Orders: [][]uint32{rows}, Missing: []int{0}}
	for _, c := range t.shownColumns() {
		if c == nil { // columns left out
			dots := strings.Split(strings.Repeat("…", t.rows), "")
			lt.Cells, lt.Right = append(lt.Cells, dots), append(lt.Right, false)
			lt.Orders, lt.Missing = append(lt.Orders, rows), append(lt.Missing, 0)
			continue
		}
		s, missing := c.shown(), 0
		for i := range rows {
			missing += truth(c.Missing(i))
		}
		lt.Cells, lt.Right = append(lt.Cells, s.cells), append(lt.Right, s.right)
		lt.Orders, lt.Missing = append(lt.Orders, sortRows(slices.Clone(rows), []*Column{c}, []bool{false})), append(lt.Missing, missing)
	}
	data, err := json.Marshal(lt) // < in texts becomes \u003c
	if err != nil || len(data) > maxLiveBytes {
		return "", ""
	}
	h := fnv.New64a()
	h.Write(data)
	id = fmt.Sprintf("%x", h.Sum64())
	return fmt.Sprintf("<script>(%s)(%q,%s)</script>", strings.TrimSpace(live), id, data), id
}

// HTML returns the column as a table of its own.
func (c *Column) HTML() string { return newTable(c.Len(), []*Column{c}).HTML() }
