package interp

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestNativeHidden: a variable that is declared again with another type gives back what the earlier one held, unless
// something can still reach it.
func TestNativeHidden(t *testing.T) {
	r := &transcript{}
	s := startNative(t, r)
	heap := func() uint64 {
		t.Helper()
		runCell(s, r, 99, "runtime.GC()")
		u, err := s.worker.Usage(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return u.Heap
	}
	runCell(s, r, 1, "x := 0")
	before := heap()
	const size = 32 << 20
	for i := range 8 {
		src := fmt.Sprintf("x := make([][%d]byte, %d)", i+1, size/(i+1))
		if got := runCell(s, r, 2, src); got != "" {
			t.Fatalf("%s gave %s", src, got)
		}
	}
	if grown := heap() - before; grown > 2*size {
		t.Errorf("after 8 declarations of %d MB each the heap has grown by %d MB", size>>20, grown>>20)
	}
	for i, c := range []struct{ src, keeps string }{
		{"a := []int{1, 2, 3}\nf := func() int { return a[2] }", "f()"},
		{"a := [4]int{7, 8, 9}\nview := a[1:]", "view[1]"},
		{"a := struct{ n []int }{[]int{5}}\np := &a.n", "(*p)[0]"},
		{"a := map[string]int{\"k\": 4}\nb := a", "b[\"k\"]"},
		{"var a bytes.Buffer\na.WriteString(\"w\")\nw := &a", "w.String()"},
	} {
		runCell(s, r, 10+3*i, c.src)
		want := runCell(s, r, 11+3*i, c.keeps)
		got := runCell(s, r, 12+3*i, "a := 'x'\n"+c.keeps)
		if note, rest, _ := strings.Cut(got, "\n"); note == "Note: a has a new type; f uses the earlier one until declared again" {
			got = rest
		}
		if got != want || strings.Contains(got, "!") {
			t.Errorf("%s\nthen %s gave %s, before %s", c.src, c.keeps, got, want)
		}
	}
	if got := runCell(s, r, 40, "y := []int{1, 2}\ny := len(y) * 100\ny"); got != "= 200\n" {
		t.Errorf("a variable that is made of the one it hides is %s", got)
	}
}
