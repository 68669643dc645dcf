package plotting

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

func labels(ticks []plot.Tick) (out []string) {
	for _, t := range ticks {
		if t.Label != "" {
			out = append(out, t.Label)
		}
	}
	return out
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		ticker plot.Ticker
		lo, hi float64
		want   string
	}{
		{Ticks{}, 0, 10, "0 2 4 6 8 10"},
		{Ticks{}, -1, 1, "−1.0 −0.5 0.0 0.5 1.0"},
		{Ticks{}, 0, 1.2, "0.00 0.25 0.50 0.75 1.00"},
		{Ticks{}, 0.3, 0.31, "0.300 0.302 0.304 0.306 0.308 0.310"},
		{Ticks{}, 0, 5e7, "0 $1{×}10^{7}$ $2{×}10^{7}$ $3{×}10^{7}$ $4{×}10^{7}$ $5{×}10^{7}$"},
		{Ticks{}, 0, 1.2e5, "0 25\u2009000 50\u2009000 75\u2009000 100\u2009000"},
		{LogTicks{}, .09, .25, "0.10 0.15 0.20 0.25"},
		{LogTicks{}, 1.1, 1.4, "1.1 1.2 1.3 1.4"},
		{LogTicks{}, .08, .45, "0.1 0.2 0.3"},
		{LogTicks{powers: true}, 1, 200, "$10^{0}$ $10^{1}$ $10^{2}$"},
		{Ticks{}, 0, 1e-5, "0 $2{×}10^{-6}$ $4{×}10^{-6}$ $6{×}10^{-6}$ $8{×}10^{-6}$ $1{×}10^{-5}$"},
		{Ticks{N: 2}, 0, 10, "0 5 10"},
		{Ticks{}, 1, 1, "1"},
		{LogTicks{}, 1, 200, "1 10 100"},
		{LogTicks{}, .5, 20, "0.5 1 2 5 10 20"},
		{LogTicks{}, 20, 60, "20 30 40 50 60"},
		{LogTicks{}, 1e-4, 1, "$10^{-4}$ $10^{-3}$ $10^{-2}$ $10^{-1}$ $10^{0}$"},
		{LogTicks{}, 2e-5, 3e-4, "$2{×}10^{-5}$ $5{×}10^{-5}$ $10^{-4}$ $2{×}10^{-4}$"},
		{LogTicks{}, 1e-16, 1, "$10^{-16}$ $10^{-14}$ $10^{-12}$ $10^{-10}$ $10^{-8}$ $10^{-6}$ $10^{-4}$ $10^{-2}$ $10^{0}$"},
	} {
		if got := strings.Join(labels(c.ticker.Ticks(c.lo, c.hi)), " "); got != c.want {
			t.Errorf("%T from %g to %g: %s\nwant %s", c.ticker, c.lo, c.hi, got, c.want)
		}
	}
}

// Whatever the range, there are some labels, not too many, all different, in order and within.
func TestTicksAlways(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		a := rng.NormFloat64() * math.Pow(10, 12*rng.Float64()-6)
		b := a + math.Abs(a)*math.Pow(10, 8*rng.Float64()-4)
		if a < 0 && rng.IntN(2) == 0 {
			b = -a
		}
		for _, ticker := range []plot.Ticker{Ticks{}, LogTicks{}} {
			lo, hi := a, b
			if _, ok := ticker.(LogTicks); ok {
				lo, hi = math.Abs(a), math.Abs(a)*(1+10*math.Abs(b))
			}
			ticks := ticker.Ticks(lo, hi)
			l := labels(ticks)
			seen := map[string]bool{}
			for _, s := range l {
				if seen[s] {
					t.Errorf("%T from %g to %g: %s twice", ticker, lo, hi, s)
				}
				seen[s] = true
			}
			if len(l) < 2 || len(l) > 12 {
				t.Errorf("%T from %g to %g: labels %v", ticker, lo, hi, l)
			}
			for i, tick := range ticks {
				if tick.Value < lo-1e-6*(hi-lo) || tick.Value > hi+1e-6*(hi-lo) || i > 0 && tick.Value <= ticks[i-1].Value {
					t.Errorf("%T from %g to %g: tick at %g", ticker, lo, hi, tick.Value)
				}
			}
		}
	}
}

