package page

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// sequence is the expression of a terminal's control sequences. escape finds them in a text, escapeHere at its beginning: to
// look through all that follows an incomplete one would take time that grows with the square of the text's length.
const sequence = "\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[@-Z\\\\^_])"

var escape, escapeHere = regexp.MustCompile(sequence), regexp.MustCompile("^" + sequence)

// StripANSI returns the text without a terminal's control sequences.
func StripANSI(s string) string { return escape.ReplaceAllString(s, "") }

// A style is how a terminal draws a character; colours are CSS colours or class names.
type style struct {
	fg, bg                           string
	bold, dim, italic, under, strike bool
	inverse                          bool
}

// ansiHTML returns a terminal's text as HTML: colours become spans, and a carriage return, a backspace and "erase to
// the end of the line" do what they do on a terminal, so a progress bar leaves its last state.
func ansiHTML(s string) string {
	var (
		out  strings.Builder
		line []glyph
		col  int
		cur  style
	)
	put := func(r rune) {
		for len(line) <= col {
			line = append(line, glyph{r: ' '})
		}
		line[col] = glyph{r, cur}
		col++
	}
	for s != "" {
		if s[0] == '\x1b' {
			if m := escapeHere.FindStringIndex(s); m != nil {
				switch seq := s[:m[1]]; {
				case strings.HasPrefix(seq, "\x1b[") && seq[len(seq)-1] == 'm':
					cur.set(seq[2 : len(seq)-1])
				case seq == "\x1b[K" || seq == "\x1b[0K":
					line = line[:min(col, len(line))]
				case seq == "\x1b[2K":
					line, col = line[:0], 0
				}
				s = s[m[1]:]
				continue
			}
			s = s[1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		switch {
		case r == '\n':
			writeLine(&out, line)
			out.WriteByte('\n')
			line, col = line[:0], 0
		case r == '\r':
			col = 0
		case r == '\b':
			col = max(col-1, 0)
		case r < ' ' && r != '\t' || r == 0x7f: // no meaning on a page
		default:
			put(r)
		}
	}
	writeLine(&out, line)
	return out.String()
}

// A glyph is one character and its style.
type glyph struct {
	r rune
	style
}

func writeLine(out *strings.Builder, line []glyph) {
	for i := 0; i < len(line); {
		j := i
		var run strings.Builder
		for ; j < len(line) && line[j].style == line[i].style; j++ {
			run.WriteRune(line[j].r)
		}
		text := html.EscapeString(run.String())
		if attrs := line[i].attributes(); attrs != "" {
			text = "<span" + attrs + ">" + text + "</span>"
		}
		out.WriteString(text)
		i = j
	}
}

// set applies the parameters of a "select graphic rendition" sequence.
func (s *style) set(params string) {
	codes := strings.FieldsFunc(params, func(r rune) bool { return r == ';' || r == ':' })
	if len(codes) == 0 {
		*s = style{}
	}
	for i := 0; i < len(codes); i++ {
		n, err := strconv.Atoi(codes[i])
		if err != nil {
			continue
		}
		switch {
		case n == 0:
			*s = style{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 3:
			s.italic = true
		case n == 4:
			s.under = true
		case n == 7:
			s.inverse = true
		case n == 9:
			s.strike = true
		case n == 22:
			s.bold, s.dim = false, false
		case n == 23:
			s.italic = false
		case n == 24:
			s.under = false
		case n == 27:
			s.inverse = false
		case n == 29:
			s.strike = false
		case n >= 30 && n <= 37:
			s.fg = names[n-30]
		case n >= 90 && n <= 97:
			s.fg = "bright-" + names[n-90]
		case n == 39:
			s.fg = ""
		case n >= 40 && n <= 47:
			s.bg = names[n-40]
		case n >= 100 && n <= 107:
			s.bg = "bright-" + names[n-100]
		case n == 49:
			s.bg = ""
		case n == 38 || n == 48:
			colour, used := extended(codes[i+1:])
			if n == 38 {
				s.fg = colour
			} else {
				s.bg = colour
			}
			i += used
		}
	}
}

var names = []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// extended reads what follows 38 or 48: 5;N for one of 256 colours, 2;R;G;B for any.
func extended(codes []string) (colour string, used int) {
	nums := make([]int, 0, 4)
	for _, c := range codes[:min(4, len(codes))] {
		n, err := strconv.Atoi(c)
		if err != nil || n < 0 || n > 255 {
			n = 0
		}
		nums = append(nums, n)
	}
	switch {
	case len(nums) >= 2 && nums[0] == 5:
		n := nums[1]
		switch {
		case n < 8:
			return names[n], 2
		case n < 16:
			return "bright-" + names[n-8], 2
		case n < 232:
			level := func(k int) int {
				if k == 0 {
					return 0
				}
				return 55 + 40*k
			}
			n -= 16
			return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6)), 2
		}
		grey := 8 + 10*(n-232)
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey), 2
	case len(nums) == 4 && nums[0] == 2:
		return fmt.Sprintf("#%02x%02x%02x", nums[1], nums[2], nums[3]), 4
	}
	return "", len(nums)
}

func (s style) attributes() string {
	var classes, css []string
	if s.inverse {
		if s.fg == "" && s.bg == "" {
			classes = append(classes, "a-inverse")
		}
		s.fg, s.bg = s.bg, s.fg
	}
	if strings.HasPrefix(s.fg, "#") {
		css = append(css, "color:"+s.fg)
	} else if s.fg != "" {
		classes = append(classes, "a-"+s.fg)
	}
	if strings.HasPrefix(s.bg, "#") {
		css = append(css, "background:"+s.bg)
	} else if s.bg != "" {
		classes = append(classes, "a-on-"+s.bg)
	}
	for _, f := range []struct {
		on    bool
		class string
	}{{s.bold, "a-bold"}, {s.dim, "a-dim"}, {s.italic, "a-italic"}, {s.under, "a-under"}, {s.strike, "a-strike"}} {
		if f.on {
			classes = append(classes, f.class)
		}
	}
	var attrs string
	if len(classes) > 0 {
		attrs = ` class="` + strings.Join(classes, " ") + `"`
	}
	if len(css) > 0 {
		attrs += ` style="` + strings.Join(css, ";") + `"`
	}
	return attrs
}
