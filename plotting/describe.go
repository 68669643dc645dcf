package plotting

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/plot"

	"gaucho/internal/tex"
)

// Alt gives the figure a description of the author's in place of [Figure.Description].
func (f *Figure) Alt(text string) *Figure {
	f.alt = text
	return f
}

// Description says in a few sentences what the figure shows, for who cannot see it: its kind, its axes with their ranges, what each series
// does, which is lowest and highest at the end, and where two cross. It is written from the numbers that are drawn, and accompanies the figure
// wherever that is shown: as the alternative text of images, in SVG files, in notebooks' metadata and as text. Cost O(n) for n points.
func (f *Figure) Description() string {
	if f.alt != "" {
		return f.alt
	}
	d := describer{f: f, q: f.settle()}
	d.say("%s", d.axes())
	d.series()
	if f.right != nil {
		r, p := *f.right, *f.right.Plot
		p.X, r.Plot = f.Plot.X, &p
		right := describer{f: &r, q: r.settle()}
		_, _, lo, hi := right.extent()
		d.say("%s.", right.axis("On an axis at the right,", &right.q.Y, lo, hi, nil))
		right.series()
		d.sentences = append(d.sentences, right.sentences...)
	}
	return strings.Join(d.sentences, " ")
}

// series says what is drawn.
func (d *describer) series() {
	d.lines()
	for _, m := range d.f.marks {
		d.mark(m)
	}
	for _, p := range d.f.drawn {
		d.plotter(p)
	}
}

// inWords returns a text whose formulas are read aloud.
func inWords(s string) string {
	var b strings.Builder
	for _, part := range segments(s) {
		if !part.math {
			b.WriteString(part.text)
		} else if row, err := tex.Parse(part.text, nil); err == nil {
			b.WriteString(row.Spoken())
		}
	}
	return strings.TrimSpace(strings.Join(strings.Fields(b.String()), " "))
}

// A describer collects sentences.
type describer struct {
	f         *Figure
	q         plot.Plot // of the figure, with the ranges that it is drawn with
	sentences []string
}

// mostSeries is how many series are described one by one.
const mostSeries = 8

func (d *describer) say(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); s != "" {
		d.sentences = append(d.sentences, s)
	}
}

// axes is the first sentence: the kind, and what is on the axes.
func (d *describer) axes() string {
	kind := d.kind()
	q := &d.q
	xlo, xhi, ylo, yhi := d.extent()
	if !(xlo <= xhi || ylo <= yhi) {
		return "An empty figure."
	}
	x := d.axis("Horizontally", &q.X, xlo, xhi, d.labels())
	y := d.axis("vertically", &q.Y, ylo, yhi, nil)
	return fmt.Sprintf("%s. %s; %s.", kind, x, y)
}

// extent is the range of what is drawn; of a plot made elsewhere, that of its axes.
func (d *describer) extent() (xlo, xhi, ylo, yhi float64) {
	if len(d.f.drawn) == 0 {
		return d.f.Plot.X.Min, d.f.Plot.X.Max, d.f.Plot.Y.Min, d.f.Plot.Y.Max
	}
	xlo, xhi, ylo, yhi = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, p := range d.f.drawn {
		if _, ok := p.(*Slope); ok {
			continue // a reference, no data
		}
		if r, ok := p.(plot.DataRanger); ok {
			a, b, c, e := r.DataRange()
			xlo, xhi, ylo, yhi = min(xlo, a), max(xhi, b), min(ylo, c), max(yhi, e)
		}
	}
	return xlo, xhi, ylo, yhi
}

// axis describes one axis with the range of its data.
func (d *describer) axis(where string, a *plot.Axis, lo, hi float64, labels []string) string {
	name := inWords(a.Label.Text)
	if name != "" {
		name = " " + name + ","
	}
	if len(labels) > 0 {
		return fmt.Sprintf("%s%s %s", where, name, list(labels))
	}
	if !(lo <= hi) {
		return where + strings.TrimSuffix(name, ",") + " nothing"
	}
	scale := ""
	switch a.Scale.(type) {
	case LogScale, plot.LogScale:
		scale = ", logarithmic"
	}
	return fmt.Sprintf("%s%s from %s to %s%s", where, name, number(a, lo), number(a, hi), scale)
}

// labels are those of places on the horizontal axis.
func (d *describer) labels() []string {
	ticks, ok := d.f.Plot.X.Tick.Marker.(plot.ConstantTicks)
	if !ok {
		return nil
	}
	var names []string
	for _, t := range ticks {
		names = append(names, inWords(t.Label))
	}
	return names
}

