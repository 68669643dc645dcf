package plotting

// A mark is a series as it was given to the figure, for renderers other than gonum/plot.
type mark struct {
	kind   string // "line", "point", "band", "bar"
	name   string
	look   look
	x, y   []float64
	x2, y2 []float64  // right edges of bars, upper limits of bands
	bars   *barSeries // for bars over labels, whose places depend on the series beside them
}

func (f *Figure) mark(m mark) { f.marks = append(f.marks, m) }