// SVG drops spaces at the ends of a text.
func TestSpacesBetweenRuns(t *testing.T) {
	for in, want := range map[string]string{" = 1": "\u00a0= 1", "a ": "a\u00a0", "a b": "a b", " ": "\u00a0"} {
		if got := keepSpaces(in); got != want {
			t.Errorf("%q became %q", in, got)
		}
	}
}

func ranges(f *Figure) [4]float64 {
	q := f.settle()
	return [4]float64{q.X.Min, q.X.Max, q.Y.Min, q.Y.Max}
}

func near(a, b [4]float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9*(1+math.Abs(b[i])) {
			return false
		}
	}
	return true
}

func TestRanges(t *testing.T) {
	x, y := []float64{0, 100}, []float64{-1, 1}
	if got := ranges(New("", "", "").Line("", x, y)); !near(got, [4]float64{-3, 103, -1.1, 1.1}) {
		t.Errorf("padded range %v", got)
	}
	f := New("", "", "").Line("", x, y)
	f.X.Min = 50
	f.Points("", []float64{-7}, []float64{0})
	if got := ranges(f); got[0] != 50 || got[1] != 103.21 {
		t.Errorf("a fixed end: %v", got)
	}
	if got := ranges(New("", "", "").XRange(1, 2).YRange(3, 4).Line("", x, y)); got != [4]float64{1, 2, 3, 4} {
		t.Errorf("fixed ranges: %v", got)
	}
	// On a logarithmic axis only positive values count, also when the axis becomes so later.
	f = New("", "", "").Line("", []float64{1, 10}, []float64{-5, 100}).Line("", []float64{1, 10}, []float64{1, math.NaN()})
	if got := ranges(f.LogY()); math.Abs(got[2]-math.Pow(100, -.05)) > 1e-12 || math.Abs(got[3]-100*math.Pow(100, .05)) > 1e-9 {
		t.Errorf("logarithmic range %v", got)
	}
	if got := ranges(New("", "", "").Line("", x, []float64{5, 5})); got[2] >= 5 || got[3] <= 5 {
		t.Errorf("range of a constant %v", got)
	}
	if got := ranges(New("", "", "")); got[0] >= got[1] || got[2] >= got[3] {
		t.Errorf("range of nothing %v", got)
	}
	if got := ranges(New("", "", "").Histogram("", []float64{1, 2, 3}, 3, false)); got[2] != 0 {
		t.Errorf("bars stand above %v", got[2])
	}
	if got := ranges(New("", "", "").Heat(mat.NewDense(2, 2, nil), 0, 4, 0, 2, nil)); got != [4]float64{0, 4, 0, 2} {
		t.Errorf("an image has range %v", got)
	}
}

// actions returns all that a figure draws, as text.
func actions(f *Figure) string {
	var c recorder.Canvas
	w, h := f.extent()
	f.Draw(draw.NewCanvas(&c, w, h))
	var b strings.Builder
	for _, a := range c.Actions {
		b.WriteString(a.Call() + "\n")
	}
	return b.String()
}

