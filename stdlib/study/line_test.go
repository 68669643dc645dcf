package study

import (
	"bytes"
	"fmt"
	"math"
	"testing"
)

// TestQuickLines: lines as a study writes them are read without JSON, and hold what JSON says of them. Others are left to JSON.
func TestQuickLines(t *testing.T) {
	s := coin(flip)
	s.Points = append(s.Points, NewPoint("method", "é\"", "n", -1, "bias", 0.5))
	r := lineReader{table: newTable(s)}
	for want, records := range map[bool][]Record{
		true: {
			{"x": 1.0}, {"x": 1, "y": math.Copysign(0, -1)}, {"x": math.Inf(1)}, {"x": true, "y": false, "z": "a,b}]"}, {},
			{"x": 1e300, "path": []float64{1, 0.5, math.NaN(), math.Inf(-1)}, "none": []float64{}},
		},
		false: {{"x": "a\"b"}, {"a<b": 1}},
	} {
		for _, rec := range records {
			for point := range s.Points {
				line := r.appendLine(nil, point, 7, &outcome{record: rec, seconds: 0.001234})
				if _, written, err := r.read(line); err != nil || written != want {
					t.Errorf("%s is read quickly: %v, want %v, %v", line, written, want, err)
				}
				sameAsJSON(t, &r, line)
			}
		}
	}
}

// sameAsJSON checks that a line is read as JSON reads it.
func sameAsJSON(t *testing.T, r *lineReader, line []byte) {
	t.Helper()
	got, _, err := r.read(line)
	want, werr := r.parse(line)
	if fmt.Sprintf("%#v %v", got, err) != fmt.Sprintf("%#v %v", want, werr) {
		t.Errorf("%q is read as %#v, %v, want %#v, %v", line, got, err, want, werr)
	}
}

// FuzzLine changes lines here and there.
func FuzzLine(f *testing.F) {
	s := coin(flip)
	ps := newTable(s)
	line := ps.appendLine(nil, 0, 3, &outcome{record: Record{"heads": 1, "end": 0.5, "path": []float64{0.5, 1}, "ok": true, "text": "NaN"}, seconds: 0.1})
	f.Add(line)
	for _, other := range []string{`"heads":01`, `"heads":-0`, `"heads":+1`, `"heads":0x1`, `"heads":1.`, `"heads":1_0.0`, `"heads":null`, `"end":0`, `"heads":"1"`} {
		f.Add(bytes.Replace(line, []byte(`"heads":1`), []byte(other), 1))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r := lineReader{table: newTable(s), names: []string{"end"}}
		sameAsJSON(t, &r, line)
	})
}

func BenchmarkLine(b *testing.B) {
	r := lineReader{table: newTable(coin(flip))}
	line := r.appendLine(nil, 0, 3, &outcome{record: Record{"heads": 11, "end": 0.123456789}, seconds: 0.1})
	b.Run("quick", func(b *testing.B) {
		for b.Loop() {
			r.read(line)
		}
	})
	b.Run("JSON", func(b *testing.B) {
		for b.Loop() {
			r.parse(line)
		}
	})
}
