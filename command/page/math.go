package page

import (
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"gaucho/internal/mathfont"
	"gaucho/internal/tex"
)

// A formula is TeX found in text.
type formula struct {
	tex     string // without its dollars
	source  string // with them
	display bool
	markup  string // as MathML, once it is typeset
}

// typeset writes formulas as MathML, in their order: \newcommand in one holds in those after it, as in JupyterLab. One that
// is not understood stays as it is written, marked, with what is wrong.
func (m *markdown) typeset(found []formula) {
	for i := range found {
		f := &found[i]
		class := "math"
		if f.display {
			class += " display"
		}
		row, err := tex.Parse(f.tex, &m.macros)
		var problem *tex.Error
		if errors.As(err, &problem) {
			f.markup = fmt.Sprintf(`<span class="%s wrong" title="%s">%s</span>`, class, html.EscapeString(problem.What), html.EscapeString(f.source))
			continue
		}
		markup := row.MathML(f.tex, f.display)
		m.math.WriteString(tag.ReplaceAllString(markup, ""))
		f.markup = fmt.Sprintf(`<span class="%s">%s</span>`, class, markup)
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// mathStyle returns the style of the page's formulas, with their font, or "" if there are none.
func (m *markdown) mathStyle() (string, error) {
	if m.math.Len() == 0 {
		return "", nil
	}
	const drawn = "√¯^~" // by the browser, for elements
	font, err := mathfont.WOFF(html.UnescapeString(m.math.String()) + drawn)
	if err != nil {
		return "", err
	}
	return `@font-face{font-family:"Formulas";src:url(data:font/woff;base64,` + base64.StdEncoding.EncodeToString(font) +
		`) format("woff")}math{font-family:"Formulas",math}`, nil
}

// Formulas are taken out of the text before Markdown sees it, as JupyterLab does, because TeX is full of what Markdown
// gives a meaning to. A place holder of characters that no text uses stands for each.
const holderOpen, holderClose = "\uE00A", "\uE00B"

var holder = regexp.MustCompile(holderOpen + "([0-9]+)" + holderClose)

// work is how many characters may still be looked at in search of the ends of formulas and code. Text in which everything
// opens and nothing closes would have each beginning looked at to the end; when the work is used up, what is left is text.
type work struct{ left int }

func (w *work) do(n int) bool {
	w.left -= n
	return w.left >= 0
}

// takeFormulas replaces $...$, $$...$$, \\(...\\), \\[...\\] and \begin{x}...\end{x} by place holders, except in code.
// A formula holds no empty line; \$ is a dollar.
func takeFormulas(s string) (string, []formula) {
	s = strings.NewReplacer(holderOpen, "", holderClose, "").Replace(s)
	var (
		out   strings.Builder
		found []formula
	)
	w := &work{left: 1<<20 + 32*len(s)}
	for i := 0; i < len(s); {
		if n := w.codeLength(s, i); n > 0 {
			out.WriteString(s[i : i+n])
			i += n
			continue
		}
		f, n := w.formulaAt(s[i:])
		switch {
		case n > 0:
			fmt.Fprintf(&out, "%s%d%s", holderOpen, len(found), holderClose)
			found = append(found, f)
		case s[i] == '\\' && i+1 < len(s) && !strings.HasPrefix(s[i:], `\begin{`):
			n = 2
			out.WriteString(s[i : i+2])
		default:
			n = 1
			out.WriteByte(s[i])
		}
		i += n
	}
	return out.String(), found
}

var fence = regexp.MustCompile("^[ \t>]*(?:[-*+] +|[0-9]+[.)] +)?(`{3,}|~{3,})")

// codeLength is the length of the code span or fenced code block that begins at s[i], or 0.
func (w *work) codeLength(s string, i int) int {
	if i == 0 || s[i-1] == '\n' {
		if m := fence.FindStringSubmatch(s[i:]); m != nil {
			end := regexp.MustCompile("\n[ \t>]*" + m[1] + "[`~]*[ \t]*(?:\n|$)").FindStringIndex(s[i:])
			if end == nil {
				return len(s) - i
			}
			return end[1]
		}
	}
	if s[i] != '`' {
		return 0
	}
	run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
	for j := i + run; j < len(s) && w.do(1); {
		if s[j] != '`' {
			j++
			continue
		}
		n := len(s[j:]) - len(strings.TrimLeft(s[j:], "`"))
		if j += n; n == run {
			return j - i
		}
	}
	return run
}

var begin = regexp.MustCompile(`^\\begin\{([A-Za-z]+\*?)\}`)

// formulaAt returns the formula that s begins with, and its length; 0 if there is none.
func (w *work) formulaAt(s string) (formula, int) {
	switch {
	case strings.HasPrefix(s, "$$"):
		return w.delimited(s, "$$", "$$", true)
	case strings.HasPrefix(s, "$"):
		f, n := w.delimited(s, "$", "$", false)
		if n < len(s) && s[n] >= '0' && s[n] <= '9' || strings.Contains(f.tex, "`") {
			return formula{}, 0 // $5 and $6, $5 and `$x`
		}
		return f, n
	case strings.HasPrefix(s, `\\(`):
		return w.delimited(s, `\\(`, `\\)`, false)
	case strings.HasPrefix(s, `\\[`):
		return w.delimited(s, `\\[`, `\\]`, true)
	}
	m := begin.FindStringSubmatch(s)
	if m == nil {
		return formula{}, 0
	}
	opens, closes := `\begin{`+m[1]+`}`, `\end{`+m[1]+`}`
	depth := 0
	for i := 0; i < len(s) && w.do(1); {
		switch {
		case strings.HasPrefix(s[i:], opens):
			depth++
			i += len(opens)
		case strings.HasPrefix(s[i:], closes):
			i += len(closes)
			if depth--; depth == 0 {
				return formula{tex: s[:i], source: s[:i], display: true}, i
			}
		case blankLine(s[i:]):
			return formula{}, 0
		default:
			i++
		}
	}
	return formula{}, 0
}

// delimited returns the formula from one delimiter to the next one that is not in braces.
func (w *work) delimited(s, opens, closes string, display bool) (formula, int) {
	depth := 0
	for i := len(opens); i < len(s) && w.do(1); i++ {
		switch {
		case depth == 0 && strings.HasPrefix(s[i:], closes):
			tex := s[len(opens):i]
			if strings.TrimSpace(tex) == "" {
				return formula{}, 0
			}
			i += len(closes)
			return formula{tex: tex, source: s[:i], display: display}, i
		case s[i] == '\\':
			i++
		case s[i] == '{':
			depth++
		case s[i] == '}':
			depth--
		case blankLine(s[i:]):
			return formula{}, 0
		}
	}
	return formula{}, 0
}

// blankLine says that s begins with a line's end and an empty line.
func blankLine(s string) bool {
	return s[0] == '\n' && strings.HasPrefix(strings.TrimLeft(s[1:], " \t\r"), "\n")
}

// putFormulas puts the formulas back into rendered Markdown: typeset in text, as they were written in code and in
// attributes.
func putFormulas(page string, found []formula) string {
	written := func(f formula) string { return html.EscapeString(f.source) }
	var out strings.Builder
	code := 0
	for page != "" {
		text, rest, tagged := strings.Cut(page, "<")
		if code > 0 {
			out.WriteString(putHolders(text, found, written))
		} else {
			out.WriteString(putHolders(text, found, func(f formula) string { return f.markup }))
		}
		if !tagged {
			break
		}
		end := strings.IndexByte(rest, '>') + 1
		if end == 0 {
			end = len(rest)
		}
		tag := "<" + rest[:end]
		switch {
		case strings.HasPrefix(tag, "<code"):
			code++
		case strings.HasPrefix(tag, "</code"):
			code = max(code-1, 0)
		}
		out.WriteString(putHolders(tag, found, written))
		page = rest[end:]
	}
	return out.String()
}

// putHolders replaces the place holders in a text by some form of the formulas.
func putHolders(s string, found []formula, form func(formula) string) string {
	return holder.ReplaceAllStringFunc(s, func(h string) string {
		k, err := strconv.Atoi(h[len(holderOpen) : len(h)-len(holderClose)])
		if err != nil || k >= len(found) {
			return ""
		}
		return form(found[k])
	})
}
