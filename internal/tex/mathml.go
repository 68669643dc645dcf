package tex

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// MathML returns a formula as a MathML element, which browsers draw. As display it is a block with large operators.
func (r Row) MathML(source string, display bool) string {
	w := &mathML{}
	style := ""
	if display {
		style = ` display="block"`
	}
	fmt.Fprintf(&w.out, `<math%s title="%s">`, style, html.EscapeString(strings.TrimSpace(source)))
	w.row(r, place{display: display})
	w.out.WriteString("</math>")
	return w.out.String()
}

type mathML struct{ out strings.Builder }

// A place is how what is written there is set.
type place struct{ display, script bool }

func (p place) inScript() place { return place{script: true} }

// row writes parts one after the other as one element.
func (w *mathML) row(r Row, at place) {
	r = r.Spaced(at.script)
	if len(r) == 1 {
		w.node(r[0], at)
		return
	}
	w.out.WriteString("<mrow>")
	for _, n := range r {
		w.node(n, at)
	}
	w.out.WriteString("</mrow>")
}

// node writes one part as one element.
func (w *mathML) node(n Node, at place) {
	switch n := n.(type) {
	case nil:
		w.out.WriteString("<mrow></mrow>")
	case Row:
		w.row(n, at)
	case Symbol:
		w.symbol(n, at)
	case grouped:
		w.out.WriteString("<mrow>")
		w.symbol(n.Symbol, at)
		w.out.WriteString("</mrow>")
	case Words:
		w.words(n)
	case Space:
		fmt.Fprintf(&w.out, `<mspace width="%.4gem"></mspace>`, float64(n))
	case Scripts:
		w.scripts(n, at)
	case Fraction:
		w.fraction(n, at)
	case Styled:
		fmt.Fprintf(&w.out, `<mstyle displaystyle="%t" scriptlevel="0">`, n.Style == Display)
		w.node(n.Body, place{display: n.Style == Display})
		w.out.WriteString("</mstyle>")
	case Classed:
		w.node(n.Body, at)
	case Root:
		if n.Index != nil {
			w.element("mroot", at, n.Body, n.Index)
		} else {
			w.element("msqrt", at, n.Body)
		}
	case Accent:
		w.accent(n, at)
	case Fence:
		w.fence(n, at)
	case Table:
		w.table(n, at)
	}
}

// element writes an element with the parts that it has; the second and later ones are scripts.
func (w *mathML) element(name string, at place, parts ...Node) {
	w.out.WriteString("<" + name + ">")
	for i, part := range parts {
		if i > 0 {
			w.node(part, at.inScript())
		} else {
			w.node(part, at)
		}
	}
	w.out.WriteString("</" + name + ">")
}

// boldBlocks are where bold letters begin in Unicode: A, a, 0, Α, α; browsers know no attribute for them.
var boldBlocks = map[Face][5]rune{Bold: {0x1D400, 0x1D41A, 0x1D7CE, 0x1D6A8, 0x1D6C2}, BoldItalic: {0x1D468, 0x1D482, 0x1D7CE, 0x1D71C, 0x1D736}}

func emboldened(s string, f Face) string {
	b, ok := boldBlocks[f]
	if !ok {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'Α' && r <= 'Ω':
			return b[3] + r - 'Α'
		case r >= 'α' && r <= 'ω':
			return b[4] + r - 'α'
		}
		return shift([3]rune{b[0], b[1], b[2]}, r)
	}, s)
}

// symbol writes letters as identifiers, numbers as numbers and the rest as operators, with no space but that of the row.
func (w *mathML) symbol(s Symbol, at place) {
	text := html.EscapeString(emboldened(s.Text, s.Face))
	first, n := utf8.DecodeRuneInString(s.Text)
	switch {
	case s.Text == "":
		w.out.WriteString("<mrow></mrow>")
	case s.Function:
		fmt.Fprintf(&w.out, `<mi mathvariant="normal">%s</mi>`, text)
	case s.Size != 0:
		size := ""
		if s.Size > 0 {
			size = fmt.Sprintf(` minsize="%.3gem" maxsize="%.3gem"`, s.Size, s.Size)
		}
		fmt.Fprintf(&w.out, `<mo stretchy="true" symmetric="true" lspace="0" rspace="0"%s>%s</mo>`, size, text)
	case s.Class == Ord && first >= '0' && first <= '9':
		fmt.Fprintf(&w.out, "<mn>%s</mn>", text)
	case s.Class == Ord && s.Face == Italic && n == len(s.Text):
		fmt.Fprintf(&w.out, "<mi>%s</mi>", text)
	case s.Class == Ord && (s.Text != "|" && s.Text != "‖" && s.Text != "/"):
		fmt.Fprintf(&w.out, `<mi mathvariant="normal">%s</mi>`, text)
	case s.Large:
		limits := ""
		if s.Limits {
			limits = fmt.Sprintf(` movablelimits="%t"`, !at.display)
		}
		fmt.Fprintf(&w.out, `<mo lspace="0" rspace="0"%s>%s</mo>`, limits, text)
	default:
		fmt.Fprintf(&w.out, `<mo stretchy="false" lspace="0" rspace="0">%s</mo>`, text)
	}
}

