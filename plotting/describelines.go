package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// lines says what each line does, which are lowest and highest at the end, and where two cross.
func (d *describer) lines() {
	var all []mark
	for _, m := range d.f.marks {
		if m.kind == "line" {
			all = append(all, m)
		}
	}
	for i, m := range all {
		if i == mostSeries {
			d.say("And %d more lines.", len(all)-i)
			break
		}
		d.line(m)
	}
	if len(all) > 1 && len(all) <= 40 {
		d.order(all)
	}
	if len(all) > 1 && len(all) <= 4 {
		for i := range all {
			for j := range i {
				d.crossing(all[j], all[i])
			}
		}
	}
}

// finitePoints are those of a line, in order.
func finitePoints(m mark) (x, y []float64) {
	for i := range m.x {
		if isFinite(m.x[i]) && isFinite(m.y[i]) {
			x, y = append(x, m.x[i]), append(y, m.y[i])
		}
	}
	return x, y
}

// line says where a line begins and ends, its extremes between, its slope on logarithmic axes, and how wide its band is at the end.
func (d *describer) line(m mark) {
	q := &d.q
	x, y := finitePoints(m)
	name := called(m.name, "The line")
	last := len(x) - 1
	if last < 0 {
		d.say("%s: no values.", name)
		return
	}
	if !slices.IsSorted(x) {
		xlo, xhi, ylo, yhi := spreadPoints(x, y)
		d.say("%s is a curve from (%s, %s) to (%s, %s) within (%s, %s) and (%s, %s).", name, number(&q.X, x[0]), number(&q.Y, y[0]), number(&q.X, x[last]), number(&q.Y, y[last]),
			number(&q.X, xlo), number(&q.Y, ylo), number(&q.X, xhi), number(&q.Y, yhi))
		return
	}
	most, least := 0, 0
	for i := range y {
		if y[i] > y[most] {
			most = i
		}
		if y[i] < y[least] {
			least = i
		}
	}
	var s strings.Builder
	if y[most] == y[least] {
		fmt.Fprintf(&s, "%s is %s throughout", name, number(&q.Y, y[0]))
	} else {
		fmt.Fprintf(&s, "%s %s from %s at %s to %s at %s", name, trend(y, most, least), number(&q.Y, y[0]), number(&q.X, x[0]), number(&q.Y, y[last]), number(&q.X, x[last]))
	}
	if inside := func(i int) bool { return y[i] != y[0] && y[i] != y[last] }; inside(most) || inside(least) {
		if inside(most) {
			fmt.Fprintf(&s, ", highest %s at %s", number(&q.Y, y[most]), number(&q.X, x[most]))
		}
		if inside(least) {
			fmt.Fprintf(&s, ", lowest %s at %s", number(&q.Y, y[least]), number(&q.X, x[least]))
		}
	}
	if _, ok := q.X.Scale.(LogScale); ok {
		if _, ok := q.Y.Scale.(LogScale); ok {
			if slope, ok := logSlope(x, y); ok {
				fmt.Fprintf(&s, ", with slope %.2f on the logarithmic axes", slope+0)
			}
		}
	}
	if band := seriesWithBand(d.f.marks, m.name, m.x); band != nil {
		for i := len(band.x) - 1; i >= 0; i-- {
			if isFinite(band.y[i]) && isFinite(band.y2[i]) {
				fmt.Fprintf(&s, "; its band there is from %s to %s", number(&q.Y, band.y[i]), number(&q.Y, band.y2[i]))
				break
			}
		}
	}
	d.say("%s.", s.String())
}

// trend is the verb for the way of a line: whether it rises or falls throughout, or nearly as far as its values lie apart.
func trend(y []float64, most, least int) string {
	rises, falls := true, true
	for i := 1; i < len(y); i++ {
		rises, falls = rises && y[i] >= y[i-1], falls && y[i] <= y[i-1]
	}
	all, way := y[most]-y[least], y[len(y)-1]-y[0]
	switch {
	case rises:
		return "rises"
	case falls:
		return "falls"
	case way > .8*all:
		return "rises with exceptions"
	case way < -.8*all:
		return "falls with exceptions"
	}
	return "goes"
}

// logSlope is the least-squares slope of log y on log x over the positive points.
func logSlope(x, y []float64) (float64, bool) {
	var n, sx, sy, xx, xy float64
	for i := range x {
		if x[i] > 0 && y[i] > 0 {
			u, v := math.Log(x[i]), math.Log(y[i])
			n, sx, sy, xx, xy = n+1, sx+u, sy+v, xx+u*u, xy+u*v
		}
	}
	den := n*xx - sx*sx
	if n < 3 || den <= 1e-9*n*xx {
		return 0, false
	}
	return (n*xy - sx*sy) / den, true
}

// order says which line is lowest and which highest where all end, if they end at one place.
func (d *describer) order(all []mark) {
	q := &d.q
	type end struct {
		name string
		x, y float64
	}
	var ends []end
	for _, m := range all {
		x, y := finitePoints(m)
		if len(x) > 0 && m.name != "" && slices.IsSorted(x) {
			ends = append(ends, end{inWords(m.name), x[len(x)-1], y[len(y)-1]})
		}
	}
	if len(ends) < 2 || slices.ContainsFunc(ends, func(e end) bool { return e.x != ends[0].x }) {
		return
	}
	low, high := ends[0], ends[0]
	for _, e := range ends {
		if e.y < low.y {
			low = e
		}
		if e.y > high.y {
			high = e
		}
	}
	if low.y < high.y {
		d.say("At the end %s is lowest with %s, %s highest with %s.", low.name, number(&q.Y, low.y), high.name, number(&q.Y, high.y))
	}
}

// crossing says where two lines with names cross, if they do so once; else how often.
func (d *describer) crossing(a, b mark) {
	if a.name == "" || b.name == "" || a.name == b.name {
		return
	}
	ax, ay := finitePoints(a)
	bx, by := finitePoints(b)
	if len(ax) < 2 || len(bx) < 2 || !slices.IsSorted(ax) || !slices.IsSorted(bx) {
		return
	}
	q := &d.q
	var at []float64
	sign, before, gap := 0., 0., 0.
	for i, x := range ax {
		y, ok := between(bx, by, x)
		if !ok {
			continue
		}
		diff := ay[i] - y
		if diff != 0 {
			if sign*diff < 0 {
				at = append(at, before+(x-before)*gap/(gap+math.Abs(diff)))
			}
			sign, before, gap = diff, x, math.Abs(diff)
		}
	}
	switch len(at) {
	case 0:
	case 1:
		d.say("%s and %s cross near %s.", inWords(a.name), inWords(b.name), number(&q.X, at[0]))
	default:
		d.say("%s and %s cross %d times.", inWords(a.name), inWords(b.name), len(at))
	}
}

// between is the height at x of the line through points sorted by x, and false outside of them.
func between(xs, ys []float64, x float64) (float64, bool) {
	i, found := slices.BinarySearch(xs, x)
	switch {
	case found:
		return ys[i], true
	case i == 0 || i == len(xs):
		return 0, false
	}
	t := (x - xs[i-1]) / (xs[i] - xs[i-1])
	return ys[i-1] + t*(ys[i]-ys[i-1]), true
}

// seriesWithBand is the band around a line, nil if it has none.
func seriesWithBand(marks []mark, name string, x []float64) *mark {
	i := slices.IndexFunc(marks, func(m mark) bool { return m.kind == "band" && m.name == name && len(m.x) == len(x) })
	if i < 0 {
		return nil
	}
	return &marks[i]
}
