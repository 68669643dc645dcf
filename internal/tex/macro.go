package tex

import (
	"fmt"
	"strconv"
	"strings"
)

// A macro is what \newcommand defines: a body in which #1 to #9 stand for the arguments.
type macro struct {
	arguments int
	body      string
}

// define parses the definition of a macro.
func (p *parser) define(c string) {
	name := ""
	if p.skip(); strings.HasPrefix(p.rest, "{") {
		name = strings.TrimSpace(p.braced(c))
	} else {
		name = p.peekCommand()
		p.rest = p.rest[len(name):]
	}
	if len(name) < 2 || name[0] != '\\' {
		p.fail(`%s wants the name of a command, such as \R`, c)
	}
	if c == `\DeclareMathOperator` {
		star := ""
		if strings.HasPrefix(p.rest, "*") {
			star, p.rest = "*", p.rest[1:]
		}
		p.set(name, macro{0, `\operatorname` + star + "{" + p.braced(c) + "}"})
		return
	}
	m := macro{}
	if text, ok := p.optional(); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > 9 {
			p.fail("the number of arguments of %s is %q, must be 0 to 9", name, text)
		}
		m.arguments = n
	}
	for c == `\def` && strings.HasPrefix(p.rest, fmt.Sprintf("#%d", m.arguments+1)) {
		m.arguments++
		p.rest = p.rest[2:]
	}
	m.body = p.braced(c)
	p.set(name, m)
}

func (p *parser) set(name string, m macro) {
	if p.macros.known == nil {
		p.macros.known = map[string]macro{}
	}
	p.macros.known[name[1:]] = m
}

// expand puts a macro's body, with its arguments, before the rest.
func (p *parser) expand(c string, m macro) {
	if p.expanded++; p.expanded > expansions || len(p.rest)+len(m.body) > longest {
		p.fail("%s does not come to an end", c)
	}
	body := m.body
	if m.arguments > 0 {
		var pairs []string
		for i := range m.arguments {
			p.skip()
			argument := ""
			switch command := p.peekCommand(); {
			case p.rest == "":
				p.fail("%s wants %d arguments", c, m.arguments)
			case p.rest[0] == '{':
				argument = p.braced(c)
			case command != "":
				argument, p.rest = command, p.rest[len(command):]
			default:
				argument = string([]rune(p.rest)[:1])
				p.rest = p.rest[len(argument):]
			}
			pairs = append(pairs, fmt.Sprintf("#%d", i+1), argument)
		}
		body = strings.NewReplacer(pairs...).Replace(body)
	}
	if len(body)+len(p.rest) > longest {
		p.fail("%s does not come to an end", c)
	}
	// A letter after the macro's name must not join a command that ends its body.
	if body != "" && isLetter(body[len(body)-1]) && strings.Contains(body, `\`) {
		body += " "
	}
	p.rest = body + p.rest
}
