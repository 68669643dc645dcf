package tex

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// command parses a command with its arguments; nil for what leaves nothing.
func (p *parser) command() Node {
	c := p.peekCommand()
	if c == "" {
		p.fail(`a \ at the end`)
	}
	p.rest = p.rest[len(c):]
	name := c[1:]
	if m, ok := p.macros.known[name]; ok {
		p.expand(c, m)
		return nil
	}
	if s, ok := symbols()[name]; ok {
		if s.Face == Italic {
			return p.greek(s)
		}
		return s
	}
	if s, ok := spaceCommands[name]; ok {
		return s
	}
	if a, ok := fontCommands[name]; ok {
		return p.inAlphabet(c, a)
	}
	if a, ok := switches[name]; ok {
		p.alphabet = a
		return nil
	}
	if a, ok := accents[name]; ok {
		a.Body = p.argument(c)
		return a
	}
	if n, ok := p.delimiterCommand(name); ok {
		return n
	}
	return p.structure(c, name)
}

// greek returns a Greek letter in the alphabet that holds, of those that have it.
func (p *parser) greek(s Symbol) Node {
	switch p.alphabet {
	case bold, boldSymbol:
		s.Face = BoldItalic
	case upright:
		s.Face = Roman
	}
	return s
}

// inAlphabet parses the argument of a font command.
func (p *parser) inAlphabet(c string, a alphabet) Node {
	saved := p.alphabet
	p.alphabet = a
	n := p.argument(c)
	p.alphabet = saved
	if classed, ok := n.(Classed); ok {
		return classed.Body
	}
	if row, ok := n.(Row); ok && a == upright {
		return word(row)
	}
	return n
}

// word joins letters to a word: \mathrm{max}.
func word(row Row) Node {
	var b strings.Builder
	for _, n := range row {
		s, ok := n.(Symbol)
		if !ok || s.Class != Ord || s.Face != Roman {
			return row
		}
		b.WriteString(s.Text)
	}
	return Symbol{Text: b.String()}
}

// structure parses the commands that have a form of their own.
func (p *parser) structure(c, name string) Node {
	switch name {
	case "frac":
		return Fraction{p.argument(c), p.argument(c), true, Inherit}
	case "dfrac", "cfrac":
		return Fraction{p.argument(c), p.argument(c), true, Display}
	case "tfrac":
		return Fraction{p.argument(c), p.argument(c), true, Text}
	case "binom":
		return Fence{"(", ")", Fraction{p.argument(c), p.argument(c), false, Inherit}}
	case "dbinom":
		return Fence{"(", ")", Fraction{p.argument(c), p.argument(c), false, Display}}
	case "tbinom":
		return Fence{"(", ")", Fraction{p.argument(c), p.argument(c), false, Text}}
	case "sqrt":
		var index Node
		if text, ok := p.optional(); ok {
			index = p.inner(text)
		}
		return Root{p.argument(c), index}
	case "text", "textrm", "mbox", "textsf", "textnormal":
		return Words{words(p.braced(c)), Roman}
	case "textbf":
		return Words{words(p.braced(c)), Bold}
	case "textit", "emph":
		return Words{words(p.braced(c)), Italic}
	case "operatorname":
		limits := strings.HasPrefix(p.rest, "*")
		p.rest = strings.TrimPrefix(p.rest, "*")
		name := strings.NewReplacer(`\,`, "\u2009", `\ `, " ", "-", "-").Replace(p.braced(c))
		return Symbol{Text: name, Class: Op, Function: true, Limits: limits}
	case "overset", "stackrel":
		over := p.argument(c)
		base := p.argument(c)
		return Classed{Scripts{Base: base, Sup: over, Stacked: true}, base.class()}
	case "underset":
		under := p.argument(c)
		base := p.argument(c)
		return Classed{Scripts{Base: base, Sub: under, Stacked: true}, base.class()}
	case "not":
		return p.negated(c)
	case "bmod":
		return Symbol{Text: "mod", Class: Bin, Function: true}
	case "pmod":
		return Row{Space(1), Symbol{Text: "(", Class: Open}, Symbol{Text: "mod", Class: Op, Function: true}, p.argument(c), Symbol{Text: ")", Class: Close}}
	case "mathop", "mathbin", "mathrel", "mathord", "mathopen", "mathclose", "mathpunct", "mathinner":
		as := map[string]Class{"mathop": Op, "mathbin": Bin, "mathrel": Rel, "mathopen": Open, "mathclose": Close, "mathpunct": Punct, "mathinner": Inner}
		return Classed{p.argument(c), as[name]}
	case "substack":
		return p.table(`\substack`, p.braced(c), Table{Align: "c", Small: true})
	case "begin":
		return p.environment()
	case "hspace", "hskip", "kern", "mspace", "mkern":
		return p.length(c)
	case "tag":
		return Row{Space(2), Words{"(" + words(p.braced(c)) + ")", Roman}}
	case "label":
		p.braced(c)
		return nil
	case "nonumber", "notag", "allowbreak", "nobreak":
		return nil
	case "newcommand", "renewcommand", "providecommand", "def", "DeclareMathOperator":
		p.define(c)
		return nil
	}
	p.fail("unknown command %s", c)
	return nil
}

