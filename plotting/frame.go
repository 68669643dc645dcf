package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
)

// A Frame is a table of columns with names, such as a *table.Table.
type Frame interface {
	Numbers() []string            // the names of the columns of numbers
	Floats(name string) []float64 // a column of numbers, NaN where one is missing
	Strings(name string) []string // a column as text, "" where it is missing
}

// How many columns Pairs shows, and how many groups Facet and ScatterBy: more are too small to see, or too many
// colours to tell apart.
const (
	mostPairs  = 8
	mostFacets = 25
	mostGroups = 12
)

// Pairs draws each of the named columns against each other, and their histograms on the diagonal; without names, all columns
// of numbers.
func Pairs(t Frame, names ...string) *Page {
	if len(names) == 0 {
		names = t.Numbers()
	}
	if n := len(names); n < 2 || n > mostPairs {
		panic(fmt.Sprintf("plotting: Pairs: %d columns of numbers (%s), must be 2 to %d; name those to show", n, strings.Join(names, ", "), mostPairs))
	}
	var figures []*Figure
	for i, row := range names {
		for j, column := range names {
			x, y := t.Floats(column), t.Floats(row)
			f := New("", "", "")
			if i == j {
				f.Histogram("", finite(x), 0, false)
				bareAxis(&f.Plot.Y)
			} else {
				f.Points("", x, y)
				f.YRange(room(y))
			}
			f.XRange(room(x))
			if i == len(names)-1 {
				f.Plot.X.Label.Text = column
			} else {
				bareAxis(&f.Plot.X)
			}
			if j == 0 {
				f.Plot.Y.Label.Text = row
			} else if i != j {
				bareAxis(&f.Plot.Y)
			}
			figures = append(figures, f)
		}
	}
	return Panels(len(names), figures...)
}

// Facet draws column y against column x in a panel for each value of the column by, all with the same axes.
func Facet(t Frame, by, x, y string, opts ...Option) *Page {
	names, rows := groups("Facet", t, by, mostFacets)
	xs, ys := t.Floats(x), t.Floats(y)
	columns := min(len(names), max(2, int(math.Ceil(math.Sqrt(float64(len(names)))))))
	var figures []*Figure
	for g, name := range names {
		figures = append(figures, New(name, x, y).Points("", taken(xs, rows[g]), taken(ys, rows[g]), opts...))
	}
	return Panels(columns, figures...).SharedAxes()
}

// ScatterBy draws column y against column x in one figure, in a colour for each value of the column by.
func ScatterBy(t Frame, x, y, by string, opts ...Option) *Figure {
	names, rows := groups("ScatterBy", t, by, mostGroups)
	xs, ys := t.Floats(x), t.Floats(y)
	f := New("", x, y)
	for g, name := range names {
		f.Points(name, taken(xs, rows[g]), taken(ys, rows[g]), opts...)
	}
	return f
}

// Residuals draws the residuals of a model against its fitted values, and against the quantiles of a normal distribution,
// where they lie on the line if they are normal: Residuals(m.Fitted, m.Residuals).
func Residuals(fitted, residuals any) *Page {
	x, y := numbers("Residuals", "fitted", fitted), numbers("Residuals", "residuals", residuals)
	same("Residuals", x, y)
	sorted := finite(y)
	slices.Sort(sorted)
	n := float64(len(sorted))
	quantiles := make([]float64, len(sorted))
	mean, square := 0.0, 0.0
	for i, v := range sorted {
		quantiles[i] = math.Sqrt2 * math.Erfinv(2*(float64(i)+0.5)/n-1)
		mean += v / n
	}
	for _, v := range sorted {
		square += (v - mean) * (v - mean) / n
	}
	normal := New("", "normal quantile", "residual").Points("", quantiles, sorted)
	if len(sorted) > 1 {
		lo, hi := quantiles[0], quantiles[len(quantiles)-1]
		normal.Line("", []float64{lo, hi}, []float64{mean + lo*math.Sqrt(square), mean + hi*math.Sqrt(square)}, Dashed())
	}
	return Panels(2, New("", "fitted value", "residual").Points("", x, y).HLine(0, ""), normal)
}

// groups returns the distinct values of a column, sorted, and the rows of each.
func groups(call string, t Frame, by string, most int) (names []string, rows [][]int) {
	number := map[string]int{}
	for i, name := range t.Strings(by) {
		if name == "" {
			name = "(none)"
		}
		g, ok := number[name]
		if !ok {
			g = len(names)
			number[name] = g
			names, rows = append(names, name), append(rows, nil)
		}
		rows[g] = append(rows[g], i)
	}
	if len(names) == 0 || len(names) > most {
		panic(fmt.Sprintf("plotting: %s: column %s has %d values, must have 1 to %d", call, by, len(names), most))
	}
	sorted := slices.Sorted(slices.Values(names))
	if numeric := t.Numbers(); slices.Contains(numeric, by) {
		values := t.Floats(by)
		slices.SortStableFunc(sorted, func(a, b string) int {
			x, y := values[rows[number[a]][0]], values[rows[number[b]][0]]
			if x < y || y != y && x == x {
				return -1
			}
			return 1
		})
	}
	inOrder := make([][]int, len(sorted))
	for k, name := range sorted {
		inOrder[k] = rows[number[name]]
	}
	return sorted, inOrder
}

func taken(x []float64, rows []int) []float64 {
	out := make([]float64, len(rows))
	for k, i := range rows {
		out[k] = x[i]
	}
	return out
}

func finite(x []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(x), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// room returns the range of the finite values, with some space at both ends.
func room(x []float64) (lo, hi float64) {
	lo, hi = spread(false, x)
	if lo > hi {
		return 0, 1
	}
	more := 0.04 * (hi - lo)
	if more == 0 {
		more = max(1, math.Abs(lo)) / 2
	}
	return lo - more, hi + more
}

// unlabelled are ticks without their numbers, for axes that a neighbour has.
type unlabelled struct{ plot.Ticker }

// Ticks returns the ticks, a blank in place of each number: those without a text are minor ones, which have no grid line.
func (u unlabelled) Ticks(lo, hi float64) []plot.Tick {
	ticks := slices.Clone(u.Ticker.Ticks(lo, hi))
	for i := range ticks {
		if !ticks[i].IsMinor() {
			ticks[i].Label = " "
		}
	}
	return ticks
}
