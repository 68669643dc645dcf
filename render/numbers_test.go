package render

import (
	"math"
	"strings"
	"testing"
)

func TestManyNumbers(t *testing.T) {
	x := make([]float64, 5000)
	ints := make([]int, 300)
	for i := range x {
		x[i] = math.Sqrt(float64(i))
	}
	for i := range ints {
		ints[i] = i * i
	}
	type sample []float64
	for _, c := range []struct {
		value any
		want  string
	}{
		{x, "[]float64{0, 1, 1.41421, 1.73205, 2, …, 70.6895, 70.6965, 70.7036} // 5000 values"},
		{ints, "[]int{0, 1, 4, 9, 16, …, 88209, 88804, 89401} // 300 values"},
		{sample(x), "render.sample{0, 1, 1.41421, 1.73205, 2, …, 70.6895, 70.6965, 70.7036} // 5000 values"},
	} {
		if got := Bundle(c.value)["text/plain"]; got != c.want {
			t.Errorf("%v, want %s", got, c.want)
		}
	}
	for _, v := range []any{x[:200], make([]byte, 300), make([]string, 300), make([]rune, 300)} {
		if got := Bundle(v)["text/plain"].(string); strings.Contains(got, " values") {
			t.Errorf("%T is shown as %s", v, got)
		}
	}
}