func (w *mathML) words(n Words) {
	style := map[Face]string{Bold: ` style="font-weight:bold"`, Italic: ` style="font-style:italic"`}[n.Face]
	// Browsers drop spaces at the ends.
	fmt.Fprintf(&w.out, "<mtext%s>%s</mtext>", style, html.EscapeString(strings.ReplaceAll(n.Text, " ", "\u00a0")))
}

// grouped is a symbol in a row of its own.
type grouped struct{ Symbol }

func (w *mathML) scripts(n Scripts, at place) {
	names := [3]string{"msub", "msup", "msubsup"}
	if base, ok := n.Base.(Symbol); n.Stacked || ok && base.Limits && at.display {
		names = [3]string{"munder", "mover", "munderover"}
	}
	if base, ok := n.Base.(Symbol); ok && base.Size != 0 {
		n.Base = grouped{base} // browsers stretch an operator in a row only
	}
	switch {
	case n.Sup == nil:
		w.element(names[0], at, n.Base, n.Sub)
	case n.Sub == nil:
		w.element(names[1], at, n.Base, n.Sup)
	default:
		w.element(names[2], at, n.Base, n.Sub, n.Sup)
	}
}

func (w *mathML) fraction(n Fraction, at place) {
	bar := ""
	if !n.Bar {
		bar = ` linethickness="0"`
	}
	if n.Style != Inherit {
		fmt.Fprintf(&w.out, `<mstyle displaystyle="%t" scriptlevel="0">`, n.Style == Display)
		at = place{display: n.Style == Display}
	}
	inner := place{script: !at.display}
	fmt.Fprintf(&w.out, "<mfrac%s>", bar)
	w.node(n.Over, inner)
	w.node(n.Under, inner)
	w.out.WriteString("</mfrac>")
	if n.Style != Inherit {
		w.out.WriteString("</mstyle>")
	}
}

func (w *mathML) accent(n Accent, at place) {
	if n.Mark == '‾' || n.Mark == '_' {
		side := map[bool]string{true: "bottom", false: "top"}[n.Under]
		fmt.Fprintf(&w.out, `<mrow style="border-%s:.06em solid;padding-%s:.12em">`, side, side)
		w.node(n.Body, at)
		w.out.WriteString("</mrow>")
		return
	}
	name, kind := "mover", "accent"
	if n.Under {
		name, kind = "munder", "accentunder"
	}
	mark := map[rune]string{'ˆ': "^", '˜': "~", 'ˉ': "¯"}[n.Mark]
	if mark == "" {
		mark = string(n.Mark)
	}
	fmt.Fprintf(&w.out, `<%s %s="true">`, name, kind)
	w.node(n.Body, at)
	fmt.Fprintf(&w.out, `<mo stretchy="%t" lspace="0" rspace="0">%s</mo></%s>`, n.Wide, mark, name)
}

func (w *mathML) fence(n Fence, at place) {
	delimiter := func(s, form string) {
		if s != "" {
			fmt.Fprintf(&w.out, `<mo form="%s" fence="true" stretchy="true" symmetric="true" lspace="0" rspace="0">%s</mo>`, form, html.EscapeString(s))
		}
	}
	w.out.WriteString("<mrow>")
	delimiter(n.Left, "prefix")
	row, ok := n.Body.(Row)
	if !ok {
		row = Row{n.Body}
	}
	for _, part := range row.Spaced(at.script) { // not in an mrow of its own, for \middle to stretch
		w.node(part, at)
	}
	delimiter(n.Right, "postfix")
	w.out.WriteString("</mrow>")
}

func (w *mathML) table(t Table, at place) {
	inner := place{display: t.Aligned, script: t.Small}
	attributes := ""
	switch {
	case t.Aligned:
		attributes = ` displaystyle="true"`
	case t.Small:
		attributes = ` style="math-depth:add(1);font-size:math"`
	}
	fmt.Fprintf(&w.out, "<mtable%s>", attributes)
	for _, line := range t.Cells {
		w.out.WriteString("<mtr>")
		for j, cell := range line {
			fmt.Fprintf(&w.out, `<mtd style="%s">`, t.cellStyle(j))
			w.node(cell, inner)
			w.out.WriteString("</mtd>")
		}
		w.out.WriteString("</mtr>")
	}
	w.out.WriteString("</mtable>")
}

// AlignOf returns how column j is aligned: l, c or r. Those of equations alternate.
func (t Table) AlignOf(j int) byte {
	if t.Aligned {
		return t.Align[j%len(t.Align)]
	}
	return t.Align[min(j, len(t.Align)-1)]
}

func (t Table) cellStyle(j int) string {
	align := map[byte]string{'l': "left", 'c': "center", 'r': "right"}[t.AlignOf(j)]
	left := ".5em"
	switch {
	case j == 0 || t.Aligned && j%2 == 1:
		left = "0"
	case t.Aligned:
		left = "2em"
	case t.Small:
		left = ".3em"
	default:
		left = "1em"
	}
	return fmt.Sprintf("text-align:%s;padding:.2em 0 .2em %s", align, left)
}
