package plotting

import (
	"math"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// mathText is a text handler for labels: a^{b} and a_{b} set superscripts and subscripts, and between dollar signs a
// little TeX is understood: Greek letters and a few operators by their names, scripts with or without braces, variables
// in italics.
type mathText struct{}

// A run is a stretch of text in one font at one height.
type run struct {
	text   string
	level  int // 0 on the line, 1 in a script
	rise   float64
	italic bool
	over   bool // stands centred over the run before it: an accent
	back   bool // stands at the start of the run before it: a subscript below a superscript
}

const scriptSize = .72

func (mathText) Cache() *font.Cache { return fonts() }

func (mathText) Extents(f font.Font) font.Extents { return extents(f) }

func extents(f font.Font) font.Extents {
	face := lookup(f)
	return face.Extents()
}

func lookup(f font.Font) font.Face { return fonts().Lookup(f, f.Size) }

func (mathText) Lines(s string) []string { return strings.Split(strings.TrimRight(s, "\n"), "\n") }

func (h mathText) Box(line string, f font.Font) (width, height, depth vg.Length) {
	h.walk(line, f, func(r run, face font.Face, x vg.Length) {
		width = max(width, x+face.Width(r.text))
	})
	e := extents(f)
	return width, e.Ascent, e.Descent
}

// walk calls yield for each run of a line with its face and its distance from the start of the line.
func (mathText) walk(line string, f font.Font, yield func(r run, face font.Face, x vg.Length)) {
	var x, start, before vg.Length
	var slanted rune // the letter in italics before a script
	for _, r := range parseRuns(line) {
		rf := f
		if r.level > 0 {
			rf.Size *= scriptSize
		}
		if r.italic {
			rf.Style = xfont.StyleItalic
		}
		face := lookup(rf)
		end := x
		width := face.Width(r.text)
		if r.rise > 0 && r.level > 0 && !r.back {
			x += vg.Length(leans(slanted)) * f.Size
		}
		slanted = 0
		if r.italic && r.level == 0 {
			slanted, _ = utf8.DecodeLastRuneInString(r.text)
		}
		switch {
		case r.back:
			x = start
		case r.over:
			yield(r, face, start+(before-width)/2)
			continue
		}
		start, before = x, width
		yield(r, face, x)
		x = max(end, x+width)
	}
}

// leans returns by how much of the font's size the top of a letter in italics reaches beyond its width, which a superscript
// after it has to clear.
func leans(letter rune) float64 {
	switch {
	case letter == 'f':
		return .16
	case letter == 'd' || letter == 'l' || unicode.IsUpper(letter):
		return .07
	case letter != 0:
		return .03
	}
	return 0
}

// Draw draws the text as text.Plain does, run by run.
func (h mathText) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	txt = strings.TrimRight(txt, "\n")
	if txt == "" {
		return
	}
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		c.Rotate(sty.Rotation)
		defer c.Pop()
	}
	sin64, cos64 := math.Sincos(sty.Rotation)
	sin, cos := vg.Length(sin64), vg.Length(cos64)
	pt.X, pt.Y = pt.Y*sin+pt.X*cos, pt.Y*cos-pt.X*sin
	lines := h.Lines(txt)
	pt.Y += sty.Height(txt)*vg.Length(sty.YAlign) - extents(sty.Font).Ascent
	for i, line := range lines {
		width, _, _ := h.Box(line, sty.Font)
		at := pt.Add(vg.Point{X: vg.Length(sty.XAlign) * width, Y: vg.Length(len(lines)-i) * sty.Font.Size})
		h.walk(line, sty.Font, func(r run, face font.Face, x vg.Length) {
			c.FillString(face, at.Add(vg.Point{X: x, Y: vg.Length(r.rise) * sty.Font.Size}), keepSpaces(r.text))
		})
	}
}

// keepSpaces puts spaces that do not break at the ends of a text, where SVG drops others.
func keepSpaces(s string) string {
	inner := strings.Trim(s, " ")
	if len(inner) == len(s) {
		return s
	}
	before := strings.Index(s, inner)
	return strings.Repeat("\u00a0", before) + inner + strings.Repeat("\u00a0", len(s)-len(inner)-before)
}

// parseRuns splits a line into runs.
func parseRuns(line string) []run {
	p := runParser{rest: line}
	for p.rest != "" {
		p.step()
	}
	p.flush()
	return p.runs
}

type runParser struct {
	rest   string
	math   bool
	tight  bool // in a script: no space about relations
	word   strings.Builder
	italic bool
	runs   []run
	script byte // of the last run, if it is one
}

// put adds text to the run that is being built.
func (p *runParser) put(s string, italic bool) {
	if italic != p.italic && p.word.Len() > 0 {
		p.flush()
	}
	if w := p.word.String(); strings.HasSuffix(w, " ") {
		s = strings.TrimPrefix(s, " ")
	}
	p.italic = italic
	p.word.WriteString(s)
}

func (p *runParser) flush() {
	if p.word.Len() > 0 {
		p.runs = append(p.runs, run{text: p.word.String(), italic: p.italic})
		p.word.Reset()
		p.script = 0
	}
}

