package studies

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gaucho/stdlib/study"
)

// A Compact is what is kept of a finished study when its records are thrown away: at every point, what the replications
// say about every number, and the middle of every path. The same records make the same bytes.
type Compact struct {
	Study        string         `json:"study"`
	Size         Size           `json:"size"`
	Version      string         `json:"version"`
	Seed         uint64         `json:"seed"`
	Replications int            `json:"replications"`
	Missing      int            `json:"missing,omitempty"` // replications without an outcome
	Failed       int            `json:"failed,omitempty"`  // replications that ended with an error
	Made         []string       `json:"made"`              // Go versions and architectures
	Points       []CompactPoint `json:"points"`
}

// A CompactPoint is one setting of a study.
type CompactPoint struct {
	Point   study.Point              `json:"point"`
	Numbers map[string]CompactNumber `json:"numbers"`
	Paths   map[string]CompactPath   `json:"paths,omitempty"`
}

// A CompactNumber summarises a number over the replications of a point.
type CompactNumber struct {
	N      int   `json:"n"`
	Median digit `json:"median"`
	Q1     digit `json:"q1"`
	Q3     digit `json:"q3"`
	Mean   digit `json:"mean"`
	StdErr digit `json:"stderr"` // not a number for a single replication
	Min    digit `json:"min"`
	Max    digit `json:"max"`
}

// A CompactPath is the median and the mean over the replications of a path, at no more than pathPlaces of its places.
type CompactPath struct {
	Places []int   `json:"places"`
	Median []digit `json:"median"`
	Mean   []digit `json:"mean"`
}

const pathPlaces = 50

// A digit is a number of which six significant digits are kept. What is not finite is a string.
type digit float64

func (d digit) MarshalJSON() ([]byte, error) {
	text := strconv.FormatFloat(float64(d), 'g', 6, 64)
	if math.IsNaN(float64(d)) || math.IsInf(float64(d), 0) {
		text = strconv.Quote(text)
	}
	return []byte(text), nil
}

func (d *digit) UnmarshalJSON(js []byte) error {
	f, err := strconv.ParseFloat(string(bytes.Trim(js, `"`)), 64)
	*d = digit(f)
	return err
}

// NewCompact makes the compact record of a study of the given size from its results. The small size is refused: it shows
// that a study runs, and nothing is to be concluded from it.
func NewCompact(res *study.Results, size Size) (*Compact, error) {
	s := res.Study
	c := &Compact{Study: strings.TrimSuffix(s.Name, "."+string(size)), Size: size, Version: s.Version, Seed: s.Seed,
		Replications: s.Replications, Missing: res.Missing, Failed: len(res.Failures), Made: res.Made}
	switch {
	case size == Small:
		return nil, fmt.Errorf("studies: size is %s, must be default or paper: the small one shows only that %s runs", size, s.Name)
	case res.Len() == 0:
		return nil, fmt.Errorf("studies: %s has no records", s.Name)
	}
	fields := recordFields(res)
	for _, p := range s.Points {
		c.Points = append(c.Points, newPoint(res, p, fields))
	}
	return c, nil
}

// recordFields are the names of the fields that some record has, sorted.
func recordFields(res *study.Results) []string {
	set := map[string]bool{}
	for i := range res.Len() {
		_, _, rec := res.Row(i)
		for name := range rec {
			set[name] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// newPoint summarises those of the fields that are numbers or paths in all records of a point.
func newPoint(res *study.Results, p study.Point, fields []string) CompactPoint {
	out := CompactPoint{Point: p, Numbers: map[string]CompactNumber{}, Paths: map[string]CompactPath{}}
	for _, field := range fields {
		if s, err := res.Summary(p, field); err == nil {
			out.Numbers[field] = CompactNumber{s.N, digit(s.Median), digit(s.Q1), digit(s.Q3), digit(s.Mean), digit(s.StdErr), digit(s.Min), digit(s.Max)}
		} else if rows, err := res.Paths(p, field); err == nil && len(rows) > 0 {
			out.Paths[field] = newPath(rows)
		}
	}
	return out
}

// newPath summarises a path at the places that all rows have, thinned evenly; the first and the last stay.
func newPath(rows [][]float64) CompactPath {
	n := len(rows[0])
	for _, r := range rows {
		n = min(n, len(r))
	}
	var out CompactPath
	keep := min(n, pathPlaces)
	for i := range keep {
		at := i
		if n > keep {
			at = int(math.Round(float64(i) * float64(n-1) / float64(keep-1)))
		}
		column, sum := make([]float64, len(rows)), 0.0
		for j, r := range rows {
			column[j] = r[at]
			sum += r[at]
		}
		slices.Sort(column)
		half := len(column) / 2
		median := column[half]
		if len(column)%2 == 0 {
			median = (column[half-1] + column[half]) / 2
		}
		out.Places = append(out.Places, at)
		out.Median, out.Mean = append(out.Median, digit(median)), append(out.Mean, digit(sum/float64(len(rows))))
	}
	return out
}

// Marshal writes the record as JSON, a line a point.
func (c *Compact) Marshal() ([]byte, error) {
	head := *c
	head.Points = nil
	js, err := json.MarshalIndent(head, "", " ")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(js, []byte("null\n}")))
	b.WriteString("[\n")
	for i, p := range c.Points {
		line, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		b.Write(line)
		if i < len(c.Points)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]}\n")
	return b.Bytes(), nil
}

// ReadCompact reads the compact record of a study from a folder. Its error is fs.ErrNotExist when there is none.
func ReadCompact(dir, name string) (*Compact, error) {
	js, err := os.ReadFile(filepath.Join(dir, name+".json"))
	if err != nil {
		return nil, err
	}
	c := &Compact{}
	if err := json.Unmarshal(js, c); err != nil {
		return nil, fmt.Errorf("studies: %s.json: %w", name, err)
	}
	if c.Study != name || !slices.Contains(Sizes, c.Size) {
		return nil, fmt.Errorf("studies: %s.json holds the study %q at size %q", name, c.Study, c.Size)
	}
	return c, nil
}

// WriteFile writes the record to NAME.json in a folder, which it makes if need be. A record of a larger size is not
// replaced.
func (c *Compact) WriteFile(dir string) (path string, err error) {
	path = filepath.Join(dir, c.Study+".json")
	old, err := ReadCompact(dir, c.Study)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", err
	case old.Version == c.Version && slices.Index(Sizes, old.Size) > slices.Index(Sizes, c.Size):
		return "", fmt.Errorf("studies: %s is of size %s; remove it to keep the %s one", path, old.Size, c.Size)
	}
	js, err := c.Marshal()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, js, 0o666)
}
