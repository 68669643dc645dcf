package plotting

import (
	"image"
	"image/color"
	stddraw "image/draw"
	"math"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"gaucho/internal/halt"
)

// rasterCanvas draws on an image what vgimg would draw slowly, or in wrong places. Its rasteriser keeps a list of what a path
// covers of each row of pixels and goes through it for each pixel more, so paths of many parts are drawn in pieces.
type rasterCanvas struct {
	vg.CanvasSizer
	on   imageCanvas
	pens []pen // the last one is in use
}

// imageCanvas is what the canvases of vgimg have.
type imageCanvas interface {
	Image() stddraw.Image
	DPI() float64
}

// A pen is what a line is drawn with.
type pen struct {
	color  color.Color
	width  vg.Length
	dashes []vg.Length
	offset vg.Length
}

// onImage returns a canvas that draws on one of vgimg.
func onImage(c vg.CanvasSizer) *rasterCanvas {
	r := &rasterCanvas{CanvasSizer: c, on: c.(imageCanvas), pens: make([]pen, 1)}
	vg.Initialize(r)
	return r
}

func (c *rasterCanvas) pen() *pen { return &c.pens[len(c.pens)-1] }

// SetColor, SetLineWidth, SetLineDash, Push and Pop keep the pen.
func (c *rasterCanvas) SetColor(to color.Color) {
	c.pen().color = to
	c.CanvasSizer.SetColor(to)
}

func (c *rasterCanvas) SetLineWidth(w vg.Length) {
	c.pen().width = w
	c.CanvasSizer.SetLineWidth(w)
}

func (c *rasterCanvas) SetLineDash(dashes []vg.Length, offset vg.Length) {
	c.pen().dashes, c.pen().offset = slices.Clone(dashes), offset
	c.CanvasSizer.SetLineDash(dashes, offset)
}

func (c *rasterCanvas) Push() {
	c.pens = append(c.pens, *c.pen())
	c.CanvasSizer.Push()
}

func (c *rasterCanvas) Pop() {
	c.pens = c.pens[:len(c.pens)-1]
	c.CanvasSizer.Pop()
}

// manyParts is how many parts a path has that may be drawn in pieces.
const manyParts = 64

// Stroke draws lines that cross the image often in pieces about as long as its sides, with dots where they meet: first on a
// mask, through which their colour then comes, as pieces of a colour that one sees through would show where they lie on each
// other.
func (c *rasterCanvas) Stroke(p vg.Path) {
	lines, length := linesOf(p), vg.Length(0)
	for _, l := range lines {
		length += l.length()
	}
	w, h := c.Size()
	if length < 4*(w+h) {
		c.CanvasSizer.Stroke(p)
		return
	}
	mask := clearCanvas(w, h, int(c.on.DPI()))
	pen := c.pen()
	mask.SetLineWidth(pen.width)
	mask.SetLineDash(pen.dashes, pen.offset)
	to, opaque := c.on.Image(), mask.Image().(*image.RGBA)
	for _, l := range lines {
		var hidden *cover
		if len(l.points) > manyPoints && len(pen.dashes) == 0 {
			hidden = &cover{mask: opaque, scale: c.on.DPI() / 72, radius: float64(pen.width) / 2 * c.on.DPI() / 72}
		}
		strokePieces(mask, l, pen.width, w+h, len(pen.dashes) == 0, hidden)
	}
	alpha := image.NewAlpha(opaque.Rect)
	for i := range alpha.Pix {
		alpha.Pix[i] = opaque.Pix[4*i+3]
	}
	stddraw.DrawMask(to, to.Bounds(), image.NewUniform(pen.color), image.Point{}, alpha, image.Point{}, stddraw.Over)
}

// manyPoints is how many points a line has that may hide much of itself.
const manyPoints = 4000

