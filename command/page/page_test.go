package page

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gaucho/command/notebook"
)

func renderPage(t *testing.T, nb *notebook.Notebook) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, nb, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPage(t *testing.T) {
	nb, err := notebook.ReadFile("testdata/small.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	page := renderPage(t, nb)
	for _, want := range []string{
		"<title>Kernel herding of a mixture</title>",
		`<h1 id="Kernel-herding-of-a-mixture">Kernel herding of a <em>mixture</em> <a class="anchor"`,
		`<li class="l2"><a href="#A-table">A table</a></li>`,
		`<td style="text-align:right"><span class="math"><math title="n^{-1/2}"><msup><mi>n</mi><mrow>`,
		`<th style="text-align:right">rate <span class="math"><math title="|x|">`,
		"<code>$x_1$ is code</code>",
		`<span class="k">for</span> i := <span class="k">range</span> <span class="n">10</span>`,
		`<span class="prompt">2</span>`,
		`<span class="a-green">good</span>`,
		"&lt;not a tag&gt;\n100%",
		`<pre class="stream stderr">a warning</pre>`,
		`<img src="data:image/svg+xml;base64,`,
		`alt="plot.Plot{...}"`,
		`width="80"`,
		`<span class="a-red a-bold">runtime error</span>`,
		"<details class=\"code\"><summary>code [7]</summary>",
		"shown",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	for _, not := range []string{"removed()", "gone()", "10%\r", " 50%", "attachment:", `src="dot.svg"`} {
		if strings.Contains(page, not) {
			t.Errorf("the page has %s", not)
		}
	}
	// What a page would load: no address but data, anchors and names of XML.
	page = regexp.MustCompile(`(?s)<script>.*?</script>`).ReplaceAllString(page, "")
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]*)"|url\(([^)]*)\)`).FindAllStringSubmatch(page, -1) {
		if u := m[1] + m[2]; !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "#") {
			t.Errorf("the page loads %s", u)
		}
	}
}

func TestPageWithoutMath(t *testing.T) {
	page := renderPage(t, &notebook.Notebook{Name: "plain", Cells: []*notebook.Cell{
		{Type: "markdown", Source: "costs $5 and $6"},
		{Type: "code", Source: "x := `</script>`", Outputs: []*notebook.Output{{Type: "stream", Name: "stdout", Text: "</pre>"}}},
	}})
	if !strings.Contains(page, "<title>plain</title>") || len(page) > 30<<10 {
		t.Errorf("page of %d bytes", len(page))
	}
	if !strings.Contains(page, "&lt;/script&gt;") || !strings.Contains(page, "&lt;/pre&gt;") {
		t.Error("tags in code or output are not escaped")
	}
}

// less is a < b.
const less = `<mrow><mi>a</mi><mspace width="0.2778em"></mspace><mo stretchy="false" lspace="0" rspace="0">&lt;</mo><mspace width="0.2778em"></mspace><mi>b</mi></mrow>`

