package table_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gaucho/internal/scale"
	"gaucho/stdlib/table"
)

// TestReadBack: what Encode and EncodeJSON write is what Parse and ParseJSON read, strings with ends of lines, empty ones and those
// that say NA too.
func TestReadBack(t *testing.T) {
	for name, column := range map[string]any{
		"ends of lines": []string{"a\r\nb", "c\nd", "e\rf", "\r\n", "g"},
		"empty":         []string{"", "", "", "", ""},
		"NA":            []string{"NA", "NA", "NA", "NA", "NA"},
		"some NA":       []string{"NA", "null", "", "x", " NaN"},
		"quotes":        []string{`"`, `""`, `a"b`, `,`, `;`},
		"spaces":        []string{" a", "b ", "\t", "c", "d"},
		"ints":          []int{1, -2, math.MaxInt, math.MinInt, 0},
		"floats":        []float64{0.1, 1e-310, math.MaxFloat64, math.NaN(), 5e-324},
		"bools":         []bool{true, false, true, true, false},
		"whole":         []float64{1, -2, 0, math.NaN(), 1e5},
		"numbers":       []string{"53111", "1e3", "-0.5", "NA", ""},
		"numerals":      []string{" 1", "2 ", "+3", "1e400", "Inf"},
		"answers":       []string{"true", "false", "TRUE", "True", "False"},
		"dates":         []string{"2020-01-02", "2020-01-03", "2020/01/03", "2020-01-02 10:00", "2020-01-02T10:00:00Z"},
		"dates of days": []string{"2020-01-02", "2020-01-03", "2020-01-04", "2020-01-05", "2020-01-06"},
		"times":         []time.Time{date(1), date(2), date(3), date(4), date(5)},
		"codes":         []string{"007", "1", "2", "3", "4"},
	} {
		want, err := table.From(map[string]any{"x": column, "y": []int{1, 2, 3, 4, 5}})
		if err != nil {
			t.Fatal(err)
		}
		for form, f := range map[string]struct {
			write func(t *table.Table, w *bytes.Buffer) error
			read  func(r *bytes.Buffer) (*table.Table, error)
		}{
			"CSV":  {func(t *table.Table, w *bytes.Buffer) error { return t.Encode(w) }, func(r *bytes.Buffer) (*table.Table, error) { return table.Parse(r, "x") }},
			"JSON": {func(t *table.Table, w *bytes.Buffer) error { return t.EncodeJSON(w) }, func(r *bytes.Buffer) (*table.Table, error) { return table.ParseJSON(r, "x") }},
		} {
			var b bytes.Buffer
			if err := f.write(want, &b); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			got, err := f.read(&b)
			if err != nil {
				t.Errorf("%s, %s: %v", name, form, err)
				continue
			}
			a, c := got.Column("x"), want.Column("x")
			for i := range want.Len() {
				if a.Kind() != c.Kind() || !reflect.DeepEqual(a.Value(i), c.Value(i)) {
					t.Errorf("%s, %s: row %d is %#v, want %#v, of\n%s", name, form, i, a.Value(i), c.Value(i), text)
				}
			}
		}
	}
}

// TestReadBackRandom: columns of any strings come back as they were, whatever they look like.
func TestReadBackRandom(t *testing.T) {
	words := []string{"", " ", "1", "-2", "007", "0.5", "1e9", "inf", "NA", "null", "true", "False", "2024-01-02", "2024-01-02T10:00:00Z", "x", ",", ";", "\"", "\\", "\t", "\n", "\r", "é"}
	rng := rand.New(rand.NewPCG(7, 7))
	for range 3000 {
		x, y, n := make([]string, 1+rng.IntN(4)), []string(nil), 1+rng.IntN(len(words))
		from := rng.IntN(len(words) - n + 1)
		for i := range x {
			for range 1 + rng.IntN(8)/7 {
				x[i] += words[from+rng.IntN(n)]
			}
			y = append(y, "plain")
		}
		want, err := table.From(map[string]any{"x": x, "y": y})
		if err != nil {
			t.Fatal(err)
		}
		var b, c bytes.Buffer
		if err := errors.Join(want.Encode(&b), want.EncodeJSON(&c)); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		fromCSV, err := table.Parse(&b, "x")
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		fromJSON, err := table.ParseJSON(&c, "x")
		if err != nil {
			t.Fatal(err)
		}
		for form, got := range map[string]*table.Table{"CSV": fromCSV, "JSON": fromJSON} {
			if got.Column("x").Kind() != table.String || !slices.Equal(got.Strings("x"), x) {
				t.Fatalf("%s: %q came back as %v %q, from %q", form, x, got.Column("x").Kind(), got.Column("x").Value(0), text)
			}
		}
	}
}

func date(day int) time.Time { return time.Date(2020, 1, day, 0, 0, 0, 0, time.UTC) }

