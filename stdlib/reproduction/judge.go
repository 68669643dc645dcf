package reproduction

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"gaucho/stdlib/study"
)

// Agrees, Differs and Undecided are the verdicts of [Claim.By]: the interval of what is measured lies where the claim has it, lies
// elsewhere, or does both, so that more replications would tell.
const (
	Agrees    = "agrees"
	Differs   = "does not"
	Undecided = "undecided"
)

// level is that of all intervals.
const level = 0.95

// A Check is one thing that a claim says of a study's numbers, with what came out. [Less], [Within], [Below], [Above], [Near], [Slope]
// and [Order] make one; [Claim.By] takes them.
type Check struct {
	verdict string
	found   string
	measure string
	from    string
	err     error
}

// By returns the claim with the verdict of the checks: it agrees if all do, and does not if one does not. Found, Measure and From are
// filled in where they are empty. A point or a field that is not there is an error.
func (c Claim) By(checks ...Check) (Claim, error) {
	if len(checks) == 0 {
		return c, errors.New("reproduction: a claim is judged by one check at least")
	}
	var found, measures, from []string
	add := func(list []string, s string) []string {
		if s == "" || slices.Contains(list, s) {
			return list
		}
		return append(list, s)
	}
	verdict := Agrees
	for _, k := range checks {
		if k.err != nil {
			return c, fmt.Errorf("reproduction: %q: %w", c.Statement, k.err)
		}
		found, measures, from = append(found, k.found), add(measures, k.measure), add(from, k.from)
		if k.verdict == Differs || k.verdict == Undecided && verdict == Agrees {
			verdict = k.verdict
		}
	}
	c.Verdict = verdict
	for _, text := range []struct {
		field *string
		list  []string
	}{{&c.Found, found}, {&c.Measure, measures}, {&c.From, from}} {
		if *text.field == "" {
			*text.field = strings.Join(text.list, "; ")
		}
	}
	return c, nil
}

// An estimate is a number with its standard error and degrees of freedom.
type estimate struct {
	value, se, df float64
	how           string
}

// interval returns the limits of the confidence interval, NaN where there is none.
func (e estimate) interval() (lo, hi float64) {
	if e.se == 0 {
		return e.value, e.value
	}
	if !(e.df > 0 && e.se < math.Inf(1)) {
		return math.NaN(), math.NaN()
	}
	half := e.se * distuv.StudentsT{Sigma: 1, Nu: e.df}.Quantile((1+level)/2)
	return e.value - half, e.value + half
}

// in judges whether the interval lies from low to high.
func (e estimate) in(low, high float64) string {
	lo, hi := e.interval()
	switch {
	case lo >= low && hi <= high:
		return Agrees
	case hi < low || lo > high:
		return Differs
	}
	return Undecided
}

// below judges whether the interval lies below a bound.
func (e estimate) below(bound float64) string {
	lo, hi := e.interval()
	switch {
	case hi < bound:
		return Agrees
	case lo >= bound:
		return Differs
	}
	return Undecided
}

// String is the number with its interval.
func (e estimate) String() string {
	lo, hi := e.interval()
	if lo != lo {
		return digits(e.value) + ", which has no interval"
	}
	return fmt.Sprintf("%s (%s to %s)", digits(e.value), digits(lo), digits(hi))
}

