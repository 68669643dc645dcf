package plotting

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// figureKinds returns a figure of every kind, for tests that look at pictures.
func figureKinds() (names []string, figures []drawing) {
	add := func(name string, f drawing) { names, figures = append(names, name), append(figures, f) }
	rng := rand.New(rand.NewPCG(1, 2))
	normal := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return v
	}
	wave := mat.NewDense(30, 40, nil)
	wave.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(j)/6) * math.Cos(float64(i)/5) }, wave)
	n := []float64{1, 3, 10, 30, 100, 300}
	reps := mat.NewDense(20, len(n), nil)
	reps.Apply(func(_, j int, _ float64) float64 { return math.Exp(.3*rng.NormFloat64()) / math.Sqrt(n[j]) }, reps)
	x := []float64{0, 1, 2, 3, 4}
	y := []float64{1, 3, 2, 5, 4}

	add("line", New("A line", "time $t$", "value").Line("", nil, y))
	add("lines", New("Lines and markers", "time $t$", "value").Line("one", x, y, Marked()).Line("two", x, []float64{2, 2, 4, 3, 6}, Dashed()).
		Line("three", x, []float64{0, 1, 1, 2, 2}, Dotted()))
	nine := New("Nine lines", "$x$", "")
	for k := range 10 {
		nine.Func(fmt.Sprintf("line number %d", k), func(x float64) float64 { return math.Sin(x + float64(k)/3) }, 0, 6)
	}
	add("nine lines", nine)
	add("points", New("Points", "$x_1$", "$x_2$").Points("draws", normal(300), normal(300)))
	add("many points", New("Many points", "$x_1$", "$x_2$").Points("draws", normal(20000), normal(20000)))
	add("weighted", New("Weighted", "$x_1$", "$x_2$").Weighted("rule", x, y, []float64{1, 4, -2, 3, 5}))
	add("bands", New("Quartiles", "points $N$", "error").LogLog().Quartiles("MC", n, reps).Slope(-.5, "$N^{-1/2}$"))
	add("error bars", New("Error bars", "$x$", "$y$").Points("mean", x, y).ErrorBars("mean", x, []float64{.5, 2, 1, 4, 3}, []float64{2, 4, 2.5, 5.5, 5}))
	add("histogram", New("Histogram", "value", "density").Histogram("draws", normal(1000), 0, true).
		Func("density", func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }, -4, 4))
	add("bars", New("Bars", "", "count").Bars("a", []string{"left", "middle", "right"}, []float64{3, -1, 4}).Bars("b", []string{"left", "middle", "right"}, []float64{2, 2, 3}))
	var manyNames []string
	var manyHeights []float64
	for k := range 20 {
		manyNames, manyHeights = append(manyNames, fmt.Sprintf("category %d", k)), append(manyHeights, float64(k%7+1))
	}
	add("many bars", New("Many bars with a title that is much too long for one line and that goes on and on until nobody wants to read it any more", "", "count").Bars("", manyNames, manyHeights))
	add("heat", New("Heat", "$x$", "$y$").Heat(wave, 0, 4, 0, 3, Viridis))
	add("square heat", New("Gram matrix", "$j$", "$i$").Heat(mat.NewDense(2, 3, []float64{1, .5, .2, .5, 1, .7}), 0, 3, 0, 2, nil).Square())
	add("ground", New("Points over a density", "$x_1$", "$x_2$").Density(func(x, y float64) float64 { return math.Exp(-(x*x + y*y) / 2) }, -3, 3, -3, 3, 60, nil).
		Points("draws", normal(600), normal(600)).Square())
	add("contours", New("Contours", "$x$", "$y$").Contours("levels", wave, 0, 4, 0, 3, nil).Text(2, 1.5, "a note").HLine(1, "one").VLine(3, "three"))
	small := func(title string) *Figure { return New(title, "$x$", "$y$").Line("one", x, y).Line("two", y, x) }
	add("panels", Panels(2, small("left"), small("right"), New("heat", "", "").Heat(wave, 0, 4, 0, 3, nil), small("log").LogLog()).Titled("Four panels"))
	few := New("t", "x", "y").Line("l", []float64{1, 2, 3}, []float64{1, 4, 9})
	add("panels with long legends", Panels(3, nine, few, nine))
	tex := New(`$\frac{1}{2}$, $\sqrt{x^2+1}$, $e^{-x^2}$, $\mathbf{x}^\top \mathcal{H}$, $\mathbb{E}[X]$`, `$\nabla f \otimes g$, $\binom{n}{k}$, $x \in \mathbb{R}^d$`,
		`$p \propto \mathrm{max}_i\, \hat\mu_i$, \$5`)
	for i, name := range []string{`$\left(\frac{\sigma^2}{n}\right)^{1/2}$`, `$\sum_{i=1}^n x_i^2 \le \lVert x \rVert$`, `$\int_0^\infty e^{-t}\,dt$`, `$\bar x, \tilde y, \vec v, \dot q$`} {
		tex.Line(name, x, []float64{float64(i), 1, 2, 3 + float64(i), 4})
	}
	add("formulas", tex)
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "A plain plot", "x", "y"
	line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 3}, {X: 2, Y: 2}})
	if err != nil {
		panic(err)
	}
	p.Add(line)
	p.Legend.Add("line", line)
	add("plain plot", houseStyle(p))
	add("histograms", Hist(map[string][]float64{"old": normal(400), "new": normal(300)}).Labels("Common bins", "value", "count"))
	add("scatter", Scatter([]int{1, 2, 3, 4, 5}, []float32{2, 4, 1, 3, 5}, ColorBy([]int{1, 2, 3, 4, 5}), SizeBy([]float64{1, 4, 9, 2, 3})).Labels("Colour and size", "$x$", "$y$"))
	many := normal(5000)
	add("large scatter", Scatter(many, normal(5000), ColorBy(many)).Labels("Many by colour", "$x$", "$y$"))
	add("box", Box(map[string][]float64{"control": normal(100), "treated": append(normal(100), 5, 6), "empty": {}}).Labels("Boxes", "", "height"))
	add("violin", Violin([][]float64{normal(200), append(normal(100), 4, 5, 4.5, 4.4)}).Labels("Violins", "", "height"))
	add("bar", Bar([]string{"a", "b", "c"}, []uint8{3, 1, 2}))
	twin := New("Two axes", "year", "yield").Line("yield", x, y)
	twin.Right("rain in mm").Line("rain", x, []float64{800, 1200, 700, 900, 1000}, Dashed())
	add("two axes", twin)
	add("annotated", Lines(nil, map[string][]int{"a": {1, 4, 2, 8, 5}, "b": {2, 3, 4, 5, 6}}).Annotate(3, 8, 1.5, 9, "the peak"))
	add("time", New("A time axis", "", "value").Line("", Times([]time.Time{time.Date(2023, 10, 15, 0, 0, 0, 0, time.UTC), time.Date(2023, 12, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2024, 3, 20, 0, 0, 0, 0, time.UTC)}), []float64{1, 3, 2}).TimeX(nil))
	add("instant", Lines([]time.Time{time.Unix(0, 0), time.Unix(0, 4e8), time.Unix(1, 1e8)}, []int{1, 3, 2}).Labels("Tenths of seconds", "", "value"))
	add("facets", Facet(frame(), "g", "x", "y"))
	add("pairs", Pairs(frame()))
	add("by group", ScatterBy(frame(), "x", "y", "g"))
	add("residuals", Residuals(normal(50), normal(50)))
	return names, figures
}
