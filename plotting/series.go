package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An Option changes how a series looks.
type Option func(*look)

// look is how a series looks.
type look struct {
	color  color.Color
	width  vg.Length
	dashes []vg.Length
	alpha  float64
	glyph  draw.GlyphDrawer
	radius vg.Length
	marked bool
	fill   bool

	colorBy, sizeBy []float64 // values of points; nil for none
}

// Color draws a series in a colour of its own instead of the palette's next.
func Color(c color.Color) Option { return func(l *look) { l.color = c } }

// PaletteColor draws a series in colour i of [Palette].
func PaletteColor(i int) Option {
	n := len(Palette)
	return func(l *look) { l.color = Palette[((i%n)+n)%n] }
}

// Width sets the width of a line in points.
func Width(w vg.Length) Option { return func(l *look) { l.width = w } }

// Dashed draws a line with dashes.
func Dashed() Option { return func(l *look) { l.dashes = []vg.Length{5, 3} } }

// Dotted draws a line with dots.
func Dotted() Option { return func(l *look) { l.dashes = []vg.Length{1.2, 2.4} } }

// Marked puts markers on a line: on every point of a short one, on about ten of a long one.
func Marked() Option { return func(l *look) { l.marked = true } }

// Radius sets the radius of points in points of length.
func Radius(r vg.Length) Option { return func(l *look) { l.radius = r } }

// Glyph sets the shape of points, such as draw.CrossGlyph{}.
func Glyph(g draw.GlyphDrawer) Option { return func(l *look) { l.glyph = g } }

// Alpha makes a series transparent: 0 is invisible, 1 opaque. It panics for other numbers.
func Alpha(a float64) Option {
	if !(a >= 0 && a <= 1) {
		panic(fmt.Sprintf("plotting: Alpha is %v, must be in [0, 1]", a))
	}
	return func(l *look) { l.alpha = a }
}

// Filled fills the space between a line and the horizontal axis.
func Filled() Option { return func(l *look) { l.fill = true } }

// place maps data to the canvas.
type place struct {
	c *draw.Canvas
	p *plot.Plot
}

func (f place) x(x float64) float64 { return norm(&f.p.X, x) }
func (f place) y(y float64) float64 { return norm(&f.p.Y, y) }

// norm returns where on an axis a value lies, NaN if it has no place there.
func norm(a *plot.Axis, v float64) float64 {
	if v <= 0 {
		if _, ok := a.Scale.(plot.LogScale); ok {
			return math.NaN()
		}
	}
	return a.Scale.Normalize(a.Min, a.Max, v)
}

// at returns the point of the canvas where a datum lies, and false when it lies nowhere.
func (f place) at(x, y float64) (vg.Point, bool) {
	nx, ny := f.x(x), f.y(y)
	if math.IsNaN(nx) || math.IsInf(nx, 0) || math.IsNaN(ny) || math.IsInf(ny, 0) {
		return vg.Point{}, false
	}
	// What is far outside is brought nearer, for the arithmetic of the renderers.
	nx, ny = min(max(nx, -100), 100), min(max(ny, -100), 100)
	return vg.Point{X: f.c.X(nx), Y: f.c.Y(ny)}, true
}

// inside reports whether a point lies in the canvas, its edges included.
func (f place) inside(pt vg.Point) bool {
	const slack = 1e-6
	return pt.X >= f.c.Min.X-slack && pt.X <= f.c.Max.X+slack && pt.Y >= f.c.Min.Y-slack && pt.Y <= f.c.Max.Y+slack
}

