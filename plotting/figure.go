package plotting

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gaucho/internal/scale"
)

// A Figure is a plot that is ready to be looked at. It is a gonum plot, so all of gonum/plot works on it, with methods that
// add a series in one call, good ranges and ticks, a legend that keeps clear of the data, and a palette that everybody can
// tell apart. As the value of a cell it shows itself as SVG and PNG.
//
// Series of one name share a colour and one entry in the legend; a series with an empty name has none. Texts may hold
// formulas between dollar signs, in TeX's everyday mathematics: "$N^{-1/2}$", `$\frac{\sigma^2}{n}$`, `$\mathbb{E}[X]$`; a
// dollar sign is \$. A formula that is not understood is a panic that says what is not. NaN and infinite values leave gaps, as do values that are not positive on
// a logarithmic axis. Methods that add a series return the figure, so that calls can be chained; they panic when slices
// that go together differ in length.
//
// An axis whose Min or Max the program sets keeps it; otherwise the range is that of the data and a little more.
type Figure struct {
	*plot.Plot

	grid     *gridLines
	under    plot.Plotter   // drawn before all that a given plot holds; nil for nothing
	drawn    []plot.Plotter // all but the grid
	entries  []legendEntry
	looks    map[string]int // palette index of a name
	position Position
	width    vg.Length
	height   vg.Length
	styled   bool
	square   bool
	right    *Figure     // series with an axis of their own at the right; nil for none
	side     []sidePiece // what is at the right of the data: a colour bar
	ranges   [4]limit    // xmin, xmax, ymin, ymax
	marks    []mark      // the data as they were given, for other renderers
	alt      string      // description in the author's words, "" for one made of the data
}

// A limit is one end of an axis.
type limit struct {
	value float64 // as the plot last had it by itself
	fixed bool    // the program has set it
}

// New returns an empty figure. Any of the texts may be empty.
func New(title, x, y string) *Figure {
	checkFormulas(title, x, y)
	f := Wrap(plot.New())
	Style(f.Plot)
	f.styled = true
	f.grid = &gridLines{}
	f.Plot.Add(f.grid)
	f.Title.Text, f.X.Label.Text, f.Y.Label.Text = title, x, y
	return f
}

// Wrap returns a figure that is a given plot, as it is: nothing about its look changes, and the figure's methods add to
// it. Use it to add a band or a slope to a plot made elsewhere, or to draw it at another size.
func Wrap(p *plot.Plot) *Figure {
	f := &Figure{Plot: p, looks: map[string]int{}}
	for i, e := range f.ends() {
		f.ranges[i] = limit{value: *e}
	}
	return f
}

// ends returns the four ends of the axes.
func (f *Figure) ends() [4]*float64 {
	return [4]*float64{&f.Plot.X.Min, &f.Plot.X.Max, &f.Plot.Y.Min, &f.Plot.Y.Max}
}

// notice takes note of ends of axes that the program has set itself.
func (f *Figure) notice() {
	for i, e := range f.ends() {
		if *e != f.ranges[i].value {
			f.ranges[i] = limit{*e, true}
		}
	}
}

// Add adds plotters, as plot.Plot.Add does. Ends of axes that the program has set stay.
func (f *Figure) Add(ps ...plot.Plotter) {
	f.notice()
	f.Plot.Add(ps...)
	f.drawn = append(f.drawn, ps...)
	for i, e := range f.ends() {
		if f.ranges[i].fixed {
			*e = f.ranges[i].value
		} else {
			f.ranges[i].value = *e
		}
	}
}

// XRange sets the ends of the horizontal axis.
func (f *Figure) XRange(lo, hi float64) *Figure {
	f.Plot.X.Min, f.Plot.X.Max = lo, hi
	f.ranges[0], f.ranges[1] = limit{lo, true}, limit{hi, true}
	return f
}

// YRange sets the ends of the vertical axis.
func (f *Figure) YRange(lo, hi float64) *Figure {
	f.Plot.Y.Min, f.Plot.Y.Max = lo, hi
	f.ranges[2], f.ranges[3] = limit{lo, true}, limit{hi, true}
	return f
}

// LogX makes the horizontal axis logarithmic.
func (f *Figure) LogX() *Figure {
	f.Plot.X.Scale, f.Plot.X.Tick.Marker = LogScale{}, LogTicks{}
	return f
}

// LogY makes the vertical axis logarithmic.
func (f *Figure) LogY() *Figure {
	f.Plot.Y.Scale, f.Plot.Y.Tick.Marker = LogScale{}, LogTicks{}
	return f
}

