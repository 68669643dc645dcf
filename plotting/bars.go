package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gaucho/internal/scale"
)

// Bins is a row of adjoining bars: bar i goes from Edges[i] to Edges[i+1] and has height Heights[i].
type Bins struct {
	Edges, Heights []float64
	Color          color.Color
}

// DataRange returns the range of the bars, with zero.
func (b *Bins) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = spread(false, b.Edges)
	ymin, ymax = spread(false, b.Heights, []float64{0})
	return
}

func (b *Bins) positive() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = spread(true, b.Edges)
	ymin, ymax = spread(true, b.Heights)
	return
}

func (b *Bins) sticks() (xmin, xmax, ymin, ymax bool) {
	lo, hi := spread(false, b.Heights)
	return false, false, lo >= 0, hi <= 0
}

// Plot draws the bars.
func (b *Bins) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	for i, h := range b.Heights {
		fillBar(f, b.Edges[i], b.Edges[i+1], h, b.Color, .35)
	}
}

// fillBar fills a bar between x0 and x1, a little narrower by inset points at each side.
func fillBar(f place, x0, x1, h float64, col color.Color, inset vg.Length) {
	top, ok := f.at(x1, h)
	foot, ok2 := f.at(x0, h)
	if !ok || !ok2 || h == 0 {
		return
	}
	foot.Y = f.c.Min.Y
	if zero, ok := f.at(x0, 0); ok {
		foot.Y = zero.Y
	}
	if top.X-foot.X > 4*inset {
		foot.X, top.X = foot.X+inset, top.X-inset
	}
	f.c.FillPolygon(col, f.c.ClipPolygonXY([]vg.Point{foot, {X: foot.X, Y: top.Y}, top, {X: top.X, Y: foot.Y}}))
}

// Thumbnail draws the bars' sample in a legend.
func (b *Bins) Thumbnail(c *draw.Canvas) { thumbBar(c, b.Color) }

func thumbBar(c *draw.Canvas, col color.Color) {
	m := c.Center()
	h := (c.Max.Y - c.Min.Y) * .45
	c.FillPolygon(col, []vg.Point{{X: m.X - h, Y: m.Y - h}, {X: m.X - h, Y: m.Y + h}, {X: m.X + h, Y: m.Y + h}, {X: m.X + h, Y: m.Y - h}})
}

// Histogram counts data in bins of equal width. With bins zero or less their number is chosen from the data by the rule of
// Freedman and Diaconis. With density, areas add up to one, to be compared with a density.
func (f *Figure) Histogram(name string, data []float64, bins int, density bool, opts ...Option) *Figure {
	return f.bins(name, Count(data, bins, density), opts)
}

// bins adds bars that are counted.
func (f *Figure) bins(name string, b *Bins, opts []Option) *Figure {
	l := f.look(name, append([]Option{Alpha(.75)}, opts...))
	b.Color = fade(l.color, l.alpha)
	f.Add(b)
	f.legend(name, b)
	f.mark(mark{kind: "bar", name: name, look: l, x: b.Edges[:len(b.Heights)], x2: b.Edges[1:], y: b.Heights})
	return f
}

