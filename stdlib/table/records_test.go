package table_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gaucho/stdlib/table"
)

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Level is a type that reads and writes itself as text.
type Level int

func (l *Level) UnmarshalText(text []byte) error {
	switch string(text) {
	case "low":
		*l = 1
	case "high":
		*l = 2
	default:
		return errors.New("a level is low or high")
	}
	return nil
}

func (l Level) MarshalText() ([]byte, error) { return []byte([]string{"none", "low", "high"}[l]), nil }

type Common struct {
	Name string
	At   time.Time
}

type Everything struct {
	Common
	Height float64 `csv:"height [cm]"`
	Small  float32
	Count  int8
	Total  uint16
	Active bool
	Level  Level
	Note   *string
	Maybe  *int
	Skip   chan int `csv:"-"`
}

func TestReadCSV(t *testing.T) {
	path := file(t, "all.csv", "NAME,at,height [cm],small,count,to_tal,active,level,note,maybe,other\n"+
		"\"a, b\",2024-01-02,1.5,0.25,-3,7,true,low,,4,x\n"+
		",,NA,,5,08,0,high,\"say \"\"hi\"\"\",NA,y\n")
	rows, err := table.Read[Everything](path)
	if err != nil {
		t.Fatal(err)
	}
	four, hi := 4, `say "hi"`
	want := []Everything{
		{Common: Common{"a, b", time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC)}, Height: 1.5, Small: 0.25, Count: -3, Total: 7, Active: true, Level: 1, Maybe: &four},
		{Height: math.NaN(), Small: float32(math.NaN()), Count: 5, Total: 8, Level: 2, Note: &hi},
	}
	if !math.IsNaN(rows[1].Height) || rows[1].Small == rows[1].Small {
		t.Errorf("missing floats are %v and %v", rows[1].Height, rows[1].Small)
	}
	rows[1].Height, rows[1].Small, want[1].Height, want[1].Small = 0, 0, 0, 0
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("read  %+v\nwant %+v", rows, want)
	}
}

func TestReadCSVErrors(t *testing.T) {
	type plant struct {
		Height float64
		Count  int8
	}
	path := file(t, "bad.csv", "height,count\n1,2\n\nx,300\n2,\n3,1.5\n")
	rows := []plant{{9, 9}}
	err := table.ReadCSV(path, &rows)
	want := `table: ` + path + `, line 4: column height: "x" is not a number
table: ` + path + `, line 4: column count: "300" is not an integer that fits into int8
table: ` + path + `, line 5: column count: no value (""); make the field a *int8, where that is nil
table: ` + path + `, line 6: column count: "1.5" is not an integer`
	if err == nil || err.Error() != want {
		t.Errorf("error:\n%v\nwant:\n%s", err, want)
	}
	if len(rows) != 1 || rows[0].Count != 9 {
		t.Errorf("the slice is %v after an error", rows)
	}
	_, err = table.Read[struct{ Heigth float64 }](path)
	if err == nil || !strings.Contains(err.Error(), "there is no column Heigth; did you mean height? (columns: height, count)") {
		t.Errorf("error of a field without a column: %v", err)
	}
	if _, err := table.Read[struct{ Height []int }](path); err == nil || !strings.Contains(err.Error(), "[]int cannot be read from text") {
		t.Errorf("error of a field of a strange type: %v", err)
	}
	for _, v := range []any{nil, 3, rows, &plant{}, &[]int{}, &[]time.Time{}, (*[]plant)(nil)} {
		if err := table.ReadCSV(path, v); err == nil || !strings.Contains(err.Error(), "pointer to a slice of structs") {
			t.Errorf("ReadCSV into %T: %v", v, err)
		}
	}
	if err := table.ReadCSV(path+"x", &rows); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	many := file(t, "many.csv", "height,count\n"+strings.Repeat("x,1\n", 8))
	if err := table.ReadCSV(many, &rows); err == nil || strings.Count(err.Error(), "\n") != 5 || !strings.HasSuffix(err.Error(), "and 3 bad values more") {
		t.Errorf("eight bad values: %v", err)
	}
}