func (p *runParser) step() {
	r, n := utf8.DecodeRuneInString(p.rest)
	if (r == '^' || r == '_') && len(p.rest) > 1 && (p.rest[1] == '{' || p.math) {
		p.rest = p.rest[1:]
		p.scripted(byte(r))
		return
	}
	if r == '$' && (p.math || strings.Contains(p.rest[1:], "$")) {
		p.math = !p.math
		p.rest = p.rest[1:]
		return
	}
	if !p.math {
		p.put(p.rest[:n], false)
		p.rest = p.rest[n:]
		return
	}
	if m := accent.FindStringSubmatch(p.rest); m != nil {
		p.accented(m[1], m[2])
		p.rest = p.rest[len(m[0]):]
		return
	}
	s, italic, n := symbol(p.rest)
	if !p.tight && (s == "=" || s == "<" || s == ">") {
		s = " " + s + " "
	}
	p.put(s, italic)
	p.rest = p.rest[n:]
}

// accented adds a letter and an accent that stands over it.
func (p *runParser) accented(kind, letter string) {
	s, italic, _ := symbol(letter)
	p.flush()
	p.put(s, italic)
	p.flush()
	rise := 0.0
	if r, _ := utf8.DecodeRuneInString(s); unicode.IsUpper(r) || strings.ContainsRune("bdfhkltβδζθλ", r) {
		rise = .2
	}
	p.runs = append(p.runs, run{text: accents[kind], rise: rise, over: true})
}

// scripted reads what follows ^ or _.
func (p *runParser) scripted(kind byte) {
	p.flush()
	body, n := argument(p.rest)
	p.rest = p.rest[n:]
	rise := .38
	if kind == '_' {
		rise = -.16
	}
	back := p.script != 0 && p.script != kind
	inner := runParser{rest: body, math: p.math, tight: true}
	for inner.rest != "" {
		inner.step()
	}
	inner.flush()
	for i, r := range inner.runs {
		r.level, r.rise, r.back = 1, rise, back && i == 0
		p.runs = append(p.runs, r)
	}
	p.script = kind
}

// argument returns the text of a script and the bytes it takes: what stands between braces, a command, or one letter.
func argument(s string) (body string, n int) {
	if s[0] == '{' {
		depth := 0
		for i := range len(s) {
			switch s[i] {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					return s[1:i], i + 1
				}
			}
		}
		return s[1:], len(s)
	}
	_, _, n = symbol(s)
	return s[:n], n
}

// symbol returns the first symbol of a formula as text, whether it is set in italics, and the bytes it takes.
func symbol(s string) (out string, italic bool, n int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == '\\' {
		n = 1
		for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z') {
			n++
		}
		if n == 1 && len(s) > 1 {
			n = 2
		}
		name := s[1:n]
		if c, ok := texSymbols[name]; ok {
			// A space that ends a command's name does not show, except after operators that want one.
			if n < len(s) && s[n] == ' ' && n > 2 {
				n++
			}
			return c, false, n
		}
		return name, false, n
	}
	switch {
	case r == '-':
		return "−", false, n
	case r == '{' || r == '}':
		return "", false, n
	case unicode.IsLetter(r):
		return s[:n], true, n
	}
	return s[:n], false, n
}

// accent matches a letter with an accent: \hat p, \bar{\mu}.
var accent = regexp.MustCompile(`^\\(hat|bar|tilde|dot|vec)\s*\{?([A-Za-z]|\\[a-zA-Z]+)\}?`)

var accents = map[string]string{"hat": "ˆ", "bar": "¯", "tilde": "˜", "dot": "˙", "vec": "→"}

var texSymbols = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
	"iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
	"upsilon": "υ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
	"Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
	"times": " × ", "cdot": "·", "pm": "±", "le": " ≤ ", "leq": " ≤ ", "ge": " ≥ ", "geq": " ≥ ", "ne": " ≠ ", "neq": " ≠ ", "approx": " ≈ ",
	"infty": "∞", "sqrt": "√", "partial": "∂", "sum": "∑", "prod": "∏", "int": "∫", "to": " → ", "rightarrow": " → ", "in": " in ",
	"ldots": "…", "cdots": "…", "dots": "…", "sim": " ~ ", "propto": " ~ ", "mid": " | ", "|": "‖", "$": "$", "%": "%", "_": "_", "{": "{", "}": "}", ",": " ", ";": " ", " ": " ",
	"mathrm": "", "mathcal": "", "mathbb": "", "text": "", "operatorname": "", "left": "", "right": "", "ell": "l",
}

// plainMath returns a text with its formulas as plain characters, for where no font can be chosen.
func plainMath(s string) string {
	var b strings.Builder
	for _, r := range parseRuns(s) {
		switch {
		case r.over:
			b.WriteString(combining[r.text])
		case r.level == 0:
			b.WriteString(r.text)
		default:
			b.WriteString(script(r))
		}
	}
	return b.String()
}

// combining holds for each accent the character that puts it on the letter before.
var combining = map[string]string{"ˆ": "\u0302", "¯": "\u0304", "˜": "\u0303", "˙": "\u0307", "→": "\u20d7"}

// script returns a superscript or subscript in the characters that Unicode has for them, or else after ^ or _.
func script(r run) string {
	from, to, sign := "0123456789+−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", "^"
	if r.rise < 0 {
		from, to, sign = "0123456789+−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "_"
	}
	out := []rune{}
	for _, c := range signed(r.text) {
		i := strings.IndexRune(from, c)
		if i < 0 {
			if runes(r.text) == 1 {
				return sign + r.text
			}
			return sign + "(" + r.text + ")"
		}
		out = append(out, []rune(to)[utf8.RuneCountInString(from[:i])])
	}
	return string(out)
}
