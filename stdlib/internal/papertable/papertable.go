// Package papertable writes tables for papers: as Markdown and as LaTeX.
package papertable

import "strings"

// Markdown returns a table with a line a row. Rows have as many cells as the head.
func Markdown(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + markdownCell.Replace(c) + " ")
		}
		b.WriteString("|\n")
	}
	line(head)
	b.WriteString(strings.Repeat("| --- ", len(head)) + "|\n")
	for _, r := range rows {
		line(r)
	}
	return b.String()
}

var markdownCell = strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;")

// LaTeX returns a tabular with the given columns, as "lrr", in rules of package booktabs.
func LaTeX(columns string, head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		for i, c := range cells {
			if i > 0 {
				b.WriteString(" & ")
			}
			b.WriteString(Escape(c))
		}
		b.WriteString(" \\\\\n")
	}
	b.WriteString("\\begin{tabular}{" + columns + "}\n\\toprule\n")
	line(head)
	b.WriteString("\\midrule\n")
	for _, r := range rows {
		line(r)
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	return b.String()
}

// Escape makes a text one that LaTeX sets as it is.
func Escape(text string) string { return latexText.Replace(text) }

var latexText = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`, "\n", " ",
	"±", `$\pm$`, "×", `$\times$`, "≤", `$\le$`, "≥", `$\ge$`, "−", `$-$`)