// TestParallel: a file of many blocks, with blank lines and line ends in quotes, gives the rows that encoding/csv gives, and
// its errors come in the order of the file, on any number of cores.
func TestParallel(t *testing.T) {
	type row struct {
		N    int
		Text string
		X    float64
	}
	const rows = 60_000
	write := func(name string, change func(i int, line string) string) string {
		var b strings.Builder
		b.WriteString("n,text,x\r\n")
		for i := range rows {
			line := fmt.Sprintf("%d,\"line one, and\nline two of %d, with \"\"quotes\"\" to fill it\",%g\r\n", i, i, float64(i)/3)
			if i%7 == 0 {
				line += "\n"
			}
			b.WriteString(change(i, line))
		}
		return file(t, name, b.String())
	}
	read := func(path string) ([]row, error) {
		var first []row
		var failed error
		for k, cores := range []int{1, 2, 5} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			got, err := table.Read[row](path)
			if k == 0 {
				first, failed = got, err
			} else if !slices.Equal(got, first) || fmt.Sprint(err) != fmt.Sprint(failed) {
				t.Errorf("%s on %d cores: %d rows, %v; on one: %d rows, %v", path, cores, len(got), err, len(first), failed)
			}
		}
		return first, failed
	}
	path := write("good.csv", func(_ int, line string) string { return line })
	got, err := read(path)
	if err != nil || len(got) != rows || cap(got) != rows {
		t.Fatalf("%d rows, %v", len(got), err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got {
		x, _ := strconv.ParseFloat(records[i+1][2], 64)
		if want := (row{i, records[i+1][1], x}); r != want {
			t.Fatalf("row %d is %v, want %v", i, r, want)
		}
	}
	bad := func(i int, line string) string {
		if i == 10_000 || i == 55_000 {
			return strings.Replace(line, strconv.Itoa(i), "many", 1)
		}
		return line
	}
	line := func(i int) int { return 2 + 2*i + (i+6)/7 }
	_, err = read(write("bad.csv", bad))
	want := fmt.Sprintf("line %d: column n: \"many\" is not an integer", line(10_000))
	next := fmt.Sprintf("line %d: column n: \"many\" is not an integer", line(55_000))
	if err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), next) {
		t.Errorf("bad values: %v\nwant %s", err, want)
	}
	for _, ragged := range []string{"1,2\n", "1,a\"b,3\n", "1,\"a\"b,3\n", "1,2,3,4\n"} {
		_, err = read(write("ragged.csv", func(i int, line string) string {
			if i == 30_000 {
				return ragged
			}
			return bad(i, line)
		}))
		second := fmt.Sprintf("line %d: ", line(30_000))
		if err == nil || !strings.Contains(err.Error(), want+"\n") || !strings.Contains(err.Error(), second) || strings.Contains(err.Error(), next) {
			t.Errorf("after %q: %v", ragged, err)
		}
	}
	_, err = read(write("open.csv", func(i int, line string) string {
		if i == rows-1 {
			return "1,\"never closed,3\n"
		}
		return line
	}))
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("line %d: a quote is opened and never closed", line(rows-1))) {
		t.Errorf("a quote that is never closed: %v", err)
	}
}

// Counted is a type whose method must not be called by two goroutines at once.
type Counted int

var counted int

func (c *Counted) UnmarshalText([]byte) error { counted++; *c = Counted(counted); return nil }

// TestOwnMethods: methods of the program are called one after the other, in the order of the rows.
func TestOwnMethods(t *testing.T) {
	counted = 0
	rows, err := table.Read[struct{ A Counted }](file(t, "t.csv", "a\n"+strings.Repeat("text that fills some blocks\n", 100_000)))
	if err != nil || len(rows) != 100_000 {
		t.Fatal(len(rows), err)
	}
	for i, r := range rows {
		if int(r.A) != i+1 {
			t.Fatalf("row %d was read as number %d", i, r.A)
		}
	}
}

// TestTwoColumns: a field that two columns fit is an error, not the first of them.
func TestTwoColumns(t *testing.T) {
	for text, field := range map[string]any{"a,b,a\n1,2,3\n": &[]struct{ A int }{}, "b,A b,a_b\n1,2,3\n": &[]struct{ AB int }{},
		"x y,b,x y\n1,2,3\n": &[]struct {
			X int `csv:"x y"`
		}{}} {
		if err := table.ReadCSV(file(t, "t.csv", text), field); err == nil || !strings.Contains(err.Error(), "and 3 are called") {
			t.Errorf("%q: %v", text, err)
		}
	}
	var rows []struct{ B int }
	if err := table.ReadCSV(file(t, "t.csv", "a,b,a\n1,2,3\n"), &rows); err != nil || rows[0].B != 2 {
		t.Errorf("another column: %v, %v", rows, err)
	}
}

