package worker

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

func TestSourceOf(t *testing.T) {
	some := func(v any) any { return v }
	for _, c := range []struct {
		p    any
		want string // empty if it is not plain
	}{
		{new(int), "0"},
		{&[]float64{1, 0.1, 1e300}, "[]float64{1, 0.1, 1e+300}"},
		{&[]float64{math.NaN()}, ""},
		{&[]float64{math.Copysign(0, -1)}, ""},
		{&map[string][]int8{"b": {1}, "a\n": {}}, `map[string][]int8{"a\n": []int8{}, "b": []int8{1}}`},
		{&[2][]byte{{1}, {2, 3}}, "[2][]uint8{[]uint8{1}, []uint8{2, 3}}"},
		{new([]string), "([]string)(nil)"},
		{&[][]int{nil}, "[][]int{([]int)(nil)}"},
		{some(new(time.Duration)), ""},
		{&struct{ A int }{1}, ""},
		{new(any), ""},
		{new(*int), ""},
		{func() any { m := mat.NewDense(2, 2, []float64{1, 2, 3, 4}); return &m }(), "mat.NewDense(2, 2, []float64{1, 2, 3, 4})"},
		{func() any { m := mat.NewVecDense(2, []float64{1, 2}); return &m }(), "mat.NewVecDense(2, []float64{1, 2})"},
		{func() any { b := make([]bool, sourceParts+1); return &b }(), ""},
	} {
		if got, _, ok := sourceOf(c.p, false, 0); got != c.want || ok != (c.want != "") {
			t.Errorf("%v is %q, want %q", c.p, got, c.want)
		}
	}
	if _, _, ok := sourceOf(&map[int]int{1: 2}, true, 0); ok {
		t.Error("a map was read while goroutines of cells ran")
	}
}
