package page

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"gaucho/command/notebook"
)

// TestTangledMarkdown: text that is made to keep a renderer busy is shown, as it is written if need be, in time that grows with
// its length. In time that grows with the square of it, 300 kB of such text take minutes.
func TestTangledMarkdown(t *testing.T) {
	const deadline = 20 * time.Second
	quadratic := []string{"links", "images", "brackets", "quotes", "lists", "numbers", "formulas", "parens", "braces", "angles", "mixed", "growing", "emphasis"}
	small, large := tangled(10_000), tangled(300_000)
	for name, s := range small {
		if slices.Contains(quadratic, name) {
			s = large[name]
		}
		began := time.Now()
		nb := &notebook.Notebook{Cells: []*notebook.Cell{{Type: "markdown", Source: s}}}
		if err := Write(io.Discard, nb, &Options{Untrusted: true}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > deadline {
			t.Errorf("%s: the page took %v", name, took)
		}
	}
}

// TestTangledOutput: control sequences that are begun and not ended, and JSON that is deep, make a page in time and of a size that
// grow with their length. With the square of it they take minutes and 32 MB.
func TestTangledOutput(t *testing.T) {
	const deadline = 20 * time.Second
	for _, piece := range []string{"\x1b", "\x1b\x01", "\x1b[", "\x1b]", "\x1b[1;"} {
		text := strings.Repeat(piece, 300_000/len(piece))
		for _, o := range []*notebook.Output{{Type: "stream", Text: text}, {Type: "error", Traceback: []string{text}},
			{Type: "display_data", Data: map[string]any{"text/plain": text}}} {
			began := time.Now()
			nb := &notebook.Notebook{Cells: []*notebook.Cell{{Type: "code", Source: "1", Outputs: []*notebook.Output{o}}}}
			if err := Write(io.Discard, nb, &Options{Untrusted: true}); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > deadline {
				t.Fatalf("%d of %q as %s: the page took %v", len(text), piece, o.Type, took)
			}
		}
	}
	var deep any
	for range 4000 {
		deep = []any{deep}
	}
	o := &notebook.Output{Type: "display_data", Data: map[string]any{"application/json": deep}}
	if html := newMarkdown("", false).renderOutput(o); len(html) > 20_000 {
		t.Errorf("4000 lists in each other are %d bytes", len(html))
	}
	o.Data["application/json"] = map[string]any{"a": []any{1}}
	if html, want := newMarkdown("", false).renderOutput(o), "{\n  &#34;a&#34;: [\n    1\n  ]\n}"; !strings.Contains(html, want) {
		t.Errorf("JSON is shown as %s, want %s", html, want)
	}
}

// TestEffort: what people write is rendered.
func TestEffort(t *testing.T) {
	row := "| `a` | **b** | [c](https://example.org/c_d) | 1.25 | $x_i$ |\n"
	for name, s := range map[string]string{
		"a long table":      "| a | b | c | d | e |\n|---|---|---|---|---|\n" + strings.Repeat(row, 300),
		"an embedded image": "![plot](data:image/png;base64," + strings.Repeat("iVBORw0KGgo+", 200_000) + ")",
		"a long chapter":    strings.Repeat("Text with *emphasis*, `code`, [a link](https://example.org) and $x$.\n\n- a list\n  - in a list\n\n", 2000),
	} {
		if m := newMarkdown("", true); strings.HasPrefix(m.render(s, nil), "<pre>") {
			t.Errorf("%s is not rendered: effort %d of %d", name, effort(s), maxEffort)
		}
	}
}

// tangled are texts of about n bytes.
func tangled(n int) map[string]string {
	all := map[string]string{}
	for name, piece := range map[string]string{
		"links": "[a](", "images": "![a](", "brackets": "[", "closed": "[a]", "pairs": "[]", "quotes": ">", "quotes and text": "> ", "lists": "- ", "numbers": "1. ",
		"formulas": `\begin{a}`, "dollars": "$", "dollar text": "$a", "display": "$$a", "parens": `\\(a`, "braces": "${", "headings": "# a\n", "same": "# a\n\n", "different lists": "* a\n + b\n",
		"emphasis": "*a ", "strong": "**a ", "mixed": "*a_ ", "both": "a**b*c_", "ticks": "`a", "growing": "`", "fences": "```\n", "fences open": "> ```\n", "tildes": "~~~a\n",
		"html": "<a ", "comment": "<!--", "cdata": "<![CDATA[", "tags": "<a>", "pi": "<?", "decl": "<!X ",
		"footnotes": "[^1]", "definitions": "[a]: x\n", "footnote definitions": "[^1]: x\n\n", "urls": "http://a ", "www": "www.", "mail": "a@", "mails": "a@b.c ", "strike": "~~a ", "strikes": "~",
		"table": "a|b\n-|-\n", "rows": "|a|\n", "escapes": "\\", "entities": "&a", "newlines": "\n", "spaces": " ", "tabs": "\t", "text": "word ", "lines": "word\n",
		"setext": "a\n=\n", "rules": "***\n", "autolinks": "<http://a", "nested": "[![", "checks": "- [ ] a\n", "references": "[a][b]", "angles": "[a](<", "titles": `[a](b "`, "underscores": "_", "stars": "*",
	} {
		all[name] = strings.Repeat(piece, n/len(piece))
	}
	all["table header"] = "a\n" + strings.Repeat("|-", n/2)
	var counted, feet strings.Builder
	for i := 0; counted.Len() < n; i++ {
		counted.WriteString(strings.Repeat("`", i%2000) + "a")
	}
	all["runs of ticks"] = counted.String()
	for i := 0; feet.Len() < n; i++ {
		feet.WriteString("[^a" + strings.Repeat("b", i%50) + "]\n\n[^a" + strings.Repeat("b", i%50) + "]: x\n\n")
	}
	all["many footnotes"] = feet.String()
	return all
}
