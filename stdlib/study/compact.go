package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"gaucho/stdlib/vec"
)

// A Compact is what is kept of a finished study when its records are thrown away: at every point, what the replications
// say about every number, and about every path at some of its places. The same records make the same bytes. It draws the same curves as
// the Results that it was made from.
type Compact struct {
	Study        string         `json:"study"`
	Size         string         `json:"size,omitempty"` // of a study that is run at several sizes
	Version      string         `json:"version"`
	Seed         uint64         `json:"seed"`
	Replications int            `json:"replications"`
	Missing      int            `json:"missing,omitempty"` // replications without an outcome
	Failed       int            `json:"failed,omitempty"`  // replications that ended with an error
	Made         []string       `json:"made"`              // Go versions, architectures and the revisions of the program
	Kept         []CompactPoint `json:"points"`
}

// A CompactPoint is one setting of a study.
type CompactPoint struct {
	Point   Point                    `json:"point"`
	Numbers map[string]CompactNumber `json:"numbers"`
	Paths   map[string]CompactPath   `json:"paths,omitempty"`
}

// A CompactNumber summarises a number over the replications of a point.
type CompactNumber struct {
	N      int    `json:"n"`
	Median Digits `json:"median"`
	Q1     Digits `json:"q1"`
	Q3     Digits `json:"q3"`
	Mean   Digits `json:"mean"`
	StdErr Digits `json:"stderr"` // not a number for a single replication
	Min    Digits `json:"min"`
	Max    Digits `json:"max"`
	// Values are those of the replications in their order, for tests of pairs: if there are no more than 32 of them, at
	// least two, and none is missing. Records made by earlier programs do not have them.
	Values []Digits `json:"values,omitempty"`
}

const mostValues = 32

// A CompactPath is what the replications of a path say at no more than 50 of its places: median and mean, and the
// quartiles and the standard error of the mean over N replications, which records made by earlier programs do not have.
type CompactPath struct {
	N      int      `json:"n,omitempty"`
	Places []int    `json:"places"`
	Median []Digits `json:"median"`
	Mean   []Digits `json:"mean"`
	StdErr []Digits `json:"stderr,omitempty"`
	Q1     []Digits `json:"q1,omitempty"`
	Q3     []Digits `json:"q3,omitempty"`
}

const pathHalf = 25

// Digits is a number of which a file keeps six significant digits. What is not finite is a string there.
type Digits float64

// MarshalJSON rounds to six digits.
func (d Digits) MarshalJSON() ([]byte, error) {
	text := strconv.FormatFloat(float64(d), 'g', 6, 64)
	if math.IsNaN(float64(d)) || math.IsInf(float64(d), 0) {
		text = strconv.Quote(text)
	}
	return []byte(text), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *Digits) UnmarshalJSON(js []byte) error {
	f, err := strconv.ParseFloat(string(bytes.Trim(js, `"`)), 64)
	*d = Digits(f)
	return err
}

// NewCompact makes the compact record of a study from its results, without the points that have none yet. It fails when there
// are none at all.
func NewCompact(res *Results) (*Compact, error) {
	if res == nil || res.Study == nil {
		return nil, fmt.Errorf("study: results are nil")
	}
	s := res.Study
	c := &Compact{Study: s.Name, Version: s.Version, Seed: s.Seed,
		Replications: s.Replications, Missing: res.Missing, Failed: len(res.Failures), Made: res.Made}
	if res.Len() == 0 {
		return nil, fmt.Errorf("study: %s has no records", s.Name)
	}
	fields := recordFields(res)
	for _, p := range s.Points {
		if k := compactPoint(res, p, fields); len(k.Numbers)+len(k.Paths) > 0 {
			c.Kept = append(c.Kept, k)
		}
	}
	return c, nil
}

// recordFields are the names of the fields that some record has, sorted.
func recordFields(res *Results) []string {
	set := map[string]bool{}
	for i := range res.Len() {
		_, _, rec := res.Row(i)
		for name := range rec {
			set[name] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// compactPoint summarises those of the fields that are numbers or paths in all records of a point.
func compactPoint(res *Results, p Point, fields []string) CompactPoint {
	out := CompactPoint{Point: p, Numbers: map[string]CompactNumber{}, Paths: map[string]CompactPath{}}
	for _, field := range fields {
		if s, err := res.Summary(p, field); err == nil {
			n := CompactNumber{N: s.N, Median: Digits(s.Median), Q1: Digits(s.Q1), Q3: Digits(s.Q3), Mean: Digits(s.Mean), StdErr: Digits(s.StdErr), Min: Digits(s.Min), Max: Digits(s.Max)}
			if xs, err := res.Floats(p, field); err == nil && len(xs) == res.Study.Replications && 1 < len(xs) && len(xs) <= mostValues {
				for _, x := range xs {
					n.Values = append(n.Values, Digits(x))
				}
			}
			out.Numbers[field] = n
		} else if rows, err := res.Paths(p, field); err == nil && len(rows) > 0 {
			out.Paths[field] = compactPath(rows)
		}
	}
	return out
}

// compactPath summarises a path at some of the places that all rows have.
func compactPath(rows [][]float64) CompactPath {
	n := len(rows[0])
	for _, r := range rows {
		n = min(n, len(r))
	}
	out := CompactPath{N: len(rows), Places: pathPlaces(n)}
	for _, at := range out.Places {
		column := make([]float64, len(rows))
		for j, r := range rows {
			column[j] = r[at]
		}
		s := summarise(column)
		out.Median, out.Mean = append(out.Median, Digits(s.Median)), append(out.Mean, Digits(s.Mean))
		out.StdErr = append(out.StdErr, Digits(s.StdErr))
		out.Q1, out.Q3 = append(out.Q1, Digits(s.Q1)), append(out.Q3, Digits(s.Q3))
	}
	return out
}

// pathPlaces thins n places to 50 at most: half of them lie evenly, for a figure with a linear axis, half in equal
// proportions, for one with a logarithmic axis. The first and the last stay.
func pathPlaces(n int) []int {
	var out []int
	for i := range min(n, 2*pathHalf) {
		if n <= 2*pathHalf {
			out = append(out, i)
			continue
		}
		at := float64(i%pathHalf) / (pathHalf - 1)
		if i < pathHalf {
			out = append(out, int(math.Round(at*float64(n-1))))
		} else {
			out = append(out, int(math.Round(vec.Pow1(float64(n), at)))-1)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Marshal writes the record as JSON, a line a point.
func (c *Compact) Marshal() ([]byte, error) {
	head := *c
	head.Kept = nil
	js, err := json.MarshalIndent(head, "", " ")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(js, []byte("null\n}")))
	b.WriteString("[\n")
	for i, p := range c.Kept {
		line, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		b.Write(line)
		if i < len(c.Kept)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]}\n")
	return b.Bytes(), nil
}

// ParseCompact reads what Marshal wrote.
func ParseCompact(js []byte) (*Compact, error) {
	c := &Compact{}
	if err := json.Unmarshal(js, c); err != nil {
		return nil, fmt.Errorf("study: a compact record: %w", err)
	}
	return c, nil
}
