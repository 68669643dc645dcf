package render

import (
	"fmt"
	"html"
	"math/cmplx"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/words"
)

// matrixCells returns the entries of a matrix that are shown, with "…" and "⋮" for what is left out.
func matrixCells(rows, cols int, at func(i, j int) string) [][]cell {
	var out [][]cell
	js := ends(cols, columnLimit.Load())
	for _, i := range ends(rows, rowLimit.Load()) {
		var r []cell
		for _, j := range js {
			switch {
			case i < 0 && j < 0:
				r = append(r, cell{text: "⋱"})
			case i < 0:
				r = append(r, cell{text: "⋮"})
			case j < 0:
				r = append(r, cell{text: "…"})
			default:
				r = append(r, cell{text: at(i, j), number: true})
			}
		}
		out = append(out, r)
	}
	alignPoints(out)
	// A column's dots are below its numbers' integer part.
	for j := range js {
		width := 0
		for _, r := range out {
			width = max(width, runes(r[j].text))
		}
		for i := range out {
			if out[i][j].text == "⋮" {
				out[i][j] = cell{text: strings.Repeat(" ", (width-1)/2) + "⋮"}
			}
		}
	}
	return out
}

func denseCells(m mat.Matrix) [][]cell {
	rows, cols := m.Dims()
	return matrixCells(rows, cols, func(i, j int) string { return number(m.At(i, j)) })
}

// matrixTitle says the size and type of a matrix or vector.
func matrixTitle(m any, rows, cols int) string {
	name := strings.TrimPrefix(fmt.Sprintf("%T", m), "*")
	if _, ok := m.(mat.Vector); ok && cols == 1 {
		return fmt.Sprintf("%s of length %d", name, rows)
	}
	return fmt.Sprintf("%d×%d %s", rows, cols, name)
}

// matrixText returns the entries aligned at their decimal points between brackets.
func matrixText(m mat.Matrix) string {
	rows, cols := m.Dims()
	return bracketed(denseCells(m), matrixTitle(m, rows, cols), cut2(rows, cols))
}

func cut2(rows, cols int) bool {
	return rows > int(rowLimit.Load()) || cols > int(columnLimit.Load())
}

// bracketed writes rows of numbers as a matrix, with a title where entries are left out.
func bracketed(cells [][]cell, title string, titled bool) string {
	if len(cells) == 0 || len(cells[0]) == 0 {
		return title
	}
	lines := strings.Split(sheet{rows: cells}.plain(), "\n")
	width := 0
	for _, l := range lines {
		width = max(width, runes(l))
	}
	var b strings.Builder
	if titled {
		b.WriteString(title + "\n")
	}
	for i, l := range lines {
		open, shut := "⎢", "⎥"
		switch {
		case len(lines) == 1:
			open, shut = "[", "]"
		case i == 0:
			open, shut = "⎡", "⎤"
		case i == len(lines)-1:
			open, shut = "⎣", "⎦"
		}
		b.WriteString(open + l + strings.Repeat(" ", width-runes(l)) + shut + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func matrixBundle(m mat.Matrix) map[string]any {
	rows, cols := m.Dims()
	return gridBundle(denseCells(m), matrixTitle(m, rows, cols), cut2(rows, cols))
}

func complexBundle(m mat.CMatrix) map[string]any {
	rows, cols := m.Dims()
	cells := matrixCells(rows, cols, func(i, j int) string { return complexNumber(m.At(i, j)) })
	return gridBundle(cells, matrixTitle(m, rows, cols), cut2(rows, cols))
}

func complexNumber(z complex128) string {
	if cmplx.IsNaN(z) {
		return "NaN"
	}
	im := strconv.FormatFloat(imag(z), 'g', 5, 64)
	if im[0] != '-' && im[0] != '+' {
		im = "+" + im
	}
	return strconv.FormatFloat(real(z), 'g', 5, 64) + im + "i"
}

// gridBundle returns the text, HTML and LaTeX forms of a matrix's cells.
func gridBundle(cells [][]cell, title string, titled bool) map[string]any {
	data := map[string]any{"text/plain": bracketed(cells, title, titled)}
	if len(cells) == 0 || len(cells[0]) == 0 {
		return data
	}
	data["text/html"] = gridHTML(cells, title)
	data["text/latex"] = gridLaTeX(cells)
	return data
}

// gridHTML draws a matrix between brackets that the cells' borders make.
func gridHTML(cells [][]cell, title string) string {
	const line = "1.5px solid currentColor"
	var b strings.Builder
	fmt.Fprintf(&b, `<div style="overflow-x:auto"><table style="%s;border:none"><tbody>`, styleTable)
	bracket := func(side string, i int) {
		border := "border:none;border-" + side + ":" + line
		if i == 0 {
			border += ";border-top:" + line
		}
		if i == len(cells)-1 {
			border += ";border-bottom:" + line
		}
		fmt.Fprintf(&b, `<td style="padding:0;width:5px;min-width:5px;%s"></td>`, border)
	}
	for i, r := range cells {
		b.WriteString(`<tr style="background:none">`)
		bracket("left", i)
		for _, c := range r {
			align := "right;white-space:pre"
			if !c.number {
				align = "center"
			}
			fmt.Fprintf(&b, `<td style="padding:.1em .5em;border:none;text-align:%s">%s</td>`, align, html.EscapeString(figureSpaces(c)))
		}
		bracket("right", i)
		b.WriteString("</tr>")
	}
	fmt.Fprintf(&b, `</tbody></table><div style="%s">%s</div></div>`, words.StyleCaption, html.EscapeString(title))
	return b.String()
}

func gridLaTeX(cells [][]cell) string {
	dots := strings.NewReplacer("…", `\cdots`, "⋮", `\vdots`, "⋱", `\ddots`, "∞", `\infty`, "NaN", `\mathrm{NaN}`, " ", "")
	var b strings.Builder
	b.WriteString("$$\\begin{bmatrix}\n")
	for _, r := range cells {
		for j, c := range r {
			if j > 0 {
				b.WriteString(" & ")
			}
			b.WriteString(power(dots.Replace(c.text)))
		}
		b.WriteString(" \\\\\n")
	}
	b.WriteString("\\end{bmatrix}$$")
	return b.String()
}

// power writes 1e-7 as LaTeX.
func power(s string) string {
	mantissa, exponent, ok := strings.Cut(s, "e")
	if !ok || strings.HasSuffix(s, "i") || strings.HasPrefix(s, `\`) {
		return s
	}
	return mantissa + ` \times 10^{` + strings.TrimPrefix(exponent, "+") + "}"
}
