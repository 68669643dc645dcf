package parquet_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gaucho/stdlib/table"
	"gaucho/stdlib/table/parquet"
)

// TestPandas: files that pandas wrote hold what pandas wrote as CSV; testdata/arrow.py has the commands.
func TestPandas(t *testing.T) {
	want, err := table.Load("testdata/frame.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"snappy", "zstd", "gzip", "old"} {
		got, err := parquet.Load("testdata/" + name + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		names := want.Names()
		if name == "zstd" {
			names = want.Drop("on", "flag").Names()
		}
		if !slices.Equal(got.Names(), names) || got.Len() != 600 || want.Len() != 600 {
			t.Fatalf("%s: columns %v, %d rows", name, got.Names(), got.Len())
		}
		for _, c := range names {
			a, b := got.Column(c), want.Column(c)
			if a.Kind() != b.Kind() {
				t.Fatalf("%s: %s is a %s, want a %s", name, c, a.Kind(), b.Kind())
			}
			for i := range b.Len() {
				x, y := a.Value(i), b.Value(i)
				if c == "half" && y != nil {
					y = float64(float32(y.(float64)))
				}
				at, isTime := x.(time.Time)
				if isTime && y != nil && at.Equal(y.(time.Time)) {
					continue
				}
				if x != y {
					t.Fatalf("%s: %s[%d] is %v, want %v", name, c, i, x, y)
				}
			}
		}
	}
}

// TestTypes: the values are those of testdata/arrow.py.
func TestTypes(t *testing.T) {
	got, err := parquet.Load("testdata/types.parquet")
	if err != nil {
		t.Fatal(err)
	}
	const want = `date                  millis  price        u  place.city  place.zip
   time.Time                time.Time  float64  int  string      int
0  2024-02-29  1969-12-31 23:59:59.999  12.34  255  Bonn  53111
1  – – – – – –
2  1969-12-31  2023-11-14 22:13:20.123  -0.05  4294967295  –  1
3 rows, 6 columns`
	if a, b := strings.Join(strings.Fields(got.String()), " "), strings.Join(strings.Fields(want), " "); a != b {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	empty, err := parquet.Load("testdata/empty.parquet")
	if err != nil || empty.Len() != 0 || !slices.Equal(empty.Names(), got.Names()) {
		t.Errorf("%v, %v", empty, err)
	}
}

// TestHalf: floats of 16 bits are numbers; testdata/arrow.py wrote them.
func TestHalf(t *testing.T) {
	got, err := parquet.Load("testdata/half.parquet")
	if err != nil {
		t.Fatal(err)
	}
	x := got.Floats("h")
	want := []float64{0.0999755859375, -2, 65504, 1.0 / (1 << 24), math.Inf(-1)}
	if len(x) != 6 || !slices.Equal(x[:5], want) || !math.IsNaN(x[5]) {
		t.Errorf("%v, want %v and NaN", x, want)
	}
}

func sample() *table.Table {
	at := time.Date(2024, 5, 6, 7, 8, 9, 123456000, time.UTC)
	t, err := table.From(map[string]any{"n": []int{1, -2, math.MaxInt}, "x": []float64{0.1, math.NaN(), math.Inf(1)}, "on": []bool{true, false, true},
		"at": []time.Time{at, at.AddDate(100, 0, 0), at.AddDate(-500, 0, 0)}, "s, \"q\"": []string{"", "ü\n", "b"}})
	if err != nil {
		panic(err)
	}
	mask := []bool{true, false, true}
	return t.Select("x", "s, \"q\"", "n", "at", "on").WithValid("n", t.Ints("n"), mask).WithValid("s, \"q\"", t.Strings("s, \"q\""), []bool{true, true, false}).
		WithValid("on", t.Bools("on"), mask)
}

// TestRoundTrip: what is written is read again, the columns in their order.
func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	long := sample()
	for range 10 { // some thousand rows
		long = table.Concat(long, long)
	}
	for _, want := range []*table.Table{sample(), sample().Head(0), long} {
		if err := parquet.Write(path, want); err != nil {
			t.Fatal(err)
		}
		got, err := parquet.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Names(), want.Names()) || got.Len() != want.Len() {
			t.Fatalf("%v, %d rows", got.Names(), got.Len())
		}
		for _, name := range want.Names() {
			for i := range want.Len() {
				if a, b := got.Column(name).Value(i), want.Column(name).Value(i); a != b {
					t.Fatalf("%s[%d] is %v, want %v", name, i, a, b)
				}
			}
		}
	}
}

// TestArrow: what pyarrow reads of a file that Write wrote is in written.txt:
//
//	PARQUET_KEEP=/tmp/w.parquet go test -run TestArrow ./stdlib/table/parquet; python3 testdata/arrow.py /tmp/w.parquet > testdata/written.txt
//
// The bytes of the file are compared with those that pyarrow read, by their hash.
func TestArrow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.parquet")
	if keep := os.Getenv("PARQUET_KEEP"); keep != "" {
		path = keep
	}
	if err := parquet.Write(path, sample()); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read, err := os.ReadFile("testdata/written.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != string(read) {
		t.Error("the file differs from testdata/written.parquet, which pyarrow has read: write it and written.txt again, and look at the change")
	}
}

// TestErrors: the column is named, and damaged files are no panic.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	junk := filepath.Join(dir, "junk.parquet")
	whole, err := os.ReadFile("testdata/snappy.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(junk, []byte("PAR1 and more text than four letters PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"testdata/list.parquet":  "column l.list.element: a list or map",
		"testdata/large.parquet": "column u: row 1: 18446744073709551615 does not fit into an int",
		"testdata/runs.parquet":  "column b: booleans written as runs (RLE), which cannot be read",
		"testdata/lz4.parquet":   "column k: compressed by LZ4, which cannot be read",
		"testdata/frame.csv":     "testdata/frame.csv: ",
		junk:                     "junk.parquet: ",
	} {
		if got, err := parquet.Load(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, error %v, want %s", file, got, err, want)
		}
	}
	if _, err := parquet.Load(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	refused := 0
	for i := 0; i < len(whole); i += len(whole)/60 + 1 {
		bad := slices.Clone(whole)
		bad[i] ^= 0xff
		if err := os.WriteFile(junk, bad[:len(bad)-i%2*7], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := parquet.Load(junk); err != nil {
			refused++
		}
	}
	if refused < 20 {
		t.Errorf("%d damaged files of 60 are refused", refused)
	}
	far := map[string][]time.Time{"at": {time.Date(3000, 1, 1, 0, 0, 0, 1, time.UTC)}}
	if err := parquet.Write(junk, far); err == nil || !strings.Contains(err.Error(), "column at, row 0: 3000-01-01") {
		t.Error(err)
	}
}

func ExampleWrite() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	plants, _ := table.Load("../testdata/plants.csv")
	fmt.Println(parquet.Write(filepath.Join(dir, "plants.parquet"), plants))
	back, err := parquet.Load(filepath.Join(dir, "plants.parquet"))
	fmt.Println(back.Select("plot", "height", "sown").Head(2), err)
	// Output:
	// <nil>
	//    plot     height  sown
	//    string  float64  time.Time
	// 0  A         12.50  2024-03-01
	// 1  B          9.25  2024-03-02
	// 2 rows, 3 columns <nil>
}