// label is the name of a place, or its number.
func (d *describer) label(i int) string {
	if names := d.labels(); i < len(names) {
		return names[i]
	}
	return strconv.Itoa(i + 1)
}

// kind says what the figure draws.
func (d *describer) kind() string {
	has := map[string]int{}
	for _, m := range d.f.marks {
		if m.kind == "bar" && m.bars == nil {
			m.kind = "histogram"
		}
		has[m.kind]++
	}
	for _, p := range d.f.drawn {
		switch p.(type) {
		case *Heat:
			has["heat"]++
		case *boxes, *violins:
			has["distributions"]++
		}
	}
	var kinds []string
	for _, k := range []struct{ kind, one, many string }{
		{"heat", "a heat map", "%d heat maps"}, {"histogram", "a histogram", "%d histograms"}, {"bar", "bars", "%d series of bars"},
		{"distributions", "box plots", "box plots"}, {"line", "a line", "%d lines"}, {"point", "points", "%d sets of points"},
	} {
		switch n := has[k.kind]; {
		case n == 1:
			kinds = append(kinds, k.one)
		case n > 1 && strings.Contains(k.many, "%d"):
			kinds = append(kinds, fmt.Sprintf(k.many, n))
		case n > 1:
			kinds = append(kinds, k.many)
		}
	}
	if len(kinds) == 0 {
		return "A figure"
	}
	return "A figure with " + list(kinds)
}