// TestQuotedColumns: what is in quotes is text, unless the program that wrote the file put everything in quotes.
func TestQuotedColumns(t *testing.T) {
	long := "id,n\n" + strings.Repeat("\"7\",1\n", 5000)
	for text, want := range map[string]table.Kind{
		"id,n\n\"7\",1\n\"8\",2\n":         table.String,
		"id,n\n\"7\",1\n,2\n":              table.String,
		"id,n\n\"7\",1\n8,2\n":             table.Int,
		"\"id\",\"n\"\n\"7\",1\n\"8\",2\n": table.Int,
		"id,n\n\"7\",\"1\"\n\"8\",\"2\"\n": table.Int,
		"id\n\"7\"\n\"8\"\n":               table.Int,
		long:                               table.String,
		long + "7,1\n":                     table.Int,
	} {
		got, err := table.Parse(strings.NewReader(text), "x")
		if err != nil {
			t.Fatal(err)
		}
		if kind := got.Column("id").Kind(); kind != want {
			t.Errorf("%.40q: id is %v, want %v", text, kind, want)
		}
	}
}

// TestBinaryDamaged: no bit of a table's bytes can change without an error.
func TestBinaryDamaged(t *testing.T) {
	whole, err := table.Parse(strings.NewReader("a,d\n1,true\n,\n"), "x")
	if err != nil {
		t.Fatal(err)
	}
	data, err := whole.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(data) * 8 {
		data[i/8] ^= 1 << (i % 8)
		if err := new(table.Table).UnmarshalBinary(data); err == nil {
			t.Errorf("bit %d of byte %d: no error", i%8, i/8)
		}
		data[i/8] ^= 1 << (i % 8)
	}
}

// TestSumInAnyOrder: sums of integers are ints in any order of the rows if they fit, and the nearest float64 if not.
func TestSumInAnyOrder(t *testing.T) {
	for _, c := range []struct {
		x    []int
		want any
	}{
		{[]int{math.MaxInt, 1, -5}, math.MaxInt - 4}, {[]int{math.MinInt, -1, 5}, math.MinInt + 4}, {[]int{math.MaxInt, math.MaxInt, math.MinInt, math.MinInt}, -2},
		{[]int{math.MaxInt, 1, 0}, 0x1p63}, {[]int{math.MinInt, math.MinInt, math.MinInt}, -3 * 0x1p63}, {[]int{math.MaxInt, math.MaxInt, math.MaxInt, 3}, 3 * 0x1p63},
	} {
		for range len(c.x) {
			c.x = append(c.x[1:], c.x[0])
			whole, err := table.From(map[string]any{"g": make([]int, len(c.x)), "x": c.x})
			if err != nil {
				t.Fatal(err)
			}
			if got := whole.GroupBy("g").Summarise(table.Sum("x")).Column("x_sum").Value(0); got != c.want {
				t.Errorf("%v: %#v, want %#v", c.x, got, c.want)
			}
		}
	}
}

// TestExtremes: means, deviations and quantiles of numbers whose sums and squares overflow or vanish, and infinite ones.
func TestExtremes(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x                []float64
		mean, sd, median float64
	}{
		{[]float64{1e-200, 2e-200, 3e-200}, 2e-200, 1e-200, 2e-200}, {[]float64{1e200, 2e200, 3e200}, 2e200, 1e200, 2e200},
		{[]float64{-1.7e308, 1.7e308}, 0, math.NaN(), 0}, {[]float64{1.7e308, 1.7e308}, 1.7e308, 0, 1.7e308},
		{[]float64{1, 2, 3, inf, inf}, inf, math.NaN(), 3}, {[]float64{-inf, 5}, -inf, math.NaN(), -inf}, {[]float64{inf, inf}, inf, math.NaN(), inf},
	} {
		whole, err := table.From(map[string]any{"g": make([]int, len(c.x)), "x": c.x})
		if err != nil {
			t.Fatal(err)
		}
		s := whole.GroupBy("g").Summarise(table.Mean("x"), table.SD("x"), table.Median("x"))
		d := whole.Select("x").Describe()
		for k, want := range map[string]float64{"mean": c.mean, "sd": c.sd, "median": c.median} {
			for _, got := range []float64{s.Floats("x_" + k)[0], d.Floats(k)[0]} {
				near := got == want || math.Abs(got-want) <= 1e-15*math.Abs(want)
				if k == "sd" && math.IsNaN(want) {
					continue // of a spread that is no float64
				}
				if !near && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Errorf("%v: %s %v, want %v", c.x, k, got, want)
				}
			}
		}
		if got, want := whole.Select("x").Describe().Floats("q25")[0], scale.Quantile(c.x, 0.25); got != want {
			t.Errorf("%v: lower quartile %v, want %v", c.x, got, want)
		}
	}
}
