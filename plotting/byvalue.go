package plotting

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// ColorBy colours points by numbers, in [Viridis], with a colour bar. The values are of any numeric type.
func ColorBy(values any) Option {
	v := numbers("ColorBy", "values", values)
	return func(l *look) { l.colorBy = v }
}

// SizeBy gives points an area in proportion to numbers of any type; they must not be negative. NaN leaves a point out.
func SizeBy(values any) Option {
	v := numbers("SizeBy", "values", values)
	for i, x := range v {
		if x < 0 {
			panic(fmt.Sprintf("plotting: SizeBy: value %d is %g, must not be negative", i, x))
		}
	}
	return func(l *look) { l.sizeBy = v }
}

// byValue gives points the colours and radii that the look asks for, and the figure a colour bar. Points whose value is not
// finite have no colour or size, and so are left out.
func (f *Figure) byValue(pts *Points, l look) {
	if l.colorBy != nil {
		same("ColorBy", pts.X, l.colorBy)
		scale := &Heat{Map: Viridis}
		if scale.Min, scale.Max = spread(false, l.colorBy); scale.Min > scale.Max {
			scale.Min, scale.Max = 0, 1
		}
		pts.Colors = make([]color.Color, len(pts.X))
		for i, v := range l.colorBy {
			pts.Colors[i] = color.Color(color.NRGBA{})
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				pts.Colors[i] = mapped{fade(scale.color(v), l.alpha)}
			}
		}
		f.side = append(f.side, &colorBar{scale})
	}
	if l.sizeBy != nil {
		same("SizeBy", pts.X, l.sizeBy)
		pts.Radii = make([]vg.Length, len(pts.X))
		_, largest := spread(true, l.sizeBy)
		for i, v := range l.sizeBy {
			if v > 0 && !math.IsInf(v, 0) {
				pts.Radii[i] = 2.6 * l.radius * vg.Length(math.Sqrt(v/largest))
			}
		}
	}
}
