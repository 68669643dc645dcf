package plotting

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gaucho/internal/words"
)

// A Heat is a heat map: entry (i, j) of Values colours cell j of row i, counted from the lower left corner of the
// rectangle from (XMin, YMin) to (XMax, YMax). It needs linear axes.
type Heat struct {
	Values                 mat.Matrix
	XMin, XMax, YMin, YMax float64
	Map                    ColorMap
	Min, Max               float64 // values of the first and last colour

	ground bool // other things are shown on it, and a legend may be too
}

// NewHeat returns a heat map whose colours span the finite values; those of [RedBlue] span as much on both sides of zero.
func NewHeat(values mat.Matrix, xmin, xmax, ymin, ymax float64, m ColorMap) *Heat {
	h := &Heat{Values: values, XMin: xmin, XMax: xmax, YMin: ymin, YMax: ymax, Map: m}
	rows, cols := values.Dims()
	h.Min, h.Max = math.Inf(1), math.Inf(-1)
	for i := range rows {
		for j := range cols {
			if v := values.At(i, j); !math.IsNaN(v) && !math.IsInf(v, 0) {
				h.Min, h.Max = min(h.Min, v), max(h.Max, v)
			}
		}
	}
	if h.Min > h.Max {
		h.Min, h.Max = 0, 1
	}
	if len(m) > 0 && len(m) == len(RedBlue) && &m[0] == &RedBlue[0] {
		h.Max = max(h.Max, -h.Min)
		h.Min = -h.Max
	}
	return h
}

// DataRange returns the rectangle.
func (h *Heat) DataRange() (xmin, xmax, ymin, ymax float64) { return h.XMin, h.XMax, h.YMin, h.YMax }

func (h *Heat) sticks() (xmin, xmax, ymin, ymax bool) { return true, true, true, true }

// color returns the colour of a value.
func (h *Heat) color(v float64) color.NRGBA {
	if h.Max == h.Min {
		return h.Map.At(.5)
	}
	return h.Map.At((v - h.Min) / (h.Max - h.Min))
}

// Plot draws the map as an image in which each cell is several pixels wide, so that no renderer blurs it.
func (h *Heat) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	rows, cols := h.Values.Dims()
	a, ok := f.at(h.XMin, h.YMin)
	b, ok2 := f.at(h.XMax, h.YMax)
	if !ok || !ok2 || rows == 0 || cols == 0 {
		return
	}
	size := b.Sub(a)
	w := max(1, int(math.Ceil(float64(size.X)*cloudDPI/72)))
	t := max(1, int(math.Ceil(float64(size.Y)*cloudDPI/72)))
	w, t = max(w-w%cols, cols), max(t-t%rows, rows)
	img := image.NewNRGBA(image.Rect(0, 0, w, t))
	for i := range rows {
		for j := range cols {
			col := h.color(h.Values.At(i, j))
			for y := t - (i+1)*t/rows; y < t-i*t/rows; y++ {
				for x := j * w / cols; x < (j+1)*w/cols; x++ {
					img.SetNRGBA(x, y, col)
				}
			}
		}
	}
	r := vg.Rectangle{Min: a, Max: b}
	if clipped, part, ok := cropImage(img, r, c.Rectangle); ok {
		c.DrawImage(part, clipped)
	}
}

// cropImage cuts an image that fills r down to what lies within the bounds.
func cropImage(img *image.NRGBA, r, bounds vg.Rectangle) (image.Image, vg.Rectangle, bool) {
	in := vg.Rectangle{
		Min: vg.Point{X: max(r.Min.X, bounds.Min.X), Y: max(r.Min.Y, bounds.Min.Y)},
		Max: vg.Point{X: min(r.Max.X, bounds.Max.X), Y: min(r.Max.Y, bounds.Max.Y)},
	}
	if in.Min.X >= in.Max.X || in.Min.Y >= in.Max.Y {
		return nil, in, false
	}
	sx := float64(img.Rect.Dx()) / float64(r.Max.X-r.Min.X)
	sy := float64(img.Rect.Dy()) / float64(r.Max.Y-r.Min.Y)
	x0, x1 := int(math.Round(float64(in.Min.X-r.Min.X)*sx)), int(math.Round(float64(in.Max.X-r.Min.X)*sx))
	y0, y1 := int(math.Round(float64(r.Max.Y-in.Max.Y)*sy)), int(math.Round(float64(r.Max.Y-in.Min.Y)*sy))
	if x0 >= x1 || y0 >= y1 {
		return nil, in, false
	}
	return img.SubImage(image.Rect(x0, y0, x1, y1)), in, true
}

// Heat adds a heat map of a matrix over a rectangle, row 0 at the bottom, with a colour bar at its side. A nil map stands
// for [Viridis].
func (f *Figure) Heat(values mat.Matrix, xmin, xmax, ymin, ymax float64, m ColorMap) *Figure {
	if m == nil {
		m = Viridis
	}
	h := NewHeat(values, xmin, xmax, ymin, ymax, m)
	f.Add(h)
	f.side = append(f.side, &colorBar{h})
	return f
}

// Density adds a heat map of a function over a rectangle, evaluated at the centres of n by n cells: the ground on
// which points are shown. A nil map stands for the lighter part of [Blues].
func (f *Figure) Density(fn func(x, y float64) float64, xmin, xmax, ymin, ymax float64, n int, m ColorMap) *Figure {
	return f.Background(sampleGrid(fn, xmin, xmax, ymin, ymax, n), xmin, xmax, ymin, ymax, m)
}

