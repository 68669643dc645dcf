package claims

import (
	"fmt"
	"math"
	"slices"

	"gaucho/papers"
	"gaucho/stdlib/study"
)

// Evidence is the compact record by which a claim is judged.
type Evidence struct {
	compact *study.Compact
	dir     string
	missing string // the first thing that was asked for and is not there
}

// with returns the evidence of another study, for a claim that compares two. What lacks there lacks here.
func (e *Evidence) with(name string, judge func(o *Evidence)) {
	c, err := papers.ReadCompact(e.dir, name)
	if err != nil {
		e.lack("record of "+name, nil)
		c = &study.Compact{Study: name}
	}
	o := &Evidence{compact: c, dir: e.dir}
	judge(o)
	if e.missing == "" {
		e.missing = o.missing
	}
}

// at returns a number at the one point with the given names and values, in turn as in study.NewPoint.
func (e *Evidence) at(field string, match ...any) number {
	if p := e.point(match); p != nil {
		if n, ok := p.Numbers[field]; ok {
			return number{n}
		}
		e.lack(field, match)
	}
	return number{}
}

// path returns the mean of a path at such a point, at the places that are kept.
func (e *Evidence) path(field string, match ...any) (mean []float64) {
	if p := e.point(match); p != nil {
		if path, ok := p.Paths[field]; ok {
			for _, d := range path.Mean {
				mean = append(mean, float64(d))
			}
			return mean
		}
		e.lack(field, match)
	}
	return nil
}

// curve returns the median of a path at such a point, at the places that are kept.
func (e *Evidence) curve(field string, match ...any) (median []float64) {
	if p := e.point(match); p != nil {
		if path, ok := p.Paths[field]; ok {
			for _, d := range path.Median {
				median = append(median, float64(d))
			}
			return median
		}
		e.lack(field, match)
	}
	return nil
}

// places returns the places of a path that are kept.
func (e *Evidence) places(field string, match ...any) []int {
	if p := e.point(match); p != nil {
		return p.Paths[field].Places
	}
	return nil
}

// values returns what a parameter is at the points that match, each value once, in their order.
func (e *Evidence) values(parameter string, match ...any) []any {
	var out []any
	seen := map[any]bool{}
	for _, p := range e.compact.Kept {
		if v, ok := p.Point.Value(parameter); ok && p.Point.Matches(match...) && !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	if out == nil {
		e.lack(parameter, match)
	}
	return out
}

// least returns the number with the least mean among the points that match.
func (e *Evidence) least(field string, match ...any) number {
	p := e.leastPoint(field, match)
	if p == nil {
		e.lack(field, match)
		return number{}
	}
	return number{p.Numbers[field]}
}

// chosen returns a field at that point, of those that match, at which another field has the least mean.
func (e *Evidence) chosen(field, by string, match ...any) number {
	p := e.leastPoint(by, match)
	if p == nil || p.Numbers[field].N == 0 {
		e.lack(field+" by "+by, match)
		return number{}
	}
	return number{p.Numbers[field]}
}

// leastPoint returns what is kept of the point, of those that match, at which a field has the least mean, or nil.
func (e *Evidence) leastPoint(field string, match []any) *study.CompactPoint {
	p, err := study.Least(e.compact, field, match...)
	if err != nil {
		return nil
	}
	key := p.Key()
	i := slices.IndexFunc(e.compact.Kept, func(k study.CompactPoint) bool { return k.Point.Key() == key })
	return &e.compact.Kept[i]
}

func (e *Evidence) point(match []any) *study.CompactPoint {
	var found *study.CompactPoint
	for i, p := range e.compact.Kept {
		if p.Point.Matches(match...) {
			if found != nil {
				panic(fmt.Sprintf("claims: %s has more than one point %v", e.compact.Study, study.NewPoint(match...)))
			}
			found = &e.compact.Kept[i]
		}
	}
	if found == nil {
		e.lack("point", match)
	}
	return found
}

func (e *Evidence) lack(what string, match []any) {
	if e.missing == "" {
		e.missing = what
		if len(match) > 0 {
			e.missing += " at " + study.NewPoint(match...).String()
		}
	}
}

// slope is the log-log slope of y against x with its standard error, as text and as a number.
func (e *Evidence) slope(x, y []float64) (string, float64) {
	s, err := study.LogLogSlope(x, y)
	if err != nil {
		if e.missing == "" {
			e.missing = "three points of a curve"
		}
		return "", math.NaN()
	}
	return fmt.Sprintf("%.2f ± %.2f", s.Slope, s.StdErr), s.Slope
}
