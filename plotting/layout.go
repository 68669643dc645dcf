package plotting

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// A layout is a figure fitted into a canvas.
type layout struct {
	f       *Figure
	plot    plot.Plot   // with its ranges settled
	all     draw.Canvas // the whole place
	body    draw.Canvas // what the plot with its axes draws in
	legend  legendPlace
	side    vg.Length // width of what is right of the data, without the legend
	insets  insets    // from all to body
	upright string    // the label of the vertical axis, where it is drawn here
	title   string
	panel   bool // part of a page, whose columns share their widths
	same    bool // part of a page whose panels are equally large
}

// insets are the widths of the four margins.
type insets struct{ left, right, bottom, top vg.Length }

// widest returns the wider of each of two margins.
func (i insets) widest(j insets) insets {
	return insets{max(i.left, j.left), max(i.right, j.right), max(i.bottom, j.bottom), max(i.top, j.top)}
}

const (
	gap    vg.Length = 8 // between the data and what is beside them
	margin vg.Length = 5 // around the figure
)

// settle returns the plot with the ranges that it is drawn with.
func (f *Figure) settle() plot.Plot {
	f.notice()
	q := *f.Plot
	if f.styled {
		q.X.Min, q.X.Max = f.axisRange(&q.X, f.ranges[0], f.ranges[1], 0, .03)
		q.Y.Min, q.Y.Max = f.axisRange(&q.Y, f.ranges[2], f.ranges[3], 2, .05)
		sameNumbers(&q.X, &q.Y)
	}
	return q
}

// sticky is a plotter of which some edges are natural ends of an axis: the foot of a bar, the border of an image.
type sticky interface {
	sticks() (xmin, xmax, ymin, ymax bool)
}

// axisRange returns the ends of an axis: those that are fixed, and otherwise those of the data, padded by a part of
// their distance. Side is 0 for the horizontal axis and 2 for the vertical one.
func (f *Figure) axisRange(a *plot.Axis, fixedLo, fixedHi limit, side int, padding float64) (lo, hi float64) {
	_, logarithmic := a.Scale.(LogScale)
	if _, ok := a.Scale.(plot.LogScale); ok {
		logarithmic = true
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	stickLo, stickHi := math.Inf(-1), math.Inf(1)
	drawn := f.drawn
	if f.right != nil && side == 0 {
		drawn = slices.Concat(drawn, f.right.drawn)
	}
	for _, p := range drawn {
		var r [4]float64
		switch p := p.(type) {
		case interface {
			positive() (xmin, xmax, ymin, ymax float64)
		}:
			if logarithmic {
				r[0], r[1], r[2], r[3] = p.positive()
			} else {
				r[0], r[1], r[2], r[3] = p.(plot.DataRanger).DataRange()
			}
		case plot.DataRanger:
			r[0], r[1], r[2], r[3] = p.DataRange()
		default:
			continue
		}
		lo, hi = min(lo, r[side]), max(hi, r[side+1])
		if s, ok := p.(sticky); ok {
			var e [4]bool
			e[0], e[1], e[2], e[3] = s.sticks()
			if e[side] {
				stickLo = max(stickLo, r[side])
			}
			if e[side+1] {
				stickHi = min(stickHi, r[side+1])
			}
		}
	}
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) || logarithmic && lo <= 0 {
		lo, hi = 0, 1
		if logarithmic {
			lo, hi = 1, 10
		}
	}
	lo, hi = pad2(lo, hi, padding, logarithmic, lo == stickLo, hi == stickHi)
	if fixedLo.fixed {
		lo = fixedLo.value
	}
	if fixedHi.fixed {
		hi = fixedHi.value
	}
	if lo == hi {
		hi = lo + 1
	}
	return lo, hi
}

// pad2 widens a range at the ends that are not kept.
func pad2(lo, hi, part float64, logarithmic, keepLo, keepHi bool) (float64, float64) {
	if logarithmic {
		ratio := math.Pow(hi/lo, part)
		if lo == hi {
			ratio = 2
		}
		return lo / ratio, hi * ratio
	}
	d := (hi - lo) * part
	if lo == hi {
		d = max(math.Abs(lo)*.05, 1e-9)
		if lo == 0 {
			d = 1
		}
	}
	if !keepLo {
		lo -= d
	}
	if !keepHi {
		hi += d
	}
	return lo, hi
}

// fit lays the figure out in a canvas.
func (f *Figure) fit(c draw.Canvas) *layout { return f.fitIn(&layout{all: c}, true) }

