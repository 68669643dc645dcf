package plotting

import (
	"image/color"
	"math"
	"reflect"
	"slices"
	"unsafe"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// series returns what the figure shows as series: what its own methods have added, and the lines, scatters, functions,
// histograms, bars and error bars of gonum/plot, named as in the plot's legend.
func (f *Figure) series() []mark {
	marks := slices.Clone(f.marks)
	names := legendNames(&f.Legend)
	for _, p := range plottersOf(f.Plot) {
		if m, ok := f.adopt(p); ok {
			m.name = names[p]
			marks = append(marks, m)
		}
	}
	return marks
}

// plottersOf returns the plotters of a plot, which it keeps to itself.
func plottersOf(p *plot.Plot) []plot.Plotter {
	list, _ := unexported[[]plot.Plotter](reflect.ValueOf(p).Elem(), "plotters")
	return list
}

// legendNames returns the texts of a legend by what they stand for.
func legendNames(l *plot.Legend) map[any]string {
	names := map[any]string{}
	entries := reflect.ValueOf(l).Elem().FieldByName("entries")
	if entries.Kind() != reflect.Slice {
		return names
	}
	for i := range entries.Len() {
		text, _ := unexported[string](entries.Index(i), "text")
		thumbs, _ := unexported[[]plot.Thumbnailer](entries.Index(i), "thumbs")
		for _, t := range thumbs {
			if reflect.TypeOf(t).Kind() == reflect.Pointer {
				names[t] = text
			}
		}
	}
	return names
}

// unexported returns an unexported field of an addressable struct, and false if there is none of that name and type.
func unexported[T any](v reflect.Value, name string) (T, bool) {
	field := v.FieldByName(name)
	if !field.IsValid() || field.Type() != reflect.TypeFor[T]() {
		return *new(T), false
	}
	return *(*T)(unsafe.Pointer(field.UnsafeAddr())), true
}

// adopt returns a plotter of gonum/plot as a series. Plotters of other types, and bars on top of others or lying, are none.
func (f *Figure) adopt(p plot.Plotter) (mark, bool) {
	switch p := p.(type) {
	case *plotter.Line:
		return stroke(p.XYs, p.LineStyle), true
	case *plotter.Function:
		return stroke(f.sample(p), p.LineStyle), true
	case *plotter.Scatter:
		m := mark{kind: "point", look: look{color: orBlack(p.Color), alpha: 1, radius: p.Radius}}
		m.x, m.y = coordinates(p.XYs)
		return m, true
	case *plotter.Histogram:
		m := mark{kind: "bar", look: look{color: orBlack(p.FillColor), alpha: 1}}
		for _, b := range p.Bins {
			m.x, m.x2, m.y = append(m.x, b.Min), append(m.x2, b.Max), append(m.y, b.Weight)
		}
		return m, true
	case *plotter.BarChart:
		m := mark{kind: "bar", look: look{color: orBlack(p.Color), alpha: 1}}
		for i, v := range p.Values {
			if p.Horizontal || p.BarHeight(i) != v {
				return m, false
			}
			at := p.XMin + float64(i)
			m.x, m.x2, m.y = append(m.x, at-.4), append(m.x2, at+.4), append(m.y, v)
		}
		return m, true
	case *plotter.YErrorBars:
		m := mark{kind: "band", look: look{color: orBlack(p.Color), alpha: 1}}
		for i, xy := range p.XYs {
			m.x = append(m.x, xy.X)
			m.y = append(m.y, xy.Y-math.Abs(p.YErrors[i].Low))
			m.y2 = append(m.y2, xy.Y+math.Abs(p.YErrors[i].High))
		}
		return m, true
	}
	return mark{}, false
}

func stroke(points plotter.XYs, s draw.LineStyle) mark {
	m := mark{kind: "line", look: look{color: orBlack(s.Color), width: s.Width, dashes: s.Dashes, alpha: 1}}
	if m.look.width == 0 {
		m.look.width = vg.Points(1)
	}
	m.x, m.y = coordinates(points)
	return m
}

// sample returns values of a function, where gonum/plot draws it.
func (f *Figure) sample(p *plotter.Function) plotter.XYs {
	lo, hi := p.XMin, p.XMax
	if lo == hi {
		lo, hi = f.Plot.X.Min, f.Plot.X.Max
	}
	n := max(p.Samples, 2)
	points := make(plotter.XYs, n)
	for i := range points {
		x := lo + (hi-lo)*float64(i)/float64(n-1)
		points[i] = plotter.XY{X: x, Y: p.F(x)}
	}
	return points
}

func coordinates(points plotter.XYs) (x, y []float64) {
	for _, p := range points {
		x, y = append(x, p.X), append(y, p.Y)
	}
	return x, y
}

// orBlack returns a colour, black for none.
func orBlack(c color.Color) color.Color {
	if c == nil {
		return color.Black
	}
	return c
}
