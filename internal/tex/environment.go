package tex

import "strings"

// environments are the tables that \begin may open: how their columns are aligned and what is around them.
var environments = map[string]struct {
	table       Table
	left, right string
}{
	"matrix":      {Table{Align: "c"}, "", ""},
	"pmatrix":     {Table{Align: "c"}, "(", ")"},
	"bmatrix":     {Table{Align: "c"}, "[", "]"},
	"Bmatrix":     {Table{Align: "c"}, "{", "}"},
	"vmatrix":     {Table{Align: "c"}, "|", "|"},
	"Vmatrix":     {Table{Align: "c"}, "‖", "‖"},
	"smallmatrix": {Table{Align: "c", Small: true}, "", ""},
	"array":       {Table{}, "", ""},
	"cases":       {Table{Align: "l"}, "{", ""},
	"aligned":     {Table{Align: "rl", Aligned: true}, "", ""},
	"align":       {Table{Align: "rl", Aligned: true}, "", ""},
	"split":       {Table{Align: "rl", Aligned: true}, "", ""},
	"gathered":    {Table{Align: "c", Aligned: true}, "", ""},
	"gather":      {Table{Align: "c", Aligned: true}, "", ""},
	"equation":    {Table{Align: "c", Aligned: true}, "", ""},
	"multline":    {Table{Align: "c", Aligned: true}, "", ""},
}

// environment parses what \begin opens.
func (p *parser) environment() Node {
	name := strings.TrimSpace(p.braced(`\begin`))
	e, ok := environments[strings.TrimSuffix(name, "*")]
	if !ok {
		p.fail(`unknown environment \begin{%s}`, name)
	}
	if name == "array" {
		e.table.Align = p.columns()
	}
	t := p.cells(e.table)
	if p.peekCommand() != `\end` {
		p.fail(`\begin{%s} without its \end{%s}`, name, name)
	}
	p.rest = p.rest[len(`\end`):]
	if end := strings.TrimSpace(p.braced(`\end`)); end != name {
		p.fail(`\begin{%s} is ended by \end{%s}`, name, end)
	}
	if e.left == "" && e.right == "" {
		return t
	}
	return Fence{e.left, e.right, t}
}

// columns returns the alignment that an array begins with.
func (p *parser) columns() string {
	p.optional()
	var b strings.Builder
	for _, r := range p.braced(`\begin{array}`) {
		switch r {
		case 'l', 'c', 'r':
			b.WriteRune(r)
		case ' ':
		default:
			p.fail(`columns of an array are l, c and r, not %c`, r)
		}
	}
	if b.Len() == 0 {
		p.fail(`an array needs columns, such as {lcr}`)
	}
	return b.String()
}

// table parses a text as the cells of a table.
func (p *parser) table(of, text string, t Table) Node {
	outer := p.rest
	p.rest = text
	t = p.cells(t)
	if p.rest != "" {
		p.fail("%s is not complete", of)
	}
	p.rest = outer
	return t
}

// cells parses the cells of a table, up to its end.
func (p *parser) cells(t Table) Table {
	line := []Node{}
	for {
		cell := p.row()
		line = append(line, cell)
		switch {
		case strings.HasPrefix(p.rest, "&"):
			p.rest = p.rest[1:]
			continue
		case strings.HasPrefix(p.rest, `\\`):
			p.rest = p.rest[2:]
			p.optional() // the height of the gap
			t.Cells = append(t.Cells, line)
			line = []Node{}
			continue
		}
		if len(line) > 1 || len(cell) > 0 {
			t.Cells = append(t.Cells, line)
		}
		return t
	}
}