func TestNoPanicOnOddData(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for i, make := range []func() *Figure{
		func() *Figure { return New("", "", "") },
		func() *Figure { return New("t", "x", "y").LogLog() },
		func() *Figure { return New("", "", "").Line("a", nil, nil) },
		func() *Figure {
			return New("", "", "").LogLog().Line("a", []float64{-1, 0, 1, nan, inf}, []float64{1, 2, 0, 3, 4})
		},
		func() *Figure {
			return New("", "", "").Band("a", []float64{0, 1, 2}, []float64{nan, 0, 1}, []float64{1, 2, inf})
		},
		func() *Figure {
			return New("", "", "").LogY().Band("a", []float64{0, 1, 2}, []float64{-1, 0, 1}, []float64{1, 2, 3})
		},
		func() *Figure { return New("", "", "").Points("a", []float64{nan}, []float64{1}).Slope(-1, "s") },
		func() *Figure { return New("", "", "").LogLog().Slope(-1, "s").HLine(-1, "h").VLine(0, "v") },
		func() *Figure { return New("", "", "").Heat(mat.NewDense(1, 1, []float64{nan}), 0, 1, 0, 1, nil) },
		func() *Figure { return New("", "", "").Histogram("a", []float64{nan, 1}, 0, true) },
		func() *Figure { return New("", "", "").Histogram("a", nil, 0, true) },
		func() *Figure { return New("", "", "").Bars("a", []string{"x"}, []float64{nan}).Bars("b", nil, nil) },
		func() *Figure {
			return New("", "", "").Weighted("a", []float64{1, 2}, []float64{1, 2}, []float64{0, 0})
		},
		func() *Figure { return New("", "", "").Line("a", nil, []float64{1e308, -1e308}) },
		func() *Figure { return New("", "", "").Size(20, 20).Line("a long name", nil, []float64{1, 2}) },
	} {
		f := make()
		if f.width == 0 {
			f.Size(160, 110)
		}
		b := f.MIMEBundle()
		if s, ok := b["image/svg+xml"].(string); !ok || strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
			t.Errorf("figure %d: SVG holds NaN or is missing", i)
		}
	}
}

func TestMismatchPanics(t *testing.T) {
	defer func() {
		if got := recover(); got != "plotting: Line has 3 values for 2 x" {
			t.Errorf("panic %v", got)
		}
	}()
	New("", "", "").Line("", []float64{1, 2}, []float64{1, 2, 3})
}

func TestDeterministicBytes(t *testing.T) {
	make := func() map[string]any {
		rng := rand.New(rand.NewPCG(3, 4))
		reps := mat.NewDense(5, 30, nil)
		x := Floats(make([]int, 30))
		for j := range 30 {
			x[j] = float64(j + 1)
			for i := range 5 {
				reps.Set(i, j, rng.ExpFloat64())
			}
		}
		return New("a", "b", "c").Size(200, 140).LogLog().Quartiles("q", x, reps).Slope(-1, "$N^{-1}$").MIMEBundle()
	}
	if !reflect.DeepEqual(make(), make()) {
		t.Error("one figure, two outputs")
	}
}

func TestLegendKeepsClear(t *testing.T) {
	x := make([]float64, 101)
	up, full := make([]float64, 101), make([]float64, 101)
	for i := range x {
		x[i], up[i], full[i] = float64(i), float64(i), float64(100*(i%2))
	}
	place := func(f *Figure) Position {
		var c recorder.Canvas
		return f.fit(draw.NewCanvas(&c, 480, 300)).legend.position
	}
	for _, c := range []struct {
		f    *Figure
		want Position
	}{
		{New("", "", "").Line("a", x, x).Line("b", x, x), TopLeft},
		{New("", "", "").Line("a", x, full).Line("b", x, full), Outside},
		{New("", "", "").Line("a", x, full), Best}, // one series alone needs none
		{New("", "", "").Line("a", x, full).LegendAt(Below), Below},
		{New("", "", "").Density(func(x, y float64) float64 { return x }, 0, 1, 0, 1, 5, nil).Points("a", []float64{.1}, []float64{.1}).Points("b", nil, nil), TopRight},
	} {
		if got := place(c.f); got != c.want {
			t.Errorf("legend at %d, want %d", got, c.want)
		}
	}
	// The line that rises leaves the lower right corner free as well as the upper left one.
	if got := place(New("", "", "").Line("a", x, x).Line("b", x, x).Points("", []float64{5}, []float64{97})); got != BottomRight {
		t.Errorf("legend at %d, want %d", got, BottomRight)
	}
}