// strokePieces draws a line in pieces of about a length, without what is hidden, if that is known.
func strokePieces(c *vgimg.Canvas, l polyline, width, length vg.Length, dotted bool, hidden *cover) {
	var piece, dots vg.Path
	dot := func(at vg.Point) {
		dots.Move(at.Add(vg.Point{X: width / 2}))
		dots.Arc(at, width/2, 0, 2*math.Pi)
	}
	piece.Move(l.points[0])
	drawn := vg.Length(0)
	for i, pt := range l.points[1:] {
		if hidden != nil && hidden.hides(l.points[i], pt) {
			halt.Here()
			if len(piece) > 1 {
				c.Stroke(piece)
			}
			piece, drawn = piece[:0], 0
			piece.Move(pt)
			continue
		}
		piece.Line(pt)
		drawn += distance(l.points[i], pt)
		if drawn > length && i+2 < len(l.points) {
			halt.Here()
			c.Stroke(piece)
			piece, drawn = piece[:0], 0
			piece.Move(pt)
			dot(pt)
		}
	}
	if len(piece) > 1 {
		c.Stroke(piece)
	}
	if l.closed {
		dot(l.points[0])
	}
	if dotted {
		c.Fill(dots)
	}
}

// Fill draws polygons of many corners in strips, which are cut between pixels, where that does not show.
func (c *rasterCanvas) Fill(p vg.Path) {
	polygons := linesOf(p)
	if polygons == nil {
		c.CanvasSizer.Fill(p)
		return
	}
	left, right := polygons[0].points[0].X, polygons[0].points[0].X
	for _, l := range polygons {
		for _, pt := range l.points {
			left, right = min(left, pt.X), max(right, pt.X)
		}
	}
	pixel := vg.Inch / vg.Length(c.on.DPI())
	strip := draw.Canvas{Canvas: c.CanvasSizer}
	for x := vg.Length(math.Floor(float64(left / pixel))); x*pixel <= right; x += 16 {
		halt.Here()
		strip.Min.X, strip.Max.X = x*pixel, (x+16)*pixel
		var inside vg.Path
		for _, l := range polygons {
			for i, pt := range strip.ClipPolygonX(l.points) {
				if i == 0 {
					inside.Move(pt)
				} else {
					inside.Line(pt)
				}
			}
			inside.Close()
		}
		c.CanvasSizer.Fill(inside)
	}
}

// A polyline goes from point to point; if it is closed, the last one is the first.
type polyline struct {
	points []vg.Point
	closed bool
}

func (l *polyline) length() (sum vg.Length) {
	for i := range l.points[1:] {
		sum += distance(l.points[i], l.points[i+1])
	}
	return sum
}

func distance(a, b vg.Point) vg.Length {
	return vg.Length(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)))
}

// linesOf returns the lines of a path, nil if it has few parts, as most have, or curves.
func linesOf(p vg.Path) (lines []polyline) {
	if len(p) < manyParts {
		return nil
	}
	for _, part := range p {
		last := len(lines) - 1
		switch part.Type {
		case vg.MoveComp:
			lines = append(lines, polyline{points: []vg.Point{part.Pos}})
		case vg.LineComp:
			lines[last].points = append(lines[last].points, part.Pos)
		case vg.CloseComp:
			lines[last].points, lines[last].closed = append(lines[last].points, lines[last].points[0]), true
		default:
			return nil
		}
	}
	return lines
}

// FillString draws text in pieces, none of which has kerning within. The faces that vgimg draws with move a letter closer to
// the one before it by as many pixels at any size (golang.org/issue/46727), so that "AV" at 12 points stood on each other.
func (c *rasterCanvas) FillString(face font.Face, pt vg.Point, text string) {
	from, before, x := 0, "", vg.Length(0) // of the piece, of the letter, where the piece begins
	fill := func(to int) { c.CanvasSizer.FillString(face, pt.Add(vg.Point{X: x}), text[from:to]) }
	for i, r := range text {
		letter := string(r)
		if before != "" && math.Abs(float64(face.Width(before+letter)-face.Width(before)-face.Width(letter))) > 1e-9 {
			fill(i)
			from, x = i, face.Width(text[:i]+letter)-face.Width(letter)
		}
		before = letter
	}
	fill(len(text))
}
