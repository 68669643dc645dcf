package studies

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"gaucho/stdlib/study"
)

// A Claim is something that a paper says or shows, with what decides whether it comes out here: a study, whose compact
// record Judge looks at, or a test. A claim with neither is not reproduced, and Tried says why.
type Claim struct {
	ID        string // short, as yang-2.3-floor
	Source    Source
	Place     string   // a figure, a section, a theorem
	Items     []string // those of the source's numbered items that it is about, as in sourceItems
	Ours      bool     // the paper does not say it: it is asked here because of what the paper says
	Statement string   // what the paper says, in its strength; its own words are in quotation marks
	Measure   string   // what is measured, and the bound with its origin
	Departs   string   // where what is run departs from the source, whatever comes out
	Study     string
	Test      string // as em.TestForgetting: the package under stdlib and the test
	Bench     string // as herding -times: the directory under bench, and its flags, of a program that measures it
	Measured  string // what that program or test printed, and on which machine where that matters
	Notebook  string // as em#Figure 2.3: two errors: the file in notebooks/papers and a heading in it
	Judge     func(e *Evidence) (found string, agrees bool)
	Tried     string // what was tried, for when the claim does not come out; without study and test, what is missing
}

// A Source is one of the documents that Gaucho reproduces.
type Source string

const (
	lacosteJulien Source = "Lacoste-Julien, Lindsten and Bach, Sequential kernel herding: Frank-Wolfe optimization for particle filtering, 2015"
	khanna        Source = "Khanna, Hodgkinson and Mahoney, Geometric rates of convergence for kernel-based sampling algorithms, 2021"
	yang          Source = "Yang, Statistics meets optimization: computational guarantees for statistical learning algorithms, 2018"
	dai           Source = "Dai, Learning over functions, distributions and dynamics, 2018"
)

// Sources lists the documents in the order of the page.
var Sources = []Source{lacosteJulien, khanna, yang, dai}

// Claims returns all claims, in the order of the page within each source.
func Claims() []Claim {
	return slices.Concat(mixtureClaims, filterClaims, weightedClaims, emClaims, boostingClaims, mabfdrClaims, functionsClaims, distributionClaims, dynamicsClaims, controlClaims)
}

// A Verdict says what became of a claim.
type Verdict string

// Agrees, Differs: a study was run, and the claim came out or not. Tested: a test of the library checks it, and fails
// when it does not hold. Timed: a statement about time; what a benchmark found once is given, as no record can.
// NotRun: nothing decides it yet.
const (
	Agrees  Verdict = "agrees"
	Differs Verdict = "does not"
	Tested  Verdict = "tested"
	Timed   Verdict = "timed"
	NotRun  Verdict = "not run"
)

// Decide looks at the compact records in a directory. It returns the record that it used, if there is one.
func (c *Claim) Decide(dir string) (found string, v Verdict, from *study.Compact, err error) {
	switch {
	case c.Test != "":
		return c.Measured, Tested, nil, nil
	case c.Bench != "":
		return c.Measured, Timed, nil, nil
	case c.Study == "":
		return c.Tried, NotRun, nil, nil
	}
	from, err = ReadCompact(dir, c.Study)
	if errors.Is(err, fs.ErrNotExist) {
		return "No records yet.", NotRun, nil, nil
	}
	if err != nil {
		return "", "", nil, err
	}
	s, err := Get(c.Study, Size(from.Size))
	if err != nil {
		return "", "", nil, err
	}
	if s.Version != from.Version {
		return fmt.Sprintf("The records are of version %s of the study, which is now at %s.", from.Version, s.Version), NotRun, from, nil
	}
	e := &Evidence{compact: from, dir: dir}
	found, agrees := c.Judge(e)
	switch {
	case e.missing != "":
		return "The records at this size have no " + e.missing + ".", NotRun, from, nil
	case agrees:
		return found, Agrees, from, nil
	}
	return found, Differs, from, nil
}

// Evidence is what a claim is judged by: the compact record of its study.
type Evidence struct {
	compact *study.Compact
	dir     string
	missing string // the first thing that was asked for and is not there
}

// with returns the evidence of another study, for a claim that compares two. What lacks there lacks here.
func (e *Evidence) with(name string, judge func(o *Evidence)) {
	c, err := ReadCompact(e.dir, name)
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
func (e *Evidence) at(field string, match ...any) CompactNumber {
	if p := e.point(match); p != nil {
		if n, ok := p.Numbers[field]; ok {
			return CompactNumber{n}
		}
		e.lack(field, match)
	}
	return CompactNumber{}
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
func (e *Evidence) least(field string, match ...any) CompactNumber {
	best := CompactNumber{study.CompactNumber{Mean: digit(math.Inf(1))}}
	for _, p := range e.compact.Kept {
		if n, ok := p.Numbers[field]; ok && p.Point.Matches(match...) && n.Mean < best.Mean {
			best.CompactNumber = n
		}
	}
	if best.N == 0 {
		e.lack(field, match)
	}
	return best
}

// chosen returns a field at that point, of those that match, at which another field has the least mean.
func (e *Evidence) chosen(field, by string, match ...any) CompactNumber {
	least := digit(math.Inf(1))
	var out CompactNumber
	for _, p := range e.compact.Kept {
		if n, ok := p.Numbers[by]; ok && p.Point.Matches(match...) && n.Mean < least {
			least, out.CompactNumber = n.Mean, p.Numbers[field]
		}
	}
	if out.N == 0 {
		e.lack(field+" by "+by, match)
	}
	return out
}

func (e *Evidence) point(match []any) *study.CompactPoint {
	var found *study.CompactPoint
	for i, p := range e.compact.Kept {
		if p.Point.Matches(match...) {
			if found != nil {
				panic(fmt.Sprintf("studies: %s has more than one point %v", e.compact.Study, study.NewPoint(match...)))
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

// A CompactNumber is a number of a compact record, which says itself as text.
type CompactNumber struct{ study.CompactNumber }

type digit = study.Digits

// median is a median with the quartiles, as text.
func (n CompactNumber) median() string {
	if n.N == 1 {
		return fmt.Sprintf("%.3g", n.Median)
	}
	return fmt.Sprintf("%.3g (%.3g to %.3g)", n.Median, n.Q1, n.Q3)
}

// mean is a mean with its standard error, as text.
func (n CompactNumber) mean() string {
	if n.N == 1 || n.StdErr == 0 {
		return significant(n.Mean, 3)
	}
	return significant(n.Mean, 3) + " ± " + significant(n.StdErr, 1)
}

// significant writes x with so many significant digits, without an exponent where x is in the thousands.
func significant(x digit, digits int) string {
	s := strconv.FormatFloat(float64(x), 'g', digits, 64)
	if math.Abs(float64(x)) < 1e5 && strings.Contains(s, "e+") {
		rounded, _ := strconv.ParseFloat(s, 64)
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	return s
}

// falling reports that each number is below the one before.
func falling(xs ...digit) bool {
	for i := 1; i < len(xs); i++ {
		if !(xs[i] < xs[i-1]) {
			return false
		}
	}
	return true
}

// within reports that x is from lo to hi.
func within(x, lo, hi float64) bool { return x >= lo && x <= hi }

// listed joins name and text of each in turn: a 1, b 2.
func listed(names []string, text func(name string) string) string {
	var out []string
	for _, n := range names {
		out = append(out, n+" "+text(n))
	}
	return strings.Join(out, ", ")
}
