package plotting

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Page is several figures side by side and below each other, their axes aligned. As the value of a cell it shows itself
// as one SVG and PNG.
type Page struct {
	title         string
	columns       int // figures in a row
	figures       []*Figure
	width, height vg.Length
	same          bool      // all have the same axes
	bar           *colorBar // of all panels, nil if they have their own
}

// Panels arranges figures in rows of so many columns. Where all have the same legend it is shown once, below them. A nil
// figure leaves its place empty.
func Panels(columns int, figures ...*Figure) *Page {
	return &Page{columns: max(1, min(columns, len(figures))), figures: figures}
}

// Titled sets the title above all panels.
func (p *Page) Titled(title string) *Page {
	checkFormulas(title)
	p.title = title
	return p
}

// Size sets the size of the whole page in points of 1/72 inch. Unless it is set, a row is as wide as one figure and three tenths
// as much again, which fits into a cell's output in JupyterLab, and panels have the shape of figures.
func (p *Page) Size(width, height vg.Length) *Page {
	p.width, p.height = width, height
	return p
}

func (p *Page) rows() int { return (len(p.figures) + p.columns - 1) / p.columns }

func (p *Page) extent() (width, height vg.Length) {
	if p.width > 0 && p.height > 0 {
		return p.width, p.height
	}
	w, h := (&Figure{}).extent()
	if len(p.figures) == 0 {
		return w, h
	}
	width = w
	if p.columns > 1 {
		width = 1.3 * w
	}
	row := width / vg.Length(p.columns) * h / w * 1.2
	height = row * vg.Length(p.rows())
	if p.shared() == nil {
		for _, more := range p.legendHeights(width/vg.Length(p.columns), row) {
			height += more
		}
	}
	return width, height
}

// legendHeights returns for each row the height that legends below its panels take, where a tile has some size without them.
func (p *Page) legendHeights(w, h vg.Length) []vg.Length {
	heights := make([]vg.Length, p.rows())
	for i, f := range p.figures {
		if f == nil || !f.needsLegend() {
			continue
		}
		tile := draw.New(clearCanvas(max(w, 20), max(h, 20), 36))
		l := f.fitIn(&layout{all: tile, panel: p.columns > 1}, true)
		if l.legend.position == Below {
			entries := f.allEntries()
			all := below(entries, w-2*margin, vg.Length(len(entries)+1)*lineHeight(entries))
			heights[i/p.columns] = max(heights[i/p.columns], all.bottom)
		}
	}
	return heights
}

// shared returns the legend that all panels have, if they have the same.
func (p *Page) shared() *Figure {
	var first *Figure
	names := func(f *Figure) (s []string) {
		for _, e := range f.allEntries() {
			s = append(s, e.name)
		}
		return s
	}
	n := 0
	for _, f := range p.figures {
		if f == nil {
			continue
		}
		if first == nil {
			first = f
		}
		if f.position == NoLegend || !slices.Equal(names(f), names(first)) {
			return nil
		}
		n++
	}
	if n < 2 || len(first.allEntries()) < 2 {
		return nil
	}
	return first
}

// Draw draws the page on a canvas.
func (p *Page) Draw(c draw.Canvas) {
	c.SetColor(rgb(0xFFFFFF))
	c.Fill(c.Rectangle.Path())
	if len(p.figures) == 0 {
		return
	}
	if p.title != "" {
		s := textStyle(sizeTitle+1, inkText, text.XCenter, text.YTop)
		title := wrap(p.title, s, c.Size().X-2*margin, maxLines(s, c.Size().Y))
		c.FillText(s, vg.Point{X: c.Center().X, Y: c.Max.Y - margin}, title)
		c.Max.Y -= s.Height(title) + margin
	}
	legend := p.shared()
	if legend != nil {
		place := below(legend.allEntries(), c.Size().X-2*margin, c.Size().Y/2)
		place.draw(legend, c, c, 0)
		c.Min.Y += place.bottom
	}
	panels := c
	panels.Max.X -= p.barRoom()
	layouts := p.tile(panels, legend == nil)
	if p.same {
		alignAll(layouts)
	} else {
		p.align(layouts)
	}
	p.drawBar(c, layouts)
	oneStyle(layouts)
	for _, l := range layouts {
		if l != nil {
			l.drawOn(false)
		}
	}
}

