package table

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gaucho/internal/words"
)

// What is shown of a table: the first and last rows and columns of a large one.
const (
	firstRows, lastRows       = 10, 5
	firstColumns, lastColumns = 12, 4
	maxRunes                  = 60 // of one value
)

// A shown is a column as text: name, type and values.
type shown struct {
	name, kind string
	cells      []string
	right      bool
}

// String returns the table as aligned text: its first and last rows, with the types of its columns, and its size.
func (t *Table) String() string {
	cols, gap := t.view()
	var b strings.Builder
	line := func(cell func(c shown) string) {
		var l strings.Builder
		for j, c := range cols {
			if j > 0 {
				l.WriteString("  ")
			}
			pad := strings.Repeat(" ", max(0, c.width()-utf8.RuneCountInString(cell(c))))
			if c.right {
				l.WriteString(pad + cell(c))
			} else {
				l.WriteString(cell(c) + pad)
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	if len(cols) > 0 {
		line(func(c shown) string { return c.name })
		line(func(c shown) string { return c.kind })
	}
	for i := range t.shownRows(gap) {
		if gap >= 0 && i == gap {
			b.WriteString("…\n")
		}
		line(func(c shown) string { return c.cells[i] })
	}
	return b.String() + t.size()
}

// String returns the column as a table of its own.
func (c *Column) String() string { return newTable(c.Len(), []*Column{c}).String() }

// String returns the row with a line for each column.
func (r Row) String() string {
	if r.t == nil {
		return "no row"
	}
	width := 0
	for _, c := range r.t.cols {
		width = max(width, utf8.RuneCountInString(c.name))
	}
	lines := make([]string, len(r.t.cols))
	for j, c := range r.t.cols {
		text := c.text(r.i)
		if c.Missing(r.i) {
			text = "–"
		}
		lines[j] = c.name + strings.Repeat(" ", width-utf8.RuneCountInString(c.name)) + "  " + short(text)
	}
	return strings.Join(lines, "\n")
}

func (t *Table) shownRows(gap int) int {
	if gap >= 0 {
		return firstRows + lastRows
	}
	return t.rows
}

func (c shown) width() int {
	w := max(utf8.RuneCountInString(c.name), utf8.RuneCountInString(c.kind))
	for _, s := range c.cells {
		w = max(w, utf8.RuneCountInString(s))
	}
	return w
}

func (t *Table) size() string {
	return words.Count(t.rows, "row") + ", " + words.Count(len(t.cols), "column")
}

// view returns the columns to show, row numbers first, and before which of their cells rows are left out; -1 if none are.
func (t *Table) view() (cols []shown, gap int) {
	rows := numbersTo[int](min(t.rows, firstRows+lastRows))
	gap = -1
	if t.rows > firstRows+lastRows {
		gap = firstRows
		for k := range lastRows {
			rows[firstRows+k] = t.rows - lastRows + k
		}
	}
	index := shown{right: true}
	for _, i := range rows {
		index.cells = append(index.cells, strconv.Itoa(i))
	}
	cols = append(cols, index)
	for _, c := range t.shownColumns() {
		if c != nil {
			cols = append(cols, c.pick(rows).shown())
			continue
		}
		dots := shown{name: "…", cells: make([]string, len(rows))}
		for k := range dots.cells {
			dots.cells[k] = "…"
		}
		cols = append(cols, dots)
	}
	if len(t.cols) == 0 {
		cols = nil
	}
	return cols, gap
}

// shownColumns returns the columns to show, with nil for those left out.
func (t *Table) shownColumns() []*Column {
	if len(t.cols) <= firstColumns+lastColumns {
		return t.cols
	}
	return slices.Concat(t.cols[:firstColumns], []*Column{nil}, t.cols[len(t.cols)-lastColumns:])
}

// shown returns the column as text.
func (c *Column) shown() shown {
	s := shown{name: short(c.name), kind: c.kind.String(), cells: make([]string, c.Len()), right: c.numeric()}
	format := func(i int) string { return short(c.text(i)) }
	switch c.kind {
	case Float:
		format = c.floatFormat()
	case Time:
		layout := c.layout()
		format = func(i int) string { return c.times[i].Format(layout) }
	}
	for i := range s.cells {
		if c.Missing(i) {
			s.cells[i] = "–"
			continue
		}
		s.cells[i] = format(i)
	}
	return s
}

// short cuts text to what fits into a cell.
func short(s string) string {
	s = strings.NewReplacer("\r\n", "⏎", "\n", "⏎", "\t", " ").Replace(s)
	if utf8.RuneCountInString(s) > maxRunes {
		s = string([]rune(s)[:maxRunes-1]) + "…"
	}
	return s
}

// layout returns how the times of a column are written: as dates where all are.
func (c *Column) layout() string {
	layout := time.DateOnly
	for i, t := range c.times {
		h, m, s := t.Clock()
		switch {
		case c.Missing(i):
		case t.Location() != time.UTC:
			return "2006-01-02 15:04:05 -07:00"
		case t.Nanosecond() != 0:
			layout = "2006-01-02 15:04:05.000"
		case h|m|s != 0 && layout == time.DateOnly:
			layout = time.DateTime
		}
	}
	return layout
}

// floatFormat returns how the numbers of a column are written: with as many decimals as give each six digits where that is
// enough, one under the other, and with exponents where they are too far apart for this.
func (c *Column) floatFormat() func(i int) string {
	decimals, large, small := 0, 0.0, math.Inf(1)
	for _, x := range c.floats {
		if a := math.Abs(x); a > 0 && !math.IsInf(a, 1) {
			large, small = max(large, a), min(small, a)
			digits := strings.TrimRight(strconv.FormatFloat(a, 'f', 9, 64), "0")
			decimals = max(decimals, len(digits)-strings.IndexByte(digits, '.')-1)
		}
	}
	if large >= 1e9 || small < 1e-4 && large > 0 {
		return func(i int) string { return strconv.FormatFloat(c.floats[i], 'g', 6, 64) }
	}
	whole := 1
	if large >= 1 {
		whole = exponent(large) + 1
	}
	keep := 6 - whole
	if small < 1 && small > 0 {
		keep = max(keep, 2-exponent(small)) // three digits of the least
	}
	decimals = min(decimals, max(keep, 1))
	return func(i int) string { return strconv.FormatFloat(c.floats[i], 'f', decimals, 64) }
}

// exponent is the power of ten in x, written as 1.23e-04.
func exponent(x float64) int {
	_, e, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(e)
	return n
}
