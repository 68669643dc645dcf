package plotting

import (
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// A plot made with gonum/plot alone is given in the interactive form too.
func TestInteractiveOfPlainPlot(t *testing.T) {
	p := plot.New()
	p.Title.Text = "plain"
	line, points, err := plotter.NewLinePoints(plotter.XYs{{X: 1, Y: 2}, {X: 2, Y: 4}, {X: 3, Y: 3}})
	if err != nil {
		t.Fatal(err)
	}
	line.Color = color.RGBA{255, 0, 0, 255}
	fn := plotter.NewFunction(math.Sqrt)
	fn.Samples = 7
	hist, _ := plotter.NewHist(plotter.Values{1, 1, 2, 3}, 2)
	bars, _ := plotter.NewBarChart(plotter.Values{1, 2}, vg.Points(5))
	above, _ := plotter.NewBarChart(plotter.Values{1, 1}, vg.Points(5))
	above.StackOn(bars)
	p.Add(plotter.NewGrid(), line, points, fn, hist, bars, above)
	p.Legend.Add("a line", line, points)
	f := Wrap(p)
	f.Line("own", nil, []float64{1, 2})
	kinds := map[string]int{}
	for _, m := range f.series() {
		kinds[m.kind+" "+m.name]++
		if m.kind == "line" && m.name == "a line" && (hex(m.look.color) != "#ff0000" || len(m.x) != 3 || m.y[1] != 4) {
			t.Errorf("line %+v", m)
		}
		if m.kind == "line" && m.name == "" && (len(m.x) != 7 || m.y[6] != math.Sqrt(p.X.Max)) {
			t.Errorf("function %+v", m)
		}
	}
	for what, n := range map[string]int{"line own": 1, "line a line": 1, "point a line": 1, "line ": 1, "bar ": 2} {
		if kinds[what] != n {
			t.Errorf("%d of %q, want %d: %v", kinds[what], what, n, kinds)
		}
	}
	spec := f.Interactive().Spec()
	if n := len(spec["layer"].([]object)); n < 6 {
		t.Errorf("%d layers", n)
	}
}
