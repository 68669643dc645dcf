package tex

import (
	"strings"
	"unicode"
)

// Spoken returns a formula as it is read aloud, for who listens: "N to the power minus one half". What has no name of its own is as it is written.
func (r Row) Spoken() string {
	text := " " + strings.Join(strings.Fields(spoken(r)), " ") + " "
	return strings.TrimSpace(spokenBrackets.Replace(spokenFractions.Replace(text)))
}

// spokenFractions are those that have names.
var spokenFractions = strings.NewReplacer(" 1 over 2 ", " one half ", " 1 over 3 ", " one third ", " 2 over 3 ", " two thirds ", " 1 over 4 ", " one quarter ",
	" 3 over 4 ", " three quarters ", " 3 over 2 ", " three halves ")

var spokenBrackets = strings.NewReplacer("( ", "(", " )", ")", "[ ", "[", " ]", "]", " ,", ",")

// spokenSymbols are what is not read as it is written; letters of the Greek alphabet are in letterList.
var spokenSymbols = map[string]string{
	"−": "minus", "-": "minus", "+": "plus", "±": "plus or minus", "×": "times", "⋅": "times", "·": "times", "/": "over", "∗": "star", "*": "star",
	"=": "equals", "≠": "is not", "<": "is less than", ">": "is greater than", "≤": "is at most", "≥": "is at least", "≪": "is much less than", "≫": "is much greater than",
	"≈": "is about", "∼": "is distributed as", "∝": "is proportional to", "→": "to", "∈": "in", "∣": "given", "|": "bar", "‖": "norm",
	"∞": "infinity", "∂": "partial", "∇": "gradient of", "∑": "the sum of", "∏": "the product of", "∫": "the integral of", "…": "and so on", "⋯": "and so on",
	"ℓ": "l", "ln": "the natural logarithm of", "log": "log of", "exp": "exp of", "∪": "union", "∩": "intersection", "⊂": "subset of", "⊆": "subset of",
	"Γ": "capital gamma", "Δ": "capital delta", "Θ": "capital theta", "Λ": "capital lambda", "Π": "capital pi", "Σ": "capital sigma", "Φ": "capital phi",
	"Ψ": "capital psi", "Ω": "capital omega",
}

func init() {
	names := strings.Fields(letterList)
	for i := 0; i+1 < len(names); i += 2 {
		spokenSymbols[names[i+1]] = strings.TrimPrefix(names[i], "var")
	}
}

var spokenAccents = map[rune]string{'ˆ': "hat", 'ˉ': "bar", '‾': "bar", '˜': "tilde", '˙': "dot", '¨': "double dot", '→': "vector", 'ˇ': "check"}

// spoken is a part of a formula in words with spaces around, digits of a number apart.
func spoken(n Node) string {
	switch n := n.(type) {
	case Row:
		var b strings.Builder
		digits := false
		for _, part := range n {
			s, isSymbol := part.(Symbol)
			number := isSymbol && strings.Trim(s.Text, "0123456789.") == ""
			if !digits || !number {
				b.WriteByte(' ')
			}
			b.WriteString(strings.TrimSpace(spoken(part)))
			digits = number
		}
		return b.String()
	case Symbol:
		if name, ok := spokenSymbols[n.Text]; ok {
			return name
		}
		return n.Text
	case Words:
		return n.Text
	case Scripts:
		return spoken(n.Base) + spokenSub(n) + spokenSup(n)
	case Fraction:
		if !n.Bar {
			return spoken(n.Over) + " choose " + spoken(n.Under)
		}
		return spokenPart(n.Over) + " over " + spokenPart(n.Under)
	case Styled:
		return spoken(n.Body)
	case Classed:
		return spoken(n.Body)
	case Root:
		if n.Index != nil && strings.TrimSpace(spoken(n.Index)) != "" {
			return "the root of order " + spoken(n.Index) + " of " + spokenPart(n.Body)
		}
		return "the square root of " + spokenPart(n.Body)
	case Accent:
		return spoken(n.Body) + " " + spokenAccents[n.Mark]
	case Fence:
		return n.Left + " " + spoken(n.Body) + " " + n.Right
	case Table:
		return (Row{n}).Plain()
	}
	return ""
}

// spokenPart is a part in brackets if it is more than one word.
func spokenPart(n Node) string {
	s := strings.TrimSpace(spoken(n))
	if strings.ContainsFunc(s, unicode.IsSpace) {
		return "(" + s + ")"
	}
	return s
}

func spokenSub(n Scripts) string {
	if n.Sub == nil {
		return ""
	}
	if n.Stacked {
		return " over " + spoken(n.Sub)
	}
	return " sub " + spoken(n.Sub)
}

func spokenSup(n Scripts) string {
	if n.Sup == nil {
		return ""
	}
	switch s := strings.TrimSpace(spoken(n.Sup)); s {
	case "":
		return ""
	case "2":
		return " squared"
	case "3":
		return " cubed"
	case "′":
		return " prime"
	case "star", "⊤":
		return " " + map[string]string{"star": "star", "⊤": "transposed"}[s]
	default:
		if n.Stacked {
			return " to " + s
		}
		return " to the power " + s
	}
}
