package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Boxes draws a box plot of each sample (Tukey 1977): a box from the lower to the upper quartile with a line at the median,
// whiskers to the furthest values within one and a half times the box's height of it, and a dot for each value beyond. NaN
// and infinite values are left out; a sample without others has its name only.
func (f *Figure) Boxes(name string, labels []string, data [][]float64, opts ...Option) *Figure {
	return f.distributions("Boxes", name, labels, data, opts, func(d distribution) plot.Plotter { return &boxes{d} })
}

// Violins draws the density of each sample to both sides, smoothed by a Gaussian kernel with Silverman's bandwidth
// (Silverman 1986, equation 3.31), with a bar between the quartiles and a dot at the median.
func (f *Figure) Violins(name string, labels []string, data [][]float64, opts ...Option) *Figure {
	return f.distributions("Violins", name, labels, data, opts, func(d distribution) plot.Plotter { return &violins{d} })
}

// A distribution is several samples at the places 0, 1, 2, ... of the horizontal axis.
type distribution struct {
	data  [][]float64 // sorted, finite
	color color.Color
}

func (f *Figure) distributions(call, name string, labels []string, data [][]float64, opts []Option, of func(distribution) plot.Plotter) *Figure {
	if len(labels) != len(data) {
		panic(mismatch(call, len(data), "samples", len(labels), "labels"))
	}
	l := f.look(name, opts)
	d := distribution{make([][]float64, len(data)), fade(l.color, l.alpha)}
	for i, v := range data {
		d.data[i] = slices.DeleteFunc(slices.Clone(v), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
		slices.Sort(d.data[i])
	}
	p := of(d)
	f.Add(p)
	if t, ok := p.(plot.Thumbnailer); ok {
		f.legend(name, t)
	}
	f.named(labels)
	return f
}

func mismatch(call string, n int, what string, m int, other string) string {
	return fmt.Sprintf("plotting: %s has %d %s for %d %s", call, n, what, m, other)
}

// DataRange returns the range of the samples.
func (d distribution) DataRange() (xmin, xmax, ymin, ymax float64) {
	ymin, ymax = spread(false, d.data...)
	return -.5, float64(len(d.data)) - .5, ymin, ymax
}

func (d distribution) positive() (xmin, xmax, ymin, ymax float64) {
	ymin, ymax = spread(true, d.data...)
	return -.5, float64(len(d.data)) - .5, ymin, ymax
}

func (distribution) sticks() (xmin, xmax, ymin, ymax bool) { return true, true, false, false }

// Thumbnail draws a sample of the colour.
func (d distribution) Thumbnail(c *draw.Canvas) { thumbBar(c, d.color) }

// whiskers returns the ends of the whiskers of sorted values.
func whiskers(v []float64, low, high float64) (lo, hi float64) {
	reach := 1.5 * (high - low)
	lo, hi = low, high
	for _, x := range v {
		if x >= low-reach && x < lo {
			lo = x
		}
		if x <= high+reach {
			hi = max(hi, x)
		}
	}
	return lo, hi
}

type boxes struct{ distribution }

// Plot draws the boxes.
func (b *boxes) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	edge := draw.LineStyle{Color: b.color, Width: 1.1}
	stroke := func(sty draw.LineStyle, x0, y0, x1, y1 float64) {
		from, ok := f.at(x0, y0)
		to, ok2 := f.at(x1, y1)
		if ok && ok2 {
			c.StrokeLines(sty, c.ClipLinesXY([]vg.Point{from, to})...)
		}
	}
	for i, v := range b.data {
		if len(v) == 0 {
			continue
		}
		const half, tip = .28, .12
		at := float64(i)
		low, median, high := Quantile(v, .25), Quantile(v, .5), Quantile(v, .75)
		lo, hi := whiskers(v, low, high)
		corner, ok := f.at(at-half, low)
		other, ok2 := f.at(at+half, high)
		if ok && ok2 {
			c.FillPolygon(fade(b.color, .25), c.ClipPolygonXY([]vg.Point{corner, {X: corner.X, Y: other.Y}, other, {X: other.X, Y: corner.Y}}))
		}
		for _, y := range []float64{low, high} {
			stroke(edge, at-half, y, at+half, y)
		}
		stroke(edge, at-half, low, at-half, high)
		stroke(edge, at+half, low, at+half, high)
		stroke(draw.LineStyle{Color: b.color, Width: 2.2}, at-half, median, at+half, median)
		stroke(edge, at, low, at, lo)
		stroke(edge, at, high, at, hi)
		stroke(edge, at-tip, lo, at+tip, lo)
		stroke(edge, at-tip, hi, at+tip, hi)
		for _, x := range v {
			if pt, ok := f.at(at, x); ok && (x < lo || x > hi) && f.inside(pt) {
				c.DrawGlyph(draw.GlyphStyle{Color: fade(b.color, .7), Radius: 1.6, Shape: dot{}}, pt)
			}
		}
	}
}

type violins struct{ distribution }

// Plot draws the densities.
func (v *violins) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	for i, data := range v.data {
		if len(data) == 0 {
			continue
		}
		at := float64(i)
		ys, widths := smooth(data)
		var left, right []vg.Point
		for k, y := range ys {
			a, ok := f.at(at-.4*widths[k], y)
			b, ok2 := f.at(at+.4*widths[k], y)
			if ok && ok2 {
				left, right = append(left, a), append(right, b)
			}
		}
		slices.Reverse(right)
		if outline := append(left, right...); len(outline) > 2 {
			c.FillPolygon(fade(v.color, .35), c.ClipPolygonXY(outline))
			c.StrokeLines(draw.LineStyle{Color: v.color, Width: 1}, c.ClipLinesXY(append(outline, outline[0]))...)
		}
		low, ok := f.at(at, Quantile(data, .25))
		high, ok2 := f.at(at, Quantile(data, .75))
		if ok && ok2 {
			c.StrokeLines(draw.LineStyle{Color: v.color, Width: 3.5}, c.ClipLinesXY([]vg.Point{low, high})...)
		}
		if pt, ok := f.at(at, Quantile(data, .5)); ok && f.inside(pt) {
			c.DrawGlyph(draw.GlyphStyle{Color: color.White, Radius: 2, Shape: dot{}}, pt)
		}
	}
}

// smooth returns the density of sorted values at places from the least to the greatest, in parts of its maximum.
func smooth(v []float64) (at, density []float64) {
	const n = 96
	lo, hi := v[0], v[len(v)-1]
	mean, square := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		square += (x - mean) * (x - mean) / float64(len(v))
	}
	width := math.Sqrt(square)
	if iqr := (Quantile(v, .75) - Quantile(v, .25)) / 1.34; iqr > 0 {
		width = min(width, iqr)
	}
	width *= .9 * math.Pow(float64(len(v)), -.2)
	if !(width > 0) {
		return []float64{lo, lo}, []float64{1, 1}
	}
	most := 0.0
	for k := range n + 1 {
		y := lo + (hi-lo)*float64(k)/n
		first, _ := slices.BinarySearch(v, y-5*width)
		sum := 0.0
		for _, x := range v[first:] {
			if x > y+5*width {
				break
			}
			z := (x - y) / width
			sum += math.Exp(-z * z / 2)
		}
		at, density = append(at, y), append(density, sum)
		most = max(most, sum)
	}
	for k := range density {
		density[k] /= most
	}
	return at, density
}
