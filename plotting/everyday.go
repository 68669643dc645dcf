package plotting

import "gonum.org/v1/plot"

// The figures of every day in one call. Where they take any, they accept slices of any numeric type; those of several samples
// accept a slice of slices or a map from names to slices. They return a figure, whose methods add to it and set its texts.

// Hist returns a histogram of a sample, or of several in common bins: a slice of numbers, a slice of slices, or a map from
// names to slices.
func Hist(data any, opts ...Option) *Figure {
	names, values := samples("Hist", "data", data)
	return New("", "", "count").Histograms(names, values, 0, false, opts...)
}

// Scatter returns points at (x[i], y[i]). [ColorBy] and [SizeBy] show further values. x may be times.
func Scatter(x, y any, opts ...Option) *Figure {
	at, times := horizontal("Scatter", x)
	f := New("", "", "").Points("", at, numbers("Scatter", "y", y), opts...)
	return f.timeIf(times)
}

// Lines returns a line through (x[i], y[i]), or several over the same x: y is a slice of numbers, a slice of slices, or a map
// from names to slices. x may be times; nil stands for 0, 1, 2, ...
func Lines(x, y any, opts ...Option) *Figure {
	at, times := horizontal("Lines", x)
	f := New("", "", "")
	names, values := samples("Lines", "y", y)
	for i, v := range values {
		f.Line(names[i], at, v, opts...)
	}
	return f.timeIf(times)
}

// Box returns a box plot of a sample, or of several, as [Figure.Boxes] draws them.
func Box(data any, opts ...Option) *Figure {
	names, values := samples("Box", "data", data)
	return New("", "", "").Boxes("", names, values, opts...)
}

// Violin returns the densities of a sample, or of several, as [Figure.Violins] draws them.
func Violin(data any, opts ...Option) *Figure {
	names, values := samples("Violin", "data", data)
	return New("", "", "").Violins("", names, values, opts...)
}

// Bar returns a bar for each label.
func Bar(labels []string, heights any, opts ...Option) *Figure {
	return New("", "", "").Bars("", labels, numbers("Bar", "heights", heights), opts...)
}

func (f *Figure) timeIf(times bool) *Figure {
	if times {
		return f.TimeX(nil)
	}
	return f
}

// Labels sets the title and the labels of the axes.
func (f *Figure) Labels(title, x, y string) *Figure {
	checkFormulas(title, x, y)
	f.Title.Text, f.Plot.X.Label.Text, f.Plot.Y.Label.Text = title, x, y
	return f
}

// Histograms counts several samples in the same bins, see [Figure.Histogram]. Their number is chosen for all values together.
func (f *Figure) Histograms(names []string, data [][]float64, bins int, density bool, opts ...Option) *Figure {
	if len(names) != len(data) {
		panic(mismatch("Histograms", len(data), "samples", len(names), "names"))
	}
	var all []float64
	for _, v := range data {
		all = append(all, v...)
	}
	edges := Count(all, bins, false).Edges
	if len(data) > 1 {
		opts = append([]Option{Alpha(.5)}, opts...)
	}
	for i, v := range data {
		f.bins(names[i], countIn(edges, v, density), opts)
	}
	return f
}

// named labels the places 0, 1, 2, ... of the horizontal axis.
func (f *Figure) named(labels []string) {
	checkFormulas(labels...)
	var ticks plot.ConstantTicks
	for i, label := range labels {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: label})
	}
	f.Plot.X.Tick.Marker, f.Plot.X.Tick.Length, f.Plot.X.Tick.Width = ticks, 5, 0
}
