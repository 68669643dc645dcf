package study

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
)

// Results are the records of a study, in the order of its points and replications.
type Results struct {
	Study    *Study
	Failures []*Failure
	Missing  int      // replications without an outcome
	Notes    []string // what a reader should know about the file of records
	Made     []string // what made the records that Load read, as "go1.26.8 on amd64 (revision f407262c1a5d)"
	rows     []row
	from     []int // rows[from[i]:from[i+1]] are those of point i
	gaps     []int // of the replications of point i so many are missing
}

type row struct {
	point   int
	rep     int
	record  Record
	seconds float64
}

// Len returns the number of records.
func (r *Results) Len() int { return len(r.rows) }

// SecondsLeft returns how long the missing replications take one after the other, roughly: each as long as the others of its
// point took on average, or where a point has none yet as long as the study says or, if it does not, as all took on average.
func (r *Results) SecondsLeft() float64 {
	all := 0.0
	for _, x := range r.rows {
		all += x.seconds / float64(len(r.rows))
	}
	if r.Study.Seconds > 0 {
		all = r.Study.Seconds
	}
	left := 0.0
	for i, missing := range r.gaps {
		each := all
		if rows := r.rows[r.from[i]:r.from[i+1]]; len(rows) > 0 {
			each = 0
			for _, x := range rows {
				each += x.seconds / float64(len(rows))
			}
		}
		left += float64(missing) * each
	}
	return left
}

// Row returns record i with its point and replication.
func (r *Results) Row(i int) (Point, int, Record) {
	x := r.rows[i]
	return r.Study.Points[x.point], x.rep, x.record
}

// Points returns the points of the study that match the given names and values, in turn as in NewPoint. An integer matches the
// float of the same value. Points panics when no point matches, and says which name or value there is none of.
func (r *Results) Points(pairs ...any) []Point {
	out, err := r.matching(pairs)
	if err != nil {
		panic(err)
	}
	return out
}

func (r *Results) matching(pairs []any) ([]Point, error) {
	return matching(r.Study.Name, r.Study.Points, pairs)
}

// Floats returns a numeric field of all replications of a point, in order. Bools are 0 and 1.
func (r *Results) Floats(p Point, field string) ([]float64, error) {
	records, err := r.at(p)
	if err != nil {
		return nil, err
	}
	var out []float64
	for _, rec := range records {
		x, err := number(rec, field)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// Paths returns a []float64 field of all replications of a point, one row a replication.
func (r *Results) Paths(p Point, field string) ([][]float64, error) {
	records, err := r.at(p)
	if err != nil {
		return nil, err
	}
	var out [][]float64
	for _, rec := range records {
		x, ok := rec[field].([]float64)
		if !ok {
			return nil, fmt.Errorf("study: field %s is a %T, must be a []float64", field, rec[field])
		}
		out = append(out, x)
	}
	return out, nil
}

// at returns the records of a point, those of a shard or an unfinished run included.
func (r *Results) at(p Point) ([]Record, error) {
	i, err := find(r.Study.Name, r.Study.Points, p)
	if err != nil {
		return nil, err
	}
	var out []Record
	for _, x := range r.rows[r.from[i]:r.from[i+1]] {
		out = append(out, x.record)
	}
	return out, nil
}

func number(rec Record, field string) (float64, error) {
	switch x := rec[field].(type) {
	case float64:
		return x, nil
	case int:
		return float64(x), nil
	case bool:
		if x {
			return 1, nil
		}
		return 0, nil
	case nil:
		return 0, fmt.Errorf("study: the records have no field %s", field)
	}
	return 0, fmt.Errorf("study: field %s is a %T, must be a number", field, rec[field])
}

// WriteCSV writes a table: parameters, replication, fields, and the seconds that each replication took as the last column.
// A []float64 field takes a line for each of its elements, numbered from 0 in the column index; other fields repeat. All but
// the seconds are the same bytes for every run of the study.
func (r *Results) WriteCSV(w io.Writer, seconds bool) error {
	out := csv.NewWriter(w)
	params := paramsOf(r.Study.Points)
	fields, paths := r.fields()
	head := append(slices.Clone(params), "replication")
	if paths {
		head = append(head, "index")
	}
	head = append(head, fields...)
	if seconds {
		head = append(head, "seconds")
	}
	out.Write(head)
	for _, x := range r.rows {
		for i := range x.lines() {
			line := make([]string, 0, len(head))
			for _, name := range params {
				v, _ := r.Study.Points[x.point].Value(name)
				line = append(line, text(v, 0))
			}
			line = append(line, strconv.Itoa(x.rep))
			if paths {
				line = append(line, strconv.Itoa(i))
			}
			for _, f := range fields {
				line = append(line, text(x.record[f], i))
			}
			if seconds {
				line = append(line, strconv.FormatFloat(x.seconds, 'g', 4, 64))
			}
			out.Write(line)
		}
	}
	out.Flush()
	return out.Error()
}

// lines is how many lines of a table a record takes.
func (x row) lines() int {
	n := 1
	for _, v := range x.record {
		if path, ok := v.([]float64); ok {
			n = max(n, len(path))
		}
	}
	return n
}

// fields are the names of all fields, sorted, and whether one is a path.
func (r *Results) fields() (names []string, paths bool) {
	set := map[string]bool{}
	for _, x := range r.rows {
		for f, v := range x.record {
			set[f] = true
			_, isPath := v.([]float64)
			paths = paths || isPath
		}
	}
	return slices.Sorted(maps.Keys(set)), paths
}

func text(v any, i int) string {
	switch x := v.(type) {
	case nil:
		return ""
	case []float64:
		if i >= len(x) {
			return ""
		}
		return strconv.FormatFloat(x[i], 'g', -1, 64)
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// NumberFields returns the names of the fields that hold a number or a bool in every record, sorted.
func (r *Results) NumberFields() []string {
	names, _ := r.fields()
	return slices.DeleteFunc(names, func(f string) bool {
		return slices.ContainsFunc(r.rows, func(x row) bool {
			_, err := number(x.record, f)
			return err != nil
		})
	})
}
