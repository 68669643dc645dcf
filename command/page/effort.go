package page

import "strings"

// maxEffort is what may be spent on the Markdown of a page, some seconds: hundreds of times what long texts need.
const maxEffort = 2_000_000_000

// effort estimates what it takes to parse Markdown, in steps of about a nanosecond. A parser looks from each character that
// may open something to the end of its paragraph for what closes it, and goes through all quotes and lists that a line is
// in, so text that only opens takes time that grows with its square, unless somebody looks first.
func effort(source string) (total int) {
	const deep = 100 // containers, more than anybody can read
	length, opening := 0, 0
	end := func() {
		total += length + length*opening
		length, opening = 0, 0
	}
	for line := range strings.Lines(source) {
		if containers(line) > deep {
			return maxEffort + 1
		}
		text := strings.TrimSpace(line)
		if text == "" {
			end()
			continue
		}
		length += len(line)
		for i := range len(text) {
			switch text[i] {
			case '[', ']', '(', '*', '_', '`', '<', '~', '&', '@', ':', '!':
				opening++
			}
		}
		if total+length*opening > maxEffort {
			return maxEffort + 1
		}
	}
	end()
	return total
}

// containers counts the marks of quotes and lists with which a line begins.
func containers(line string) (n int) {
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			return n
		}
		rest := strings.TrimLeft(line[1:], "0123456789.)")
		switch {
		case line[0] == '>':
			line = line[1:]
		case strings.IndexByte("-+*", line[0]) >= 0 && len(line) > 1 && (line[1] == ' ' || line[1] == '\t'):
			line = line[1:]
		case line[0] >= '0' && line[0] <= '9' && len(rest) < len(line)-1 && rest != "" && (rest[0] == ' ' || rest[0] == '\t'):
			line = rest
		default:
			return n
		}
		n++
	}
}