// spread returns the least and greatest finite value, of the positive ones if so asked.
func spread(positive bool, slices ...[]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, s := range slices {
		for _, v := range s {
			if math.IsNaN(v) || math.IsInf(v, 0) || positive && v <= 0 {
				continue
			}
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// spreadPoints returns the ranges of the points of which both numbers are finite.
func spreadPoints(x, y []float64) (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for i := range min(len(x), len(y)) {
		if !math.IsNaN(x[i]) && !math.IsInf(x[i], 0) && !math.IsNaN(y[i]) && !math.IsInf(y[i], 0) {
			xmin, xmax, ymin, ymax = min(xmin, x[i]), max(xmax, x[i]), min(ymin, y[i]), max(ymax, y[i])
		}
	}
	return
}

// same panics unless slices that go together are equally long.
func same(what string, x []float64, others ...[]float64) {
	for _, o := range others {
		if len(o) != len(x) {
			panic(fmt.Sprintf("plotting: %s has %d values for %d x", what, len(o), len(x)))
		}
	}
}

// A Line joins points (X[i], Y[i]). NaN breaks it. A line of very many points is thinned to what can be seen.
type Line struct {
	X, Y []float64
	draw.LineStyle
	Fill   color.Color      // between the line and the lower edge; nil for none
	Marker *draw.GlyphStyle // on some points; nil for none
}

// DataRange returns the range of the finite points.
func (l *Line) DataRange() (xmin, xmax, ymin, ymax float64) {
	return spreadPoints(l.X, l.Y)
}

func (l *Line) positive() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = spread(true, l.X)
	ymin, ymax = spread(true, l.Y)
	return
}

// Plot draws the line.
func (l *Line) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	var stretch []vg.Point
	draw := func() {
		stretch = thin(stretch)
		if l.Fill != nil && len(stretch) > 1 {
			poly := append([]vg.Point{{X: stretch[0].X, Y: c.Min.Y}}, stretch...)
			poly = append(poly, vg.Point{X: stretch[len(stretch)-1].X, Y: c.Min.Y})
			c.FillPolygon(l.Fill, c.ClipPolygonXY(poly))
		}
		c.StrokeLines(l.LineStyle, c.ClipLinesXY(stretch)...)
		stretch = nil
	}
	for i := range l.X {
		pt, ok := f.at(l.X[i], l.Y[i])
		if !ok {
			draw()
			continue
		}
		stretch = append(stretch, pt)
	}
	draw()
	if l.Marker != nil {
		l.plotMarkers(f)
	}
}

// plotMarkers puts markers on points that are far enough apart.
func (l *Line) plotMarkers(f place) {
	gap := vg.Length(0)
	if len(l.X) > 15 {
		gap = (f.c.Max.X - f.c.Min.X) / 11
	}
	last := vg.Length(math.Inf(-1))
	for i := range l.X {
		pt, ok := f.at(l.X[i], l.Y[i])
		if ok && f.inside(pt) && vg.Length(math.Abs(float64(pt.X-last))) >= gap {
			f.c.DrawGlyph(*l.Marker, pt)
			last = pt.X
		}
	}
}

// thin drops points of a long line that runs from left to right, keeping for each half point of width the first, the
// lowest, the highest and the last, between which the others would be hidden.
func thin(pts []vg.Point) []vg.Point {
	if len(pts) < 4000 {
		return pts
	}
	for i := 1; i < len(pts); i++ {
		if pts[i].X < pts[i-1].X {
			return pts
		}
	}
	var out []vg.Point
	for i := 0; i < len(pts); {
		column := math.Floor(float64(pts[i].X) * 2)
		first, lo, hi := i, i, i
		for ; i < len(pts) && math.Floor(float64(pts[i].X)*2) == column; i++ {
			if pts[i].Y < pts[lo].Y {
				lo = i
			}
			if pts[i].Y > pts[hi].Y {
				hi = i
			}
		}
		last := -1
		for _, j := range []int{first, min(lo, hi), max(lo, hi), i - 1} {
			if j > last {
				out = append(out, pts[j])
				last = j
			}
		}
	}
	return out
}

// Thumbnail draws the line's sample in a legend.
func (l *Line) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	if l.Fill != nil {
		c.FillPolygon(l.Fill, []vg.Point{{X: c.Min.X, Y: c.Min.Y}, {X: c.Min.X, Y: y}, {X: c.Max.X, Y: y}, {X: c.Max.X, Y: c.Min.Y}})
	}
	c.StrokeLine2(l.LineStyle, c.Min.X, y, c.Max.X, y)
	if l.Marker != nil {
		c.DrawGlyph(*l.Marker, c.Center())
	}
}

// A Band fills the space between Lo and Hi over X: quartiles around a median, confidence limits.
type Band struct {
	X, Lo, Hi []float64
	Color     color.Color
}

// DataRange returns the range of the finite limits.
func (b *Band) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = spread(false, b.X)
	ymin, ymax = spread(false, b.Lo, b.Hi)
	return
}

func (b *Band) positive() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = spread(true, b.X)
	ymin, ymax = spread(true, b.Lo, b.Hi)
	return
}

// Plot fills the band. On a logarithmic axis a lower limit that is not positive reaches the lower edge.
func (b *Band) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	var lower, upper []vg.Point
	fill := func() {
		if len(upper) > 1 {
			lower = thin(lower)
			slices.Reverse(lower)
			c.FillPolygon(b.Color, c.ClipPolygonXY(append(thin(upper), lower...)))
		}
		lower, upper = nil, nil
	}
	for i := range b.X {
		hi, ok := f.at(b.X[i], b.Hi[i])
		if !ok || math.IsNaN(b.Lo[i]) {
			fill()
			continue
		}
		lo, ok := f.at(b.X[i], b.Lo[i])
		if !ok {
			lo = vg.Point{X: hi.X, Y: c.Min.Y}
		}
		lower, upper = append(lower, lo), append(upper, hi)
	}
	fill()
}

// Thumbnail draws the band's sample in a legend.
func (b *Band) Thumbnail(c *draw.Canvas) {
	m := c.Center().Y
	h := (c.Max.Y - c.Min.Y) * .42
	c.FillPolygon(b.Color, []vg.Point{{X: c.Min.X, Y: m - h}, {X: c.Min.X, Y: m + h}, {X: c.Max.X, Y: m + h}, {X: c.Max.X, Y: m - h}})
}
