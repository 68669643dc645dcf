package plotting

import (
	"image"
	"math"

	"gonum.org/v1/plot/vg"
)

// A cover knows which pixels of a mask are drawn on already, so that what would draw on these alone can be left out.
type cover struct {
	mask   *image.RGBA
	scale  float64 // pixels of a point of length
	radius float64 // of the line in pixels
	left   int     // segments left out so far
}

// hides reports whether all pixels that the line touches between two places, with its ends, are opaque. It looks at some for each
// pixel of the length, and at few where they are not.
func (c *cover) hides(a, b vg.Point) bool {
	x0, y0, x1, y1 := c.pixel(a), c.height(a), c.pixel(b), c.height(b)
	steep := math.Abs(y1-y0) > math.Abs(x1-x0)
	if steep {
		x0, y0, x1, y1 = y0, x0, y1, x1
	}
	if x0 > x1 {
		x0, y0, x1, y1 = x1, y1, x0, y0
	}
	slope := 0.0
	if x1 > x0 {
		slope = (y1 - y0) / (x1 - x0)
	}
	reach := int(math.Ceil(c.radius*math.Sqrt(1+slope*slope))) + 1
	for x := int(math.Floor(x0 - c.radius - 1)); x <= int(math.Ceil(x1+c.radius)); x++ {
		y := int(math.Floor(y0 + slope*(min(max(float64(x)+0.5, x0), x1)-x0)))
		for k := y - reach; k <= y+reach; k++ {
			if steep && !c.opaque(k, x) || !steep && !c.opaque(x, k) {
				return false
			}
		}
	}
	c.left++
	return true
}

func (c *cover) pixel(p vg.Point) float64 { return float64(p.X) * c.scale }

func (c *cover) height(p vg.Point) float64 {
	return float64(c.mask.Rect.Dy()) - float64(p.Y)*c.scale
}

// opaque reports whether a pixel is drawn on, or outside.
func (c *cover) opaque(x, y int) bool {
	r := c.mask.Rect
	return x < 0 || y < 0 || x >= r.Dx() || y >= r.Dy() || c.mask.Pix[y*c.mask.Stride+4*x+3] == 255
}
