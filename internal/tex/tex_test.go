package tex

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func mathml(t *testing.T, formula string) string {
	t.Helper()
	row, err := Parse(formula, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := row.MathML("", false)
	return strings.TrimSuffix(strings.TrimPrefix(s, `<math title="">`), "</math>")
}

// The structure of formulas, as the MathML Core recommendation describes its elements.
func TestMathML(t *testing.T) {
	for _, c := range []struct{ tex, want string }{
		{`x`, "<mi>x</mi>"},
		{`12.5`, "<mn>12.5</mn>"},
		{`\frac12`, "<mfrac><mn>1</mn><mn>2</mn></mfrac>"},
		{`\frac{1}{2}`, "<mfrac><mn>1</mn><mn>2</mn></mfrac>"},
		{`e^{-x^2}`, `<msup><mi>e</mi><mrow><mo stretchy="false" lspace="0" rspace="0">−</mo><msup><mi>x</mi><mn>2</mn></msup></mrow></msup>`},
		{`\sqrt{x^2+1}`, `<msqrt><mrow><msup><mi>x</mi><mn>2</mn></msup><mspace width="0.2222em"></mspace><mo stretchy="false" lspace="0" rspace="0">+</mo><mspace width="0.2222em"></mspace><mn>1</mn></mrow></msqrt>`},
		{`\sqrt[3]x`, "<mroot><mi>x</mi><mn>3</mn></mroot>"},
		{`\mathrm{max}`, `<mi mathvariant="normal">max</mi>`},
		{`\mathbb{E}`, `<mi mathvariant="normal">𝔼</mi>`},
		{`\mathbb R`, `<mi mathvariant="normal">ℝ</mi>`},
		{`\mathcal N`, `<mi mathvariant="normal">𝒩</mi>`},
		{`\mathbf x`, `<mi mathvariant="normal">𝐱</mi>`},
		{`\boldsymbol\mu`, `<mi mathvariant="normal">𝝁</mi>`},
		{`x_t^2`, "<msubsup><mi>x</mi><mi>t</mi><mn>2</mn></msubsup>"},
		{`x^2_t`, "<msubsup><mi>x</mi><mi>t</mi><mn>2</mn></msubsup>"},
		{`f'`, `<msup><mi>f</mi><mi mathvariant="normal">′</mi></msup>`},
		{`\nabla`, `<mi mathvariant="normal">∇</mi>`},
		{`\hat p`, `<mover accent="true"><mi>p</mi><mo stretchy="false" lspace="0" rspace="0">^</mo></mover>`},
		{`\text{if }x`, "<mrow><mtext>if\u00a0</mtext><mi>x</mi></mrow>"},
		{`\$`, `<mi mathvariant="normal">$</mi>`},
		{`a<b`, `<mrow><mi>a</mi><mspace width="0.2778em"></mspace><mo stretchy="false" lspace="0" rspace="0">&lt;</mo><mspace width="0.2778em"></mspace><mi>b</mi></mrow>`},
		{`\binom nk`, `<mrow><mo form="prefix" fence="true" stretchy="true" symmetric="true" lspace="0" rspace="0">(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo form="postfix" fence="true" stretchy="true" symmetric="true" lspace="0" rspace="0">)</mo></mrow>`},
	} {
		if got := mathml(t, c.tex); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.tex, got, c.want)
		}
	}
}

// Everyday symbols by the characters that Unicode's standard for mathematics (UTR 25) has for them.
func TestSymbols(t *testing.T) {
	for name, want := range map[string]string{`\in`: "∈", `\propto`: "∝", `\otimes`: "⊗", `\nabla`: "∇", `\le`: "≤", `\ne`: "≠", `\to`: "→", `\mapsto`: "↦",
		`\lambda`: "λ", `\Omega`: "Ω", `\ell`: "ℓ", `\partial`: "∂", `\mid`: "∣", `\sim`: "∼", `\not=`: "≠", `\not\in`: "∉", `\infty`: "∞", `\ldots`: "…", `\&`: "&", `\%`: "%"} {
		row, err := Parse(name, nil)
		if err != nil || row.Plain() != want {
			t.Errorf("%s is %q, %v, want %q", name, row.Plain(), err, want)
		}
	}
}

