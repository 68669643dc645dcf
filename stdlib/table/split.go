package table

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"

	"gaucho/internal/words"
	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/parallel"
)

// A source is the text of a CSV file, split into fields. Fields are kept as places in the text, so that every column can be
// parsed, and parsed again as another type, without a copy.
type source struct {
	name    string
	text    string
	comma   byte
	tallies []tally  // of each blockBytes
	names   []string // of the columns as the file has them
	header  []string // and so that all differ
	body    int      // where the first row after the header begins
	fields  []span   // of the rows that are split, one row after the other
	rows    int

	bareName, bare bool // a name, and a value of all rows, is not in quotes
}

// A span is the place of a field in the text, without its quotes. The highest bit of to says that it was quoted.
type span struct{ from, to uint32 }

const (
	quotedBit = 1 << 31
	maxBytes  = quotedBit - 1
)

// gzipped is what a compressed file begins with.
const gzipped = "\x1f\x8b"

// open reads a file, compressed or not, and splits its header.
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
	if text, tallies, ok := wholeText(f, size); ok {
		return newSource(file, text, tallies)
	}
	return read(f, file, size)
}

// wholeText returns the text of a file of so many bytes, of which parts are read in parallel, each counted while it is in the
// processor's cache. It is not ok where the file is compressed, or has another size by now.
func wholeText(f *os.File, size int) (text string, counts []tally, ok bool) {
	begin := make([]byte, 2)
	if n, _ := f.ReadAt(begin, 0); n < 2 || string(begin) == gzipped {
		return "", nil, false
	}
	whole := room[byte](size + 1) // one more, of which there must be nothing to read
	text = ownText(whole[:size])
	counts = make([]tally, parallel.Count(size+1, blockBytes))
	var failed atomic.Bool
	parallel.Blocks(size+1, blockBytes, func(k, from, to int) {
		n, err := f.ReadAt(whole[from:to], int64(from))
		if last := to == size+1; from+n != min(to, size) || last != (err == io.EOF) {
			failed.Store(true)
		}
		counts[k] = tallyOf(text[from:min(to, size)])
	})
	return text, counts, !failed.Load()
}

// read reads what r holds and splits its header; size is a guess of the number of bytes.
func read(r io.Reader, name string, size int) (*source, error) {
	text, err := readText(r, name, size)
	if err != nil {
		return nil, err
	}
	return newSource(name, text, tallies(text))
}

// newSource splits the header of a text.
func newSource(name, text string, tallies []tally) (*source, error) {
	s := &source{name: name, text: text, tallies: tallies}
	return s, s.start()
}

// readText returns what r holds, uncompressed.
func readText(r io.Reader, name string, size int) (string, error) {
	if r == nil {
		return "", fmt.Errorf("table: %s: the reader is nil", name)
	}
	in := bufio.NewReaderSize(r, 1<<16)
	var plain io.Reader = in
	if magic, _ := in.Peek(2); string(magic) == gzipped {
		z, err := gzip.NewReader(in)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return "", fmt.Errorf("table: %s is cut off: its compressed data end in their header: %w", name, err)
		}
		if err != nil {
			return "", fmt.Errorf("table: %s: %w", name, err)
		}
		plain = z
	}
	text := make([]byte, 0, size+512)
	for limited := io.LimitReader(plain, maxBytes+1); ; {
		n, err := limited.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if err == io.EOF {
			break
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return "", fmt.Errorf("table: %s is cut off: its compressed data end in line %d of the text: %w", name, 1+bytes.Count(text, []byte("\n")), err)
		}
		if err != nil {
			return "", fmt.Errorf("table: %s: %w", name, err)
		}
		text = slices.Grow(text, 512)
	}
	if len(text) > maxBytes {
		return "", fmt.Errorf("table: %s has more than %d bytes; split it", name, int64(maxBytes))
	}
	return ownText(text), nil
}

// ownText returns bytes as a text without a copy; nobody may change them any more.
func ownText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

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

// start splits the first line, which names the columns.
func (s *source) start() error {
	pos := 0
	if strings.HasPrefix(s.text, "\ufeff") {
		pos = len("\ufeff")
	}
	s.comma = delimiter(s.text[pos:])
	pos = s.skipBlank(pos)
	if pos == len(s.text) {
		return fmt.Errorf("table: %s is empty; the first line must name the columns", s.name)
	}
	var err error
	if strings.HasPrefix(s.text, "\xff\xfe") || strings.HasPrefix(s.text, "\xfe\xff") {
		return fmt.Errorf("table: %s is in UTF-16; save it as UTF-8", s.name)
	}
	if s.body, err = s.row(pos); err != nil {
		return err
	}
	for k, f := range s.fields {
		if name, quoted := s.at(k); !quoted && strings.Contains(name, "\r") {
			return s.errorAt(int(f.from), "lines end in a carriage return alone; write them with a line feed")
		}
	}
	s.setHeader()
	s.fields = nil
	return nil
}

// split finds the fields of all rows in one pass over the text.
func (s *source) split() error {
	lines := strings.Count(s.text[:min(len(s.text), 1<<16)], "\n") + 1
	guess := len(s.text) / max(min(len(s.text), 1<<16)/lines, 1)
	s.fields = make([]span, 0, (guess+guess/16+1)*len(s.header))
	for pos := s.skipBlank(s.body); pos < len(s.text); pos = s.skipBlank(pos) {
		var err error
		if pos, err = s.wholeRow(pos); err != nil {
			return err
		}
		s.rows++
	}
	return nil
}

