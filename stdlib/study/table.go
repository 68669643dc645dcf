package study

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
