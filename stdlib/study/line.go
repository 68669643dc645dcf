package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

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

// A lineReader reads lines of a file of records. Nearly all are as appendLine writes them: quick reads these, and what it
// makes of a line counts only if appendLine writes that very line of it. All others are read as JSON.
type lineReader struct {
	*table
	names []string // of the fields of the last record, which are nearly always those of the next
	again []byte   // the line that was read last, written anew
}

// read reads a line. Written reports whether the line is what appendLine writes.
func (r *lineReader) read(line []byte) (e entry, written bool, err error) {
	if e, ok := r.quick(line); ok {
		n := r.study.Replications
		if r.again = r.appendLine(r.again[:0], e.at/n, e.at%n, &e.outcome); bytes.Equal(r.again, line) {
			return e, true, nil
		}
	}
	e, err = r.parse(line)
	return e, false, err
}

// quick reads a line that holds a record, trusting that appendLine wrote it.
func (r *lineReader) quick(line []byte) (e entry, ok bool) {
	point, rest, _ := bytes.Cut(line, []byte(`,"rep":`)) // a parameter of this name is no point of the study
	rep, rest, _ := bytes.Cut(rest, []byte(`,"record":{`))
	at := bytes.LastIndex(rest, []byte(`},"seconds":`))
	if at < 0 {
		return e, false
	}
	fields, tail := rest[:at], rest[at+len(`},"seconds":`):]
	i, known := r.texts[string(bytes.TrimPrefix(point, []byte(`{"point":`)))]
	n, err := strconv.Atoi(string(rep))
	if !known || err != nil || n < 0 || n >= r.study.Replications {
		return e, false
	}
	seconds, err := strconv.ParseFloat(string(bytes.TrimSuffix(tail, []byte("}\n"))), 32)
	if err != nil {
		return e, false
	}
	rec, ok := r.record(fields)
	return entry{i*r.study.Replications + n, outcome{record: rec, seconds: float32(seconds)}}, ok
}

// record reads the fields of a record, without its braces.
func (r *lineReader) record(fields []byte) (Record, bool) {
	rec := make(Record, len(r.names))
	for i := 0; len(fields) > 0; i++ {
		name, rest, ok := bytes.Cut(fields, []byte(`":`))
		if !ok {
			return nil, false
		}
		v, rest, ok := quickValue(rest)
		if !ok {
			return nil, false
		}
		rec[r.name(i, bytes.TrimPrefix(name, []byte(`"`)))] = v
		fields = bytes.TrimPrefix(rest, []byte(","))
	}
	return rec, true
}

// name makes a string of a field's name, the same one for record after record.
func (r *lineReader) name(i int, text []byte) string {
	if i >= len(r.names) {
		r.names = append(r.names, string(text))
	} else if r.names[i] != string(text) {
		r.names[i] = string(text)
	}
	return r.names[i]
}

// quickValue reads the value that b begins with, as readValue has it.
func quickValue(b []byte) (v any, rest []byte, ok bool) {
	if text, isText := bytes.CutPrefix(b, []byte(`"`)); isText {
		text, rest, ok = bytes.Cut(text, []byte(`"`))
		v, err := readValue(string(text), true)
		return v, rest, ok && err == nil
	}
	if list, isList := bytes.CutPrefix(b, []byte(`[`)); isList {
		list, rest, ok = bytes.Cut(list, []byte(`]`))
		path, okay := quickPath(list)
		return path, rest, ok && okay
	}
	n := bytes.IndexByte(b, ',')
	if n < 0 {
		n = len(b)
	}
	text, rest := b[:n], b[n:]
	switch {
	case string(text) == "true" || string(text) == "false":
		return string(text) == "true", rest, true
	case bytes.ContainsAny(text, ".e"):
		f, err := strconv.ParseFloat(string(text), 64)
		return f, rest, err == nil
	}
	i, err := strconv.Atoi(string(text))
	return i, rest, err == nil
}

func quickPath(list []byte) ([]float64, bool) {
	path := make([]float64, 0, bytes.Count(list, []byte(","))+1)
	for len(list) > 0 {
		text, rest, _ := bytes.Cut(list, []byte(","))
		f, err := strconv.ParseFloat(string(bytes.Trim(text, `"`)), 64)
		if err != nil {
			return nil, false
		}
		path, list = append(path, f), rest
	}
	return path, true
}

// parse reads a line of a file of records as JSON.
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