func TestSeriesOfOneName(t *testing.T) {
	x := []float64{1, 2}
	f := New("", "", "").Line("a", x, x).Line("b", x, x).Band("a", x, x, x).Points("c", x, x, Color(color.Black)).Line("d", x, x)
	if len(f.entries) != 4 || len(f.entries[0].thumbs) != 2 {
		t.Errorf("legend entries %v", f.entries)
	}
	if l := f.drawn[4].(*Line); l.Color != Palette[2] {
		t.Errorf("a colour of its own uses up the palette: %v", l.Color)
	}
	if got, want := f.drawn[2].(*Band).Color, fade(Palette[0], .18); got != want {
		t.Errorf("band %v, want %v", got, want)
	}
}

func TestQuartiles(t *testing.T) {
	reps := mat.NewDense(4, 2, []float64{1, 10, 2, math.NaN(), 3, 30, 4, 20})
	f := New("", "", "").Quartiles("q", []float64{1, 2}, reps)
	b, l := f.drawn[0].(*Band), f.drawn[1].(*Line)
	if !reflect.DeepEqual(b.Lo, []float64{1.75, 15}) || !reflect.DeepEqual(b.Hi, []float64{3.25, 25}) || !reflect.DeepEqual(l.Y, []float64{2.5, 20}) {
		t.Errorf("quartiles %v %v %v", b.Lo, l.Y, b.Hi)
	}
	if !math.IsNaN(Quantile([]float64{math.NaN()}, .5)) || Quantile([]float64{7}, 1) != 7 || Quantile([]float64{3, 1, 2}, 1) != 3 {
		t.Error("quantiles of little")
	}
}

func TestCount(t *testing.T) {
	b := Count([]float64{0, 1, 1, 2, 4, math.NaN(), math.Inf(1)}, 4, false)
	if !reflect.DeepEqual(b.Edges, []float64{0, 1, 2, 3, 4}) || !reflect.DeepEqual(b.Heights, []float64{1, 2, 1, 1}) {
		t.Errorf("%v %v", b.Edges, b.Heights)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 1000)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	d := Count(x, 0, true)
	area := 0.0
	for i, h := range d.Heights {
		area += h * (d.Edges[i+1] - d.Edges[i])
	}
	// Freedman and Diaconis: width 2 IQR n^(-1/3) is about .27 for 1,000 normal values, over a range of about 6.5.
	if math.Abs(area-1) > 1e-12 || len(d.Heights) < 18 || len(d.Heights) > 32 {
		t.Errorf("area %g in %d bins", area, len(d.Heights))
	}
}

func TestLargeFiguresStaySmall(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := 30_000
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	s := svgOf(New("", "", "").Points("cloud", x, y))
	if len(s) > 700_000 || !strings.Contains(s, "data:image/png;base64") {
		t.Errorf("SVG of %d points has %d bytes", n, len(s))
	}
	if s := svgOf(New("", "", "").Line("trace", nil, y)); len(s) > 150_000 {
		t.Errorf("SVG of a line of %d points has %d bytes", n, len(s))
	}
}

// Thinning keeps the outline: the extremes of every column and the ends.
func TestThin(t *testing.T) {
	var pts []vg.Point
	for i := range 10_000 {
		pts = append(pts, vg.Point{X: vg.Length(i) / 100, Y: vg.Length(math.Sin(float64(i)))})
	}
	out := thin(pts)
	if len(out) > 4*201 || out[0] != pts[0] || out[len(out)-1] != pts[len(pts)-1] {
		t.Fatalf("%d points", len(out))
	}
	extremes := func(pts []vg.Point) map[int][2]vg.Length {
		m := map[int][2]vg.Length{}
		for _, p := range pts {
			k := int(math.Floor(float64(p.X) * 2))
			e, ok := m[k]
			if !ok {
				e = [2]vg.Length{p.Y, p.Y}
			}
			m[k] = [2]vg.Length{min(e[0], p.Y), max(e[1], p.Y)}
		}
		return m
	}
	if !reflect.DeepEqual(extremes(pts), extremes(out)) {
		t.Error("the outline has changed")
	}
}

