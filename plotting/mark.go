package plotting

// A mark is a series as it was given to the figure, for renderers other than gonum/plot.
type mark struct {
	kind     string // "line", "point", "band"
	name     string
	look     look
	x, y, y2 []float64
}

func (f *Figure) mark(m mark) { f.marks = append(f.marks, m) }
