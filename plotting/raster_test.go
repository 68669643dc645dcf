package plotting

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TestKerning compares how far text reaches in an image with its width by the font's own tables, at sizes of which a kerning in
// pixels fits one at most.
func TestKerning(t *testing.T) {
	for _, size := range []vg.Length{6, 12, 24, 48} {
		face := plot.DefaultFont
		face.Size = size
		sty := draw.TextStyle{Font: face, Handler: plot.DefaultTextHandler}
		f := font.DefaultCache.Lookup(face, size)
		for _, text := range []string{"AVAVAVAV", "1111111111", "P.A. 11,111", "No kerning"} {
			canvas := clearCanvas(40*size, 3*size, 96)
			c := draw.New(onImage(canvas))
			c.FillText(sty, vg.Point{Y: size}, text)
			img := canvas.Image()
			first, last := inked(img)
			// Letters have some room at their sides, a tenth of the size at most.
			want := float64(f.Width(text)) * 96 / 72
			if got := float64(last - first + 1); got > want+1.5 || got < want-1.5-0.2*float64(size)*96/72 {
				t.Errorf("%q at %v points reaches over %v pixels, its width is %.1f", text, size, got, want)
			}
		}
	}
}

// inked returns the first and the last column of an image that is drawn on.
func inked(img image.Image) (first, last int) {
	b := img.Bounds()
	first = b.Max.X
	for x := b.Min.X; x < b.Max.X; x++ {
		for y := b.Min.Y; y < b.Max.Y; y++ {
			if _, _, _, a := img.At(x, y).RGBA(); a > 0x2000 {
				first, last = min(first, x), x
				break
			}
		}
	}
	return first, last
}

// TestPieces compares a polygon and lines of many parts with what vgimg draws of the whole. The polygon must be the same, a line
// but for one pixel in a hundred: where two pieces cover a part of a pixel each, they do not add as within one.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	const n = 600
	var points []vg.Point
	for i := range n {
		points = append(points, vg.Point{X: vg.Length(i) * 300 / n, Y: vg.Length(100 + 30*rng.NormFloat64())})
	}
	for name, c := range map[string]struct {
		draw  func(c draw.Canvas)
		apart int     // levels that pixels may be apart
		most  float64 // share of those further apart
	}{
		"polygon": {func(c draw.Canvas) {
			c.FillPolygon(color.NRGBA{B: 255, A: 128}, append([]vg.Point{{X: 0, Y: 20}, {X: 300, Y: 180}}, points...))
		}, 3, 0},
		"line": {func(c draw.Canvas) { c.StrokeLines(draw.LineStyle{Color: color.Black, Width: 1}, points) }, 30, .01},
		"faint": {func(c draw.Canvas) {
			c.StrokeLines(draw.LineStyle{Color: color.NRGBA{R: 255, A: 100}, Width: 2}, points)
		}, 30, .01},
	} {
		whole, pieces := clearCanvas(300, 200, 96), clearCanvas(300, 200, 96)
		c.draw(draw.New(whole))
		c.draw(draw.New(onImage(pieces)))
		want, got := whole.Image().(*image.RGBA).Pix, pieces.Image().(*image.RGBA).Pix
		covered, further := 0, 0
		for i := 3; i < len(want); i += 4 {
			covered += min(int(want[i]), 1)
			if d := int(want[i]) - int(got[i]); d > c.apart || -d > c.apart {
				further++
			}
		}
		if covered < 10_000 || float64(further) > c.most*float64(covered) {
			t.Errorf("%s: of %d pixels %d are more than %d levels apart, want %v of them", name, covered, further, c.apart, c.most)
		}
	}
}

// BenchmarkNoise draws noise as a line and as a band, whose parts cross the image.
func BenchmarkNoise(b *testing.B) {
	rng := rand.New(rand.NewPCG(4, 5))
	const n = 10_000
	x, y, low := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = float64(i), rng.NormFloat64()
		low[i] = y[i] - 1
	}
	for name, f := range map[string]*Figure{"line": New("", "", "").Line("", x, y), "band": New("", "", "").Band("", x, low, y)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				rasterise(f, 1)
			}
		})
	}
}
