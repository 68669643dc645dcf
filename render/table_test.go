package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// TestMapsTable: records as encoding/json decodes them are a table, with a column for each key.
func TestMapsTable(t *testing.T) {
	var records []map[string]any
	if err := json.Unmarshal([]byte(`[{"name":"Bern","height":540},{"name":"<Zürich>","height":408.25,"lake":true},{}]`), &records); err != nil {
		t.Fatal(err)
	}
	b := Bundle(records)
	want := "   height  lake  name\n0  540           Bern\n1  408.25  true  <Zürich>\n2\n[]map[string]any, 3 rows"
	if b["text/plain"] != want {
		t.Errorf("text:\n%s\nwant:\n%s", b["text/plain"], want)
	}
	if page, _ := b["text/html"].(string); !strings.Contains(page, "&lt;Zürich&gt;") || !strings.Contains(page, ">height<") {
		t.Errorf("page: %v", page)
	}
	for _, v := range []any{[]map[string]int{}, []map[string]int{{}}, []map[int]int{{1: 2}}, []any{map[string]int{"a": 1}, 3}} {
		if _, ok := Bundle(v)["text/html"]; ok {
			t.Errorf("%v is a table", v)
		}
	}
	if text := Bundle(make([]map[string]int, 2))["text/plain"].(string); !strings.Contains(text, "nil") {
		t.Errorf("two nil maps: %s", text)
	}
}

// TestTimesInTables: a date is a date.
func TestTimesInTables(t *testing.T) {
	day := time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC)
	b := Bundle([]struct{ At time.Time }{{day}, {day.Add(90 * time.Minute)}, {day.In(time.FixedZone("", 3600))}})
	want := "   At\n0  2024-01-02\n1  2024-01-02 01:30:00\n2  2024-01-02 01:00:00 +01:00\n"
	if text := b["text/plain"].(string); !strings.HasPrefix(text, want) {
		t.Errorf("text:\n%s\nwant:\n%s", text, want)
	}
}

// TestSeveralTypes: structs of several types have no columns in common, so they are no table.
func TestSeveralTypes(t *testing.T) {
	type square struct{ Side float64 }
	type circle struct{ Radius float64 }
	for want, v := range map[string]any{
		`[]any{render.square{Side: 2}, &render.circle{Radius: 1}}`:                   []any{square{2}, &circle{1}},
		`map[string]any{"a": render.circle{Radius: 1}, "b": render.square{Side: 2}}`: map[string]any{"a": circle{1}, "b": square{2}},
	} {
		b := Bundle(v)
		if _, ok := b["text/html"]; ok || b["text/plain"] != want {
			t.Errorf("%v, want %s alone", b, want)
		}
	}
	if text := Bundle([]any{square{2}, &square{3}, nil})["text/plain"]; text != "   Side\n0     2\n1     3\n2  –\n[]any, 3 rows" {
		t.Errorf("of one type:\n%s", text)
	}
}

// TestFormat: what only a method Format says of a value is shown.
func TestFormat(t *testing.T) {
	m := mat.Formatted(mat.NewDense(2, 2, []float64{1, 2, 3, 4}), mat.Squeeze())
	if text := Bundle(m)["text/plain"]; text != fmt.Sprint(m) {
		t.Errorf("%s, want\n%v", text, m)
	}
}

// TestNested: pointers show what they lead to, nil is a dash, and structs and maps within a row have columns of their own.
func TestNested(t *testing.T) {
	type geo struct{ Lat, Lon *float64 }
	type address struct {
		City string
		Geo  *geo
	}
	type user struct {
		Name    string
		Score   *float64
		Address address
		Next    *user
	}
	x := 1.5
	ann := user{"Ann", &x, address{"Rom", &geo{&x, nil}}, nil}
	for want, v := range map[string]any{
		"   Name  Score  Address.City  Address.Geo.Lat  Address.Geo.Lon  Next\n" +
			"0  Bob   –      Oslo          –                –                –\n" +
			"1  Ann     1.5  Rom                       1.5  –                –\n" +
			"[]render.user, 2 rows": []user{{"Bob", nil, address{"Oslo", nil}, nil}, ann},
		"   id  owner.login  tags\n" +
			"0   1  x\n" +
			"1   2  –            []any{1, 2}\n" +
			"[]any, 2 rows": []any{map[string]any{"id": 1, "owner": map[string]any{"login": "x"}}, map[string]any{"id": 2, "owner": nil, "tags": []any{1, 2}}},
	} {
		if text := Bundle(v)["text/plain"]; text != want {
			t.Errorf("got\n%s\nwant\n%s", text, want)
		}
	}
	if page := Bundle(ann)["text/html"].(string); !strings.Contains(page, "Address.Geo.Lat") || strings.Contains(page, "&amp;1.5") {
		t.Errorf("a struct shows as\n%s", page)
	}
}

// TestManyRows: the text of a large slice of slices is that of its table.
func TestManyRows(t *testing.T) {
	rows := make([][]float64, 1000)
	cubes := make([][][]float64, 1000)
	for i := range rows {
		rows[i] = make([]float64, 1000)
		cubes[i] = [][]float64{{1, 2}, {3, 4}}
	}
	for _, v := range []any{rows, cubes} {
		if text := Bundle(v)["text/plain"].(string); strings.Count(text, "\n") > 40 || len(text) > 10_000 {
			t.Errorf("%d lines, %d bytes:\n%.2000s", strings.Count(text, "\n"), len(text), text)
		}
	}
}