// The middle of each cell of a heat map has the colour of its value.
func TestHeatColours(t *testing.T) {
	m := mat.NewDense(2, 3, []float64{0, 1, 2, 3, 4, 5})
	f := New("", "", "").Heat(m, 0, 3, 0, 2, nil)
	var c recorder.Canvas
	l := f.fit(draw.NewCanvas(&c, 480, 300))
	data := l.data()
	img := rasterise(f, 2)
	px := func(i, j int) color.NRGBA {
		x := float64(data.X((float64(j) + .5) / 3))
		y := 300 - float64(data.Y((float64(i)+.5)/2))
		return color.NRGBAModel.Convert(img.At(int(x*192/72), int(y*192/72))).(color.NRGBA)
	}
	for i := range 2 {
		for j := range 3 {
			if got, want := px(i, j), Viridis.At(m.At(i, j)/5); got != want {
				t.Errorf("cell %d, %d is %v, want %v", i, j, got, want)
			}
		}
	}
	if h := NewHeat(mat.NewDense(1, 2, []float64{-1, 4}), 0, 1, 0, 1, RedBlue); h.Min != -4 || h.Max != 4 {
		t.Errorf("a map with a middle spans %g to %g", h.Min, h.Max)
	}
}

// A reference slope goes through its point and falls as it says.
func TestSlopeLine(t *testing.T) {
	f := New("", "", "").LogLog().Line("a", []float64{1, 100}, []float64{8, .08}).SlopeAt(1, 8, -1, "$N^{-1}$")
	calls := actions(f)
	if !strings.Contains(calls, `"N"`) || !strings.Contains(calls, `"−"`) {
		t.Error("the label is not drawn")
	}
	f = New("", "", "").LogLog().Line("a", []float64{1, 100}, []float64{8, .08}).Line("b", []float64{1, 100}, []float64{4, 1}).Slope(-.5, "")
	s := f.drawn[2].(*Slope)
	if s.X != 1 || s.Y != 10 {
		t.Errorf("the slope starts at (%g, %g), want (1, 10)", s.X, s.Y)
	}
}

func TestPanels(t *testing.T) {
	mk := func(y string, hi float64) *Figure {
		return New("t", "x", y).Line("a", nil, []float64{0, hi}).Line("b", nil, []float64{1, 2})
	}
	p := Panels(2, mk("short", 1), mk("y", 1e7), mk("z", 3), nil)
	var c recorder.Canvas
	layouts := p.tile(draw.NewCanvas(&c, 600, 400), false)
	p.align(layouts)
	a, b, d := layouts[0].data(), layouts[1].data(), layouts[2].data()
	if math.Abs(float64(a.Min.X-d.Min.X)) > .01 || math.Abs(float64(a.Max.X-d.Max.X)) > .01 || math.Abs(float64(a.Min.Y-b.Min.Y)) > .01 || math.Abs(float64(a.Max.Y-b.Max.Y)) > .01 {
		t.Errorf("panels are not aligned: %v %v %v", a.Rectangle, b.Rectangle, d.Rectangle)
	}
	if p.shared() == nil || Panels(2, mk("a", 1), New("", "", "").Line("c", nil, []float64{1})).shared() != nil {
		t.Error("legend is shared wrongly")
	}
	SetResolution(1)
	defer SetResolution(2)
	b1 := p.Titled("all").MIMEBundle()
	if strings.Count(b1["image/svg+xml"].(string), ">a</text>") != 1 {
		t.Error("the shared legend is not there once")
	}
	if w, h := pixelsOf(b1); w != 832 || h < 500 { // a cell's output in JupyterLab, in a window of 1280, is 848 wide
		t.Errorf("page of %d×%d", w, h)
	}
	Panels(3).MIMEBundle()
	if w, h := pixelsOf(Panels(1, mk("a", 1)).Size(100, 60).MIMEBundle()); w != 133 || h != 80 {
		t.Errorf("page of %d×%d", w, h)
	}
}

