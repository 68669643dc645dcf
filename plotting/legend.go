package plotting

import (
	"fmt"
	"image"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Position is the place of a figure's legend.
type Position int

// Positions of a legend.
const (
	Best        Position = iota // in a corner that holds no data, or else outside, or below a narrow figure
	Outside                     // at the right of the data
	Below                       // below the data, in rows
	TopRight                    // within the data, whatever is there
	TopLeft                     //
	BottomRight                 //
	BottomLeft                  //
	NoLegend
)

// LegendAt sets the place of the legend.
func (f *Figure) LegendAt(p Position) *Figure {
	f.position = p
	return f
}

// A legendEntry is a name and the samples of the series that go by it.
type legendEntry struct {
	name   string
	thumbs []plot.Thumbnailer
}

// legend adds a series to the entry of its name.
func (f *Figure) legend(name string, t plot.Thumbnailer) {
	if name == "" {
		return
	}
	for i := range f.entries {
		if f.entries[i].name == name {
			f.entries[i].thumbs = append(f.entries[i].thumbs, t)
			return
		}
	}
	checkFormulas(name)
	f.entries = append(f.entries, legendEntry{name, []plot.Thumbnailer{t}})
}

// Measures of a legend.
const (
	sampleWidth  vg.Length = 20
	sampleHeight vg.Length = 10.5
	sampleGap    vg.Length = 6
	legendPad    vg.Length = 5
	columnGap    vg.Length = 16
)

func legendStyle() text.Style { return textStyle(sizeNote, inkText, text.XLeft, text.YBottom) }

// middle writes text whose small letters have their middle at height y.
func middle(c draw.Canvas, s text.Style, x, y vg.Length, txt string) {
	s.YAlign = text.YBottom
	_, _, depth := s.Handler.Box(txt, s.Font)
	c.FillText(s, vg.Point{X: x, Y: y - .35*s.Font.Size - depth + lowered(s)}, txt)
}

// lineHeight is the height of one line of a legend, which is that of its highest entry.
func lineHeight(entries []legendEntry) vg.Length {
	s := legendStyle()
	h := s.Height("M")
	space := .3 * h
	for _, e := range entries {
		h = max(h, s.Height(e.name))
	}
	return h + space
}

// legendPlace is a legend with its place.
type legendPlace struct {
	entries       []legendEntry // as they are shown
	position      Position
	right, bottom vg.Length // room taken from the data
	columns       int
	boxed         bool // it hides some of the data
}

// size returns the size of the legend.
func (p legendPlace) size() (w, h vg.Length) { return legendSize(p.entries, p.columns) }

// legendSize returns the size of a legend in a number of columns.
func legendSize(entries []legendEntry, columns int) (w, h vg.Length) {
	s := legendStyle()
	var widest vg.Length
	for _, e := range entries {
		widest = max(widest, s.Width(e.name))
	}
	rows := (len(entries) + columns - 1) / columns
	one := sampleWidth + sampleGap + widest
	return vg.Length(columns)*one + vg.Length(columns-1)*columnGap, vg.Length(rows) * lineHeight(entries)
}

// shortened returns the entries with names that fit into a width.
func shortened(entries []legendEntry, width vg.Length) []legendEntry {
	out := slices.Clone(entries)
	for i := range out {
		out[i].name = ellipsis(out[i].name, legendStyle(), width-sampleWidth-sampleGap)
	}
	return out
}

// below returns a legend below data of some width, in as many columns as fit and rows of at most some height. Entries for
// which there is no room are counted in the last one.
func below(entries []legendEntry, width, most vg.Length) legendPlace {
	p := legendPlace{entries: shortened(entries, width), position: Below, columns: len(entries)}
	for ; p.columns > 1; p.columns-- {
		if w, _ := p.size(); w <= width {
			break
		}
	}
	if n := p.columns * max(1, int(most/lineHeight(entries))); n < len(entries) {
		p.entries = append(p.entries[:n-1], legendEntry{name: fmt.Sprintf("and %d more", len(entries)-n+1)})
	}
	_, h := p.size()
	p.bottom = h + gap
	return p
}

// needsLegend reports whether a legend says anything: one series alone is what the title and axes speak of.
func (f *Figure) needsLegend() bool {
	n := len(f.allEntries())
	return n > 1 || n == 1 && f.position != Best
}

// placeLegend decides where the legend goes. It never takes more than half of what there is for the data.
func (f *Figure) placeLegend(l *layout) legendPlace {
	data := l.data()
	size := data.Size()
	entries := shortened(f.allEntries(), max(.6*size.X, 60))
	w, h := legendSize(entries, 1)
	p := legendPlace{entries: entries, position: f.position, columns: 1}
	if p.position == Best {
		p.position = Outside
		if free, ok := f.freeCorner(&l.plot, data, w, h); ok {
			p.position = free
			return p
		}
	}
	if p.position == Outside && (l.panel || w > size.X/2 || h > size.Y) {
		p.position = Below
	}
	switch p.position {
	case NoLegend:
		p.entries = nil
	case Outside:
		p.right = w + gap
	case Below:
		return below(f.allEntries(), l.all.Size().X-2*margin, size.Y/2)
	default:
		p.boxed = true
	}
	return p
}

// freeCorner returns a corner where a legend of that size hides nothing.
func (f *Figure) freeCorner(q *plot.Plot, data draw.Canvas, w, h vg.Length) (Position, bool) {
	img := f.probe(q, data, func(plot.Plotter) bool { return true })
	pw, ph := int((w+3*legendPad)/2)+1, int((h+3*legendPad)/2)+1
	W, H := img.Rect.Dx(), img.Rect.Dy()
	if pw > W*2/3 || ph > H*3/4 {
		return 0, false
	}
	for _, c := range []struct {
		p    Position
		x, y int
	}{{TopRight, W - pw, 0}, {BottomLeft, 0, H - ph}, {TopLeft, 0, 0}, {BottomRight, W - pw, H - ph}} {
		if ink(img, image.Rect(c.x, c.y, c.x+pw, c.y+ph)) == 0 {
			return c.p, true
		}
	}
	return 0, false
}

// draw draws the legend, within the data or alongside.
func (p legendPlace) draw(f *Figure, all, data draw.Canvas, side vg.Length) {
	if len(p.entries) == 0 {
		return
	}
	w, h := p.size()
	var at vg.Point // upper left corner
	switch p.position {
	case Outside:
		at = vg.Point{X: data.Max.X + side + gap, Y: data.Max.Y}
	case Below:
		x := data.Center().X - w/2
		at = vg.Point{X: max(min(x, all.Max.X-margin-w), all.Min.X+margin), Y: all.Min.Y + margin + h}
	case TopRight:
		at = vg.Point{X: data.Max.X - w - 2*legendPad, Y: data.Max.Y - legendPad}
	case TopLeft:
		at = vg.Point{X: data.Min.X + 2*legendPad, Y: data.Max.Y - legendPad}
	case BottomRight:
		at = vg.Point{X: data.Max.X - w - 2*legendPad, Y: data.Min.Y + h + legendPad}
	case BottomLeft:
		at = vg.Point{X: data.Min.X + 2*legendPad, Y: data.Min.Y + h + legendPad}
	}
	if p.boxed && f.BackgroundColor != nil {
		box := vg.Rectangle{Min: vg.Point{X: at.X - legendPad, Y: at.Y - h - legendPad/2}, Max: vg.Point{X: at.X + w + legendPad, Y: at.Y + legendPad/2}}
		all.SetColor(fade(f.BackgroundColor, .7))
		all.Fill(box.Path())
	}
	drawEntries(all, p.entries, at, p.columns, w)
}

// drawEntries draws the entries of a legend in columns of equal width.
func drawEntries(c draw.Canvas, entries []legendEntry, at vg.Point, columns int, w vg.Length) {
	s := legendStyle()
	step := (w + columnGap) / vg.Length(columns)
	lh := lineHeight(entries)
	for i, e := range entries {
		x := at.X + vg.Length(i%columns)*step
		y := at.Y - (vg.Length(i/columns)+.5)*lh
		sample := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y - sampleHeight/2}, Max: vg.Point{X: x + sampleWidth, Y: y + sampleHeight/2}}}
		for _, t := range e.thumbs {
			t.Thumbnail(&sample)
		}
		middle(c, s, x+sampleWidth+sampleGap, y, e.name)
	}
}