func TestForms(t *testing.T) {
	for _, c := range []struct {
		data map[string]any
		want string
	}{
		{map[string]any{"text/plain": "a<b"}, "<pre>a&lt;b</pre>"},
		{map[string]any{"text/plain": "p", "image/png": "iVBO\nRw0="}, `<img src="data:image/png;base64,iVBORw0=" alt="p">`},
		{map[string]any{"text/plain": "p", "text/html": "<b>p</b>", "image/png": "x"}, "<b>p</b>"},
		{map[string]any{"image/svg+xml": "<svg/>", "image/png": "x"}, `<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="">`},
		{map[string]any{"image/svg+xml": strings.Repeat(" ", largeSVG+1), "image/png": "x"}, `<img src="data:image/png;base64,x" alt="">`},
		{map[string]any{"text/plain": "p", "text/latex": "$a<b$ and $$c$$"},
			`<span class="math"><math title="a&lt;b">` + less + `</math></span> and <span class="math display"><math display="block" title="c"><mi>c</mi></math></span>`},
		{map[string]any{"text/latex": "x^2"}, `<span class="math display"><math display="block" title="x^2"><msup><mi>x</mi><mn>2</mn></msup></math></span>`},
		{map[string]any{"text/latex": "$\\foo$"}, `<span class="math wrong" title="unknown command \foo">$\foo$</span>`},
		{map[string]any{"text/markdown": "*a*"}, "<p><em>a</em></p>\n"},
		{map[string]any{"application/json": map[string]any{"a": 1}}, "<pre>{\n  &#34;a&#34;: 1\n}</pre>"},
		{map[string]any{"application/vnd.jupyter.widget-view+json": map[string]any{}, "text/plain": "slider"}, "<pre>slider</pre>"},
	} {
		m := newMarkdown("", true)
		got := m.renderOutput(&notebook.Output{Type: "display_data", Data: c.data})
		if want := `<div class="display">` + c.want + "</div>\n"; got != want {
			t.Errorf("%v: %s, want %s", c.data, got, want)
		}
	}
	described := &notebook.Output{Type: "display_data", Data: map[string]any{"text/plain": "p", "image/png": "x"}, Metadata: map[string]any{"image/png": map[string]any{"alt": "a < b"}}}
	if got := newMarkdown("", true).renderOutput(described); !strings.Contains(got, `alt="a &lt; b"`) {
		t.Errorf("alternative text of the metadata: %s", got)
	}
	if got := newMarkdown("", true).renderOutput(&notebook.Output{Type: "display_data", Data: map[string]any{"application/x-own": "a"}}); got != "" {
		t.Errorf("unknown type shown: %s", got)
	}
}

