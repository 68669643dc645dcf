package papertable

import "testing"

func TestMarkdown(t *testing.T) {
	got := Markdown([]string{"a", "b"}, [][]string{{"x|y", "1\n2"}, {"<b>", ""}})
	if want := "| a | b |\n| --- | --- |\n| x\\|y | 1 2 |\n| &lt;b> |  |\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLaTeX(t *testing.T) {
	got := LaTeX("lr", []string{"a_1", "50%"}, [][]string{{`\x{}`, "1 ± 2"}})
	want := "\\begin{tabular}{lr}\n\\toprule\na\\_1 & 50\\% \\\\\n\\midrule\n\\textbackslash{}x\\{\\} & 1 $\\pm$ 2 \\\\\n\\bottomrule\n\\end{tabular}\n"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
