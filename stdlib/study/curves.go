package study

import (
	"fmt"
	"math"
	"slices"
)

// A Curve is what the replications say about a number along a parameter: medians and quartiles, and means with their standard
// errors. Values that are missing, where a path ended early, are NaN.
type Curve struct {
	Name           string
	X              []float64
	Q1, Median, Q3 []float64
	Mean, StdErr   []float64
	N              []int // of the replications that have a value

	reps  [][]float64 // a row for each replication
	level float64     // of the intervals of the means that are drawn; 0 for medians and quartiles
}

// Curves are curves of one figure. The methods Len and Curve let package plotting draw them: plotting.Rates, or
// Figure.Curves.
type Curves []Curve

// Len returns the number of curves.
func (c Curves) Len() int { return len(c) }

// Curve returns the name of curve i, its medians, and its quartiles; of curves that Means returned the means and the ends of their
// intervals.
func (c Curves) Curve(i int) (name string, x, middle, lo, hi []float64) {
	if c[i].level == 0 {
		return c[i].Name, c[i].X, c[i].Median, c[i].Q1, c[i].Q3
	}
	lo, hi = c[i].Interval(c[i].level)
	return c[i].Name, c[i].X, c[i].Mean, lo, hi
}

// Means returns the curves as they are drawn by their means, with bands that are confidence intervals of the means at the given
// level, such as 0.95:
//
//	figure.Curves(curves.Means(0.95))
//
// It panics unless the level is between 0 and 1. Where few replications are far from all others a median says nothing of them,
// and a mean does.
func (c Curves) Means(level float64) Curves {
	checkLevel(level)
	out := slices.Clone(c)
	for i := range out {
		out[i].level = level
	}
	return out
}

// Interval returns the ends of the confidence intervals of the means, as Summary.Interval does for one of them.
func (c Curve) Interval(level float64) (lo, hi []float64) {
	checkLevel(level)
	lo, hi = blank(len(c.X)), blank(len(c.X))
	for i := range c.X {
		lo[i], hi[i] = Summary{N: c.N[i], Mean: c.Mean[i], StdErr: c.StdErr[i]}.Interval(level)
	}
	return lo, hi
}

// Curves summarises a field along the parameter x, which is a number, with a curve for each value of the parameter by:
//
//	r.Curves("error", "method", "N")
//
// A field that holds a path, a []float64, is summarised along itself when x is empty: at 1, 2, ... in the order of its
// elements. One that is recorded at chosen times is summarised along them when they are recorded too, and x names their field:
//
//	r.Curves("regret", "policy", "plays") // of study.Record{"regret": regret, "plays": times}
//
// With by empty there is one curve, named after the field. The pairs, in turn as in NewPoint, choose points when
// the grid has further parameters; when two points are at one place all the same, that is an error.
func (r *Results) Curves(field, by, x string, pairs ...any) (Curves, error) {
	if r.isPath(x) {
		return along(r, field, by, x, pairs)
	}
	add := r.addPoint
	if x == "" {
		add = r.addPath
	}
	out, err := curvesOf(r, r.Study.Name, field, by, pairs, func(c *Curve, p Point) error { return add(c, p, field, x) })
	for i := range out {
		out[i].summarise()
	}
	return out, err
}

// isPath reports whether x is no parameter, and the records have a path of that name.
func (r *Results) isPath(x string) bool {
	return x != "" && !slices.Contains(paramsOf(r.Study.Points), x) && slices.ContainsFunc(r.rows, func(row row) bool {
		_, ok := row.record[x].([]float64)
		return ok
	})
}

// along returns the curves of a path at the values of another path of the same records.
func along(f Findings, field, by, x string, pairs []any) (Curves, error) {
	path, err := f.Curves(field, by, "", pairs...)
	if err != nil {
		return nil, err
	}
	times, err := f.Curves(x, by, "", pairs...)
	if err != nil {
		return nil, err
	}
	return path.Along(times)
}

