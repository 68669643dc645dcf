package study

import (
	"math"
	"strings"

	"gaucho/stdlib/internal/papertable"
)

// Markdown returns the table of String for a paper, with all points.
func (r *Results) Markdown() string {
	sh := r.sheetOf(math.MaxInt)
	return papertable.Markdown(sh.head, sh.rows)
}

// LaTeX returns the same table as a tabular, for package booktabs.
func (r *Results) LaTeX() string {
	sh := r.sheetOf(math.MaxInt)
	return papertable.LaTeX(strings.Repeat("l", len(sh.head)), sh.head, sh.rows)
}