func TestSizeAndResolution(t *testing.T) {
	f := New("", "", "").Line("", nil, []float64{1, 2})
	SetSize(72, 36)
	SetResolution(1)
	w, h := pixelsOf(f.MIMEBundle())
	SetSize(480, 300)
	SetResolution(2)
	if w != 96 || h != 48 {
		t.Errorf("%d×%d", w, h)
	}
	if w, h := pixelsOf(f.Size(3*vg.Inch, 2*vg.Inch).MIMEBundle()); w != 576 || h != 384 {
		t.Errorf("%d×%d", w, h)
	}
	if m := f.MIMEMetadata()["image/png"].(map[string]any); m["width"] != 288 || m["height"] != 192 {
		t.Errorf("metadata %v", m)
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	f := New("t", "x", "y").Line("a", nil, []float64{1, 2})
	for _, format := range []string{"png", "svg", "pdf"} {
		if err := f.Save(filepath.Join(dir, "f."+format)); err != nil {
			t.Error(err)
		}
	}
	err := f.Save(filepath.Join(dir, "f.doc"))
	if err == nil || err.Error() != `plotting: format is "doc", must be eps, jpg, pdf, png, svg, tex or tiff` {
		t.Errorf("error %v", err)
	}
	if err := Panels(1, f).Save(filepath.Join(dir, "none", "f.png")); err == nil {
		t.Error("no error for a folder that is not there")
	}
}

func TestColorMap(t *testing.T) {
	m := ColorMap{{0, 0, 0, 255}, {100, 200, 50, 255}}
	if m.At(.5) != (color.NRGBA{50, 100, 25, 255}) || m.At(-1) != m[0] || m.At(2) != m[1] || m.At(math.NaN()).A != 0 {
		t.Error("colours between colours")
	}
}

// TestLongLabel checks that a long label takes no height from the data of a logarithmic axis.
func TestLongLabel(t *testing.T) {
	height := func(label string) vg.Length {
		f := New("title", "x", label).LogLog().Line("", []float64{1, 10, 100}, []float64{.1, .01, .001}).YRange(1e-4, .2)
		var c recorder.Canvas
		l := f.fit(draw.NewCanvas(&c, 480, 260))
		return l.data().Size().Y
	}
	if short, long := height("y"), height("a label nearly as long as the axis"); long != short {
		t.Errorf("the data are %v high, with a short label %v", long, short)
	}
}

// Legends of panels take their room from the page, not from the data: neither their own nor those of their neighbours.
func TestLegendsOfPanelsLeaveTheData(t *testing.T) {
	lines := func(n int) *Figure {
		f := New(fmt.Sprint(n, " lines"), "$x$", "$y$")
		for k := range n {
			f.Func(fmt.Sprintf("line number %d", k), func(x float64) float64 { return math.Sin(x + float64(k)/3) }, 0, 6)
		}
		return f
	}
	few := New("t", "x", "y").Line("l", []float64{1, 2, 3}, []float64{1, 4, 9})
	for name, p := range map[string]*Page{
		"three":     Panels(3, lines(10), few, lines(10)),
		"two rows":  Panels(2, few, New("", "x", "y").Line("", nil, []float64{1, 2}), lines(7), lines(6)),
		"one below": Panels(1, lines(10), few),
		"fixed":     Panels(3, lines(10), few, lines(10)).Size(500, 200),
		"outside":   Panels(2, lines(4).LegendAt(Outside), few),
		"forty":     Panels(3, lines(40), few, few).Size(500, 200),
	} {
		w, h := p.extent()
		tiles := draw.New(clearCanvas(w, h, 36))
		layouts := p.tile(tiles, true)
		p.align(layouts)
		for i, l := range layouts {
			data, tile := l.data().Size(), l.all.Size()
			if data.X < .6*tile.X || data.Y < .3*tile.Y || name != "fixed" && name != "forty" && data.Y < 70 {
				t.Errorf("%s: panel %d has %.0f by %.0f of %.0f by %.0f points for its data", name, i, data.X, data.Y, tile.X, tile.Y)
			}
		}
	}
}

// After the eight colours have been used lines differ in their dashes and points in their shapes.
func TestNinthSeries(t *testing.T) {
	f := New("", "", "")
	seen := map[string]bool{}
	for k := range 30 {
		f.Line(fmt.Sprint(k), nil, []float64{1, 2})
		l := f.drawn[len(f.drawn)-1].(*Line)
		look := fmt.Sprint(l.Color, l.Dashes)
		if seen[look] {
			t.Errorf("line %d looks like an earlier one: %s", k, look)
		}
		seen[look] = true
	}
}

// A page whose one logarithmic axis needs powers of ten writes them on all.
func TestPanelsWriteNumbersInOneStyle(t *testing.T) {
	x := []float64{1, 10, 100}
	p := Panels(2, New("", "", "").Line("", x, []float64{1, .1, .01}).LogLog(), New("", "", "").Line("", x, []float64{1, 1e-3, 1e-6}).LogLog())
	layouts := p.tile(draw.New(clearCanvas(600, 200, 36)), true)
	oneStyle(layouts)
	y := &layouts[0].plot.Y
	if got := strings.Join(labels(y.Tick.Marker.Ticks(y.Min, y.Max)), " "); got != "$10^{-2}$ $10^{-1}$ $10^{0}$" {
		t.Error(got)
	}
	q := New("", "", "").Line("", []float64{1, 100}, []float64{1, 1e-6}).LogLog().settle()
	if got := strings.Join(labels(q.X.Tick.Marker.Ticks(q.X.Min, q.X.Max)), " "); got != "$10^{0}$ $10^{1}$ $10^{2}$" {
		t.Errorf("beside powers of ten: %s", got)
	}
}

// Names below bars never touch, and those of a figure that is too narrow for all are left out evenly.
func TestManyBars(t *testing.T) {
	for _, n := range []int{3, 20, 60, 300} {
		names, heights := make([]string, n), make([]float64, n)
		for i := range n {
			names[i], heights[i] = fmt.Sprintf("category number %d", i), float64(i)
		}
		l := New("", "", "").Bars("", names, heights).fit(draw.New(clearCanvas(480, 300, 36)))
		sty := l.plot.X.Tick.Label
		var at []vg.Length
		for _, tick := range l.plot.X.Tick.Marker.Ticks(0, 0) {
			if tick.Label != "" {
				at = append(at, vg.Length(l.plot.X.Norm(tick.Value))*l.data().Size().X)
			}
		}
		if len(at) < min(n, 10) {
			t.Errorf("%d bars have %d names", n, len(at))
		}
		need := sty.Height("M") * 1.35 // across the slant
		if sty.Rotation == 0 {
			need = sty.Width("category number 9")
		}
		for i := 1; i < len(at); i++ {
			if at[i]-at[i-1] < need {
				t.Errorf("%d bars: names are %.1f apart", n, at[i]-at[i-1])
				break
			}
		}
		if l.data().Size().Y < 120 {
			t.Errorf("%d bars have a height of %.0f", n, l.data().Size().Y)
		}
	}
}

func TestLongTitle(t *testing.T) {
	title := strings.Repeat("a long title ", 25)
	l := New(title, title, title).Line("", nil, []float64{1, 2}).fit(draw.New(clearCanvas(480, 300, 36)))
	if w := l.f.Title.TextStyle.Width(l.title); w > 480 || strings.Count(l.title, "\n") < 3 {
		t.Errorf("%.0f wide: %q", w, l.title)
	}
	if s := l.data().Size(); s.X < 300 || s.Y < 100 {
		t.Errorf("%.0f by %.0f are left for the data", s.X, s.Y)
	}
}
