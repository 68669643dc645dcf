package plotting

import (
	"image"
	"image/color"
	stdraw "image/draw"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Points is a scatter of points (X[i], Y[i]). A cloud of more than a thousand is drawn as an image within the figure, so
// that an SVG of it stays small.
type Points struct {
	X, Y []float64
	draw.GlyphStyle
	// Colors, if not nil, holds a colour for each point.
	Colors []color.Color
	// Radii, if not nil, holds a radius for each point.
	Radii []vg.Length
}

// cloud is the number of points above which they are drawn as an image, and cloudDPI its resolution.
const (
	cloud    = 1000
	cloudDPI = 192
)

// DataRange returns the range of the finite points.
func (s *Points) DataRange() (xmin, xmax, ymin, ymax float64) {
	return spreadPoints(s.X, s.Y)
}

func (s *Points) positive() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = spread(true, s.X)
	ymin, ymax = spread(true, s.Y)
	return
}

// style returns the style of point i.
func (s *Points) style(i int) draw.GlyphStyle {
	g := s.GlyphStyle
	if s.Colors != nil {
		g.Color = s.Colors[i]
	}
	if s.Radii != nil {
		g.Radius = s.Radii[i]
	}
	return g
}

// Plot draws the points that lie in the canvas.
func (s *Points) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	if len(s.X) > cloud {
		s.plotCloud(f)
		return
	}
	for i := range s.X {
		if pt, ok := f.at(s.X[i], s.Y[i]); ok && f.inside(pt) {
			c.DrawGlyph(s.style(i), pt)
		}
	}
}

// plotCloud draws the points into an image as large as the canvas. Those of one look are stamped at quarters of a pixel.
func (s *Points) plotCloud(f place) {
	const scale = cloudDPI / 72.0
	size := f.c.Size()
	if s.Colors != nil || s.Radii != nil {
		canvas := clearCanvas(max(size.X, 1), max(size.Y, 1), cloudDPI)
		inner := themed(canvas, themeOf(f.c))
		for i := range s.X {
			if pt, ok := f.at(s.X[i], s.Y[i]); ok && f.inside(pt) {
				inner.DrawGlyph(s.style(i), pt.Sub(f.c.Min))
			}
		}
		f.c.DrawImage(f.c.Rectangle, canvas.Image())
		return
	}
	img := image.NewRGBA(image.Rect(0, 0, int(math.Ceil(float64(size.X)*scale)), int(math.Ceil(float64(size.Y)*scale))))
	stamps, half := s.stamps(scale, themeOf(f.c))
	for i := range s.X {
		pt, ok := f.at(s.X[i], s.Y[i])
		if !ok || !f.inside(pt) {
			continue
		}
		x := float64(pt.X-f.c.Min.X) * scale
		y := float64(f.c.Max.Y-pt.Y) * scale
		ix, iy := math.Floor(x), math.Floor(y)
		stamp := stamps[int((y-iy)*4)][int((x-ix)*4)]
		at := image.Pt(int(ix)-half, int(iy)-half)
		stdraw.Draw(img, stamp.Bounds().Add(at), stamp, image.Point{}, stdraw.Over)
	}
	w, h := vg.Length(float64(img.Rect.Dx())/scale), vg.Length(float64(img.Rect.Dy())/scale)
	f.c.DrawImage(vg.Rectangle{Min: vg.Point{X: f.c.Min.X, Y: f.c.Max.Y - h}, Max: vg.Point{X: f.c.Min.X + w, Y: f.c.Max.Y}}, img)
}

// stamps returns the glyph at sixteen places within a pixel, down and to the right, and where its centre's pixel is.
func (s *Points) stamps(scale float64, t Theme) (out [4][4]image.Image, half int) {
	half = int(math.Ceil(float64(s.Radius)*scale)) + 2
	n := 2*half + 1
	side := vg.Length(float64(n) / scale)
	for j := range 4 {
		for i := range 4 {
			c := clearCanvas(side, side, cloudDPI)
			x := vg.Length((float64(half) + (float64(i)+.5)/4) / scale)
			y := vg.Length((float64(n) - float64(half) - (float64(j)+.5)/4) / scale)
			dc := themed(c, t)
			dc.DrawGlyph(s.GlyphStyle, vg.Point{X: x, Y: y})
			out[j][i] = c.Image()
		}
	}
	return out, half
}

// Thumbnail draws the points' sample in a legend.
func (s *Points) Thumbnail(c *draw.Canvas) { c.DrawGlyph(s.GlyphStyle, c.Center()) }

// dot is a filled circle.
type dot struct{}

// DrawGlyph draws the circle.
func (dot) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	var p vg.Path
	p.Move(vg.Point{X: pt.X + sty.Radius, Y: pt.Y})
	p.Arc(pt, sty.Radius, 0, 2*math.Pi)
	p.Close()
	c.SetColor(sty.Color)
	c.Fill(p)
}

// ErrorBars are vertical bars from Lo[i] to Hi[i] at X[i].
type ErrorBars struct {
	X, Lo, Hi []float64
	draw.LineStyle
	Cap vg.Length // half the width of the ends
}

// DataRange returns the range of the finite ends.
func (e *ErrorBars) DataRange() (xmin, xmax, ymin, ymax float64) {
	return (&Band{X: e.X, Lo: e.Lo, Hi: e.Hi}).DataRange()
}

func (e *ErrorBars) positive() (xmin, xmax, ymin, ymax float64) {
	return (&Band{X: e.X, Lo: e.Lo, Hi: e.Hi}).positive()
}

// Plot draws the bars.
func (e *ErrorBars) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	for i := range e.X {
		hi, ok := f.at(e.X[i], e.Hi[i])
		lo, ok2 := f.at(e.X[i], e.Lo[i])
		if !ok {
			continue
		}
		if !ok2 {
			lo = vg.Point{X: hi.X, Y: c.Min.Y}
		}
		for _, l := range [][]vg.Point{
			{lo, hi},
			{{X: hi.X - e.Cap, Y: hi.Y}, {X: hi.X + e.Cap, Y: hi.Y}},
			{{X: lo.X - e.Cap, Y: lo.Y}, {X: lo.X + e.Cap, Y: lo.Y}},
		} {
			c.StrokeLines(e.LineStyle, c.ClipLinesXY(l)...)
		}
	}
}

// Thumbnail draws the bars' sample in a legend.
func (e *ErrorBars) Thumbnail(c *draw.Canvas) {
	x := c.Center().X
	c.StrokeLine2(e.LineStyle, x, c.Min.Y, x, c.Max.Y)
}
