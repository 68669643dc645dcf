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
	fmt.Println(len(b["image/png"].([]byte)) > 1000)
	fmt.Println(b["text/plain"]) // for who cannot see it
	// Output:
	// true
	// Figure: Rates
	// A figure with 2 lines. Horizontally points N, from 1 to 100, logarithmic; vertically error, from 0.01 to 1, logarithmic. Monte Carlo falls from 1 at 1 to 0.1 at 100, with slope -0.50 on the logarithmic axes. herding falls from 1 at 1 to 0.01 at 100, with slope -1.00 on the logarithmic axes. At the end herding is lowest with 0.01, Monte Carlo highest with 0.1. A reference of slope -0.5, N to the power minus one half.
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
	fmt.Println(f.Description())
	// Output: A figure with 2 histograms. Horizontally height in cm, from 0.5 to 5.5; vertically count, from 0 to 2. control: 5 bars, the highest with 2 from 1.5 to 2.5; the middle half lies between 1.5 and 2.5, the median is near 2. treated: 5 bars, the highest with 2 from 2.5 to 3.5; the middle half lies between 2.5 and 3.5, the median is near 3.
}

func ExampleScatter() {
	day := func(d int) time.Time { return time.Date(2024, 3, d, 0, 0, 0, 0, time.UTC) }
	f := plotting.Scatter([]time.Time{day(1), day(2), day(5)}, []float32{2, 3, 2.5}, plotting.ColorBy([]int{1, 2, 3}))
	f.Right("rain in mm").Line("rain", plotting.Times([]time.Time{day(1), day(5)}), []float64{10, 30})
	fmt.Println(f.Labels("Growth", "", "height in cm").Description())
	// Output: A figure with points. Horizontally from 1 March 2024 to 5 March 2024; vertically height in cm, from 2 to 3. The points: 3 points from (1 March 2024, 2) to (5 March 2024, 3), with correlation 0.24. On an axis at the right, rain in mm, from 10 to 30. rain rises from 10 at 1 March 2024 to 30 at 5 March 2024.
}

func ExamplePanels() {
	a := plotting.New("data", "value", "count").Histogram("draws", []float64{1, 2, 2, 3}, 3, false)
	b := plotting.New("Gram matrix", "$j$", "$i$").Heat(mat.NewDense(2, 2, []float64{1, .5, .5, 1}), 0, 2, 0, 2, nil).Square()
	fmt.Println(plotting.Panels(2, a, b).Titled("Two views").Description())
	// Output: Panel 1, data. A figure with a histogram. Horizontally value, from 1 to 3; vertically count, from 0 to 2. draws: 3 bars, the highest with 2 from 1.67 to 2.33; the middle half lies between 1.67 and 2.33, the median is near 2. Panel 2, Gram matrix. A figure with a heat map. Horizontally j, from 0 to 2; vertically i, from 0 to 2. The heat map has 2 by 2 values, from 0.5 at (1.5, 0.5) to 1 at (0.5, 0.5).
}
