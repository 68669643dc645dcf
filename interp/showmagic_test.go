package interp

import (
	"fmt"
	"strings"
	"testing"
)

// TestShowMagic: a long slice shows its ends and its length, %show all of it, and %precision sets the digits of both; a
// value's own digits come back without a number.
func TestShowMagic(t *testing.T) {
	r := &transcript{}
	s := newSession(t, Options{Engine: "yaegi", Sink: r})
	runCell(s, r, 1, "x := make([]float64, 5000)\nfor i := range x { x[i] = math.Sqrt(float64(i)) }")
	short := runCell(s, r, 2, "x")
	if want := "= []float64{0, 1, 1.41421, 1.73205, 2, …, 70.6895, 70.6965, 70.7036} // 5000 values\n"; short != want {
		t.Errorf("x shows %q, must show %q", short, want)
	}
	all := runCell(s, r, 3, "%show x")
	if n := strings.Count(all, ","); n < 4999 || strings.Contains(all, "…") || !strings.Contains(all, "1.4142135623730951") {
		t.Errorf("%%show x has %d commas: %.200q", n, all)
	}
	if got := runCell(s, r, 4, "x"); got != short {
		t.Errorf("after %%show, x shows %q", got)
	}
	defer runCell(s, r, 99, "%precision")
	for _, c := range []struct{ src, want string }{
		{"%precision 3\nx", "= []float64{0, 1, 1.41, 1.73, 2, …, 70.7, 70.7, 70.7} // 5000 values\n"},
		{"math.Pi, []float64{1.0/3, 2}, float32(2.0/3)", "= 3.14\n[]float64{0.333, 2}\n0.667\n"},
		{"%precision\nmath.Pi", "= 3.141592653589793\n"},
		{"%precision 0", "! error: %precision: digits are 0, must be a number from 1 to 17\n"},
	} {
		if got := runCell(s, r, 5, c.src); !strings.HasPrefix(got, c.want) && got != c.want {
			t.Errorf("%s shows %q, must show %q", c.src, got, c.want)
		}
	}
}

// TestFmtMagic: %fmt puts the cell in gofmt's form in its place, and with on every cell after it; a cell that has that form stays.
func TestFmtMagic(t *testing.T) {
	r := &transcript{}
	s := newSession(t, Options{Engine: "yaegi", Sink: r})
	run := func(src string) string {
		t.Helper()
		res := s.Execute(t.Context(), Cell{ID: "c", Number: 1, Source: src})
		if res.Err != nil {
			t.Fatal(src, res.Err)
		}
		if res.Replace == nil {
			return ""
		}
		return *res.Replace
	}
	for i, c := range []struct{ src, want string }{
		{"%fmt\nx:=1", "x := 1"}, {"x:=2", ""}, {"%fmt on", ""}, {"x:=3\nfunc f( ){}", "x := 3\nfunc f() {}"}, {"y := 4", ""}, {"%fmt off", ""}, {"x:=5", ""},
	} {
		if got := run(c.src); got != c.want {
			t.Errorf("cell %d, %q, becomes %q, must become %q", i, c.src, got, c.want)
		}
	}
	if got := fmt.Sprint(s.Execute(t.Context(), Cell{ID: "d", Number: 2, Source: "%fmt maybe"}).Err); !strings.Contains(got, "must be on, off or nothing") {
		t.Error(got)
	}
}
