package table_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gaucho/stdlib/table"
)

// TestPivot compares with pandas; testdata/pandas.py has the commands.
func TestPivot(t *testing.T) {
	visits := load(t, "visits.csv")
	want := load(t, "pivot.csv")
	same(t, visits.Pivot("ward", "year", table.Mean("weight")), want)
	same(t, visits.GroupBy("ward", "days").Spread("year", table.Count()), load(t, "spread.csv"))
	// back: a value for each cell that is there
	long := want.Gather([]string{"2019", "2020", "2021", "2022"}, "year", "weight_mean")
	means := visits.GroupBy("ward", "year").Summarise(table.Mean("weight"))
	if long.Len() != means.Len() {
		t.Fatalf("%d rows gathered of %d", long.Len(), means.Len())
	}
	for i := range long.Len() {
		a, b := long.Row(i), means.Row(i)
		if a.Text("ward") != b.Text("ward") || a.Text("year") != b.Text("year") {
			t.Fatalf("row %d is %s %s, want %s %s", i, a.Text("ward"), a.Text("year"), b.Text("ward"), b.Text("year"))
		}
	}
}

func TestPivotMissing(t *testing.T) {
	data := parse(t, "a,b,x\nu,p,1\nu,,2\n,p,3\nv,q,\n")
	got := data.Pivot("a", "b", table.Sum("x")).String()
	const want = `a         p    q  missing
   string  int  int      int
0  u             1        –        2
1  v             –        0        –
2  –             3        –        –
3 rows, 4 columns`
	if !equalText(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestConcat(t *testing.T) {
	a, b, c := parse(t, "x,y\n1,a\n2,b\n"), parse(t, "y,z,x\nc,true,0.5\n"), parse(t, "x,y\n,\n")
	got := table.Concat(a, b, c).String()
	const want = `x  y  z
   float64 string bool
0 1.0 a –
1 2.0 b –
2 0.5 c true
3 – – –
4 rows, 3 columns`
	if !equalText(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if n := table.Concat().Len(); n != 0 {
		t.Errorf("nothing has %d rows", n)
	}
	if got := table.Concat(c, a).Column("y").Kind(); got != table.String {
		t.Errorf("a column that is empty in the first table is a %s", got)
	}
}

func TestFill(t *testing.T) {
	data := parse(t, "n,x,s\n1,0.5,a\n,,\n")
	full := data.Fill("n", 7).Fill("x", 2).Fill("s", "none")
	if got := fmt.Sprint(full.Ints("n"), full.Floats("x"), full.Strings("s")); got != "[1 7] [0.5 2] [a none]" || !slices.Equal(full.Valid("s"), []bool{true, true}) {
		t.Error(got)
	}
	masked := data.WithValid("n", []int{3, 4}, []bool{false, true})
	if got := masked.Valid("n"); got[0] || !got[1] || masked.Column("n").Value(1) != 4 {
		t.Errorf("%v", masked)
	}
}

// TestColumnWithoutValues: its type is a guess, which is no reason to refuse it. With no value it matches no row.
func TestColumnWithoutValues(t *testing.T) {
	days, none := parse(t, "k,day\n1,2024-05-01\n2,2024-05-02\n"), parse(t, "day,x\n,1\n,2\n")
	if got := days.Join(none, "day"); got.Len() != 0 {
		t.Errorf("%v", got)
	}
	if got := none.Join(days, "day"); got.Len() != 0 {
		t.Errorf("%v", got)
	}
	left := days.LeftJoin(none, "day")
	if left.Len() != 2 || left.Column("day").Kind() != table.Time || slices.Contains(left.Valid("x"), true) {
		t.Errorf("%v", left)
	}
	if got := none.Gather([]string{"x", "day"}, "name", "value"); got.Column("value").Kind() != table.Int || got.Len() != 4 {
		t.Errorf("%v", got)
	}
	if got := none.Fill("day", "never").Strings("day"); !slices.Equal(got, []string{"never", "never"}) {
		t.Error(got)
	}
	if got := none.Fill("day", 0).Column("day").Kind(); got != table.Float {
		t.Errorf("a column of floats filled by 0 is a %s", got)
	}
}

// TestReshapePanics: messages name the column.
func TestReshapePanics(t *testing.T) {
	data := parse(t, "n,x,s\n1,0.5,a\n,,\n")
	for want, f := range map[string]func(){
		"Gather: column n is of type int, column s of type string":             func() { data.Gather([]string{"n", "s"}, "k", "v") },
		"Gather: there is a column s already":                                  func() { data.Gather([]string{"n", "x"}, "s", "v") },
		"Concat: column s is of type string in one table and int in the other": func() { table.Concat(data, parse(t, "s\n1\n")) },
		"Fill: a is a string, column n is of type int":                         func() { data.Fill("n", "a") },
		"WithValid: column n has 2 values and a mask of 1":                     func() { data.WithValid("n", []int{1, 2}, []bool{true}) },
		"there is no column year":                                              func() { data.Pivot("n", "year", table.Count()) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("panic %s, want %s", got, want)
				}
			}()
			f()
		}()
	}
}
