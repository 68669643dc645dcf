package table

import (
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"gaucho/stdlib/internal/parallel"
)

// A CSV file is read in blocks of its text, which are split and parsed in parallel, a few rows at a time, while they are in
// the processor's cache. The types of the columns are those of the first rows; a column in which a later value has another
// type, and one of which the first rows do not say enough, is found by [source.column] from the whole file.

const (
	blockBytes = 1 << 20
	groupRows  = 256  // are split before they are parsed
	guessRows  = 1000 // of which the types are found
)

// A block is a part of the text that begins and ends between rows.
type block struct {
	from, to int
	at       int // where its rows begin in the columns
	lines    int // at least as many as it has rows
	rows     int
}

// blocks cuts the text after the header. A cut is at an end of a line that is not in quotes, of which the number of quotes
// before it is odd.
func (s *source) blocks() []block {
	n := (len(s.text) - s.body + blockBytes - 1) / blockBytes
	odd := make([]bool, n) // whether so much of the text has an odd number of quotes
	parallel.Team(n, func(k, _ int) {
		from := s.body + k*blockBytes
		odd[k] = strings.Count(s.text[from:min(from+blockBytes, len(s.text))], `"`)%2 == 1
	})
	var all []block
	quoted := false
	from := s.body
	for k := range n {
		to := min(s.body+(k+1)*blockBytes, len(s.text))
		quoted = quoted != odd[k]
		if to <= from {
			continue // the block before ends after this
		}
		for in := quoted; to < len(s.text) && (in || s.text[to-1] != '\n'); to++ {
			if s.text[to] == '"' {
				in = !in
			}
		}
		all = append(all, block{from: from, to: to})
		from = to
	}
	parallel.Team(len(all), func(k, _ int) { all[k].lines = s.lines(all[k].from, all[k].to) })
	at := 0
	for k := range all {
		all[k].at = at
		at += all[k].lines
	}
	return all
}

// lines counts the lines of a part of the text.
func (s *source) lines(from, to int) int {
	n := strings.Count(s.text[from:to], "\n")
	if s.text[to-1] != '\n' {
		n++
	}
	return n
}

// table reads the rows.
func (s *source) table() (*Table, error) {
	blocks := s.blocks()
	cols, known := s.guess()
	lines := 0
	for _, b := range blocks {
		lines += b.lines
	}
	parallel.Team(len(cols), func(j, _ int) {
		if c := cols[j]; c.known.Load() {
			c.make(lines)
		}
	})
	var failed atomic.Bool
	if known {
		parallel.Team(len(blocks), func(b, _ int) {
			if !failed.Load() && !s.parse(&blocks[b], cols) {
				failed.Store(true)
			}
		})
	}
	rows := 0
	again := !known || failed.Load()
	for _, b := range blocks {
		rows += b.rows
	}
	for _, c := range cols {
		again = again || !c.known.Load()
	}
	if again {
		if err := s.split(); err != nil {
			return nil, err
		}
		rows = s.rows
	}
	out := make([]*Column, len(cols))
	parallel.Team(len(cols), func(j, _ int) {
		if c := cols[j]; !known || failed.Load() || !c.known.Load() {
			out[j] = s.column(j)
		} else {
			out[j] = c.compact(blocks, rows)
		}
	})
	return newTable(rows, out), nil
}

// A building is a column that is being read.
type building struct {
	Column
	known atomic.Bool // the values so far are of the type
	once  sync.Once   // makes the mask
}

// guess finds the types of the columns in the first rows. It reports false if these are bad.
func (s *source) guess() (cols []*building, ok bool) {
	first := &source{name: s.name, text: s.text, comma: s.comma, header: s.header}
	ok = true
	for pos := s.skipBlank(s.body); pos < len(s.text) && first.rows < guessRows && ok; pos = s.skipBlank(pos) {
		var err error
		pos, err = first.wholeRow(pos)
		ok = err == nil
		first.rows++
	}
	for j, name := range s.header {
		c := &building{Column: Column{name: name}}
		cols = append(cols, c)
		if !ok || first.empty(j) {
			continue
		}
		c.kind = first.column(j).kind
		_, _, number := parsed(first, j, parseFloat)
		c.known.Store(c.kind != String || !number) // long integers may be among floats
	}
	return cols, ok
}