// tile lays each figure out in its own tile. A row with legends below its panels is higher than the others.
func (p *Page) tile(c draw.Canvas, legends bool) []*layout {
	rows := p.rows()
	size := c.Size()
	w := size.X / vg.Length(p.columns)
	more := make([]vg.Length, rows)
	spare := size.Y
	if legends {
		more = p.legendHeights(w, size.Y/vg.Length(rows))
		for i := range more {
			more[i] = min(more[i], size.Y/vg.Length(2*rows))
			spare -= more[i]
		}
	}
	layouts := make([]*layout, len(p.figures))
	y := c.Max.Y
	for i, f := range p.figures {
		if i%p.columns == 0 {
			y -= spare/vg.Length(rows) + more[i/p.columns]
		}
		if f == nil {
			continue
		}
		x := c.Min.X + w*vg.Length(i%p.columns)
		h := spare/vg.Length(rows) + more[i/p.columns]
		tile := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + w, Y: y + h}}}
		layouts[i] = f.fitIn(&layout{all: tile, panel: p.columns > 1, same: p.same}, legends)
	}
	return layouts
}

// oneStyle has all logarithmic axes of a page write powers of ten if one of them has to.
func oneStyle(layouts []*layout) {
	var axes []*plot.Axis
	for _, l := range layouts {
		if l != nil {
			axes = append(axes, &l.plot.X, &l.plot.Y)
		}
	}
	sameNumbers(axes...)
}

// sameNumbers has logarithmic axes write powers of ten if one of them has to.
func sameNumbers(axes ...*plot.Axis) {
	var logarithmic []*plot.Axis
	powers := false
	for _, a := range axes {
		if _, ok := a.Tick.Marker.(LogTicks); ok {
			logarithmic = append(logarithmic, a)
			powers = powers || !plainPowers(a.Min, a.Max)
		}
	}
	for _, a := range logarithmic {
		a.Tick.Marker = LogTicks{powers}
	}
}

// align crops the panels so that data start and end at the same height in a row and at the same side in a column.
func (p *Page) align(layouts []*layout) {
	columns, rows := make([]insets, p.columns), make([]insets, p.rows())
	for i, l := range layouts {
		if l == nil || l.f.square {
			continue
		}
		s := l.around()
		c, r := &columns[i%p.columns], &rows[i/p.columns]
		*c = c.widest(insets{left: s.left, right: s.right})
		*r = r.widest(insets{bottom: s.bottom, top: s.top})
	}
	for i, l := range layouts {
		if l != nil && !l.f.square {
			l.widen(columns[i%p.columns].widest(rows[i/p.columns]))
		}
	}
}

// MIMEBundle returns the page as SVG and PNG.
func (p *Page) MIMEBundle() map[string]any {
	data, _ := formsOf(p)
	return data
}

// heading is the page's title, or else those of its panels: what stands for the picture where it cannot be seen.
func (p *Page) heading() string {
	if p.title != "" {
		return p.title
	}
	var titles []string
	for _, f := range p.figures {
		if f != nil && f.Title.Text != "" {
			titles = append(titles, f.Title.Text)
		}
	}
	return strings.Join(titles, "; ")
}

// Description says what each panel shows, as [Figure.Description] does.
func (p *Page) Description() string {
	var each []string
	for i, f := range p.figures {
		if f != nil {
			name := inWords(f.Title.Text)
			if name != "" {
				name = ", " + name
			}
			each = append(each, fmt.Sprintf("Panel %d%s. %s", i+1, name, f.Description()))
		}
	}
	return strings.Join(each, " ")
}

// MIMEMetadata returns the size at which the PNG is shown, and the alternative text.
func (p *Page) MIMEMetadata() map[string]any { return metadataOf(p) }

// WriterTo returns the page in a format that gonum/plot knows, as [Figure.WriterTo] does.
func (p *Page) WriterTo(w, h vg.Length, format string) (io.WriterTo, error) {
	return writerTo(p, w, h, format)
}

// Save writes the page at its own size to a file in the format that its name ends in.
func (p *Page) Save(file string) error { return save(p, file) }