func TestFormulas(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"$a_1$ and $b_1$", "[a_1] and [b_1]"},
		{"a $ x $ b", "a [ x ] b"},
		{"$$x\n= y$$", "[[x\n= y]]"},
		{"$$\n- x\n$$ then", "[[\n- x\n]] then"},
		{"$x$$y$", "[x][y]"},
		{`\$5 and \$6`, `\$5 and \$6`},
		{"$5 and $6", "$5 and $6"},
		{"one $ only", "one $ only"},
		{"$a\n\nb$", "$a\n\nb$"},
		{"`$x$` $y$", "`$x$` [y]"},
		{"``a ` $x$`` $y$", "``a ` $x$`` [y]"},
		{"` $x$", "` [x]"},
		{"```\n$x$\n```\n$y$", "```\n$x$\n```\n[y]"},
		{"~~~go\n$x$\n", "~~~go\n$x$\n"},
		{`$\text{costs \$5, in {$x$}}$!`, `[\text{costs \$5, in {$x$}}]!`},
		{`\\(x_1\\) \\[y\\]`, `[x_1] [[y]]`},
		{`\begin{align*}a\\b\end{align*}.`, `[[\begin{align*}a\\b\end{align*}]].`},
		{`\begin{align}a`, `\begin{align}a`},
		{`\begin{a}\begin{a}\end{a}\end{a}`, `[[\begin{a}\begin{a}\end{a}\end{a}]]`},
		{"$$", "$$"},
		{"$", "$"},
		{`\`, `\`},
	} {
		text, found := takeFormulas(c.text)
		got := holder.ReplaceAllStringFunc(text, func(h string) string {
			f := found[0]
			found = found[1:]
			if f.display {
				return "[[" + f.tex + "]]"
			}
			return "[" + f.tex + "]"
		})
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestFormulasInMarkdown has formulas where Markdown would take them for something else.
func TestFormulasInMarkdown(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"*a $x*y$ b*", "<p><em>a <span class=\"math\"><math title=\"x*y\">…</math></span> b</em></p>\n"},
		{"$$\n= x\n$$", "<p><span class=\"math display\"><math display=\"block\" title=\"= x\">…</math></span></p>\n"},
		{"a **$x$**b", "<p>a <strong><span class=\"math\"><math title=\"x\">…</math></span></strong>b</p>\n"},
		{"![$x$](a.png)", "<p><img src=\"a.png\" alt=\"$x$\"></p>\n"},
		{"    code $x$", "<pre><code>code $x$\n</code></pre>\n"},
		{"$a<b$", "<p><span class=\"math\"><math title=\"a&lt;b\">…</math></span></p>\n"},
	} {
		got := regexp.MustCompile(`(?s)(<math[^>]*>).*?</math>`).ReplaceAllString(newMarkdown("", true).render(c.text, nil), "$1…</math>")
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestHeadings(t *testing.T) {
	m := newMarkdown("", true)
	m.render("# The rate $n^{-1}$ of `FW`\n\n## A\n\n## A\n\n## 1 < 2", nil)
	var got []string
	for _, h := range m.headings {
		got = append(got, h.ID+" | "+h.HTML)
	}
	want := []string{`The-rate-n^{-1}-of-FW | The rate <span class="math"><math title="n^{-1}"><msup><mi>n</mi><mrow><mo stretchy="false" lspace="0" rspace="0">−</mo><mn>1</mn></mrow></msup></math></span> of FW`, "A | A", "A-2 | A", "1-<-2 | 1 &lt; 2"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	escaped := newMarkdown("", true)
	escaped.render("# a\\-b \\* `\\-`", nil)
	if got, want := escaped.headings[0].HTML, `a-b * \-`; got != want {
		t.Errorf("a heading with escapes is %s, want %s", got, want)
	}
}

func TestHighlight(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"x := 1.5e3 // n", `x := [n 1.5e3] [c // n]`},
		{"f(g (x), h)", "[f f]([f g] (x), h)"},
		{"s := `a\nb` + \"c\" + 'd'", "s := [s `a\nb`] + [s &#34;c&#34;] + [s &#39;d&#39;]"},
		{"a\n!ls \"*.go\nb := 1", "a\n[m !ls &#34;*.go]\nb := [n 1]"},
		{"%%bash\necho '\nls", "[m %%bash\necho &#39;\nls]"},
		{"x %\ny", "x %\ny"},
		{"`%a\n%b`\n%time f()", "[s `%a\n%b`]\n[m %time f()]"},
		{"\"open\nfor {", "[s &#34;open]\n[k for] {"},
		{"/* a\n* b */ len(x)", "[c /* a\n* b */] [b len](x)"},
		{"é := \"\xff\" # ?", "é := [s &#34;\xff&#34;] # ?"},
		{"a\r\n`b\r\nc` + d", "a\r\n[s `b\r\nc`] + d"},
	} {
		got := regexp.MustCompile(`<span class="(.)">`).ReplaceAllString(highlightGo(c.source), "[$1 ")
		got = strings.ReplaceAll(got, "</span>", "]")
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.source, got, c.want)
		}
	}
}

func TestANSI(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain <b>", "plain &lt;b&gt;"},
		{"\x1b[31mred\x1b[0m no", `<span class="a-red">red</span> no`},
		{"\x1b[1;32mbold\x1b[22mgreen\x1b[39m", `<span class="a-green a-bold">bold</span><span class="a-green">green</span>`},
		{"\x1b[38;5;208mo\x1b[48;2;1;2;3mb", `<span style="color:#ff8700">o</span><span style="color:#ff8700;background:#010203">b</span>`},
		{"\x1b[38;5;9mr\x1b[m", `<span class="a-bright-red">r</span>`},
		{"\x1b[7mi\x1b[27m", `<span class="a-inverse">i</span>`},
		{"10%\r20%\n", "20%\n"},
		{"long\rab", "abng"},
		{"long\r\x1b[Kab", "ab"},
		{"ab\bc", "ac"},
		{"a\x1b[2Ab\x1b]0;title\x07c\x1b", "abc"},
		{"a\x00b\tü\xff", "ab\tü\uFFFD"},
		{"\x1b[38;5m\x1b[38mx", "x"},
	} {
		if got := ansiHTML(c.text); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
	if got := StripANSI("\x1b[1;31ma\x1b[0m\x1b[Kb"); got != "ab" {
		t.Error(got)
	}
}