// inner parses a text with the macros and letters that hold here.
func (p *parser) inner(text string) Row {
	outer := p.rest
	p.rest = text
	row := p.row()
	if p.rest != "" {
		p.fail("%q is not complete", text)
	}
	p.rest = outer
	return row
}

// negated strikes the relation after \not through.
func (p *parser) negated(c string) Node {
	n := p.argument(c)
	s, ok := n.(Symbol)
	if !ok {
		p.fail(`\not wants a relation after it`)
	}
	for with, without := range map[string]string{"=": "≠", "∈": "∉", "∋": "∌", "≤": "≰", "≥": "≱", "<": "≮", ">": "≯", "⊂": "⊄", "⊆": "⊈", "∼": "≁", "≈": "≉", "≡": "≢", "∃": "∄", "∥": "∦", "∣": "∤"} {
		if s.Text == with {
			s.Text = without
			return s
		}
	}
	s.Text += "\u0338"
	return s
}

// words returns text as it shows: the escapes of TeX are the characters that they stand for.
func words(s string) string {
	return strings.NewReplacer(`\$`, "$", `\%`, "%", `\&`, "&", `\_`, "_", `\#`, "#", `\{`, "{", `\}`, "}", `\ `, " ", "~", "\u00a0", "``", "“", "''", "”", "--", "–").Replace(s)
}

// delimiterCommand parses \left, \middle and \big with the delimiter after it.
func (p *parser) delimiterCommand(name string) (Node, bool) {
	switch name {
	case "left":
		f := Fence{Left: p.delimiter(`\left`)}
		f.Body = p.row()
		if p.peekCommand() != `\right` {
			p.fail(`\left without its \right`)
		}
		p.rest = p.rest[len(`\right`):]
		f.Right = p.delimiter(`\right`)
		return f, true
	case "middle":
		return Symbol{Text: p.delimiter(`\middle`), Class: Rel, Size: -1}, true
	}
	size, class := name, Ord
	switch {
	case strings.HasSuffix(name, "l"):
		size, class = name[:len(name)-1], Open
	case strings.HasSuffix(name, "r"):
		size, class = name[:len(name)-1], Close
	case strings.HasSuffix(name, "m"):
		size, class = name[:len(name)-1], Rel
	}
	if s, ok := sizes[size]; ok {
		return Symbol{Text: p.delimiter(`\` + name), Class: class, Size: s}, true
	}
	return nil, false
}

func (p *parser) delimiter(of string) string {
	p.skip()
	key := p.peekCommand()
	if key == "" {
		_, n := utf8.DecodeRuneInString(p.rest)
		key = p.rest[:n]
	}
	d, ok := delimiters()[key]
	if !ok {
		for _, known := range delimiters() {
			if ok = known == key && key != ""; ok {
				d = key
				break
			}
		}
	}
	if !ok {
		p.fail("%s wants a delimiter after it, not %q", of, key)
	}
	p.rest = p.rest[len(key):]
	return d
}

// length parses the argument of a command for space: {1em}, 3mu.
func (p *parser) length(c string) Node {
	p.rest = strings.TrimPrefix(p.rest, "*")
	text := ""
	if p.skip(); strings.HasPrefix(p.rest, "{") {
		text = p.braced(c)
	} else {
		n := 0
		for n < len(p.rest) && strings.IndexByte("-.0123456789", p.rest[n]) >= 0 {
			n++
		}
		n = min(n+2, len(p.rest))
		text, p.rest = p.rest[:n], p.rest[n:]
	}
	text = strings.TrimSpace(text)
	for unit, ems := range map[string]float64{"em": 1, "ex": .45, "mu": 1. / 18, "pt": .1, "px": .075, "cm": 2.85, "mm": .285, "in": 7.2} {
		if number, ok := strings.CutSuffix(text, unit); ok {
			if v, err := strconv.ParseFloat(strings.TrimSpace(number), 64); err == nil {
				return Space(min(max(v*ems, -10), 100))
			}
		}
	}
	p.fail("%s wants a length such as 1em, not %q", c, text)
	return nil
}