// fitIn fills in a layout of which the place is given. Legend says whether the figure shows its own legend.
func (f *Figure) fitIn(l *layout, legend bool) *layout {
	l.f, l.plot, l.body = f, f.settle(), l.all
	l.insets = insets{left: margin, right: margin, bottom: margin, top: margin}
	if f.styled {
		l.plot.Title.Text = ""
		f.countWhole(&l.plot.X)
		l.wrapTexts()
	}
	if _, linear := l.plot.Y.Scale.(plot.LinearScale); f.styled && !linear {
		l.takeLabel()
	}
	l.side = f.labelWidth()
	for _, s := range f.side {
		l.side += s.width(&l.plot)
	}
	l.insets.right += l.side
	l.crop()
	if f.styled {
		l.turnNames()
		thinLabels(&l.plot.X, l.data().Size().X)
	}
	f.placeRules(&l.plot, l.data())
	if legend && f.needsLegend() {
		l.legend = f.placeLegend(l)
		l.insets.right += l.legend.right
		l.insets.bottom += l.legend.bottom
		l.crop()
		if !l.legend.boxed {
			f.placeRules(&l.plot, l.data())
		}
	}
	if f.square && !l.same {
		l.squareUp()
	}
	return l
}

// wrapTexts breaks the title and the labels of the axes into lines that fit.
func (l *layout) wrapTexts() {
	f, size := l.f, l.all.Size()
	if f.Title.Text != "" {
		l.title = wrap(f.Title.Text, f.Title.TextStyle, size.X-2*margin-30, maxLines(f.Title.TextStyle, size.Y))
		l.insets.top += f.Title.TextStyle.Height(l.title) + f.Title.Padding
	}
	for a, length := range map[*plot.Axis]vg.Length{&l.plot.X: size.X - 50, &l.plot.Y: size.Y - l.insets.top - 30} {
		upright := a.Label.TextStyle
		upright.Rotation = 0
		a.Label.Text = wrap(a.Label.Text, upright, max(length, 40), 3)
	}
}

// turnNames turns the names below bars where they would touch, and leaves some out where even so they would.
func (l *layout) turnNames() {
	x := &l.plot.X
	ticks, ok := x.Tick.Marker.(plot.ConstantTicks)
	if !ok || len(ticks) < 2 {
		return
	}
	sty := x.Tick.Label
	length := l.data().Size().X
	room := length
	touch := false
	for i := 1; i < len(ticks); i++ {
		apart := length * vg.Length(x.Norm(ticks[i].Value)-x.Norm(ticks[i-1].Value))
		touch = touch || (sty.Width(ticks[i-1].Label)+sty.Width(ticks[i].Label))/2+4 > apart
		room = min(room, max(apart, .1))
	}
	if !touch {
		return
	}
	every := max(1, int(math.Ceil(float64(1.5*sty.Height("M")/room))))
	longest := .45 * l.all.Size().Y
	names := make(plot.ConstantTicks, len(ticks))
	left := l.data().Min.X // which takes all the names to find
	for i, t := range ticks {
		names[i] = plot.Tick{Value: t.Value}
		if i%every == 0 {
			names[i].Label = ellipsis(t.Label, sty, longest)
		}
		// A name begins at the left of its bar, maybe also of the data.
		sticksOut := sty.Width(names[i].Label)*.72 - vg.Length(x.Norm(t.Value))*length - (left - l.all.Min.X - margin)
		if sticksOut > 0 {
			l.insets.left += sticksOut
			l.crop()
			left = l.data().Min.X
		}
	}
	x.Tick.Marker = names
	x.Tick.Label.Rotation, x.Tick.Label.XAlign, x.Tick.Label.YAlign = math.Pi/4, text.XRight, text.YTop
	l.crop()
}

// takeLabel takes the label of a vertical axis that is not linear from the plot, which would leave room for it about the
// value in the middle and not about the middle of the axis.
func (l *layout) takeLabel() {
	y := &l.plot.Y.Label
	if y.Text == "" {
		return
	}
	l.upright = y.Text
	l.insets.left += y.TextStyle.Height(y.Text) + y.TextStyle.FontExtents().Descent + y.Padding
	y.Text = ""
}

// drawLabel draws the label that takeLabel took.
func (l *layout) drawLabel(data draw.Canvas) {
	if l.upright == "" {
		return
	}
	s := l.plot.Y.Label.TextStyle
	x := l.body.Min.X - l.plot.Y.Label.Padding - 2*s.FontExtents().Descent
	s.Rotation += math.Pi / 2
	l.all.FillText(s, vg.Point{X: x, Y: data.Center().Y}, l.upright)
}

func (l *layout) crop() {
	l.body = draw.Crop(l.all, l.insets.left, -l.insets.right, l.insets.bottom, -l.insets.top)
}

// data returns the canvas on which data are drawn.
func (l *layout) data() draw.Canvas { return l.plot.DataCanvas(l.body) }

// around returns what is around the data, with axes and their labels.
func (l *layout) around() insets {
	d := l.data()
	return insets{d.Min.X - l.all.Min.X, l.all.Max.X - d.Max.X, d.Min.Y - l.all.Min.Y, l.all.Max.Y - d.Max.Y}
}

// widen makes room until around returns the given margins.
func (l *layout) widen(to insets) {
	now := l.around()
	l.insets.left += to.left - now.left
	l.insets.right += to.right - now.right
	l.insets.bottom += to.bottom - now.bottom
	l.insets.top += to.top - now.top
	l.crop()
}