// wholeRow is row for one that must have as many fields as the header.
func (s *source) wholeRow(pos int) (next int, err error) {
	first := len(s.fields)
	if next, err = s.row(pos); err != nil {
		return 0, err
	}
	n := len(s.fields) - first
	if n == len(s.header) {
		return next, nil
	}
	what := ""
	if n < len(s.header) {
		what = fmt.Sprintf("nothing for column %s", s.header[n])
	} else {
		text, _ := s.at(first + len(s.header))
		what = fmt.Sprintf("%.40q comes after the last column, %s", text, s.header[len(s.header)-1])
	}
	return 0, s.errorAt(pos, "%s, the header has %s: %s", words.Count(n, "field"), words.Count(len(s.header), "field"), what)
}

// group splits the rows of about the next groupBytes, from pos to at most to, where a row ends. It keeps their separators in
// marks, and returns where the next row begins and how many rows there are, without one that has an error.
func (s *source) group(pos, to int, marks []uint32) (next, rows int, err error) {
	s.fields = s.fields[:0]
	to = min(to, pos+groupBytes)
	marks = marks[:asm.Separators(marks, s.text[pos:to], uint32(pos), s.comma)]
	for width := len(s.header); pos < to; rows++ {
		if end := s.plainRow(pos, marks[:min(width, len(marks))]); end > 0 {
			pos, marks = end, marks[width:]
			if pos < len(s.text) && s.text[pos] > '\r' {
				continue // as nearly all do: this is no blank line
			}
		} else if pos, err = s.wholeRow(pos); err != nil {
			return 0, rows, err
		}
		pos = s.skipBlank(pos)
		for len(marks) > 0 && int(marks[0]) < pos {
			marks = marks[1:]
		}
	}
	return pos, rows, nil
}

// plainRow appends the fields of the row at pos if marks, the separators from there on, are those of as many fields as the header
// has, without quotes. It returns where the row ends, or 0 if it is another row.
func (s *source) plainRow(pos int, marks []uint32) (end int) {
	if len(marks) < len(s.header) {
		return 0
	}
	first, last := len(s.fields), len(marks)-1
	if first+len(marks) > cap(s.fields) {
		s.fields = slices.Grow(s.fields, len(marks))
	}
	fields := s.fields[first : first+len(marks)]
	text, comma, from := s.text, s.comma, uint32(pos)
	for k, at := range marks[:last] {
		if text[at] != comma {
			return 0
		}
		fields[k] = span{from, at}
		from = at + 1
	}
	at := int(marks[last])
	if text[at] != '\n' {
		return 0
	}
	fields[last] = span{from, uint32(trimCR(text, int(from), at))}
	s.fields = s.fields[:first+len(marks)]
	return at + 1
}

// skipBlank returns where the next line that is not blank begins.
func (s *source) skipBlank(pos int) int {
	for pos < len(s.text) {
		n := lineEnd(s.text[pos:])
		if n == 0 {
			break
		}
		pos += n
	}
	return pos
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

// row appends the fields of the row at pos, by the rules of encoding/csv: fields may be quoted, a quote in a quoted field is
// written twice, lines end in \n or \r\n, and blank lines are skipped. Ends of lines in quotes stay as they are. It returns where the next row starts.
func (s *source) row(pos int) (next int, err error) {
	text, comma := s.text, s.comma
	if pos < len(text) && text[pos] == '"' {
		return s.quotedField(pos)
	}
	commas := uint64(comma) * asm.Ones
	for i := pos; i < len(text); i++ {
		if i+8 <= len(text) {
			marks := asm.SeparatorsIn(asm.Eight(text[i:i+8]), commas)
			if marks == 0 {
				i += 7
				continue
			}
			i += bits.TrailingZeros64(marks) / 8
		}
		switch text[i] {
		case comma:
			s.fields = append(s.fields, span{uint32(pos), uint32(i)})
			pos = i + 1
			if pos < len(text) && text[pos] == '"' {
				return s.quotedField(pos)
			}
		case '\n':
			s.fields = append(s.fields, span{uint32(pos), uint32(trimCR(text, pos, i))})
			return i + 1, nil
		case '"':
			return 0, s.errorAt(i, `a quote inside a field without quotes; put the field in quotes and write "" for the quote`)
		}
	}
	s.fields = append(s.fields, span{uint32(pos), uint32(trimCR(text, pos, len(text)))})
	return len(text), nil
}

func trimCR(text string, from, to int) int {
	if to > from && text[to-1] == '\r' {
		to--
	}
	return to
}

// quotedField appends the field whose quote is at open, and the rest of its row.
func (s *source) quotedField(open int) (next int, err error) {
	for i := open + 1; ; i++ {
		q := strings.IndexByte(s.text[i:], '"')
		if q < 0 {
			return 0, s.errorAt(open, "a quote is opened and never closed")
		}
		if i += q; i+1 < len(s.text) && s.text[i+1] == '"' {
			i++
			continue
		}
		s.fields = append(s.fields, span{uint32(open + 1), uint32(i) | quotedBit})
		rest := s.text[i+1:]
		switch {
		case rest == "":
			return len(s.text), nil
		case rest[0] == s.comma:
			return s.row(i + 2)
		case lineEnd(rest) > 0:
			return i + 1 + lineEnd(rest), nil
		}
		return 0, s.errorAt(i+1, `text after the closing quote of a field; write "" for a quote inside it`)
	}
}

// setHeader takes the fields read so far as the names of the columns.
func (s *source) setHeader() {
	seen := map[string]bool{}
	for k := range s.fields {
		name, quoted := s.at(k)
		s.bareName = s.bareName || !quoted
		name = strings.TrimSpace(name)
		if name == "" {
			name = fmt.Sprintf("column_%d", k+1)
		}
		s.names = append(s.names, name)
		unique := name
		for i := 2; seen[unique]; i++ {
			unique = fmt.Sprintf("%s_%d", name, i)
		}
		seen[unique] = true
		s.header = append(s.header, unique)
	}
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