// LogLog makes both axes logarithmic.
func (f *Figure) LogLog() *Figure { return f.LogX().LogY() }

// Size sets the size of the figure, 480 by 300 points unless [SetSize] says otherwise. Lengths are in points (1/72 inch);
// package gonum.org/v1/plot/vg has Inch and Centimeter.
func (f *Figure) Size(width, height vg.Length) *Figure {
	f.width, f.height = width, height
	return f
}

// Square makes one unit of either axis as long as one of the other, by leaving room beside the data.
func (f *Figure) Square() *Figure {
	f.square = true
	return f
}

// look returns how a series of a name looks: the colour of earlier series of that name, or the palette's next.
func (f *Figure) look(name string, opts []Option) look {
	i, ok := f.looks[name]
	if !ok {
		i = len(f.looks)
	}
	l := look{width: 1.6, alpha: 1, glyph: dot{}, radius: 2.4}
	for _, o := range opts {
		o(&l)
	}
	if l.color == nil {
		l.color = Palette[i%len(Palette)]
		if !ok {
			f.looks[name] = i
		}
		round := i / len(Palette) % len(rounds)
		if l.dashes == nil {
			l.dashes = rounds[round].dashes
		}
		if l.glyph == (dot{}) {
			l.glyph = rounds[round].glyph
		}
	}
	return l
}

// rounds say how lines and points are drawn after the colours have been used up, once and again.
var rounds = []struct {
	dashes []vg.Length
	glyph  draw.GlyphDrawer
}{{nil, dot{}}, {[]vg.Length{5, 2.5}, draw.SquareGlyph{}}, {[]vg.Length{1.4, 2}, draw.TriangleGlyph{}}, {[]vg.Length{7, 2, 1.4, 2}, draw.RingGlyph{}}}

func (l look) ink() draw.LineStyle {
	return draw.LineStyle{Color: fade(l.color, l.alpha), Width: l.width, Dashes: l.dashes}
}

// Line joins the points (x[i], y[i]). A nil x stands for 0, 1, 2, ...
func (f *Figure) Line(name string, x, y []float64, opts ...Option) *Figure {
	x = index(x, y)
	same("Line", x, y)
	l := f.look(name, opts)
	line := &Line{X: x, Y: y, LineStyle: l.ink()}
	if l.marked {
		line.Marker = &draw.GlyphStyle{Color: fade(l.color, l.alpha), Radius: l.radius, Shape: l.glyph}
	}
	if l.fill {
		line.Fill = fade(l.color, .2*l.alpha)
	}
	f.Add(line)
	f.legend(name, line)
	f.mark(mark{kind: "line", name: name, look: l, x: x, y: y})
	return f
}

// index returns x, or the indices of y for a nil x.
func index(x, y []float64) []float64 {
	if x != nil || len(y) == 0 {
		return x
	}
	x = make([]float64, len(y))
	for i := range x {
		x[i] = float64(i)
	}
	return x
}

// Points draws a dot at each (x[i], y[i]). A nil x stands for 0, 1, 2, ...
func (f *Figure) Points(name string, x, y []float64, opts ...Option) *Figure {
	x = index(x, y)
	same("Points", x, y)
	opts = slices.Clone(opts)
	if len(x) > 500 { // many points are small and let each other shine through
		opts = append([]Option{Radius(1.6), Alpha(.5)}, opts...)
	}
	if len(x) > 10_000 {
		opts = append([]Option{Radius(1), Alpha(.3)}, opts[2:]...)
	}
	if len(x) > 100 && f.hasHeat() { // the colours below are to be seen, too
		opts = append([]Option{Radius(1.6), Alpha(.4)}, opts...)
	}
	l := f.look(name, opts)
	pts := &Points{X: x, Y: y, GlyphStyle: draw.GlyphStyle{Color: fade(l.color, l.alpha), Radius: l.radius, Shape: l.glyph}}
	f.byValue(pts, l)
	f.Add(pts)
	opaque := *pts
	opaque.Color = l.color
	opaque.Radius = max(l.radius, 2)
	f.legend(name, &opaque)
	f.mark(mark{kind: "point", name: name, look: l, x: x, y: y})
	return f
}

// hasHeat reports whether points are drawn on a heat map.
func (f *Figure) hasHeat() bool {
	return slices.ContainsFunc(f.drawn, func(p plot.Plotter) bool { _, ok := p.(*Heat); return ok })
}

