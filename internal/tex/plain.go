package tex

import (
	"strings"
	"unicode/utf8"
)

// Plain returns a formula as plain characters, for where nothing can be set: x², p̂, (a+b)/2.
func (r Row) Plain() string { return r.plain(false) }

func (r Row) plain(inScript bool) string {
	var b strings.Builder
	for _, n := range r.Spaced(inScript) {
		b.WriteString(plain(n, inScript))
	}
	return b.String()
}

func plain(n Node, inScript bool) string {
	inside := func(n Node) string { return plain(n, inScript) }
	switch n := n.(type) {
	case Row:
		return n.plain(inScript)
	case Symbol:
		return n.Text
	case Words:
		return n.Text
	case Space:
		switch {
		case n > .2:
			return " "
		case n > 0:
			return "\u2009"
		}
	case Scripts:
		return inside(n.Base) + raised(plain(n.Sub, true), false) + raised(plain(n.Sup, true), true)
	case Fraction:
		if !n.Bar {
			return inside(n.Over) + " choose " + inside(n.Under)
		}
		return bracketed(inside(n.Over)) + "/" + bracketed(inside(n.Under))
	case Styled:
		return inside(n.Body)
	case Classed:
		return inside(n.Body)
	case Root:
		sign := map[string]string{"": "√", "3": "∛", "4": "∜"}[plain(n.Index, true)]
		if sign == "" {
			sign = raised(plain(n.Index, true), true) + "√"
		}
		return sign + bracketed(inside(n.Body))
	case Accent:
		body := inside(n.Body)
		if mark, ok := combining[n.Mark]; ok && utf8.RuneCountInString(body) == 1 {
			return body + mark
		}
		return body
	case Fence:
		return n.Left + inside(n.Body) + n.Right
	case Table:
		var lines []string
		for _, line := range n.Cells {
			var cells []string
			for _, c := range line {
				cells = append(cells, inside(c))
			}
			lines = append(lines, strings.Join(cells, " "))
		}
		return strings.Join(lines, "; ")
	}
	return ""
}

// bracketed puts brackets around what is more than one word.
func bracketed(s string) string {
	if strings.ContainsAny(s, " +−/⋅·=") || strings.ContainsRune(s, '^') {
		return "(" + s + ")"
	}
	return s
}

// combining holds for each accent the character that puts it on the letter before.
var combining = map[rune]string{'ˆ': "\u0302", 'ˉ': "\u0304", '˜': "\u0303", '˙': "\u0307", '¨': "\u0308", '→': "\u20d7", 'ˇ': "\u030c", '˘': "\u0306", '´': "\u0301", '`': "\u0300", '˚': "\u030a", '‾': "\u0305"}

// raised returns a superscript or subscript in the characters that Unicode has for them, or else after ^ or _.
func raised(s string, up bool) string {
	if s == "" || strings.Trim(s, "′") == "" {
		return s
	}
	from, to, sign := "0123456789+−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", "^"
	if !up {
		from, to, sign = "0123456789+−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "_"
	}
	out := []rune{}
	for _, c := range s {
		i := strings.IndexRune(from, c)
		if i < 0 {
			if utf8.RuneCountInString(s) == 1 {
				return sign + s
			}
			return sign + "(" + s + ")"
		}
		out = append(out, []rune(to)[utf8.RuneCountInString(from[:i])])
	}
	return string(out)
}
