package plotting

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gaucho/internal/tex"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// A setter sets formulas as boxes, by simplified rules of appendix G of Knuth, The TeXbook: distances are parts of the
// size of its font.
type setter struct {
	font    font.Font // of the line
	level   int       // 0 on the line, 1 in a script, 2 in a script of a script
	display bool
	fence   vg.Length // half the height of the delimiters around, for those in the middle
}

// sizes of scripts in parts of the line's.
var scriptSizes = [3]vg.Length{1, .72, .56}

func (s setter) size() vg.Length { return s.font.Size * scriptSizes[s.level] }

// thickness is that of the lines of fractions and roots.
func (s setter) thickness() vg.Length { return max(.055*s.size(), .4) }

// axis is the height of the middle of operators.
func (s setter) axis() vg.Length { return .33 * s.size() }

func (s setter) smaller() setter {
	s.level, s.display = min(s.level+1, len(scriptSizes)-1), false
	return s
}

// row sets parts one after the other.
func (s setter) row(r tex.Row) box {
	var b box
	for _, n := range r.Spaced(s.level > 0) {
		b = b.beside(s.node(n))
	}
	return b
}

// node sets one part.
func (s setter) node(n tex.Node) box {
	switch n := n.(type) {
	case tex.Row:
		return s.row(n)
	case tex.Symbol:
		return s.symbol(n)
	case tex.Words:
		return s.letters(n.Text, n.Face)
	case tex.Space:
		return box{width: vg.Length(n) * s.size()}
	case tex.Scripts:
		return s.scripts(n)
	case tex.Fraction:
		return s.fraction(n)
	case tex.Styled:
		s.display, s.level = n.Style == tex.Display, 0
		return s.node(n.Body)
	case tex.Classed:
		return s.node(n.Body)
	case tex.Root:
		return s.root(n)
	case tex.Accent:
		return s.accent(n)
	case tex.Fence:
		return s.fenced(n)
	case tex.Table:
		return s.table(n)
	}
	return box{}
}

func (s setter) symbol(n tex.Symbol) box {
	r, _ := utf8.DecodeRuneInString(n.Text)
	switch {
	case n.Text == "":
		return box{}
	case n.Size < 0:
		return s.delimiter(r, s.fence)
	case n.Size > 0:
		return s.delimiter(r, vg.Length(n.Size)*.55*s.size())
	case n.Large && s.display:
		return s.centred(outline(mathFont(), r, 1.5*s.size(), 1, 1))
	case n.Large:
		return s.centred(outline(mathFont(), r, 1.1*s.size(), 1, 1))
	}
	return s.letters(n.Text, n.Face)
}

// centred puts the middle of a box at the axis.
func (s setter) centred(b box) box {
	y := s.axis() - (b.height-b.depth)/2
	return box{b.width, b.height + y, b.depth - y, 0, b.moved(0, y)}
}

// letters sets characters in the line's font, those that it lacks in the mathematical one.
func (s setter) letters(text string, face tex.Face) box {
	f := s.font
	f.Size = s.size()
	if face == tex.Italic || face == tex.BoldItalic {
		f.Style = xfont.StyleItalic
	}
	if face == tex.Bold || face == tex.BoldItalic {
		f.Weight = xfont.WeightBold
	}
	b := s.run(text, f)
	if last, _ := utf8.DecodeLastRuneInString(text); f.Style == xfont.StyleItalic {
		b.lean = vg.Length(leans(last)) * f.Size
	}
	return b
}