// list joins names: a, b and c. Of many only the first are named.
func list(names []string) string {
	const most = 12
	if n := len(names); n > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// number is a value of an axis in three digits, or a time.
func number(a *plot.Axis, v float64) string {
	if t, ok := a.Tick.Marker.(TimeTicks); ok && !math.IsNaN(v) && math.Abs(v) < 1e11 {
		in := t.In
		if in == nil {
			in = time.UTC
		}
		whole := math.Floor(v)
		at := time.Unix(int64(whole), int64((v-whole)*1e9)).In(in)
		if at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0 {
			return at.Format("2 January 2006")
		}
		return at.Format("15:04:05 on 2 January 2006")
	}
	return digits3(v)
}

// digits3 is a number as it is read: three digits, whole numbers below a million whole.
func digits3(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e6 {
		return strconv.FormatFloat(v+0, 'f', -1, 64) // +0 makes of -0 what is read
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// called is a series' name, or what it is.
func called(name, otherwise string) string {
	if s := inWords(name); s != "" {
		return s
	}
	return otherwise
}

// mark says what a series of points or bars shows; lines are said before, and bands with them.
func (d *describer) mark(m mark) {
	switch {
	case m.kind == "point":
		d.points(m)
	case m.kind == "bar" && m.bars != nil:
		d.bars(m)
	case m.kind == "bar":
		d.histogram(m)
	}
}

// points says how many there are, where, and how they go together.
func (d *describer) points(m mark) {
	q := &d.q
	xlo, xhi, ylo, yhi := spreadPoints(m.x, m.y)
	n := 0
	var sx, sy float64
	for i := range m.x {
		if isFinite(m.x[i]) && isFinite(m.y[i]) {
			n, sx, sy = n+1, sx+m.x[i], sy+m.y[i]
		}
	}
	if n == 0 {
		d.say("%s: no points.", called(m.name, "The points"))
		return
	}
	if n == 1 {
		d.say("%s: one point at (%s, %s).", called(m.name, "The points"), number(&q.X, xlo), number(&q.Y, ylo))
		return
	}
	s := fmt.Sprintf("%s: %d points from (%s, %s) to (%s, %s)", called(m.name, "The points"), n, number(&q.X, xlo), number(&q.Y, ylo), number(&q.X, xhi), number(&q.Y, yhi))
	if n > 2 && xlo < xhi && ylo < yhi {
		mx, my := sx/float64(n), sy/float64(n)
		var xx, xy, yy float64
		for i := range m.x {
			if isFinite(m.x[i]) && isFinite(m.y[i]) {
				u, v := (m.x[i]-mx)/(xhi-xlo), (m.y[i]-my)/(yhi-ylo)
				xx, xy, yy = xx+u*u, xy+u*v, yy+v*v
			}
		}
		s += ", with correlation " + strconv.FormatFloat(xy/math.Sqrt(xx*yy)+0, 'f', 2, 64)
	}
	d.say("%s.", s)
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// bars says the heights of a few bars, and the greatest and least of many.
func (d *describer) bars(m mark) {
	q := &d.q
	most, least := -1, -1
	var each []string
	for i, h := range m.y {
		if !isFinite(h) {
			continue
		}
		if most < 0 || h > m.y[most] {
			most = i
		}
		if least < 0 || h < m.y[least] {
			least = i
		}
		each = append(each, d.label(i)+" "+number(&q.Y, h))
	}
	switch name := called(m.name, "The bars"); {
	case most < 0:
		d.say("%s: no values.", name)
	case len(each) <= 6:
		d.say("%s: %s.", name, list(each))
	default:
		d.say("%s: highest at %s with %s, lowest at %s with %s.", name, d.label(most), number(&q.Y, m.y[most]), d.label(least), number(&q.Y, m.y[least]))
	}
}

// histogram says where the highest bar is, and between which values the middle half of the area lies.
func (d *describer) histogram(m mark) {
	q := &d.q
	total, most := 0.0, 0
	for i, h := range m.y {
		total += h * (m.x2[i] - m.x[i])
		if h > m.y[most] {
			most = i
		}
	}
	if !(total > 0) {
		d.say("%s: no values.", called(m.name, "The histogram"))
		return
	}
	at := func(p float64) string { // where a part p of the area is at the left
		sum := 0.0
		for i, h := range m.y {
			area := h * (m.x2[i] - m.x[i])
			if sum+area >= p*total && area > 0 {
				return number(&q.X, m.x[i]+(p*total-sum)/area*(m.x2[i]-m.x[i]))
			}
			sum += area
		}
		return number(&q.X, m.x2[len(m.x2)-1])
	}
	d.say("%s: %d bars, the highest with %s from %s to %s; the middle half lies between %s and %s, the median is near %s.", called(m.name, "The histogram"), len(m.y),
		number(&q.Y, m.y[most]), number(&q.X, m.x[most]), number(&q.X, m.x2[most]), at(.25), at(.75), at(.5))
}

// plotter says what is drawn without a mark.
func (d *describer) plotter(p plot.Plotter) {
	q := &d.q
	switch p := p.(type) {
	case *boxes:
		d.distributions(p.data)
	case *violins:
		d.distributions(p.data)
	case *Heat:
		d.heat(p)
	case *Slope:
		label := ""
		if s := inWords(p.Label); s != "" {
			label = ", " + s
		}
		d.say("A reference of slope %s%s.", digits3(p.Exponent), label)
	case *Rule:
		along, axis := "horizontal", &q.Y
		if p.Vertical {
			along, axis = "vertical", &q.X
		}
		label := ""
		if s := inWords(p.Label); s != "" {
			label = ", " + s
		}
		d.say("A %s line at %s%s.", along, number(axis, p.At), label)
	}
}

// distributions says medians, quartiles and how many values are far out.
func (d *describer) distributions(data [][]float64) {
	q := &d.q
	var each []string
	for i, v := range data {
		if len(v) == 0 {
			each = append(each, d.label(i)+": no values")
			continue
		}
		low, high := Quantile(v, .25), Quantile(v, .75)
		lo, hi := whiskers(v, low, high)
		s := fmt.Sprintf("%s: %s (%s to %s)", d.label(i), number(&q.Y, Quantile(v, .5)), number(&q.Y, low), number(&q.Y, high))
		out := 0
		for _, x := range v {
			if x < lo || x > hi {
				out++
			}
		}
		if out > 0 {
			s += fmt.Sprintf(", %d far out", out)
		}
		each = append(each, s)
	}
	if len(each) > mostSeries {
		each = append(each[:mostSeries], fmt.Sprintf("and %d more", len(data)-mostSeries))
	}
	d.say("Medians with quartiles: %s.", strings.Join(each, "; "))
}

// heat says the greatest and the least value of a heat map, and where they are.
func (d *describer) heat(h *Heat) {
	q := &d.q
	rows, cols := h.Values.Dims()
	var most, least [2]int
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range rows {
		for j := range cols {
			v := h.Values.At(i, j)
			if isFinite(v) && v > hi {
				hi, most = v, [2]int{i, j}
			}
			if isFinite(v) && v < lo {
				lo, least = v, [2]int{i, j}
			}
		}
	}
	if lo > hi {
		d.say("The heat map has no values.")
		return
	}
	at := func(c [2]int) string {
		return fmt.Sprintf("(%s, %s)", number(&q.X, h.XMin+(float64(c[1])+.5)/float64(cols)*(h.XMax-h.XMin)), number(&q.Y, h.YMin+(float64(c[0])+.5)/float64(rows)*(h.YMax-h.YMin)))
	}
	d.say("The heat map has %d by %d values, from %s at %s to %s at %s.", rows, cols, digits3(lo), at(least), digits3(hi), at(most))
}
