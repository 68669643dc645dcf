// Package plotting draws figures. Package gaucho/render shows them, and all other values.
//
// A [Figure] is a gonum plot that looks after itself: ranges, ticks, a legend that keeps clear of the data, colours that
// everybody can tell apart, formulas in its texts.
//
//	plotting.New("Mixture, $K = 100$", "points $N$", "MMD").LogLog().
//		Quartiles("MC", n, mc).   // replications, one a row: median and quartiles
//		Quartiles("FCFW", n, fcfw).
//		Slope(-0.5, "$N^{-1/2}$") // a reference for the rate
//
// Everyday figures are one call: [Hist], [Scatter], [Lines], [Box], [Violin] and [Bar] take slices of any numeric type, and
// Save writes a file:
//
//	plotting.Scatter(height, weight, plotting.ColorBy(age)).Labels("Plants", "height in cm", "weight in g").Save("plants.pdf")
//
// [Figure.Right] gives a second vertical axis, [Figure.TimeX] dates, [Figure.Annotate] an arrow with a text, and
// [SetTheme] a dark ground, or that of the page.
//
// Its series are plotters that work on any *plot.Plot: [Line], [Points], [Band], [ErrorBars], [Bins], [Heat], [Slope],
// [Rule], [Note], [Arrow], [Ticks], [TimeTicks], [LogTicks], [LogScale]; [Style] gives a plain plot the same look and [Wrap] makes a figure of
// it. [Panels] puts figures side by side, [Animate] one after the other, [Slider] under a slider, and
// [Figure.Interactive] gives a figure that zooms and answers the mouse.
//
// The same figure gives the same bytes every time.
package plotting
