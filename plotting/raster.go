package plotting

import (
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// rasterCanvas draws text on an image with the kerning of its size. The faces that vgimg draws with move a letter closer to
// the one before it by as many pixels at any size (golang.org/issue/46727), so that "AV" at 12 points stood on each other.
type rasterCanvas struct{ vg.CanvasSizer }

// FillString draws text in pieces, none of which has kerning within.
func (c rasterCanvas) FillString(face font.Face, pt vg.Point, text string) {
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
