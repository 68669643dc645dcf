package plotting

import (
	"math"
	"strings"
	"testing"
)

// A figure of which nothing can be drawn says so; one with a single point does not.
func TestBare(t *testing.T) {
	nan := []float64{math.NaN(), math.Inf(1)}
	for _, c := range []struct {
		what string
		f    *Figure
		bare bool
	}{
		{"NaN points", Scatter(nan, nan), true},
		{"NaN heights", Lines([]float64{1, 2}, nan), true},
		{"no line", Lines([]float64{}, []float64{}), true},
		{"a histogram of NaN", Hist(nan), true},
		{"an empty histogram", Hist([]float64{}), true},
		{"one value", Hist([]float64{3}), false},
		{"one point", Scatter([]float64{0, math.NaN()}, []float64{0, 1}), false},
		{"a level alone", New("", "", "").HLine(1, "one"), false},
		{"nothing", New("", "", ""), false},
		{"a line beside NaN", Lines([]float64{1, 2}, []float64{3, 4}).Points("", nan, nan), false},
	} {
		svg, ok := c.f.MIMEBundle()["image/svg+xml"].(string)
		if says := strings.Contains(svg, "no finite values"); !ok || says != c.bare {
			t.Errorf("%s: says that there is nothing: %v, want %v (an SVG: %v)", c.what, says, c.bare, ok)
		}
	}
}