// Count returns the bins of a histogram, as [Figure.Histogram] draws them. NaN and infinite values are left out. Where all values are
// whole numbers and bins are chosen from the data, each bin holds equally many whole numbers, with its edges halfway between two.
func Count(data []float64, bins int, density bool) *Bins {
	v := slices.DeleteFunc(slices.Clone(data), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
	if len(v) == 0 {
		return &Bins{Edges: []float64{0, 1}, Heights: []float64{0}}
	}
	lo, hi := slices.Min(v), slices.Max(v)
	if bins <= 0 {
		width := 2 * (Quantile(v, .75) - Quantile(v, .25)) / math.Cbrt(float64(len(v))) // Freedman and Diaconis
		if areWhole(v) {
			return countIn(wholeEdges(lo, hi, width), v, density)
		}
		bins = 10
		if width > 0 {
			bins = max(int(math.Ceil(min((hi-lo)/width, mostBins))), fewestBins)
		}
	}
	if lo == hi {
		half := max(.5, math.Abs(lo)/1e6)
		lo, hi = lo-half, hi+half
	}
	return countIn(edges(lo, hi, bins), v, density)
}

// How many bins are chosen from the data.
const fewestBins, mostBins = 5, 100

// areWhole reports whether all values are whole numbers that halves can be added to.
func areWhole(values []float64) bool {
	return !slices.ContainsFunc(values, func(x float64) bool { return x != math.Trunc(x) || math.Abs(x) > 1<<51 })
}

// wholeEdges returns the edges of bins for the whole numbers from lo to hi whose width is about the given one.
func wholeEdges(lo, hi, width float64) []float64 {
	n := hi - lo + 1
	width = max(min(math.Round(width), math.Floor(n/fewestBins)), math.Ceil(n/mostBins), 1)
	bins := math.Ceil(n / width)
	return edges(lo-.5, lo-.5+bins*width, int(bins))
}

// edges returns those of bins of equal width.
func edges(lo, hi float64, bins int) []float64 {
	all := make([]float64, bins+1)
	for i := range all {
		if all[i] = lo + (hi-lo)*float64(i)/float64(bins); math.IsInf(hi-lo, 0) {
			all[i] = scale.Between(lo, hi, float64(i)/float64(bins))
		}
	}
	all[bins] = hi // not what rounding makes of it, which the greatest value may exceed
	return all
}

// countIn counts values in bins of equal width, each with its lower edge and the last with both; values outside, and NaN, are left out.
func countIn(edges, values []float64, density bool) *Bins {
	bins := len(edges) - 1
	b := &Bins{Edges: edges, Heights: make([]float64, bins)}
	lo, hi := edges[0], edges[bins]
	n := 0
	for _, x := range values {
		if x >= lo && x <= hi {
			share := (x - lo) / (hi - lo)
			if math.IsInf(hi-lo, 0) {
				share = (x/2 - lo/2) / (hi/2 - lo/2)
			}
			i := min(int(share*float64(bins)), bins-1)
			switch { // the quotient is rounded, so that a value at an edge may have got to either side
			case x < edges[i]:
				i--
			case i < bins-1 && x >= edges[i+1]:
				i++
			}
			b.Heights[i]++
			n++
		}
	}
	if density && n > 0 {
		for i := range b.Heights {
			b.Heights[i] *= float64(bins) / (hi - lo) / float64(n)
		}
	}
	return b
}

// barGroup is the bars of all series of a figure, side by side over their labels.
type barGroup struct {
	labels []string
	series []*barSeries
}

type barSeries struct {
	group   *barGroup
	at      int
	heights []float64
	color   color.Color
}

// Bars draws a bar for each label. Bars of several calls with the same labels are drawn side by side.
func (f *Figure) Bars(name string, labels []string, heights []float64, opts ...Option) *Figure {
	if len(labels) != len(heights) {
		panic(fmt.Sprintf("plotting: Bars has %d heights for %d labels", len(heights), len(labels)))
	}
	l := f.look(name, opts)
	g := f.bars(labels)
	s := &barSeries{g, len(g.series), heights, fade(l.color, l.alpha)}
	g.series = append(g.series, s)
	f.Add(s)
	f.legend(name, s)
	f.named(labels)
	f.mark(mark{kind: "bar", name: name, look: l, x: index(nil, heights), y: heights, bars: s})
	return f
}

// bars returns the group that bars over those labels belong to.
func (f *Figure) bars(labels []string) *barGroup {
	for _, p := range f.drawn {
		if s, ok := p.(*barSeries); ok && slices.Equal(s.group.labels, labels) {
			return s.group
		}
	}
	return &barGroup{labels: labels}
}

func (s *barSeries) DataRange() (xmin, xmax, ymin, ymax float64) {
	ymin, ymax = spread(false, s.heights, []float64{0})
	return -.5, float64(len(s.heights)) - .5, ymin, ymax
}

func (s *barSeries) positive() (xmin, xmax, ymin, ymax float64) {
	ymin, ymax = spread(true, s.heights)
	return -.5, float64(len(s.heights)) - .5, ymin, ymax
}

func (s *barSeries) sticks() (xmin, xmax, ymin, ymax bool) {
	lo, hi := spread(false, s.heights)
	return true, true, lo >= 0, hi <= 0
}

// Plot draws the bars of one series.
func (s *barSeries) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	x0, x1 := s.left(0), s.left(1)
	for i, h := range s.heights {
		fillBar(f, x0[i], x1[i], h, s.color, .4)
	}
}

// left returns where the bars begin that are so many places after those of the series: its own, or their right edges.
func (s *barSeries) left(after int) []float64 {
	width := .76 / float64(len(s.group.series))
	out := make([]float64, len(s.heights))
	for i := range out {
		out[i] = float64(i) - .38 + width*float64(s.at+after)
	}
	return out
}

// Thumbnail draws the bars' sample in a legend.
func (s *barSeries) Thumbnail(c *draw.Canvas) { thumbBar(c, s.color) }
