package plotting

import (
	"image"
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
			c := draw.New(rasterCanvas{canvas})
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