// Weighted draws points whose area is in proportion to their weights, such as those of a quadrature rule. A negative
// weight shows as a ring.
func (f *Figure) Weighted(name string, x, y, weights []float64, opts ...Option) *Figure {
	same("Weighted", x, y, weights)
	l := f.look(name, opts)
	_, largest := spread(true, magnitudes(weights))
	pts := &Points{X: x, Y: y, GlyphStyle: draw.GlyphStyle{Color: fade(l.color, .75*l.alpha), Radius: l.radius, Shape: l.glyph}}
	pts.Radii = make([]vg.Length, len(x))
	for i, w := range weights {
		pts.Radii[i] = 2.2 * l.radius * vg.Length(math.Sqrt(math.Abs(w)/largest))
	}
	f.Add(pts)
	f.legend(name, pts)
	f.mark(mark{kind: "point", name: name, look: l, x: x, y: y})
	return f
}

func magnitudes(v []float64) []float64 {
	out := make([]float64, len(v))
	for i := range v {
		out[i] = math.Abs(v[i])
	}
	return out
}

// Band fills the space between lo and hi over x, in the colour of the line of the same name.
func (f *Figure) Band(name string, x, lo, hi []float64, opts ...Option) *Figure {
	x = index(x, lo)
	same("Band", x, lo, hi)
	l := f.look(name, opts)
	b := &Band{X: x, Lo: lo, Hi: hi, Color: fade(l.color, .18*l.alpha)}
	f.Add(b)
	f.legend(name, b)
	f.mark(mark{kind: "band", name: name, look: l, x: x, y: lo, y2: hi})
	return f
}

// ErrorBars draws vertical bars from lo to hi at x, in the colour of the series of the same name.
func (f *Figure) ErrorBars(name string, x, lo, hi []float64, opts ...Option) *Figure {
	x = index(x, lo)
	same("ErrorBars", x, lo, hi)
	l := f.look(name, append([]Option{Width(1)}, opts...))
	e := &ErrorBars{X: x, Lo: lo, Hi: hi, LineStyle: l.ink(), Cap: 2.5}
	f.Add(e)
	f.legend(name, e)
	f.mark(mark{kind: "band", name: name, look: l, x: x, y: lo, y2: hi})
	return f
}

// Quartiles draws replications of a curve: row r of reps holds the r-th replication's values at x. A line shows the
// median, a band the space between the quartiles. NaN values are left out.
func (f *Figure) Quartiles(name string, x []float64, reps *mat.Dense, opts ...Option) *Figure {
	n, cols := reps.Dims()
	if cols != len(x) {
		panic(fmt.Sprintf("plotting: Quartiles has %d columns for %d x", cols, len(x)))
	}
	var q [3][]float64
	column := make([]float64, n)
	for j := range x {
		mat.Col(column, j, reps)
		for k, p := range []float64{.25, .5, .75} {
			q[k] = append(q[k], Quantile(column, p))
		}
	}
	return f.Ribbon(name, x, q[1], q[0], q[2], opts...)
}

// Ribbon draws a line within a band, in one colour: medians and quartiles, means and confidence limits.
func (f *Figure) Ribbon(name string, x, middle, lo, hi []float64, opts ...Option) *Figure {
	return f.Band(name, x, lo, hi, opts...).Line(name, x, middle, opts...)
}

// Quantile returns the p-quantile of the values that are not NaN by linear interpolation between them (the common
// definition, type 7 of Hyndman and Fan 1996), NaN if there are none. The values stay in their order. It panics unless p is from 0 to 1.
func Quantile(values []float64, p float64) float64 {
	if !(p >= 0 && p <= 1) {
		panic(fmt.Sprintf("plotting: Quantile: p is %v, must be in [0, 1]", p))
	}
	var v []float64
	for _, x := range values {
		if !math.IsNaN(x) {
			v = append(v, x)
		}
	}
	slices.Sort(v)
	return scale.Quantile(v, p)
}

// Func draws a function at 401 places from a to b, equally far apart on the axis as it then is.
func (f *Figure) Func(name string, fn func(float64) float64, a, b float64, opts ...Option) *Figure {
	const n = 400
	x, y := make([]float64, n+1), make([]float64, n+1)
	_, logarithmic := f.Plot.X.Scale.(LogScale)
	for i := range x {
		t := float64(i) / n
		x[i] = a + (b-a)*t
		if logarithmic && a > 0 && b > 0 {
			x[i] = a * math.Pow(b/a, t)
		}
		y[i] = fn(x[i])
	}
	return f.Line(name, x, y, opts...)
}

// Floats returns whole numbers as the float64 values that the methods of a figure take.
func Floats(values []int) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = float64(v)
	}
	return out
}