// squareUp takes room away until a unit is equally long on both axes.
func (l *layout) squareUp() {
	d := l.data().Size()
	x := float64(d.X) / (l.plot.X.Max - l.plot.X.Min)
	y := float64(d.Y) / (l.plot.Y.Max - l.plot.Y.Min)
	if spare := d.X - vg.Length(y*(l.plot.X.Max-l.plot.X.Min)); spare > 0 {
		l.insets.right += spare // data begin where those of other figures do
	} else if spare := d.Y - vg.Length(x*(l.plot.Y.Max-l.plot.Y.Min)); spare > 0 {
		l.insets.bottom += spare / 2
		l.insets.top += spare / 2
	}
	l.crop()
}

// drawOn draws the figure, on its background or on what is there.
func (l *layout) drawOn(background bool) {
	f := l.f
	c := l.all
	if background && f.BackgroundColor != nil {
		c.SetColor(f.BackgroundColor)
		c.Fill(c.Rectangle.Path())
	}
	l.plot.BackgroundColor = nil
	data := l.data()
	if f.under != nil {
		f.under.Plot(data, &l.plot)
	}
	l.plot.Draw(l.body)
	if f.right != nil {
		r := f.rightPlot(&l.plot)
		for _, p := range f.right.drawn {
			p.Plot(data, &r)
		}
	}
	if f.bare() {
		s := f.X.Label.TextStyle
		s.XAlign, s.YAlign = text.XCenter, text.YCenter
		data.FillText(s, data.Center(), "no finite values")
	}
	l.drawLabel(data)
	if l.title != "" {
		s := f.Title.TextStyle
		s.XAlign, s.YAlign = text.XLeft, text.YTop
		c.FillText(s, vg.Point{X: data.Min.X, Y: c.Max.Y - margin}, l.title)
	}
	x := data.Max.X + f.labelWidth() + gap
	for _, s := range f.side {
		w := s.width(&l.plot)
		s.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: data.Min.Y}, Max: vg.Point{X: x + w - gap, Y: data.Max.Y}}})
		x += w
	}
	l.legend.draw(f, c, data, l.side)
}

// bare reports whether there are data and nothing of them can be drawn: they are empty, NaN or infinite. The numbers at the
// axes then mean nothing.
func (f *Figure) bare() bool {
	found := false
	for _, p := range f.drawn {
		switch p := p.(type) {
		case *Rule, *Slope:
		case *Bins:
			if slices.ContainsFunc(p.Heights, func(h float64) bool { return h > 0 }) {
				return false
			}
			found = true
		case plot.DataRanger:
			if xmin, xmax, ymin, ymax := p.DataRange(); xmin <= xmax && ymin <= ymax {
				return false
			}
			found = true
		}
	}
	return found && f.right == nil
}

// Draw draws the figure on a canvas.
func (f *Figure) Draw(c draw.Canvas) { f.fit(c).drawOn(true) }

// probe draws the plotters that are wanted on a coarse image, for the legend and labels to see where there is room. The
// image's origin is the canvas's upper left corner, with one pixel for each 2 points of length.
func (f *Figure) probe(q *plot.Plot, data draw.Canvas, wanted func(plot.Plotter) bool) *image.RGBA {
	size := data.Size()
	canvas := clearCanvas(max(size.X, 2), max(size.Y, 2), 36)
	c := draw.New(onImage(canvas))
	for _, p := range f.drawn {
		if h, ok := p.(*Heat); ok && h.ground {
			continue
		}
		if wanted(p) {
			p.Plot(c, q)
		}
	}
	if f.right != nil {
		r := f.rightPlot(q)
		for _, p := range f.right.drawn {
			p.Plot(c, &r)
		}
	}
	return canvas.Image().(*image.RGBA)
}

// clearCanvas returns a transparent image to draw on.
func clearCanvas(w, h vg.Length, dpi int) *vgimg.Canvas {
	return vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.Transparent))
}

// ink returns the share of a rectangle of the probe that is drawn on.
func ink(img *image.RGBA, r image.Rectangle) float64 {
	r = r.Intersect(img.Rect)
	if r.Empty() {
		return 1
	}
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if img.Pix[img.PixOffset(x, y)+3] > 0 {
				n++
			}
		}
	}
	return float64(n) / float64(r.Dx()*r.Dy())
}

// gridLines are the lines behind the data at the labelled ticks.
type gridLines struct{}

// Grid returns a plotter of faint lines at the labelled ticks of both axes. It is added first, so that the data cover it.
func Grid() plot.Plotter { return &gridLines{} }

// Plot draws the lines.
func (*gridLines) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	sty := draw.LineStyle{Color: inkGrid, Width: .6}
	_, names := p.X.Tick.Marker.(plot.ConstantTicks)
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if names {
			break // of bars, which need none
		}
		if x := f.x(t.Value); t.Label != "" && x >= 0 && x <= 1 {
			c.StrokeLine2(sty, c.X(x), c.Min.Y, c.X(x), c.Max.Y)
		}
	}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if y := f.y(t.Value); t.Label != "" && y >= 0 && y <= 1 {
			c.StrokeLine2(sty, c.Min.X, c.Y(y), c.Max.X, c.Y(y))
		}
	}
}
