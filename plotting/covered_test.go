package plotting

import (
	"image"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestHidden draws a line that crosses its image thousands of times with and without what it hides itself: much of it is left out,
// and what is seen is the same but for one pixel in a hundred, as with other pieces.
func TestHidden(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	for name, at := range map[string]func() vg.Length{
		"over all":       func() vg.Length { return vg.Length(110*rng.Float64() - 5) },
		"in the middle":  func() vg.Length { return vg.Length(50 + 12*rng.NormFloat64()) },
		"in few columns": func() vg.Length { return vg.Length(rng.IntN(5) * 20) },
	} {
		var l polyline
		for range 4000 {
			l.points = append(l.points, vg.Point{X: at(), Y: vg.Length(100 * rng.Float64())})
		}
		all, seen := clearCanvas(100, 100, 96), clearCanvas(100, 100, 96)
		for _, c := range []vg.Canvas{all, seen} {
			c.SetLineWidth(1.5)
		}
		hidden := &cover{mask: seen.Image().(*image.RGBA), scale: 96.0 / 72, radius: 0.75 * 96 / 72}
		strokePieces(all, l, 1.5, 200, true, nil)
		strokePieces(seen, l, 1.5, 200, true, hidden)
		want, got := all.Image().(*image.RGBA).Pix, hidden.mask.Pix
		further := 0
		for i := 3; i < len(want); i += 4 {
			if d := int(want[i]) - int(got[i]); d > 30 || d < -30 {
				further++
			}
		}
		if further > len(want)/400 {
			t.Errorf("%s: %d of %d pixels differ", name, further, len(want)/4)
		}
		if hidden.left < len(l.points)/3 {
			t.Errorf("%s: %d of %d segments are left out", name, hidden.left, len(l.points))
		}
	}
}