func TestPlain(t *testing.T) {
	for tex, want := range map[string]string{`x^2`: "x²", `N^{-1/2}`: "N^(−1/2)", `\frac{a+b}{2}`: "(a + b)/2", `\sqrt{x}`: "√x", `\sqrt{x+1}`: "√(x + 1)", `\hat p`: "p\u0302",
		`-x`: "−x", `x^{n-1}`: "xⁿ⁻¹", `K = 100`: "K = 100", `\log N`: "log\u2009N"} {
		row, err := Parse(tex, nil)
		if err != nil || row.Plain() != want {
			t.Errorf("%s is %q, %v, want %q", tex, row.Plain(), err, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for tex, want := range map[string]string{
		`a + \foo`:                     `unknown command \foo`,
		`\frac{1}`:                     `\frac wants something after it`,
		`{a`:                           "a { without its }",
		`a}`:                           "a } without its {",
		`x^`:                           "nothing after ^",
		`x^2^3`:                        "two superscripts",
		`\left( x`:                     `\left without its \right`,
		`x \right)`:                    `\right without what opens it`,
		`\begin{foo}x\end{foo}`:        `unknown environment \begin{foo}`,
		`\begin{matrix}x`:              `\begin{matrix} without its \end{matrix}`,
		`a & b`:                        "an environment",
		`95%`:                          `a percent sign is \%`,
		`\left x`:                      `\left wants a delimiter after it, not "x"`,
		`\`:                            `a \ at the end`,
		`\def\a{\a\a}\a`:               `\a does not come to an end`,
		`\newcommand{\a}[2]{#1}\a`:     `\a wants 2 arguments`,
		"\xff":                         "U+FFFD",
		"a\x00":                        "U+0000",
		strings.Repeat("{", 10000):     "nested",
		strings.Repeat(`\sqrt`, 10000): `nested`,
	} {
		_, err := Parse(tex, nil)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.What, want) {
			t.Errorf("%.40s: %.200v, want %s", tex, err, want)
		}
	}
}

func TestMacros(t *testing.T) {
	var m Macros
	for _, c := range []struct{ tex, want string }{
		{`\newcommand{\R}{\mathbb{R}} x \in \R^d`, "x ∈ ℝ^d"},
		{`\R`, "ℝ"},
		{`\newcommand\norm[1]{\lVert #1 \rVert}\norm{x}`, "‖x‖"},
		{`\def\pair#1#2{(#1,#2)}\pair ab`, "(a,\u2009b)"},
		{`\DeclareMathOperator{\Var}{Var}\Var X`, "Var\u2009X"},
		{`\frac\R2`, "ℝ/2"},
	} {
		row, err := Parse(c.tex, &m)
		if err != nil || row.Plain() != c.want {
			t.Errorf("%s is %q, %v, want %q", c.tex, row.Plain(), err, c.want)
		}
	}
}

// Whatever is written, the answer is an error or well-formed XML.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`\frac{1}{2}`, `\begin{cases}a&b\\c\end{cases}`, `\left(x\middle|y\right)`, `x_1^{2'}`, `\newcommand{\a}[1]{#1}\a`, `\sum\limits_i`, `\hspace{1em}\kern3mu`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		row, err := Parse(s, nil)
		if err != nil {
			return
		}
		row.Plain()
		wellFormed(t, row.MathML(s, true))
	})
}

func wellFormed(t *testing.T, s string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in %s", err, s)
		}
	}
}

// All formulas of the notebooks that come with Gaucho are understood.
func TestNotebooks(t *testing.T) {
	files, err := filepath.Glob("../../notebooks/*/*.ipynb")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d notebooks: %v", len(files), err)
	}
	formulas := regexp.MustCompile(`(?s)\$\$(.+?)\$\$|\$([^$\n]+)\$`)
	code := regexp.MustCompile("(?s)```.*?```|`[^`]*`")
	found := 0
	for _, file := range files {
		var nb struct {
			Cells []struct {
				Type   string `json:"cell_type"`
				Source any
			}
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &nb); err != nil {
			t.Fatal(file, err)
		}
		for _, c := range nb.Cells {
			if c.Type != "markdown" {
				continue
			}
			source, _ := c.Source.(string)
			if lines, ok := c.Source.([]any); ok {
				for _, l := range lines {
					source += l.(string)
				}
			}
			for _, m := range formulas.FindAllStringSubmatch(code.ReplaceAllString(source, ""), -1) {
				found++
				row, err := Parse(m[1]+m[2], nil)
				if err != nil {
					t.Errorf("%s: %v", file, err)
					continue
				}
				wellFormed(t, row.MathML(m[1]+m[2], m[1] != ""))
			}
		}
	}
	if found < 300 {
		t.Errorf("only %d formulas", found)
	}
}

func TestSpoken(t *testing.T) {
	for tex, want := range map[string]string{
		`N^{-1/2}`: "N to the power minus one half", `x^2`: "x squared", `\sigma^2`: "sigma squared", `K = 100`: "K equals 100", `\frac{a+b}{2}`: "(a plus b) over 2",
		`\sqrt{x+1}`: "the square root of (x plus 1)", `\hat p_i`: "p hat sub i", `\alpha \le 0.05`: "alpha is at most 0.05", `1/20`: "1 over 20", `O(1/N)`: "O (1 over N)",
		`\beta_{t-1}'`: "beta sub t minus 1 prime", `N^{-1}`: "N to the power minus 1",
	} {
		row, err := Parse(tex, nil)
		if err != nil || row.Spoken() != want {
			t.Errorf("%s is read %q, %v, want %q", tex, row.Spoken(), err, want)
		}
	}
}