// TestWrongFiles: what is wrong with a file is said, with its line, by both readers; what is only unusual is read.
func TestWrongFiles(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for i := range 50_000 {
		if i == 0 {
			fmt.Fprintln(z, "a,b")
		}
		fmt.Fprintf(z, "%d,%x\n", i, i*i*7919)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	whole := packed.String()
	type row struct {
		A int
		B string
	}
	for text, want := range map[string]string{
		"":                                "is empty; the first line must name the columns",
		"\n\r\n":                          "is empty; the first line must name the columns",
		"\ufeff":                          "is empty; the first line must name the columns",
		"a,b\r1,2\r3,4\r":                 "line 1: lines end in a carriage return alone",
		"\xff\xfea\x00,\x00b\x00\n\x00":   "is in UTF-16; save it as UTF-8",
		"a,b\n1,x\n2\n3,y\n":              "line 3: 1 field, the header has 2 fields: nothing for column b",
		"a,b\n1,x\n2,y,z,w\n":             `line 3: 4 fields, the header has 2 fields: "z" comes after the last column, b`,
		"a,b\n1,\"x\ny\"\n2,\"z\n":        "line 4: a quote is opened and never closed",
		"a,b\n1,\"x\ny\"\n2,z\"z\n":       "line 4: a quote inside a field without quotes",
		"a,b\n1,\"x\ny\"\n2,\"z\"z\n":     "line 4: text after the closing quote of a field",
		whole[:len(whole)/2]:              "is cut off: its compressed data end in line ",
		whole[:len(whole)-4]:              "is cut off: its compressed data end in line 50002 of the text",
		whole[:5]:                         "is cut off: its compressed data end in their header",
		whole[:len(whole)-8] + "12345678": "gzip: invalid checksum",
	} {
		rows := []row{{7, "kept"}}
		path := file(t, "t.csv", text)
		if err := table.ReadCSV(path, &rows); err == nil || !strings.Contains(err.Error(), want) || len(rows) != 1 {
			t.Errorf("ReadCSV %.40q: %v, want %s", text, err, want)
		}
		if _, err := table.Load(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load %.40q: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string][]row{
		"a,b":                     {},
		"a,b\n":                   {},
		"\ufeffa,b\r\n1,x":        {{1, "x"}},
		"b;a\r\n\"x\r\ny\";1\r\n": {{1, "x\r\ny"}},
		"a\tb\n\n1\t\n\n2\t\"\"":  {{1, ""}, {2, ""}},
	} {
		var rows []row
		path := file(t, "t.csv", text)
		if err := table.ReadCSV(path, &rows); err != nil || !slices.Equal(rows, want) || rows == nil {
			t.Errorf("ReadCSV %q: %v, %v", text, rows, err)
		}
		if all, err := table.Load(path); err != nil || all.Len() != len(want) || len(all.Names()) != 2 {
			t.Errorf("Load %q: %v, %v", text, all, err)
		}
	}
}

// TestRoundTrip: what is written is read again, compressed or not.
func TestRoundTrip(t *testing.T) {
	one, text := 1, "x"
	at := time.Date(2024, 5, 6, 7, 8, 9, 123, time.FixedZone("", 3600))
	rows := []Everything{
		{Common: Common{"line\nbreak; \"q\"", at}, Height: 0.1 + 0.2, Small: 3, Count: -1, Level: 1, Note: &text, Maybe: &one},
		{Common: Common{" ", at.UTC()}, Height: -1e300, Small: 0.5, Total: 65535, Active: true, Level: 2},
	}
	for _, name := range []string{"t.csv", "t.csv.gz"} {
		path := filepath.Join(t.TempDir(), name)
		if err := table.WriteCSV(path, rows); err != nil {
			t.Fatal(err)
		}
		back, err := table.Read[Everything](path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range back {
			if !back[i].At.Equal(rows[i].At) {
				t.Errorf("%s: time %v, wrote %v", name, back[i].At, rows[i].At)
			}
			back[i].At = rows[i].At
		}
		if !reflect.DeepEqual(back, rows) {
			t.Errorf("%s: read %+v\nwrote %+v", name, back, rows)
		}
	}
	path := filepath.Join(t.TempDir(), "t.csv.gz")
	if err := table.WriteCSV(path, rows); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := gzip.NewReader(f); err != nil {
		t.Errorf("a file .gz is not compressed: %v", err)
	}
}

// TestWriteFails: a file that cannot be written leaves the old one and nothing else.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := table.WriteCSV(path, []struct{ F func() }{{}}); err == nil || !strings.Contains(err.Error(), "column F, row 0: a func()") {
		t.Errorf("writing a function: %v", err)
	}
	if err := table.WriteCSV(filepath.Join(dir, "no", "t.csv"), map[string][]int{"a": {1}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("writing into no directory: %v", err)
	}
	entries, _ := os.ReadDir(dir)
	old, _ := os.ReadFile(path)
	if len(entries) != 1 || string(old) != "old" {
		t.Errorf("left: %v, %q", entries, old)
	}
}

// TestOneColumn: missing values of a single column are not blank lines, which readers skip.
func TestOneColumn(t *testing.T) {
	a, _ := table.From(map[string][]float64{"x": {1, math.NaN(), 3}})
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := a.WriteCSV(path); err != nil {
		t.Fatal(err)
	}
	b, err := table.Load(path)
	if err != nil || b.Len() != 3 || !b.Column("x").Missing(1) || b.Column("x").Missing(2) {
		t.Errorf("%v, %v", b, err)
	}
}
