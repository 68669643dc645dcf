package table

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
)

// A source is the text of a CSV file, split into fields. Fields are kept as places in the text, so that every column can be
// parsed, and parsed again as another type, without a copy.
type source struct {
	name   string
	text   string
	comma  byte
	header []string
	fields []span // of all rows after the header, one row after the other
	rows   int
}

// A span is the place of a field in the text, without its quotes. The highest bit of to says that it was quoted.
type span struct{ from, to uint32 }

const (
	quotedBit = 1 << 31
	maxBytes  = quotedBit - 1
)

// open reads and splits a file, compressed or not.
func open(file string) (*source, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	defer f.Close()
	size := 0
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = int(min(info.Size(), maxBytes))
	}
	return read(f, file, size)
}

// read reads and splits what r holds; size is a guess of the number of bytes.
func read(r io.Reader, name string, size int) (*source, error) {
	text, err := readText(r, name, size)
	if err != nil {
		return nil, err
	}
	s := &source{name: name, text: text}
	return s, s.split()
}

// readText returns what r holds, uncompressed.
func readText(r io.Reader, name string, size int) (string, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	var plain io.Reader = in
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return "", fmt.Errorf("table: %s: %w", name, err)
		}
		plain = z
	}
	var text strings.Builder
	text.Grow(size)
	n, err := io.Copy(&text, io.LimitReader(plain, maxBytes+1))
	if err != nil {
		return "", fmt.Errorf("table: %s: %w", name, err)
	}
	if n > maxBytes {
		return "", fmt.Errorf("table: %s has more than %d bytes; split it", name, int64(maxBytes))
	}
	return text.String(), nil
}

// delimiter returns what separates the names in the first line: a comma if there is one outside quotes, otherwise a tab
// or semicolon if there is one.
func delimiter(line string) byte {
	quoted := false
	other := byte(',')
	for i := range len(line) {
		switch c := line[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n' || c == ',':
			if c == ',' {
				return c
			}
			return other
		case (c == ';' || c == '\t') && other == ',':
			other = c
		}
	}
	return other
}

// split finds the fields in one pass over the text, by the rules of encoding/csv: fields may be quoted, a quote in a quoted
// field is written twice, lines end in \n or \r\n, and blank lines are skipped.
func (s *source) split() error {
	pos := 0
	if strings.HasPrefix(s.text, "\ufeff") {
		pos = len("\ufeff")
	}
	s.comma = delimiter(s.text[pos:])
	width := -1
	for pos < len(s.text) {
		if blank := lineEnd(s.text[pos:]); blank > 0 {
			pos += blank
			continue
		}
		start, first := pos, len(s.fields)
		for more := true; more; {
			var err error
			if pos, more, err = s.field(pos); err != nil {
				return err
			}
		}
		switch n := len(s.fields) - first; {
		case width < 0:
			width = n
			s.setHeader()
		case n != width:
			return s.errorAt(start, "%s, the header has %s", count(n, "field"), count(width, "field"))
		default:
			s.rows++
		}
	}
	if width < 0 {
		return fmt.Errorf("table: %s is empty; the first line must name the columns", s.name)
	}
	return nil
}

// lineEnd returns the length of the line end that the text begins with, or 0.
func lineEnd(text string) int {
	switch {
	case text[0] == '\n':
		return 1
	case text[0] == '\r' && (len(text) == 1 || text[1] == '\n'):
		return min(2, len(text))
	}
	return 0
}

// field appends the field at pos. It returns where the next one starts, and whether that belongs to the same row.
func (s *source) field(pos int) (next int, more bool, err error) {
	text, comma := s.text, s.comma
	if pos < len(text) && text[pos] == '"' {
		return s.quotedField(pos)
	}
	for i := pos; i < len(text); i++ {
		switch c := text[i]; {
		case c == comma:
			s.fields = append(s.fields, span{uint32(pos), uint32(i)})
			return i + 1, true, nil
		case c == '\n':
			s.fields = append(s.fields, span{uint32(pos), uint32(trimCR(text, pos, i))})
			return i + 1, false, nil
		case c == '"':
			return 0, false, s.errorAt(i, `a quote inside a field without quotes; put the field in quotes and write "" for the quote`)
		}
	}
	s.fields = append(s.fields, span{uint32(pos), uint32(trimCR(text, pos, len(text)))})
	return len(text), false, nil
}

func trimCR(text string, from, to int) int {
	if to > from && text[to-1] == '\r' {
		to--
	}
	return to
}

func (s *source) quotedField(open int) (next int, more bool, err error) {
	for i := open + 1; ; i++ {
		q := strings.IndexByte(s.text[i:], '"')
		if q < 0 {
			return 0, false, s.errorAt(open, "a quote is opened and never closed")
		}
		if i += q; i+1 < len(s.text) && s.text[i+1] == '"' {
			i++
			continue
		}
		s.fields = append(s.fields, span{uint32(open + 1), uint32(i) | quotedBit})
		rest := s.text[i+1:]
		switch {
		case rest == "":
			return len(s.text), false, nil
		case rest[0] == s.comma:
			return i + 2, true, nil
		case lineEnd(rest) > 0:
			return i + 1 + lineEnd(rest), false, nil
		}
		return 0, false, s.errorAt(i+1, `text after the closing quote of a field; write "" for a quote inside it`)
	}
}

// setHeader takes the fields read so far as the names of the columns.
func (s *source) setHeader() {
	seen := map[string]bool{}
	for k := range s.fields {
		name, _ := s.at(k)
		name = strings.TrimSpace(name)
		if name == "" {
			name = fmt.Sprintf("column_%d", k+1)
		}
		unique := name
		for i := 2; seen[unique]; i++ {
			unique = fmt.Sprintf("%s_%d", name, i)
		}
		seen[unique] = true
		s.header = append(s.header, unique)
	}
	lines := strings.Count(s.text[:min(len(s.text), 1<<16)], "\n") + 1
	guess := len(s.text) / max(min(len(s.text), 1<<16)/lines, 1)
	s.fields = make([]span, 0, (guess+guess/16+1)*len(s.header))
}

// at returns field k of the text, and whether it was quoted.
func (s *source) at(k int) (text string, quoted bool) {
	f := s.fields[k]
	if f.to&quotedBit == 0 {
		return s.text[f.from:f.to], false
	}
	text = s.text[f.from : f.to&^quotedBit]
	if strings.Contains(text, `"`) {
		text = strings.ReplaceAll(text, `""`, `"`)
	}
	if strings.Contains(text, "\r\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	return text, true
}

// cell returns the field of a row in a column.
func (s *source) cell(row, column int) (text string, quoted bool) {
	return s.at(row*len(s.header) + column)
}

// errorAt returns an error at a place in the text.
func (s *source) errorAt(pos int, format string, args ...any) error {
	return fmt.Errorf("table: %s, line %d: %s", s.name, 1+strings.Count(s.text[:pos], "\n"), fmt.Sprintf(format, args...))
}

// errorIn returns an error in a field, named by line and column.
func (s *source) errorIn(row, column int, format string, args ...any) error {
	pos := int(s.fields[row*len(s.header)+column].from)
	return s.errorAt(pos, "column %s: %s", s.header[column], fmt.Sprintf(format, args...))
}

func count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}
