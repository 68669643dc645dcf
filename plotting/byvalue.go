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

// SizeBy gives points an area in proportion to numbers of any type; they must not be negative. NaN leaves a point out. The
// legend shows the sizes of round values.
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
				pts.Radii[i] = radiusOf(v/largest, l)
			}
		}
		f.sizes(pts, largest, l)
	}
}

// radiusOf returns the radius of a point whose value is a part of the largest.
func radiusOf(part float64, l look) vg.Length { return 2.6 * l.radius * vg.Length(math.Sqrt(part)) }

// sizes says in the legend how large points of round values are.
func (f *Figure) sizes(pts *Points, largest float64, l look) {
	if !(largest > 0) || math.IsInf(largest, 0) {
		return
	}
	for _, t := range (Ticks{N: 4}).Ticks(0, largest) {
		if t.Value <= 0 || t.Label == "" {
			continue
		}
		sample := &Points{GlyphStyle: pts.GlyphStyle}
		sample.Radius = radiusOf(t.Value/largest, l)
		if l.colorBy != nil {
			sample.Color = inkMuted
		}
		f.legend(t.Label, sample)
	}
}
