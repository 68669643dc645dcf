package table_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gaucho/stdlib/table"
)

func TestJSON(t *testing.T) {
	const want = `name    n        x  ok     day         at.city  at.zip  tags
   string  int  float64  bool   time.Time   string      int  string
0  a         1      0.5  true   2024-01-02  Bonn      53111  –
1  b         –      2.0  –      –           –             –  ["u",1]
2  "ü"     -40      –    false  2024-03-04  Köln          –  []
3 rows, 8 columns`
	for _, text := range []string{
		`{"name":"a","n":1,"x":0.5,"ok":true,"day":"2024-01-02","at":{"city":"Bonn","zip":53111}}
{"name":"b","n":null,"x":2,"tags":["u",1]}

{"x":null,"tags":[],"name":"\"\u00fc\"","n":-40,"ok":false,"day":"2024-03-04","at":{"city":"Köln"}}
`,
		"[" + `{"name":"a","n":1,"x":0.5,"ok":true,"day":"2024-01-02","at":{"city":"Bonn","zip":53111}},
{"name":"b","n":null,"x":2,"tags":["u",1]},{"x":null,"tags":[],"name":"\"\u00fc\"","n":-40,"ok":false,"day":"2024-03-04","at":{"city":"Köln"}}]`,
	} {
		got, err := table.ParseJSON(strings.NewReader(text), "t.json")
		if err != nil {
			t.Fatal(err)
		}
		if !equalText(got.String(), want) {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// equalText compares text up to spaces.
func equalText(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}

func TestJSONErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{\"x\":1}\n{\"x\":\"a\"}\n":              "table: t.json, line 2: column x: a value of type string among values of type int",
		"{\"x\":1}\n\n{\"x\":tru}\n":              "table: t.json, line 3: column x: invalid character",
		"{\"x\":1,\n\"x\":2}":                     "table: t.json, line 2: column x: twice in a record",
		"3\n":                                     "table: t.json, line 1: 3, each record must be an object",
		"[{\"x\":1},2]":                           "2, each record must be an object",
		"{\"x\":1}\n{\"x\":99999999999999999999}": "table: t.json, line 2: column x: 99999999999999999999 does not fit into an int; write it as text",
		"{\"x\":1e999}":                           "1e999 does not fit into a float64",
		"{\"x\":1":                                "line 1: the text ends in the middle of a record",
		"[{\"x\":1}":                              "the text ends in the middle of a record",
		"[{\"x\":1}] 3":                           "text after the end of the records",
	} {
		_, err := table.ParseJSON(strings.NewReader(text), "t.json")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	inf, _ := table.From(map[string][]float64{"x": {1, math.Inf(1)}})
	if err := inf.WriteJSON(filepath.Join(t.TempDir(), "x.json")); err == nil || !strings.Contains(err.Error(), "column x, row 1: +Inf, which JSON does not have") {
		t.Error(err)
	}
}

// TestJSONRoundTrip: what is written is read again with the same types, compressed or not.
func TestJSONRoundTrip(t *testing.T) {
	visits := load(t, "visits.csv")
	visits = visits.With("note", slicesOf(visits.Len(), "say \"hi\" <b>\n ü")).Derive("late", func(r table.Row) any {
		if r.Index()%7 == 0 {
			return nil
		}
		return r.Index()%2 == 0
	})
	for _, name := range []string{"v.jsonl", "v.jsonl.gz"} {
		path := filepath.Join(t.TempDir(), name)
		if err := visits.WriteJSON(path); err != nil {
			t.Fatal(err)
		}
		back, err := table.LoadJSON(path)
		if err != nil {
			t.Fatal(err)
		}
		same(t, back, visits)
		for _, c := range visits.Names() {
			if back.Column(c).Kind() != visits.Column(c).Kind() {
				t.Errorf("%s is a %s, was a %s", c, back.Column(c).Kind(), visits.Column(c).Kind())
			}
		}
	}
}

func slicesOf[T any](n int, v T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = v
	}
	return out
}