// run sets characters in a font.
func (s setter) run(text string, f font.Font) box {
	face := lookup(f)
	var b box
	for text != "" {
		n := strings.IndexFunc(text, func(r rune) bool { return !has(face.Face, r) && has(mathFont(), r) })
		if n < 0 {
			n = len(text)
		}
		if n > 0 {
			known := box{width: face.Width(text[:n]), pieces: []piece{{text: text[:n], face: face}}}
			known.height, known.depth = inkOf(text[:n], face)
			b = b.beside(known)
			text = text[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		if f.Style == xfont.StyleItalic {
			r = slanted(r)
		}
		b = b.beside(outline(mathFont(), r, f.Size, 1, 1))
		text = text[n:]
	}
	return b
}

// slanted returns the mathematical italic form of Greek letters that the figures' font lacks.
func slanted(r rune) rune {
	if i := strings.IndexRune("ϵϑϰϕϱϖ", r); i >= 0 {
		return 0x1D716 + rune(i/2)
	}
	return r
}

// leans returns by how much of the font's size the top of a letter in italics reaches beyond its width, which a superscript
// after it has to clear.
func leans(letter rune) float64 {
	switch {
	case letter == 'f':
		return .16
	case letter == 'd' || letter == 'l' || unicode.IsUpper(letter):
		return .07
	case unicode.IsLetter(letter):
		return .03
	}
	return 0
}

func (s setter) scripts(n tex.Scripts) box {
	base := s.node(n.Base)
	symbol, _ := n.Base.(tex.Symbol)
	if n.Stacked || symbol.Limits && s.display {
		return s.stacked(base, n)
	}
	size, inner := s.size(), s.smaller()
	small := inner.size()
	up, down := base.height-.4*size, base.depth+.1*small
	if n.Base == nil {
		up = 0
	}
	out := base
	var sub, sup box
	if n.Sup != nil {
		sup = inner.node(n.Sup)
		up = max(up, .4*size, sup.depth+.13*size)
	}
	if n.Sub != nil {
		sub = inner.node(n.Sub)
		down = max(down, .16*size, sub.height-.43*size)
		if n.Sup != nil {
			down = max(down, .24*size, sub.height+sup.depth+.12*size-up)
		}
		back := vg.Length(0)
		if symbol.Large && !symbol.Limits {
			back = .12 * size // the subscript of an integral is below its slant
		}
		out = out.with(sub, base.width-back, -down)
	}
	if n.Sup != nil {
		out = out.with(sup, base.width+base.lean, up)
	}
	out.width += .04 * size
	return out
}

// stacked sets scripts below and above their base.
func (s setter) stacked(base box, n tex.Scripts) box {
	inner := s.smaller()
	var sub, sup box
	if n.Sub != nil {
		sub = inner.node(n.Sub)
	}
	if n.Sup != nil {
		sup = inner.node(n.Sup)
	}
	width := max(base.width, sub.width, sup.width)
	gap := .12 * s.size()
	out := box{width: width}.with(base, (width-base.width)/2, 0)
	if n.Sup != nil {
		out = out.with(sup, (width-sup.width)/2, base.height+gap+sup.depth)
	}
	if n.Sub != nil {
		out = out.with(sub, (width-sub.width)/2, -base.depth-gap-sub.height)
	}
	return out
}

func (s setter) fraction(n tex.Fraction) box {
	inner := s
	switch {
	case n.Style == tex.Display, n.Style == tex.Inherit && s.display:
		inner.display = false
	default:
		inner = s.smaller()
	}
	over, under := inner.node(n.Over), inner.node(n.Under)
	t, gap, side := s.thickness(), .12*s.size(), .08*s.size()
	if !n.Bar {
		t, side = 0, 0
		gap = .16 * s.size()
	}
	width := max(over.width, under.width) + 2*side
	out := box{width: width}
	if n.Bar {
		out.pieces = []piece{bar(side/2, s.axis()-t/2, width-side, t)}
	}
	out = out.with(over, (width-over.width)/2, s.axis()+t/2+gap+over.depth)
	return out.with(under, (width-under.width)/2, s.axis()-t/2-gap-under.height)
}

func (s setter) root(n tex.Root) box {
	body := s.node(n.Body)
	size, t := s.size(), s.thickness()
	top := max(body.height, .5*size) + .12*size + t/2
	foot := -body.depth - .06*size
	height := top - foot
	var left box
	if n.Index != nil {
		inner := s
		inner.level = len(scriptSizes) - 1
		left = inner.node(n.Index)
	}
	x := max(left.width-.2*size, 0)
	point := func(dx, y vg.Length) vg.Point { return vg.Point{X: x + dx*size, Y: y} }
	var sign, thick vg.Path
	sign.Move(point(.04, foot+.42*height))
	sign.Line(point(.14, foot+.5*height))
	sign.Line(point(.3, foot))
	sign.Line(point(.5, top))
	end := x + .56*size + body.width + .06*size
	sign.Line(vg.Point{X: end, Y: top})
	thick.Move(point(.15, foot+.48*height))
	thick.Line(point(.3, foot+.02*height))
	out := box{end + .04*size, top + t/2, -foot, 0, []piece{{path: sign, stroke: t}, {path: thick, stroke: 1.8 * t}}}
	if n.Index != nil {
		out = out.with(left, 0, foot+.58*height+left.depth)
	}
	return out.with(body, x+.56*size, 0)
}

func (s setter) accent(n tex.Accent) box {
	body := s.node(n.Body)
	size := s.size()
	lean := vg.Length(0)
	if symbol, ok := n.Body.(tex.Symbol); ok && symbol.Face == tex.Italic {
		lean = .12*body.height + .02*size
	}
	var mark box
	switch {
	case n.Mark == '‾' || n.Mark == '_':
		mark = box{width: body.width, height: s.thickness(), pieces: []piece{bar(0, 0, body.width, s.thickness())}}
	case n.Wide:
		mark = outline(mathFont(), n.Mark, size, 1, 1)
		mark = tight(outline(mathFont(), n.Mark, size, max(body.width/max(mark.width, .1), 1), 1))
	case n.Mark == '→':
		mark = tight(outline(mathFont(), n.Mark, .6*size, 1, 1))
	default:
		mark = tight(outline(mathFont(), n.Mark, size, 1, 1))
	}
	gap := .08 * size
	x := (body.width-mark.width)/2 + lean
	if n.Under {
		return body.with(mark, x, -body.depth-gap-mark.height)
	}
	out := body.with(mark, x, body.height+gap)
	out.width, out.lean = max(body.width, mark.width), body.lean
	return out
}

// tight returns a box with its baseline at the lower edge of the ink.
func tight(b box) box {
	return box{b.width, b.height + b.depth, 0, 0, b.moved(0, b.depth)}
}

// delimiter sets a delimiter that reaches as far from the axis as said, if that is further than the character does.
func (s setter) delimiter(r rune, reach vg.Length) box {
	b := outline(mathFont(), r, s.size(), 1, 1)
	natural := (b.height + b.depth) / 2
	if reach > natural && natural > 0 {
		stretch := reach / natural
		b = outline(mathFont(), r, s.size(), min(1+.2*(stretch-1), 1.5), stretch)
	}
	return s.centred(b)
}

func (s setter) fenced(n tex.Fence) box {
	body := s.node(n.Body)
	reach := max(body.height-s.axis(), body.depth+s.axis()) + .04*s.size()
	s.fence = reach
	body = s.node(n.Body)
	var out box
	if r, _ := utf8.DecodeRuneInString(n.Left); n.Left != "" {
		out = s.delimiter(r, reach)
	}
	out = out.beside(body)
	if r, _ := utf8.DecodeRuneInString(n.Right); n.Right != "" {
		out = out.beside(s.delimiter(r, reach))
	}
	return out
}

func (s setter) table(n tex.Table) box {
	inner := s
	inner.display = n.Aligned
	if n.Small {
		inner = s.smaller()
	}
	size := inner.size()
	var widths, heights, depths []vg.Length
	cells := make([][]box, len(n.Cells))
	for i, line := range n.Cells {
		height, depth := .7*size, .25*size
		for j, c := range line {
			b := inner.node(c)
			cells[i] = append(cells[i], b)
			if j == len(widths) {
				widths = append(widths, 0)
			}
			widths[j] = max(widths[j], b.width)
			height, depth = max(height, b.height), max(depth, b.depth)
		}
		heights, depths = append(heights, height), append(depths, depth)
	}
	gap := .25 * size
	var out box
	y := vg.Length(0)
	for i, line := range cells {
		y -= heights[i]
		x := vg.Length(0)
		for j, b := range line {
			shift := map[byte]vg.Length{'l': 0, 'c': .5, 'r': 1}[n.AlignOf(j)]
			if j > 0 && !(n.Aligned && j%2 == 1) {
				x += size
			}
			out = out.with(b, x+shift*(widths[j]-b.width), y)
			x += widths[j]
		}
		y -= depths[i] + gap
	}
	return s.centred(out)
}
