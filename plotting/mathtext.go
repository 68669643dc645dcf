package plotting

import (
	"math"
	"strings"

	"gaucho/internal/tex"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// mathText is a text handler for labels: what is between dollar signs is set as a formula, all else is text as it is
// written, with \$ for a dollar sign. It panics with a *tex.Error where a formula is not understood.
type mathText struct{}

func (mathText) Cache() *font.Cache { return fonts() }

func (mathText) Extents(f font.Font) font.Extents { return extents(f) }

func extents(f font.Font) font.Extents {
	face := lookup(f)
	return face.Extents()
}

func lookup(f font.Font) font.Face { return fonts().Lookup(f, f.Size) }

func (mathText) Lines(s string) []string { return strings.Split(strings.TrimRight(s, "\n"), "\n") }

func (mathText) Box(line string, f font.Font) (width, height, depth vg.Length) {
	b := setLine(line, f)
	return b.width, b.height, b.depth
}

// Draw draws the lines of a text from the top to the bottom of its box.
func (h mathText) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	txt = strings.TrimRight(txt, "\n")
	if txt == "" {
		return
	}
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		c.Rotate(sty.Rotation)
		defer c.Pop()
	}
	sin64, cos64 := math.Sincos(sty.Rotation)
	sin, cos := vg.Length(sin64), vg.Length(cos64)
	pt.X, pt.Y = pt.Y*sin+pt.X*cos, pt.Y*cos-pt.X*sin
	e := sty.FontExtents()
	top := pt.Y + sty.Height(txt)*(1+vg.Length(sty.YAlign)) - lowered(sty)
	for _, line := range h.Lines(txt) {
		b := setLine(line, sty.Font)
		b.draw(c, vg.Point{X: pt.X + vg.Length(sty.XAlign)*b.width, Y: top - b.height})
		top -= b.height + b.depth + e.Height - e.Ascent - e.Descent
	}
}

// lowered is how far text is below its box: gonum/plot, whose axes count on it, draws all text so.
func lowered(sty text.Style) vg.Length {
	e := sty.FontExtents()
	return e.Ascent + e.Descent - sty.Font.Size
}

// setLine sets a line of text with its formulas. It is as high as its font at least.
func setLine(line string, f font.Font) box {
	s := setter{font: f}
	var b box
	for _, part := range segments(line) {
		if !part.math {
			b = b.beside(s.run(part.text, f))
			continue
		}
		row, err := tex.Parse(part.text, nil)
		if err != nil {
			panic(err)
		}
		b = b.beside(s.row(row))
	}
	e := extents(f)
	b.height, b.depth = max(b.height, e.Ascent), max(b.depth, e.Descent)
	return b
}

// A segment is text or a formula.
type segment struct {
	text string
	math bool
}

// segments splits a line at its dollar signs. One that nothing closes is itself, as is one whose end a digit follows: the
// sums $5 and $6.
func segments(line string) []segment {
	var out []segment
	var words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			out = append(out, segment{words.String(), false})
			words.Reset()
		}
	}
	for line != "" {
		if strings.HasPrefix(line, `\$`) {
			words.WriteByte('$')
			line = line[2:]
			continue
		}
		if line[0] == '$' {
			if n := closing(line); n > 0 {
				flush()
				out = append(out, segment{line[1:n], true})
				line = line[n+1:]
				continue
			}
		}
		words.WriteByte(line[0])
		line = line[1:]
	}
	flush()
	return out
}

// closing returns where the dollar sign is that ends the formula which s begins with, 0 if there is none.
func closing(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '$':
			if strings.TrimSpace(s[1:i]) == "" || i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
				return 0
			}
			return i
		}
	}
	return 0
}

// checkFormulas panics where a formula is not understood, which is at the call that has brought the text.
func checkFormulas(texts ...string) {
	for _, t := range texts {
		for _, part := range segments(t) {
			if !part.math {
				continue
			}
			if _, err := tex.Parse(part.text, nil); err != nil {
				panic("plotting: " + err.Error())
			}
		}
	}
}

// catchDrawing turns the panic of a drawing that cannot be made into an error: of a formula that is not understood, or of a
// form of files that cannot hold it.
func catchDrawing(err *error) {
	switch e := recover().(type) {
	case nil:
	case *tex.Error:
		*err = e
	case unsupported:
		*err = e
	default:
		panic(e)
	}
}

// plainMath returns a text with its formulas as plain characters, for where no font can be chosen.
func plainMath(s string) string {
	var b strings.Builder
	for _, part := range segments(s) {
		if !part.math {
			b.WriteString(part.text)
		} else if row, err := tex.Parse(part.text, nil); err == nil {
			b.WriteString(row.Plain())
		} else {
			b.WriteString("$" + part.text + "$")
		}
	}
	return b.String()
}

// wrap breaks text into lines of at most some width, at spaces outside of formulas, and within words that are wider. What
// has more lines than most ends in an ellipsis.
func wrap(txt string, sty text.Style, width vg.Length, most int) string {
	if sty.Width(txt) <= width {
		return txt
	}
	var lines []string
	line := ""
	for _, word := range splitWords(txt) {
		for {
			longer := strings.TrimLeft(line+word, " ")
			if sty.Width(strings.TrimRight(longer, " ")) <= width {
				line = longer
				break
			}
			if strings.TrimSpace(line) != "" {
				lines = append(lines, strings.TrimRight(line, " "))
				line = ""
				continue
			}
			head, tail := splitWord(word, sty, width)
			lines = append(lines, head)
			if word = tail; word == "" {
				break
			}
		}
	}
	if strings.TrimSpace(line) != "" {
		lines = append(lines, line)
	}
	if len(lines) > most {
		lines = append(lines[:most-1], lines[most-1]+" …")
	}
	return strings.Join(lines, "\n")
}

// ellipsis returns text that fits into a width: itself, or its beginning.
func ellipsis(txt string, sty text.Style, width vg.Length) string {
	if sty.Width(txt) <= width {
		return txt
	}
	parts := splitWords(txt)
	if len(parts) == 1 && strings.Contains(txt, "$") {
		return "…"
	}
	line := ""
	for _, word := range parts {
		if sty.Width(line+word+"…") > width {
			if !strings.Contains(word, "$") {
				head, _ := splitWord(word, sty, width-sty.Width(line+"…"))
				line += head
			}
			break
		}
		line += word
	}
	return strings.TrimRight(line, " ") + "…"
}

// maxLines is how many lines of a title a figure of some height has room for.
func maxLines(sty text.Style, height vg.Length) int { return max(1, int(.4*height/sty.Height("M"))) }

// splitWords splits text after its spaces, where they are not in a formula.
func splitWords(txt string) (out []string) {
	start := 0
	for i := 0; i < len(txt); i++ {
		switch {
		case txt[i] == '\\':
			i++
		case txt[i] == '$':
			i += closing(txt[i:])
		case txt[i] == ' ' || txt[i] == '\n':
			out = append(out, strings.ReplaceAll(txt[start:i+1], "\n", " "))
			start = i + 1
		}
	}
	return append(out, txt[start:])
}

// splitWord splits a word that is wider than a line. A formula stays whole.
func splitWord(word string, sty text.Style, width vg.Length) (head, tail string) {
	if strings.Contains(word, "$") {
		return word, ""
	}
	r := []rune(word)
	n := 1
	for n < len(r) && sty.Width(string(r[:n+1])) <= width {
		n++
	}
	return string(r[:n]), string(r[n:])
}
