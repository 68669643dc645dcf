package dataset

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// ReadLIBSVM reads binary classification data in LIBSVM's format, one point a
// line: "label index:value index:value ...", with indices from 1, increasing,
// and absent ones 0. There must be two distinct labels at most; the larger one
// becomes 1, the smaller 0 (a single positive label becomes 1). A constant
// column is appended.
func ReadLIBSVM(r io.Reader, name string) (*Classification, error) {
	if r == nil {
		return nil, fmt.Errorf("dataset: %s: the reader is nil", name)
	}
	var labels []float64
	var points [][]entry
	d := 0
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, 1<<24)
	for line := 1; scan.Scan(); line++ {
		label, entries, err := parseLIBSVM(scan.Text())
		if err != nil {
			return nil, fmt.Errorf("dataset: %s, line %d: %w", name, line, err)
		}
		if entries == nil {
			continue
		}
		if len(entries) > 0 {
			d = max(d, entries[len(entries)-1].index)
		}
		labels, points = append(labels, label), append(points, entries)
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("dataset: %s: %w", name, err)
	}
	if len(labels) == 0 {
		return nil, fmt.Errorf("dataset: %s has no points", name)
	}
	out := &Classification{Name: name, X: mat.NewDense(len(labels), d+1, nil)}
	for i, entries := range points {
		for _, e := range entries {
			out.X.Set(i, e.index-1, e.value)
		}
	}
	var err error
	out.Y, err = binary(labels, name)
	appendOnes(out.X)
	return out, err
}

// ReadCSV reads binary classification data from comma-separated values with
// the label in the given column (negative: counted from the end, -1 is the
// last). A first record that is no number anywhere is a header and skipped.
// Labels are treated as by [ReadLIBSVM]; a constant column is appended.
func ReadCSV(r io.Reader, name string, label int) (*Classification, error) {
	if r == nil {
		return nil, fmt.Errorf("dataset: %s: the reader is nil", name)
	}
	reader := csv.NewReader(r)
	reader.TrimLeadingSpace = true
	records, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("dataset: %s: %w", name, err)
	}
	if len(records) > 0 && isHeader(records[0]) {
		records = records[1:]
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("dataset: %s has no points", name)
	}
	columns := len(records[0])
	if label < 0 {
		label += columns
	}
	if label < 0 || label >= columns || columns < 2 {
		return nil, fmt.Errorf("dataset: %s: label column does not exist, there are %d columns", name, columns)
	}
	out := &Classification{Name: name, X: mat.NewDense(len(records), columns, nil)}
	labels := make([]float64, len(records))
	for i, record := range records {
		at := 0
		for j, field := range record {
			v, err := parseFinite(strings.TrimSpace(field))
			if err != nil {
				return nil, fmt.Errorf("dataset: %s, record %d, column %d is %q, must be a finite number", name, i+1, j+1, field)
			}
			if j == label {
				labels[i] = v
				continue
			}
			out.X.Set(i, at, v)
			at++
		}
	}
	out.Y, err = binary(labels, name)
	appendOnes(out.X)
	return out, err
}

// An entry is a coordinate of a point, its index from 1.
type entry struct {
	index int
	value float64
}

// parseLIBSVM reads a line; entries are nil for one without a point.
func parseLIBSVM(line string) (label float64, entries []entry, err error) {
	text, _, _ := strings.Cut(line, "#")
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return 0, nil, nil
	}
	if label, err = parseFinite(fields[0]); err != nil {
		return 0, nil, fmt.Errorf("label is %q, must be a finite number", fields[0])
	}
	entries = make([]entry, 0, len(fields)-1)
	last := 0
	for _, f := range fields[1:] {
		index, value, ok := strings.Cut(f, ":")
		j, err1 := strconv.Atoi(index)
		v, err2 := parseFinite(value)
		if !ok || err1 != nil || err2 != nil {
			return 0, nil, fmt.Errorf("entry is %q, must be index:value", f)
		}
		if j <= last {
			return 0, nil, fmt.Errorf("index %d follows %d, must increase from 1", j, last)
		}
		last = j
		entries = append(entries, entry{j, v})
	}
	return label, entries, nil
}

func parseFinite(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = strconv.ErrRange
	}
	return v, err
}

func isHeader(record []string) bool {
	for _, f := range record {
		if _, err := strconv.ParseFloat(strings.TrimSpace(f), 64); err == nil {
			return false
		}
	}
	return true
}

func appendOnes(X *mat.Dense) {
	n, d := X.Dims()
	for i := range n {
		X.Set(i, d-1, 1)
	}
}

// binary maps two distinct labels to 0 and 1.
func binary(labels []float64, name string) ([]float64, error) {
	lo, hi := labels[0], labels[0]
	for _, v := range labels {
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	out := make([]float64, len(labels))
	for i, v := range labels {
		switch {
		case v == hi && (hi > lo || hi > 0):
			out[i] = 1
		case v == lo:
		default:
			return nil, fmt.Errorf("dataset: %s has the labels %v, %v and %v, must have two", name, lo, v, hi)
		}
	}
	return out, nil
}
