package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// A table holds the outcomes of a study by point and replication: outcome at[p*replications+r] is that of point p,
// replication r.
type table struct {
	study *Study
	points
	at []outcome
}

// An outcome is what one replication ended with. The zero value is none yet.
type outcome struct {
	record  Record
	err     string // of one that failed
	seconds float32
}

func (o *outcome) exists() bool { return o.record != nil || o.err != "" }

func newTable(s *Study) *table {
	return &table{study: s, points: newPoints(s), at: make([]outcome, len(s.Points)*s.Replications)}
}

// An entry is an outcome with its place in the table, -1 for a point or a replication that the study does not have.
type entry struct {
	at int
	outcome
}

func (t *table) put(e entry) { t.at[e.at] = e.outcome }

// points are the points of a study, prepared for speed.
type points struct {
	lines   [][]byte       // how a record of the point begins: {"point":{...},"rep":
	keys    []string       // Point.Key
	streams [][]byte       // what the random streams of the point's replications begin with
	places  map[string]int // by key
	texts   map[string]int // by the text of the point in a line, which is nearly always that of lines
}

func newPoints(s *Study) points {
	ps := points{places: map[string]int{}, texts: map[string]int{}}
	for i, p := range s.Points {
		js, _ := p.MarshalJSON()
		ps.lines = append(ps.lines, append(append([]byte(`{"point":`), js...), `,"rep":`...))
		ps.keys = append(ps.keys, p.Key())
		ps.streams = append(ps.streams, s.stream(p))
		ps.places[ps.keys[i]] = i
		ps.texts[string(js)] = i
	}
	return ps
}

// place finds a point by its text in a line.
func (ps *points) place(js []byte) (int, error) {
	if i, ok := ps.texts[string(js)]; ok {
		return i, nil
	}
	var p Point
	if err := p.UnmarshalJSON(js); err != nil {
		return 0, err
	}
	if i, ok := ps.places[p.Key()]; ok {
		return i, nil
	}
	return -1, nil
}

// appendLine writes an outcome as a line of a file of records.
func (ps *points) appendLine(b []byte, point, rep int, o *outcome) []byte {
	b = append(b, ps.lines[point]...)
	b = strconv.AppendInt(b, int64(rep), 10)
	if o.err != "" {
		b = append(b, `,"error":`...)
		b = appendString(b, o.err)
	} else {
		b = append(b, `,"record":`...)
		b = o.record.appendJSON(b)
	}
	b = append(b, `,"seconds":`...)
	b = strconv.AppendFloat(b, float64(o.seconds), 'g', 4, 32)
	return append(b, "}\n"...)
}

// parse reads a line of a file of records.
func (t *table) parse(line []byte) (entry, error) {
	var e struct {
		Point   json.RawMessage `json:"point"`
		Rep     int             `json:"rep"`
		Record  Record          `json:"record"`
		Error   string          `json:"error"`
		Seconds float32         `json:"seconds"`
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		return entry{}, err
	}
	if rest := bytes.TrimSpace(line[dec.InputOffset():]); len(rest) > 0 {
		return entry{}, fmt.Errorf("%.80q comes after a record on the same line", rest)
	}
	if e.Record == nil && e.Error == "" {
		return entry{}, fmt.Errorf("%.80q holds neither a record nor an error", bytes.TrimSpace(line))
	}
	point, err := t.place(e.Point)
	if err != nil {
		return entry{}, err
	}
	out := entry{-1, outcome{e.Record, e.Error, e.Seconds}}
	if point >= 0 && e.Rep >= 0 && e.Rep < t.study.Replications {
		out.at = point*t.study.Replications + e.Rep
	}
	return out, nil
}

// results puts outcomes in the order of points and replications.
func (t *table) results() *Results {
	s := t.study
	res := &Results{Study: s, from: make([]int, 1, len(s.Points)+1)}
	for i, p := range s.Points {
		before := res.Missing
		for rep := range s.Replications {
			switch o := &t.at[i*s.Replications+rep]; {
			case !o.exists():
				res.Missing++
			case o.err != "":
				res.Failures = append(res.Failures, s.failure(p, rep, o.err))
			default:
				res.rows = append(res.rows, row{i, rep, o.record, float64(o.seconds)})
			}
		}
		res.from, res.gaps = append(res.from, len(res.rows)), append(res.gaps, res.Missing-before)
	}
	return res
}
