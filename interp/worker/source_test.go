package worker

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// sourceOf is the source of one variable.
func sourceOf(p any, live bool, closure int) (text string, ok bool) {
	v := &sourced{name: "v", p: p}
	items, _ := writeSources([]*sourced{v}, live, closure, false)
	return items[0].Text, items[0].Why == ""
}

func TestSourceOf(t *testing.T) {
	some := func(v any) any { return v }
	for _, c := range []struct {
		p    any
		want string // empty if it is not plain
	}{
		{new(int), "int(0)"},
		{&[]float64{1, 0.1, 1e300}, "[]float64{1, 0.1, 1e+300}"},
		{&[]float64{math.Inf(1)}, "[]float64{float64(valuemathǃ.Float64frombits(0x7ff0000000000000))}"},
		{&[]float32{float32(math.Copysign(0, -1))}, "[]float32{float32(valuemathǃ.Float64frombits(0x8000000000000000))}"},
		{some(new(complex64)), "complex64(complex(float32(0), float32(0)))"},
		{&map[string][]int8{"b": {1}, "a\n": {}}, `map[string][]int8{"a\n": []int8{}, "b": []int8{1}}`},
		{&[2][]byte{{1}, {2, 3}}, "[2][]uint8{[]uint8{1}, []uint8{2, 3}}"},
		{new([]string), "([]string)(nil)"},
		{&[][]int{nil}, "[][]int{([]int)(nil)}"},
		{some(new(time.Duration)), "valuetimeǃ.Duration(0)"},
		{some(new(uintptr)), ""},
		{&struct{ A int }{1}, ""},
		{new(any), ""},
		{new(*int), ""},
		{func() any { m := mat.NewDense(2, 2, []float64{1, 2, 3, 4}); return &m }(), "valuematǃ.NewDense(2, 2, []float64{1, 2, 3, 4})"},
		{func() any { m := mat.NewVecDense(2, []float64{1, 2}); return &m }(), "valuematǃ.NewVecDense(2, []float64{1, 2})"},
		{func() any { b := make([]bool, sourceValues+1); return &b }(), ""},
	} {
		if got, ok := sourceOf(c.p, false, 0); got != c.want || ok != (c.want != "") {
			t.Errorf("%v is %q, want %q", c.p, got, c.want)
		}
	}
	if _, ok := sourceOf(&map[int]int{1: 2}, true, 0); ok {
		t.Error("a map was read while goroutines of cells ran")
	}
}

// TestSourceAtTheLimit: as many values as the documents say are written, and not one more.
func TestSourceAtTheLimit(t *testing.T) {
	for _, c := range []struct {
		rows, columns int
		want          bool
	}{{1, 20_000, true}, {1, 20_001, false}, {200, 100, true}, {201, 100, false}} {
		ints, strs := make([][]int, c.rows), make([]string, c.rows*c.columns)
		for i := range ints {
			ints[i] = make([]int, c.columns)
		}
		for i := range strs {
			strs[i] = "a longer string"
		}
		floats := make([]float64, c.rows*c.columns)
		for _, p := range []any{&ints, &strs, &floats} {
			if _, ok := sourceOf(p, false, 0); ok != c.want {
				t.Errorf("%d by %d values of a %T are written: %v", c.rows, c.columns, p, ok)
			}
		}
	}
}