// Background adds a heat map of a matrix over a rectangle, row 0 at the bottom: the ground on which points are shown. A nil map
// stands for the lighter part of [Blues]; [RedBlue] is centred at zero.
func (f *Figure) Background(values mat.Matrix, xmin, xmax, ymin, ymax float64, m ColorMap) *Figure {
	if m == nil {
		m = Blues[:6]
	}
	h := NewHeat(values, xmin, xmax, ymin, ymax, m)
	h.ground = true
	f.Add(h)
	f.side = append(f.side, &colorBar{h})
	return f
}

func sampleGrid(fn func(x, y float64) float64, xmin, xmax, ymin, ymax float64, n int) *mat.Dense {
	n = max(n, 1)
	v := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			v.Set(i, j, fn(xmin+(xmax-xmin)*(float64(j)+.5)/float64(n), ymin+(ymax-ymin)*(float64(i)+.5)/float64(n)))
		}
	}
	return v
}

// Contours adds lines of equal value of a matrix over a rectangle, row 0 at the bottom, at the levels given; with nil
// levels at seven quantiles.
func (f *Figure) Contours(name string, values mat.Matrix, xmin, xmax, ymin, ymax float64, levels []float64, opts ...Option) *Figure {
	l := f.look(name, append([]Option{Width(.8), Color(inkMuted)}, opts...))
	c := plotter.NewContour(gridded{values, xmin, xmax, ymin, ymax}, levels, nil)
	c.LineStyles = []draw.LineStyle{l.ink()}
	f.Add(contours{c})
	f.legend(name, &Line{LineStyle: l.ink()})
	return f
}

// contours are gonum's, which come out of a map: they are drawn in the order of their points, so that the same figure is the
// same bytes. All have one style.
type contours struct{ *plotter.Contour }

// Plot draws the lines.
func (l contours) Plot(c draw.Canvas, p *plot.Plot) {
	recorded := &strokes{Canvas: c.Canvas}
	l.Contour.Plot(draw.Canvas{Canvas: recorded, Rectangle: c.Rectangle}, p)
	slices.SortFunc(recorded.paths, func(a, b vg.Path) int {
		return slices.CompareFunc(a, b, func(a, b vg.PathComp) int {
			return cmp.Or(cmp.Compare(a.Pos.X, b.Pos.X), cmp.Compare(a.Pos.Y, b.Pos.Y))
		})
	})
	for _, path := range recorded.paths {
		c.Stroke(path)
	}
}

// strokes keeps the lines that are to be drawn on a canvas.
type strokes struct {
	vg.Canvas
	paths []vg.Path
}

// Stroke keeps a line.
func (s *strokes) Stroke(p vg.Path) { s.paths = append(s.paths, slices.Clone(p)) }

// gridded shows a matrix to gonum's plotters: its entries lie at the centres of cells.
type gridded struct {
	m                      mat.Matrix
	xmin, xmax, ymin, ymax float64
}

func (g gridded) Dims() (c, r int)   { r, c = g.m.Dims(); return c, r }
func (g gridded) Z(c, r int) float64 { return g.m.At(r, c) }

func (g gridded) X(c int) float64 {
	_, n := g.m.Dims()
	return g.xmin + (g.xmax-g.xmin)*(float64(c)+.5)/float64(n)
}

func (g gridded) Y(r int) float64 {
	n, _ := g.m.Dims()
	return g.ymin + (g.ymax-g.ymin)*(float64(r)+.5)/float64(n)
}

// sidePiece is something at the right of the data.
type sidePiece interface {
	width(q *plot.Plot) vg.Length
	draw(c draw.Canvas)
}

// colorBar shows what value each colour of a heat map stands for.
type colorBar struct{ h *Heat }

const barWidth vg.Length = 10

func barStyle() text.Style { return textStyle(sizeTick, inkMuted, text.XLeft, text.YCenter) }

func (b *colorBar) ticks() []plot.Tick {
	lo, hi := b.h.Min, b.h.Max
	if lo == hi {
		return []plot.Tick{{Value: lo, Label: signed(words.Number(lo, 6))}}
	}
	return Ticks{}.Ticks(lo, hi)
}

func (b *colorBar) width(*plot.Plot) vg.Length {
	var w vg.Length
	for _, t := range b.ticks() {
		w = max(w, barStyle().Width(t.Label))
	}
	return gap + barWidth + 6 + w
}

func (b *colorBar) draw(c draw.Canvas) {
	const n = 256
	img := image.NewNRGBA(image.Rect(0, 0, 1, n))
	for i := range n {
		img.SetNRGBA(0, n-1-i, b.h.Map.At(float64(i)/(n-1)))
	}
	bar := vg.Rectangle{Min: c.Min, Max: vg.Point{X: c.Min.X + barWidth, Y: c.Max.Y}}
	c.DrawImage(bar, img)
	for _, t := range b.ticks() {
		at := .5
		if b.h.Max > b.h.Min {
			at = (t.Value - b.h.Min) / (b.h.Max - b.h.Min)
		}
		if t.Label == "" {
			continue
		}
		y := c.Min.Y + vg.Length(at)*(c.Max.Y-c.Min.Y)
		c.StrokeLine2(draw.LineStyle{Color: inkAxis, Width: .6}, bar.Max.X, y, bar.Max.X+3, y)
		middle(c, barStyle(), bar.Max.X+5, y, t.Label)
	}
}
