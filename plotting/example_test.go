package plotting_test

import (
	"fmt"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"gaucho/plotting"
)

func ExampleFigure() {
	n := []float64{1, 10, 100}
	f := plotting.New("Rates", "points $N$", "error").LogLog().
		Line("Monte Carlo", n, []float64{1, 0.32, 0.1}).
		Line("herding", n, []float64{1, 0.1, 0.01}, plotting.Marked()).
		Slope(-0.5, "$N^{-1/2}$")
	b := f.MIMEBundle() // what a cell that ends in f shows
	fmt.Println(b["text/plain"], len(b["image/png"].([]byte)) > 1000)
	// Output: Figure: Rates true
}

// Series are plotters: they work on a plain gonum plot too.
func ExampleBand() {
	p := plot.New()
	plotting.Style(p)
	band := &plotting.Band{X: []float64{0, 1, 2}, Lo: []float64{0, 1, 1}, Hi: []float64{1, 2, 4}, Color: plotting.Palette[0]}
	p.Add(plotting.Grid(), band)
	p.Legend.Add("quartiles", band)
	fmt.Println(p.X.Max, p.Y.Max)
	// Output: 2 4
}

func ExampleHist() {
	f := plotting.Hist(map[string][]int{"control": {1, 2, 2, 3}, "treated": {2, 3, 3, 5}}).Labels("Plants", "height in cm", "count")
	fmt.Println(f.MIMEBundle()["text/plain"])
	// Output: Figure: Plants
}

func ExampleScatter() {
	day := func(d int) time.Time { return time.Date(2024, 3, d, 0, 0, 0, 0, time.UTC) }
	f := plotting.Scatter([]time.Time{day(1), day(2), day(5)}, []float32{2, 3, 2.5}, plotting.ColorBy([]int{1, 2, 3}))
	f.Right("rain in mm").Line("rain", plotting.Times([]time.Time{day(1), day(5)}), []float64{10, 30})
	fmt.Println(f.Labels("Growth", "", "height in cm").MIMEBundle()["text/plain"])
	// Output: Figure: Growth
}

func ExamplePanels() {
	a := plotting.New("data", "value", "count").Histogram("draws", []float64{1, 2, 2, 3}, 3, false)
	b := plotting.New("Gram matrix", "$j$", "$i$").Heat(mat.NewDense(2, 2, []float64{1, .5, .5, 1}), 0, 2, 0, 2, nil).Square()
	fmt.Println(plotting.Panels(2, a, b).Titled("Two views").MIMEBundle()["text/plain"])
	// Output: Figure: Two views
}
