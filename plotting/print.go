package plotting

import (
	"bytes"
	"image"
	"image/color"
	"io"
	"math"
	"regexp"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// printCanvas draws on a PDF or EPS file what its writer in gonum/plot would not draw, or would draw wrongly.
type printCanvas struct {
	vg.CanvasSizer
	format string
	ground color.NRGBA // that an EPS file is drawn on
}

// printed returns a canvas that draws in a theme on a PDF or EPS file.
func printed(c vg.CanvasSizer, format string, t Theme) draw.Canvas {
	ground := color.Color(color.White)
	if t == Dark {
		ground = darkened(ground)
	}
	return themed(printCanvas{c, format, color.NRGBAModel.Convert(ground).(color.NRGBA)}, t)
}

// SetColor sets the colour. Both writers take components that are multiplied by alpha for the colour itself, and an EPS file has no
// transparency: there a colour is mixed with the ground.
func (p printCanvas) SetColor(c color.Color) {
	if c == nil {
		c = color.Black
	}
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	if p.format == "eps" {
		mix := func(c, ground uint8) uint8 {
			return uint8((int(c)*int(n.A) + int(ground)*(255-int(n.A)) + 127) / 255)
		}
		n = color.NRGBA{mix(n.R, p.ground.R), mix(n.G, p.ground.G), mix(n.B, p.ground.B), 255}
	}
	p.CanvasSizer.SetColor(straight(n))
}

// A straight colour has components that are not multiplied by its alpha.
type straight color.NRGBA

// RGBA returns the components.
func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}

// madeAt is where a file of a format says when it was made. What takes its place is as long in a PDF file, which has offsets.
var madeAt = map[string]struct {
	date    *regexp.Regexp
	instead string
}{
	"pdf": {regexp.MustCompile(`/(CreationDate|ModDate) \(D:[0-9]{14}\)`), "/$1 (D:19700101000000)"},
	"eps": {regexp.MustCompile("%%CreationDate: .*\n"), ""},
}

// An undated file does not say when it was made, so that the same figure is the same bytes.
type undated struct {
	io.WriterTo
	format string
}

// WriteTo writes the file.
func (u undated) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if _, err := u.WriterTo.WriteTo(&b); err != nil {
		return 0, err
	}
	at := madeAt[u.format]
	n, err := w.Write(at.date.ReplaceAll(b.Bytes(), []byte(at.instead)))
	return int64(n), err
}

// unsupported says what a form of files cannot hold.
type unsupported string

func (u unsupported) Error() string { return string(u) }

// FillString draws text as outlines, except what a PDF file can hold as text: the characters of Latin-1 in an upright font.
// Others would be written as wrong ones, and fonts in italics are not found; an EPS file would have no fonts at all.
func (p printCanvas) FillString(face font.Face, pt vg.Point, text string) {
	upright := face.Font.Style == xfont.StyleNormal && face.Font.Weight == xfont.WeightNormal
	if p.format == "pdf" && upright && latin1(text) {
		p.CanvasSizer.FillString(face, pt, text)
		return
	}
	for _, r := range text {
		b := outline(face.Face, r, face.Font.Size, 1, 1)
		b.draw(p, pt)
		pt.X += b.width
	}
}

func latin1(text string) bool {
	for _, r := range text {
		if r >= 0x7f && r < 0xa1 || r > 0xff {
			return false
		}
	}
	return true
}

// DrawImage draws an image, which a PDF file would show upside down and which an EPS file cannot hold.
func (p printCanvas) DrawImage(rect vg.Rectangle, img image.Image) {
	if p.format == "eps" {
		panic(unsupported("plotting: an EPS file holds no images, such as heat maps and clouds of points; write a PDF file"))
	}
	b := img.Bounds()
	flipped := image.NewNRGBA(image.Rectangle{Max: b.Size()})
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Max.Y-1-y)).(color.NRGBA)
			flipped.SetNRGBA(x, y, c)
		}
	}
	p.CanvasSizer.DrawImage(rect, flipped)
}

// Fill fills a path.
func (p printCanvas) Fill(path vg.Path) { p.CanvasSizer.Fill(withoutArcs(path)) }

// Stroke draws the line of a path.
func (p printCanvas) Stroke(path vg.Path) { p.CanvasSizer.Stroke(withoutArcs(path)) }

// withoutArcs returns a path with curves in place of arcs, which in a PDF file end the path in which they are. A curve for an
// eighth of a circle is off by four millionths of the radius.
func withoutArcs(path vg.Path) vg.Path {
	var out vg.Path
	for _, c := range path {
		if c.Type != vg.ArcComp {
			out = append(out, c)
			continue
		}
		n := max(1, int(math.Ceil(math.Abs(c.Angle)/(math.Pi/4)-1e-9)))
		step := c.Angle / float64(n)
		handle := vg.Length(4. / 3 * math.Tan(step/4))
		at := func(angle float64) (point, tangent vg.Point) {
			sin, cos := math.Sincos(angle)
			out := vg.Point{X: vg.Length(cos), Y: vg.Length(sin)}.Scale(c.Radius)
			return c.Pos.Add(out), vg.Point{X: -out.Y, Y: out.X}.Scale(handle)
		}
		from, t0 := at(c.Start)
		if len(out) == 0 {
			out.Move(from)
		} else {
			out.Line(from)
		}
		for k := 1; k <= n; k++ {
			to, t1 := at(c.Start + float64(k)*step)
			out.CubeTo(from.Add(t0), to.Sub(t1), to)
			from, t0 = to, t1
		}
	}
	return out
}