// curvesOf makes a curve for each value of by and has add put each matching point of the study into its one.
func curvesOf(f Findings, study, field, by string, pairs []any, add func(*Curve, Point) error) (Curves, error) {
	var out Curves
	points, err := f.matching(pairs)
	if err != nil {
		return nil, err
	}
	for _, p := range points {
		name := field
		if by != "" {
			v, ok := p.Value(by)
			if !ok {
				return nil, fmt.Errorf("study: the point %v has no parameter %s", p, by)
			}
			name = fmt.Sprint(v)
		}
		i := slices.IndexFunc(out, func(c Curve) bool { return c.Name == name })
		if i < 0 {
			i, out = len(out), append(out, Curve{Name: name})
		}
		if err := add(&out[i], p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// addPoint adds the replications of a point to a curve along a parameter.
func (r *Results) addPoint(c *Curve, p Point, field, x string) error {
	i, err := c.place(p, x)
	if err != nil {
		return err
	}
	values, err := r.Floats(p, field)
	if err != nil {
		return err
	}
	for len(c.reps) < len(values) {
		c.reps = append(c.reps, blank(len(c.X)-1))
	}
	for k := range c.reps {
		y := math.NaN()
		if k < len(values) {
			y = values[k]
		}
		c.reps[k] = slices.Insert(c.reps[k], i, y)
	}
	return nil
}

// addPath makes a curve of the paths of a point's replications.
func (r *Results) addPath(c *Curve, p Point, field, _ string) error {
	paths, err := r.Paths(p, field)
	if err != nil {
		return err
	}
	if c.X != nil {
		return fmt.Errorf("study: two points are called %s: say which by further parameters", c.Name)
	}
	longest := 0
	for _, path := range paths {
		longest = max(longest, len(path))
	}
	for i := range longest {
		c.X = append(c.X, float64(i+1))
	}
	for _, path := range paths {
		row := blank(longest)
		copy(row, path)
		c.reps = append(c.reps, row)
	}
	return nil
}

// blank returns n missing values.
func blank(n int) []float64 {
	row := make([]float64, n)
	for i := range row {
		row[i] = math.NaN()
	}
	return row
}

// summarise fills in what the replications say at each place.
func (c *Curve) summarise() {
	n := len(c.X)
	c.Q1, c.Median, c.Q3, c.Mean, c.StdErr, c.N = blank(n), blank(n), blank(n), blank(n), blank(n), make([]int, n)
	for i := range c.X {
		var values []float64
		for _, row := range c.reps {
			if !math.IsNaN(row[i]) {
				values = append(values, row[i])
			}
		}
		if len(values) > 0 {
			s := summarise(values)
			c.Q1[i], c.Median[i], c.Q3[i], c.Mean[i], c.StdErr[i], c.N[i] = s.Q1, s.Median, s.Q3, s.Mean, s.StdErr, s.N
		}
	}
}

// Rate returns the exponent with which the number falls or grows from x = from on: the least-squares slope of its logarithm
// on that of x, as a mean over the replications with its standard error. Values that are not positive are left out.
// It is NaN where no replication has three values. A curve of a Compact knows no replications: its rate is that of the
// medians, or of the means where these are drawn, and the standard error NaN.
func (c Curve) Rate(from float64) (mean, stdErr float64) {
	var slopes []float64
	rows := c.reps
	switch {
	case rows == nil && c.level > 0:
		rows = [][]float64{c.Mean}
	case rows == nil:
		rows = [][]float64{c.Median}
	}
	for _, row := range rows {
		var x, y []float64
		for i, v := range row {
			if c.X[i] >= from && c.X[i] > 0 && v > 0 {
				x, y = append(x, c.X[i]), append(y, v)
			}
		}
		if s, err := LogLogSlope(x, y); err == nil {
			slopes = append(slopes, s.Slope)
		}
	}
	if len(slopes) == 0 {
		return math.NaN(), math.NaN()
	}
	s := summarise(slopes)
	return s.Mean, s.StdErr
}

// WithRates returns the curves with their rates from x = from on as part of their names, for a legend: "FW, $N^{-0.78}$" for
// the symbol N.
func (c Curves) WithRates(symbol string, from float64) Curves {
	out := slices.Clone(c)
	for i := range out {
		if rate, _ := out[i].Rate(from); !math.IsNaN(rate) {
			out[i].Name = fmt.Sprintf("%s, $%s^{%.2f}$", out[i].Name, symbol, rate)
		}
	}
	return out
}

// Along returns the curves with other values of x: the medians of another path of the same records, at the same places.
// Methods that keep their errors when they have visited more and more data, and how much that was, are drawn against it:
//
//	errors, err := found.Curves("errors", "method", "")
//	visits, err := found.Curves("visits", "method", "")
//	errors, err = errors.Along(visits)
//
// The other path must have a curve of the same name for each curve, and a value at each of its places.
func (c Curves) Along(path Curves) (Curves, error) {
	out := slices.Clone(c)
	for k := range out {
		i := slices.IndexFunc(path, func(p Curve) bool { return p.Name == out[k].Name })
		if i < 0 && len(c) == 1 && len(path) == 1 {
			i = 0 // each is named after its field
		}
		if i < 0 {
			return nil, fmt.Errorf("study: the other path has no curve %s", out[k].Name)
		}
		out[k].X = make([]float64, len(c[k].X))
		for j, at := range c[k].X {
			place := slices.Index(path[i].X, at)
			if place < 0 || math.IsNaN(path[i].Median[place]) {
				return nil, fmt.Errorf("study: the other path of %s has no value at place %v", out[k].Name, at)
			}
			out[k].X[j] = path[i].Median[place]
		}
	}
	return out, nil
}
