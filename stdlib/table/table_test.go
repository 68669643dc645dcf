package table_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gaucho/stdlib/table"
)

func parse(t *testing.T, text string) *table.Table {
	t.Helper()
	out, err := table.Parse(strings.NewReader(text), "test.csv")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// panics returns the message with which f panics.
func panics(t *testing.T, f func()) (message string) {
	t.Helper()
	defer func() {
		if message = fmt.Sprint(recover()); message == "<nil>" {
			t.Error("no panic")
		}
	}()
	f()
	return ""
}

func TestColumns(t *testing.T) {
	plants := load(t, "plants.csv")
	if got, want := plants.Names(), []string{"plot", "height", "treated", "sown", "flowers", "code"}; !slices.Equal(got, want) {
		t.Errorf("columns %v", got)
	}
	if h := plants.Floats("height"); h[0] != 12.5 || !math.IsNaN(h[3]) {
		t.Errorf("heights %v", h)
	}
	if &plants.Floats("height")[0] != &plants.Dense("height").RawMatrix().Data[0] {
		t.Error("a matrix of one column of floats is a copy")
	}
	if got := plants.Strings("plot"); !slices.Equal(got, []string{"A", "B", "A", "B", "A", ""}) {
		t.Errorf("plots %q", got)
	}
	if got := plants.Strings("sown"); got[0] != "2024-03-01" || got[4] != "" {
		t.Errorf("days as text %q", got)
	}
	if got := plants.Times("sown")[1]; !got.Equal(time.Date(2024, 3, 2, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("day %v", got)
	}
	if got := plants.Valid("flowers"); !slices.Equal(got, []bool{true, false, true, true, true, true}) {
		t.Errorf("valid %v", got)
	}
	m := plants.Dense("flowers", "treated", "height")
	if r, c := m.Dims(); r != 6 || c != 3 || m.At(2, 0) != 5 || m.At(2, 1) != 1 || m.At(2, 2) != 15 || !math.IsNaN(m.At(1, 0)) {
		t.Errorf("matrix %v", m)
	}
	r := plants.Row(3)
	if r.Text("plot") != "B" || r.Int("flowers") != 1 || r.Bool("treated") || !r.Missing("height") || r.Value("height") != nil || r.Value("code") != "100" {
		t.Errorf("row 3 is another one")
	}
}

func TestPanics(t *testing.T) {
	plants := load(t, "plants.csv")
	for want, f := range map[string]func(){
		"table: there is no column heigth; did you mean height? (columns: plot, height, treated, sown, flowers, code)": func() { plants.Floats("heigth") },
		"table: there is no column Sown; did you mean sown? (columns: plot, height, treated, sown, flowers, code)":     func() { plants.SortBy("-Sown") },
		"table: there is no column xyz (columns: plot, height, treated, sown, flowers, code)":                          func() { plants.GroupBy("xyz") },
		"table: there is no column a; the table has no columns":                                                        func() { new(table.Table).Column("a") },
		"table: column plot is of type string, not numbers":                                                            func() { plants.GroupBy("sown").Summarise(table.Mean("plot")) },
		"table: column flowers, row 1: no value; use Floats, where it is NaN, or Complete first":                       func() { plants.Ints("flowers") },
		"table: column x, row 1: a value of type string among values of type int": func() {
			plants.Derive("x", func(r table.Row) any { return []any{1, "a", 2, 3, 4, 5}[r.Index()] })
		},
		"table: column x, row 0: a value of type []int, must be an int, float64, bool, time.Time or string, or nil where it is missing": func() { plants.Derive("x", func(table.Row) any { return []int{1} }) },
		"table: With: column x has 2 values, the table has 6 rows":                                                                      func() { plants.With("x", []int{1, 2}) },
		"table: Sample: 7 of 6 rows": func() { plants.Sample(7, rand.New(rand.NewPCG(1, 1))) },
		"table: Join: column code is of type string in one table and int in the other": func() { plants.Join(parse(t, "code,b\n1,2\n"), "code") },
		"table: Quantile: p is 25, must be in [0, 1]":                                  func() { table.Quantile("height", 25) },
		"table: Summarise: two columns called count; name one by As":                   func() { plants.GroupBy("plot").Summarise(table.Count(), table.Count()) },
		"table: a matrix of 0 rows and 1 column of numbers is empty":                   func() { plants.Head(0).Dense("height") },
	} {
		if got := panics(t, f); got != want {
			t.Errorf("panic %q\nwant  %q", got, want)
		}
	}
}

func TestFrom(t *testing.T) {
	at := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)
	one := 1
	type row struct {
		Name  string `csv:"n"`
		Count *int
		When  time.Time
		X     float32
	}
	structs, err := table.From([]row{{"a", &one, at, 0.5}, {"b", nil, time.Time{}, 2}})
	if err != nil {
		t.Fatal(err)
	}
	maps, err := table.From([]map[string]any{{"n": "a", "Count": 1, "When": at, "X": 0.5}, {"n": "b", "X": 2}})
	if err != nil {
		t.Fatal(err)
	}
	columns, err := table.From(map[string]any{"n": []string{"a", "b"}, "Count": []*int{&one, nil}, "When": []any{at, nil}, "X": []float32{0.5, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if got := structs.Names(); !slices.Equal(got, []string{"n", "Count", "When", "X"}) {
		t.Errorf("columns of structs: %v", got)
	}
	for name, kind := range map[string]table.Kind{"n": table.String, "Count": table.Int, "When": table.Time, "X": table.Float} {
		for i, other := range []*table.Table{structs, maps, columns} {
			c := other.Column(name)
			for k := range 2 {
				if c.Kind() != kind || !reflect.DeepEqual(c.Value(k), structs.Column(name).Value(k)) {
					t.Errorf("table %d, %s[%d] = %v of type %v", i, name, k, c.Value(k), c.Kind())
				}
			}
		}
	}
	if structs.Column("Count").Value(0) != 1 || structs.Column("Count").Value(1) != nil || structs.Column("X").Value(1) != 2.0 {
		t.Errorf("values %v", structs)
	}
	x := []float64{1, 2}
	shared, _ := table.From(map[string][]float64{"x": x})
	if &shared.Floats("x")[0] != &x[0] {
		t.Error("a []float64 is copied")
	}
	for _, v := range []any{nil, 1, []int{1}, []time.Time{at}, (*table.Table)(nil), map[int][]int{1: nil}, map[string][]int{"a": {1}, "b": {1, 2}},
		[]map[string]any{{"a": 1}, {"a": "x"}}, map[string]uint64{"a": 1}, map[string][]uint64{"a": {math.MaxUint64}}} {
		if got, err := table.From(v); err == nil {
			t.Errorf("From(%v) = %v", v, got)
		}
	}
}

func TestRows(t *testing.T) {
	a := parse(t, "k,x\nb,1\na,\nc,3\na,2\n,5\n")
	if got := a.SortBy("k", "-x").Strings("k"); !slices.Equal(got, []string{"a", "a", "b", "c", ""}) {
		t.Errorf("sorted %q", got)
	}
	if got := a.SortBy("-x").Strings("x"); !slices.Equal(got, []string{"5", "3", "2", "1", ""}) {
		t.Errorf("sorted downwards %q", got)
	}
	if got := a.Complete().Strings("k"); !slices.Equal(got, []string{"b", "c", "a"}) {
		t.Errorf("complete rows %q", got)
	}
	if got := a.Tail(2).Strings("x"); !slices.Equal(got, []string{"2", "5"}) {
		t.Errorf("tail %q", got)
	}
	if a.Head(99).Len() != 5 || a.Head(-1).Len() != 0 || a.Tail(0).Len() != 0 {
		t.Error("head or tail of another length")
	}
	sample := a.Sample(5, rand.New(rand.NewPCG(1, 2))).SortBy("x")
	if got := sample.Strings("x"); !slices.Equal(got, []string{"1", "2", "3", "5", ""}) {
		t.Errorf("a sample of all rows is %q", got)
	}
	counts := a.Counts("k")
	if got := fmt.Sprint(counts.Strings("k"), counts.Ints("count")); got != "[a b c ] [2 1 1 1]" {
		t.Errorf("counts %s", got)
	}
	none := a.Where(func(table.Row) bool { return false })
	if none.Len() != 0 || none.GroupBy("k").Summarise(table.Count()).Len() != 0 || none.Describe().Len() != 2 || none.SortBy("x").Len() != 0 {
		t.Error("a table without rows")
	}
	// A join with nothing leaves the columns, all missing.
	left := a.LeftJoin(parse(t, "k,y\nq,1\n").Head(0), "k")
	if left.Len() != 5 || !left.Column("y").Missing(4) {
		t.Errorf("left join with an empty table: %v", left)
	}
	// Missing keys equal nothing.
	if got := a.Join(a, "k"); got.Len() != 1+1+4 {
		t.Errorf("a join with itself has %d rows", got.Len())
	}
	var keys []string
	a.GroupBy("k").Each(func(key table.Row, rows *table.Table) { keys = append(keys, fmt.Sprint(key.Text("k"), rows.Len())) })
	if got := strings.Join(keys, " "); got != "a2 b1 c1 1" {
		t.Errorf("groups %q", got)
	}
}

func TestShow(t *testing.T) {
	var b strings.Builder
	b.WriteString("i,x,when,<b>\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%d,%g,2024-01-02 10:%02d:00,\"a\nb & c\"\n", i, float64(i)/8, i)
	}
	long := parse(t, b.String())
	text := long.String()
	lines := strings.Split(text, "\n")
	if len(lines) != 2+10+1+5+1 || lines[12] != "…" || lines[18] != "40 rows, 4 columns" {
		t.Errorf("lines:\n%s", text)
	}
	if want := "39   39    4.875  2024-01-02 10:39:00  a⏎b & c"; lines[17] != want {
		t.Errorf("last row %q, want %q", lines[17], want)
	}
	page := long.HTML()
	for _, want := range []string{"&lt;b&gt;", "a⏎b &amp; c", "40 rows, 4 columns", ">4.875<", ">2024-01-02 10:39:00<", "⋮"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if strings.Contains(page, ">20<") {
		t.Error("the page has row 20, which is between the first and last")
	}
	if got := parse(t, "a,b\n").String(); !strings.HasSuffix(got, "0 rows, 2 columns") {
		t.Errorf("without rows: %q", got)
	}
	if got := new(table.Table).String(); got != "0 rows, 0 columns" {
		t.Errorf("an empty table: %q", got)
	}
	wide := "c0"
	for j := 1; j < 30; j++ {
		wide += fmt.Sprintf(",c%d", j)
	}
	if got := parse(t, wide+"\n").String(); !strings.Contains(got, "c11") || strings.Contains(got, "c12") || !strings.Contains(got, "c26") {
		t.Errorf("thirty columns: %q", got)
	}
	for values, want := range map[string]string{
		"1.5 1000.25":          "1.50 1000.25",
		"0.001234567 12":       "0.00123 12.00000",
		"1e12 1":               "1e+12 1",
		"3.14159265358979 2.5": "3.14159 2.50000",
		"NaN 2.0":              "– 2",
		"123456.789 1":         "123456.8 1.0",
	} {
		text := "x\n" + strings.ReplaceAll(values, " ", "\n") + "\n"
		var got []string
		for _, line := range strings.Split(parse(t, text).String(), "\n")[2:4] {
			got = append(got, strings.Fields(line)[1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s is shown as %v, want %s", values, got, want)
		}
	}
}

// TestRowString: a line for each column, and for the row of no table.
func TestRowString(t *testing.T) {
	if got, want := parse(t, "bed,height,größe\nA,1.5,\nB,2,3\n").Row(0).String(), "bed     A\nheight  1.5\ngröße   –"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := (table.Row{}).String(); got != "no row" {
		t.Errorf("%q", got)
	}
}

// TestColumnShow: a column shows what a table of that column alone shows.
func TestColumnShow(t *testing.T) {
	plants, err := table.From([]struct {
		Name   string
		Height float64
	}{{"fern", 0.5}, {"oak", math.NaN()}})
	if err != nil {
		t.Fatal(err)
	}
	c, alone := plants.Column("Height"), plants.Select("Height")
	if c.String() != alone.String() || !strings.Contains(c.String(), "0.5") || !strings.Contains(c.HTML(), ">0.5<") {
		t.Errorf("the column shows as\n%s\n%s\nits table as\n%s", c, c.HTML(), alone)
	}
}