func digits(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// meanOf is the mean of a field at a point.
func meanOf(f study.Findings, field string, p study.Point) (estimate, study.Summary, error) {
	s, err := f.Summary(p, field)
	return estimate{value: s.Mean, se: s.StdErr, df: float64(s.N - 1)}, s, err
}

// valuesAt are the values of a field at a point, in the order of replications, nil if one is missing or they were not kept.
func valuesAt(f study.Findings, field string, p study.Point) (xs []float64) {
	switch f := f.(type) {
	case *study.Results:
		if all, err := f.Floats(p, field); err == nil && len(all) == f.Study.Replications {
			xs = all
		}
	case *study.Compact:
		for _, k := range f.Kept {
			if k.Point.Key() == p.Key() {
				for _, d := range k.Numbers[field].Values {
					xs = append(xs, float64(d))
				}
			}
		}
	}
	return xs
}

// nameOf is the name of the study.
func nameOf(f study.Findings) string {
	switch f := f.(type) {
	case *study.Results:
		return f.Study.Name
	case *study.Compact:
		return f.Study
	}
	return ""
}

// difference is the mean of a field at a less that at b: of pairs if all replications of both are there, which of a study that pairs
// them see the same data; else by Welch's approximation.
func difference(f study.Findings, field string, a, b study.Point) (estimate, error) {
	x, sx, err := meanOf(f, field, a)
	if err != nil {
		return estimate{}, err
	}
	y, sy, err := meanOf(f, field, b)
	if err != nil {
		return estimate{}, err
	}
	xs, ys := valuesAt(f, field, a), valuesAt(f, field, b)
	if len(xs) > 1 && len(xs) == len(ys) {
		d := make([]float64, len(xs))
		for i := range d {
			d[i] = xs[i] - ys[i]
		}
		mean, sd := stat.MeanStdDev(d, nil)
		n := float64(len(d))
		return estimate{mean, sd / math.Sqrt(n), n - 1, fmt.Sprintf("paired over %d replications", len(d))}, nil
	}
	vx, vy := x.se*x.se, y.se*y.se
	e := estimate{x.value - y.value, math.Sqrt(vx + vy), (vx + vy) * (vx + vy) / (vx*vx/x.df + vy*vy/y.df), ""}
	e.how = fmt.Sprintf("Welch's interval of %d and %d replications", sx.N, sy.N)
	return e, nil
}

// labels name two points by the parameters in which they differ.
func labels(a, b study.Point) (string, string) {
	text := func(p, o study.Point) string {
		var list []string
		for _, n := range p.Names() {
			v, _ := p.Value(n)
			if w, ok := o.Value(n); !ok || w != v {
				list = append(list, fmt.Sprint(v))
			}
		}
		return strings.Join(list, " ")
	}
	return text(a, b), text(b, a)
}

// common is what two points have in common, as text.
func common(a, b study.Point) string {
	var list []string
	for _, n := range a.Names() {
		v, _ := a.Value(n)
		if w, ok := b.Value(n); ok && w == v {
			list = append(list, fmt.Sprintf("%s=%v", n, v))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " at " + strings.Join(list, " ")
}

// means describes two means and their difference.
func means(f study.Findings, field string, a, b study.Point, d estimate) string {
	x, _, _ := meanOf(f, field, a)
	y, _, _ := meanOf(f, field, b)
	na, nb := labels(a, b)
	word := "less"
	if d.value > 0 {
		word = "more"
	}
	text := fmt.Sprintf("%s of %s is %s, of %s %s%s: ", field, na, digits(x.value), nb, digits(y.value), common(a, b))
	if d.value == 0 {
		return text + "no difference, " + d.how
	}
	lo, hi := d.interval()
	if d.value < 0 {
		lo, hi = -hi, -lo
	}
	if lo != lo {
		return fmt.Sprintf("%s%s %s, without an interval, %s", text, digits(math.Abs(d.value)), word, d.how)
	}
	return fmt.Sprintf("%s%s %s (%s to %s), %s", text, digits(math.Abs(d.value)), word, digits(lo), digits(hi), d.how)
}

// Less says that the mean of a field at a is less than at b. The interval of the difference decides, at 95%: that of pairs where
// all replications are there, else Welch's.
func Less(f study.Findings, field string, a, b study.Point) Check {
	d, err := difference(f, field, a, b)
	if err != nil {
		return Check{err: err}
	}
	return Check{verdict: d.below(0), found: means(f, field, a, b, d), measure: "the 95% interval of the difference of the means is below 0", from: nameOf(f)}
}

// Within says that the means of a field at a and b are equal within a tolerance: the interval of the difference lies in it.
func Within(f study.Findings, field string, a, b study.Point, tolerance float64) Check {
	d, err := difference(f, field, a, b)
	if err == nil && !(tolerance > 0) {
		err = fmt.Errorf("tolerance is %v, must be positive", tolerance)
	}
	if err != nil {
		return Check{err: err}
	}
	return Check{verdict: d.in(-tolerance, tolerance), found: means(f, field, a, b, d),
		measure: fmt.Sprintf("the 95%% interval of the difference of the means is within ±%v", tolerance), from: nameOf(f)}
}

// one says something of the mean of a field at a point.
func one(f study.Findings, field string, p study.Point, measure string, judge func(estimate) string) Check {
	e, _, err := meanOf(f, field, p)
	if err != nil {
		return Check{err: err}
	}
	return Check{verdict: judge(e), found: fmt.Sprintf("%s at %v is %v", field, p, e), measure: "the 95% interval of the mean is " + measure, from: nameOf(f)}
}

// Below says that the mean of a field at a point is below a bound.
func Below(f study.Findings, field string, p study.Point, bound float64) Check {
	return one(f, field, p, fmt.Sprintf("below %v", bound), func(e estimate) string { return e.below(bound) })
}

// Above says that the mean of a field at a point is above a bound.
func Above(f study.Findings, field string, p study.Point, bound float64) Check {
	return one(f, field, p, fmt.Sprintf("above %v", bound), func(e estimate) string {
		e.value = -e.value
		return e.below(-bound)
	})
}

// Near says that the mean of a field at a point is a number within a tolerance.
func Near(f study.Findings, field string, p study.Point, want, tolerance float64) Check {
	return one(f, field, p, fmt.Sprintf("within %v ± %v", want, tolerance), func(e estimate) string { return e.in(want-tolerance, want+tolerance) })
}

// Slope says that the logarithm of a field's mean falls or grows with that of the parameter x at a slope from lo to hi, over the
// points that match names and values, in turn as in study.NewPoint. The interval of the least-squares slope decides.
func Slope(f study.Findings, field, x string, lo, hi float64, pairs ...any) Check {
	var xs, ys []float64
	for _, p := range f.Points(pairs...) {
		e, _, err := meanOf(f, field, p)
		if err != nil {
			return Check{err: err}
		}
		v, ok := p.Value(x)
		at, err := strconv.ParseFloat(fmt.Sprint(v), 64)
		if !ok || err != nil {
			return Check{err: fmt.Errorf("the point %v has no number %s", p, x)}
		}
		if slices.Contains(xs, at) {
			return Check{err: fmt.Errorf("two points have %s %v: say which by further parameters", x, at)}
		}
		xs, ys = append(xs, at), append(ys, e.value)
	}
	s, err := study.LogLogSlope(xs, ys)
	if err != nil {
		return Check{err: err}
	}
	e := estimate{value: s.Slope, se: s.StdErr, df: float64(len(xs) - 2)}
	return Check{verdict: e.in(lo, hi), found: fmt.Sprintf("%s has the slope %v in %s over %d points", field, e, x, len(xs)),
		measure: fmt.Sprintf("the 95%% interval of the log-log slope is from %v to %v", lo, hi), from: nameOf(f)}
}

// Order says that the means of a field grow from each point to the next: that each is [Less] than the next.
func Order(f study.Findings, field string, points ...study.Point) Check {
	if len(points) < 2 {
		return Check{err: fmt.Errorf("an order is of 2 points at least, not %d", len(points))}
	}
	out := Check{verdict: Agrees, measure: "the 95% interval of the difference of each two neighbouring means is below 0", from: nameOf(f)}
	var texts []string
	for i, p := range points[1:] {
		k := Less(f, field, points[i], p)
		if k.err != nil {
			return k
		}
		texts = append(texts, k.found)
		if k.verdict == Differs || k.verdict == Undecided && out.verdict == Agrees {
			out.verdict = k.verdict
		}
	}
	out.found = strings.Join(texts, "; ")
	return out
}
