package plotting

import (
	"fmt"
	"math"
	"testing"
)

func BenchmarkFigure(b *testing.B) {
	x := make([]float64, 200)
	for i := range x {
		x[i] = float64(i + 1)
	}
	draw := func(rate float64) []float64 {
		y := make([]float64, len(x))
		for i := range y {
			y[i] = math.Pow(x[i], rate)
		}
		return y
	}
	f := New("Rates", "points $N$", "MMD").LogLog().Line("a", x, draw(-.5)).Line("b", x, draw(-1)).Slope(-.5, "$N^{-1/2}$")
	b.Run("SVG", func(b *testing.B) {
		for b.Loop() {
			svgOf(f)
		}
	})
	b.Run("PNG", func(b *testing.B) {
		for b.Loop() {
			pngOf(f)
		}
	})
}

func BenchmarkCloud(b *testing.B) {
	n := 50_000
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = math.Sin(float64(i)), math.Cos(1.1*float64(i))
	}
	f := New("", "", "").Points("cloud", x, y)
	for b.Loop() {
		svgOf(f)
	}
}

// BenchmarkNames draws more bars than there is room for their names.
func BenchmarkNames(b *testing.B) {
	labels, heights := make([]string, 2000), make([]float64, 2000)
	for i := range labels {
		labels[i], heights[i] = fmt.Sprint("name ", i), float64(i)
	}
	for b.Loop() {
		Bar(labels, heights).MIMEBundle()
	}
}
