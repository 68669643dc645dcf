package plotting

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Right returns a figure for series that have a vertical axis of their own at the right, with a label. What is added to it is
// drawn in the figure that it comes from, over the same horizontal axis, in colours that go on from there:
//
//	f := plotting.New("Yield and rain", "year", "yield in t").Line("yield", year, yield)
//	f.Right("rain in mm").Line("rain", year, rain, plotting.Dashed())
//	f
//
// Only one axis at the right is there: a second call returns the same.
func (f *Figure) Right(label string) *Figure {
	if f.right == nil {
		f.right = New("", "", label)
		f.right.looks = f.looks
		f.side = append([]sidePiece{&rightAxis{f.right}}, f.side...)
	}
	return f.right
}

// rightPlot returns the plot in which the series at the right are drawn: the horizontal axis of q, and their own vertical one.
func (f *Figure) rightPlot(q *plot.Plot) plot.Plot {
	r := f.right.settle()
	r.X = q.X
	return r
}

// allEntries returns the legend's entries, those of the right axis last.
func (f *Figure) allEntries() []legendEntry {
	if f.right == nil {
		return f.entries
	}
	return append(f.entries[:len(f.entries):len(f.entries)], f.right.entries...)
}

// rightAxis draws the axis.
type rightAxis struct{ of *Figure }

func (r *rightAxis) ticks() (plot.Plot, []plot.Tick) {
	q := r.of.settle()
	return q, q.Y.Tick.Marker.Ticks(q.Y.Min, q.Y.Max)
}

func (r *rightAxis) width(*plot.Plot) vg.Length {
	q, ticks := r.ticks()
	var w vg.Length
	for _, t := range ticks {
		w = max(w, q.Y.Tick.Label.Width(t.Label))
	}
	w += q.Y.Tick.Length + 4
	if q.Y.Label.Text != "" {
		w += q.Y.Label.TextStyle.Height("M") + 6
	}
	return w + gap
}

func (r *rightAxis) draw(c draw.Canvas) {
	q, ticks := r.ticks()
	x := c.Min.X - gap // the axis is at the edge of the data
	line := q.Y.LineStyle
	c.StrokeLine2(line, x, c.Min.Y, x, c.Max.Y)
	for _, t := range ticks {
		n := norm(&q.Y, t.Value)
		if math.IsNaN(n) || n < 0 || n > 1 {
			continue
		}
		y := c.Min.Y + vg.Length(n)*(c.Max.Y-c.Min.Y)
		length := q.Y.Tick.Length
		if t.Label == "" {
			length /= 2
		}
		c.StrokeLine2(q.Y.Tick.LineStyle, x, y, x+length, y)
		if t.Label != "" {
			s := q.Y.Tick.Label
			s.XAlign = text.XLeft
			middle(c, s, x+q.Y.Tick.Length+3, y, t.Label)
		}
	}
	s := q.Y.Label.TextStyle
	s.Rotation, s.XAlign, s.YAlign = math.Pi/2, text.XCenter, text.YBottom
	c.FillText(s, vg.Point{X: x + r.width(nil) - gap, Y: c.Center().Y}, q.Y.Label.Text)
}
