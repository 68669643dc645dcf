package table_test

import (
	"compress/gzip"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
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