// groups splits a block, a few rows at a time, and calls parse for each group: rows that are split in part and that are the
// rows from at in the columns. The error is of a bad row.
func (s *source) groups(b *block, parse func(part *source, rows, at int)) error {
	part := &source{name: s.name, text: s.text[:b.to], comma: s.comma, header: s.header, fields: make([]span, 0, groupRows*len(s.header))}
	for pos := part.skipBlank(b.from); pos < b.to; {
		part.fields = part.fields[:0]
		rows := 0
		var err error
		for ; rows < groupRows && pos < b.to; pos = part.skipBlank(pos) {
			if pos, err = part.wholeRow(pos); err != nil {
				break
			}
			rows++
		}
		parse(part, rows, b.at+b.rows)
		b.rows += rows
		if err != nil {
			return err
		}
	}
	return nil
}

// parse reads a block into the columns. It reports false if a row is bad.
func (s *source) parse(b *block, cols []*building) bool {
	return s.groups(b, func(part *source, rows, at int) {
		for j, c := range cols {
			if c.known.Load() && !c.parse(part, j, rows, at) {
				c.known.Store(false)
			}
		}
	}) == nil
}

// parse reads a column of some rows, the first of which is at. It reports false if a value is of another type.
func (c *building) parse(s *source, j, rows, at int) bool {
	switch c.kind {
	case Int:
		return parseInto(c, s, j, c.ints[at:at+rows], at, parseInt)
	case Float:
		return parseInto(c, s, j, c.floats[at:at+rows], at, parseFloat)
	case Bool:
		return parseInto(c, s, j, c.bools[at:at+rows], at, parseBool)
	case Time:
		return parseInto(c, s, j, c.times[at:at+rows], at, parseTime)
	}
	for i := range rows {
		text, quoted := s.cell(i, j)
		c.strings[at+i] = text
		if text == "" && !quoted {
			c.miss(at + i)
		}
	}
	return true
}

func parseInto[T any](c *building, s *source, j int, values []T, at int, parse func(string) (T, bool)) bool {
	for i := range values {
		text, _ := s.cell(i, j)
		text = trim(text)
		x, ok := parse(text)
		if !ok {
			if !isMissing(text) {
				return false
			}
			c.miss(at + i)
		}
		values[i] = x
	}
	return true
}

// miss marks a value as missing.
func (c *building) miss(i int) {
	c.once.Do(func() { c.missing = make([]bool, c.Len()) })
	c.missing[i] = true
}

// compact returns the column without the places of lines that were no rows: blank ones, and those within quotes.
func (c *building) compact(blocks []block, rows int) *Column {
	out := c.Column
	next := 0
	for _, b := range blocks {
		if next != b.at {
			out.move(next, b.at, b.rows)
		}
		next += b.rows
	}
	out = *out.part(0, rows)
	if out.kind == Float {
		for i, m := range out.missing {
			if m {
				out.floats[i] = math.NaN()
			}
		}
		out.missing = nil
	}
	return &out
}

// move copies n values to a place before theirs.
func (c *Column) move(to, from, n int) {
	if c.missing != nil {
		copy(c.missing[to:to+n], c.missing[from:from+n])
	}
	switch c.kind {
	case Int:
		copy(c.ints[to:to+n], c.ints[from:from+n])
	case Float:
		copy(c.floats[to:to+n], c.floats[from:from+n])
	case Bool:
		copy(c.bools[to:to+n], c.bools[from:from+n])
	case Time:
		copy(c.times[to:to+n], c.times[from:from+n])
	case String:
		copy(c.strings[to:to+n], c.strings[from:from+n])
	}
}