// TestUntrustedPage: nothing that a notebook brings along acts in such a page.
func TestUntrustedPage(t *testing.T) {
	evil := "<script>alert(1)</script><img src=x onerror=alert(2)>"
	nb := &notebook.Notebook{Cells: []*notebook.Cell{
		{Type: "markdown", Source: "# Title\n\n" + evil + "\n\n[link](javascript:alert(3)) $x^2$"},
		{Type: "code", Source: "x // " + evil, Outputs: []*notebook.Output{
			{Type: "display_data", Data: map[string]any{"text/html": evil, "text/plain": "plain form"}},
			{Type: "display_data", Data: map[string]any{"application/javascript": "alert(4)"}},
			{Type: "display_data", Data: map[string]any{"image/svg+xml": "<svg onload='alert(5)'></svg>"}},
			{Type: "display_data", Data: map[string]any{"text/latex": "$\\href{javascript:alert(6)}{x}$" + evil}},
			{Type: "display_data", Data: map[string]any{"image/png": "\"><script>alert(7)</script>"}},
			{Type: "stream", Name: "stdout", Text: evil},
			{Type: "error", Traceback: []string{evil}},
		}},
	}}
	var b strings.Builder
	if err := Write(&b, nb, &Options{Untrusted: true}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, bad := range []string{"<script>", "<img src=x", "<svg onload", "href=\"javascript:"} {
		if i := strings.Index(page, bad); i >= 0 {
			t.Errorf("%s is in the page: %s", bad, page[max(0, i-60):min(len(page), i+60)])
		}
	}
	if !strings.Contains(page, "plain form") || !strings.Contains(page, "script-src 'nonce-") {
		t.Error("the text form or the policy is missing")
	}
}

// TestPageNamesProgram: a page says which version ran its notebook.
func TestPageNamesProgram(t *testing.T) {
	for version, want := range map[any]string{"0.1.0 (abc)": "Gaucho 0.1.0 (abc)", nil: "Gaucho"} {
		nb := &notebook.Notebook{Metadata: map[string]any{"language_info": map[string]any{"name": "go", "gaucho": version}}}
		var b strings.Builder
		if err := Write(&b, nb, nil); err != nil || !strings.Contains(b.String(), `<meta name="generator" content="`+want+`">`) {
			t.Errorf("%v: %v in %.300s", version, err, b.String())
		}
	}
}

// TestContrast: each colour of text has a contrast of at least 4.5 (WCAG 2.1, 1.4.3) to each ground that it may be on, in both themes.
func TestContrast(t *testing.T) {
	css, err := os.ReadFile("page.css")
	if err != nil {
		t.Fatal(err)
	}
	themes := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(string(css), -1)
	if len(themes) != 2 {
		t.Fatalf("%d themes", len(themes))
	}
	grounds := []string{"paper", "code", "stripe", "bad-paper"}
	for _, theme := range themes {
		colours := map[string]float64{}
		for _, m := range regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]+)`).FindAllStringSubmatch(theme[1], -1) {
			colours[m[1]] = luminance(t, m[2])
		}
		for name, ink := range colours {
			if slices.Contains(grounds, name) || name == "rule" || name == "figure" {
				continue
			}
			for _, ground := range grounds {
				lo, hi := min(ink, colours[ground]), max(ink, colours[ground])
				if contrast := (hi + .05) / (lo + .05); contrast < 4.5 {
					t.Errorf("%s on %s has a contrast of %.2f", name, ground, contrast)
				}
			}
		}
	}
}

// luminance is the relative luminance of a colour such as #fff, by WCAG's definition.
func luminance(t *testing.T, hex string) float64 {
	digits := hex[1:]
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, weight := range []float64{.0722, .7152, .2126} {
		c := float64(n>>(8*i)&0xff) / 255
		if c <= .04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
