package study

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Findings is what replications say about the points of a study: its Results, or the Compact that is kept of them. A
// figure that is drawn from Findings can be drawn from either.
type Findings interface {
	// Points returns the points that match names and values, in turn as in NewPoint, and panics when there are none.
	Points(pairs ...any) []Point
	// Summary summarises a numeric field at a point.
	Summary(p Point, field string) (Summary, error)
	// Curves summarises a field along the parameter x, or a path along itself or along the path x, with a curve for each value of by.
	Curves(field, by, x string, pairs ...any) (Curves, error)

	matching(pairs []any) ([]Point, error)
}

var (
	_ Findings = (*Results)(nil)
	_ Findings = (*Compact)(nil)
)

// Least returns the point at which a numeric field has the least mean, of those that match names and values, in turn as in
// NewPoint: the best settings of a method in a grid. A mean that is not a number is none.
func Least(f Findings, field string, pairs ...any) (Point, error) {
	if f == nil {
		return Point{}, fmt.Errorf("study: findings are nil")
	}
	var best Point
	points, err := f.matching(pairs)
	if err != nil {
		return Point{}, err
	}
	least := math.Inf(1)
	for _, p := range points {
		s, err := f.Summary(p, field)
		if err != nil {
			return Point{}, err
		}
		if s.Mean < least {
			best, least = p, s.Mean
		}
	}
	if math.IsInf(least, 1) {
		return Point{}, fmt.Errorf("study: %s is finite at none of %d points with %v", field, len(points), pairs)
	}
	return best, nil
}

// String says in a line what the record is of.
func (c *Compact) String() string {
	var b strings.Builder
	b.WriteString(c.Study)
	if c.Size != "" {
		fmt.Fprintf(&b, " at its %s size", c.Size)
	}
	fmt.Fprintf(&b, ": %d points × %d replications, seed %d, %s", len(c.Kept), c.Replications, c.Seed, strings.Join(c.Made, ", "))
	if lost := c.Missing + c.Failed; lost > 0 {
		fmt.Fprintf(&b, "; missing or failed: %d", lost)
	}
	return b.String()
}

// Points returns the points of the study that match the given names and values, as Results.Points does.
func (c *Compact) Points(pairs ...any) []Point {
	out, err := c.matching(pairs)
	if err != nil {
		panic(err)
	}
	return out
}

func (c *Compact) matching(pairs []any) ([]Point, error) {
	return matching(c.Study, c.points(), pairs)
}

func (c *Compact) points() []Point {
	points := make([]Point, len(c.Kept))
	for i, s := range c.Kept {
		points[i] = s.Point
	}
	return points
}

// at returns what is kept of a point.
func (c *Compact) at(p Point) (CompactPoint, error) {
	i, err := find(c.Study, c.points(), p)
	if err != nil {
		return CompactPoint{}, err
	}
	return c.Kept[i], nil
}

// Summary returns what is kept of a numeric field at a point. Of its quantiles those at 0, 1/4, 1/2, 3/4 and 1 are known.
func (c *Compact) Summary(p Point, field string) (Summary, error) {
	s, err := c.at(p)
	if err != nil {
		return Summary{}, err
	}
	n, ok := s.Numbers[field]
	if !ok {
		return Summary{}, fmt.Errorf("study: %s keeps no number %s of %v", c.Study, field, p)
	}
	return Summary{Point: p, N: n.N, Mean: float64(n.Mean), StdErr: float64(n.StdErr), Min: float64(n.Min), Max: float64(n.Max),
		Q1: float64(n.Q1), Median: float64(n.Median), Q3: float64(n.Q3)}, nil
}

// Curves draws curves as Results.Curves does; of a path it has the places that were kept. Their Rate is that of the medians.
func (c *Compact) Curves(field, by, x string, pairs ...any) (Curves, error) {
	if c.isPath(x) {
		return along(c, field, by, x, pairs)
	}
	return curvesOf(c, c.Study, field, by, pairs, func(curve *Curve, p Point) error {
		if x == "" {
			return c.addPath(curve, p, field)
		}
		at, err := curve.place(p, x)
		if err != nil {
			return err
		}
		s, err := c.Summary(p, field)
		if err != nil {
			return err
		}
		curve.insert(at, s)
		return nil
	})
}

// isPath reports whether x is no parameter, and a path of that name is kept.
func (c *Compact) isPath(x string) bool {
	return x != "" && !slices.Contains(paramsOf(c.points()), x) && slices.ContainsFunc(c.Kept, func(k CompactPoint) bool {
		_, ok := k.Paths[x]
		return ok
	})
}

// addPath makes a curve of the path that is kept at a point. Without quartiles the band has no width.
func (c *Compact) addPath(curve *Curve, p Point, field string) error {
	s, err := c.at(p)
	if err != nil {
		return err
	}
	path, ok := s.Paths[field]
	if !ok {
		return fmt.Errorf("study: %s keeps no path %s of %v", c.Study, field, p)
	}
	if curve.X != nil {
		return fmt.Errorf("study: two points are called %s: say which by further parameters", curve.Name)
	}
	for i, place := range path.Places {
		sum := Summary{Median: float64(path.Median[i]), Mean: float64(path.Mean[i]), StdErr: math.NaN()}
		sum.Q1, sum.Q3 = sum.Median, sum.Median
		if path.Q1 != nil {
			sum.Q1, sum.Q3 = float64(path.Q1[i]), float64(path.Q3[i])
		}
		if path.StdErr != nil {
			sum.StdErr, sum.N = float64(path.StdErr[i]), path.N
		}
		curve.X = append(curve.X, float64(place+1))
		curve.insert(i, sum)
	}
	return nil
}

// place makes room for a point's value of the parameter x, and returns where.
func (c *Curve) place(p Point, x string) (int, error) {
	v, ok := p.Value(x)
	if !ok {
		return 0, fmt.Errorf("study: the point %v has no parameter %s, and the records have no path of that name", p, x)
	}
	at, err := number(Record{x: v}, x)
	if err != nil {
		return 0, fmt.Errorf("study: parameter %s is a %T, must be a number", x, v)
	}
	i, found := slices.BinarySearch(c.X, at)
	if found {
		return 0, fmt.Errorf("study: two points of %s have %s %v: say which by further parameters", c.Name, x, at)
	}
	c.X = slices.Insert(c.X, i, at)
	return i, nil
}

// insert puts what is known at place i of the curve there.
func (c *Curve) insert(i int, s Summary) {
	c.Q1, c.Median = slices.Insert(c.Q1, i, s.Q1), slices.Insert(c.Median, i, s.Median)
	c.Q3, c.Mean = slices.Insert(c.Q3, i, s.Q3), slices.Insert(c.Mean, i, s.Mean)
	c.StdErr, c.N = slices.Insert(c.StdErr, i, s.StdErr), slices.Insert(c.N, i, s.N)
}

// quartile is the q-quantile of a summary whose values are not known.
func (s Summary) quartile(q float64) float64 {
	switch q {
	case 0:
		return s.Min
	case 0.25:
		return s.Q1
	case 0.5:
		return s.Median
	case 0.75:
		return s.Q3
	case 1:
		return s.Max
	}
	return math.NaN()
}
