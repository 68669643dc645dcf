package table

import (
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/parallel"
)

// A CSV file is read in blocks of its text, which are split and parsed in parallel, a few rows at a time, while they are in
// the processor's cache. The types of the columns are those of the first rows; a column in which a later value has another
// type, and one of which the first rows do not say enough, is found by [source.column] from the whole file.

const (
	blockBytes = 1 << 20
	groupBytes = 1 << 13 // are split before they are parsed
	guessRows  = 1000    // of which the types are found; fewer where these are more than a tenth of the text
	guessLeast = 20
)

// A block is a part of the text that begins and ends between rows.
type block struct {
	from, to int
	at       int // where its rows begin in the columns
	lines    int // at least as many as it has rows
	rows     int
}

// A tally counts what cuts a text into blocks, in blockBytes of it.
type tally struct{ quotes, ends int }

func tallyOf(text string) tally { return tally{strings.Count(text, `"`), strings.Count(text, "\n")} }

// tallies counts in all of the text.
func tallies(text string) []tally {
	all := make([]tally, parallel.Count(len(text), blockBytes))
	parallel.Blocks(len(text), blockBytes, func(k, from, to int) { all[k] = tallyOf(text[from:to]) })
	return all
}

// blocks cuts the text after the header. A cut is at an end of a line that is not in quotes, of which the number of quotes
// before it is odd.
func (s *source) blocks() []block {
	var all []block
	from, quotes, ends := s.body, 0, 0 // the last two before the cut
	header := strings.Count(s.text[:s.body], "\n")
	at := 0
	for k, t := range s.tallies {
		cut := min((k+1)*blockBytes, len(s.text))
		quotes, ends = quotes+t.quotes, ends+t.ends
		if cut <= from {
			continue // the block before ends after this
		}
		to := cut
		for in := quotes%2 == 1; to < len(s.text) && (in || s.text[to-1] != '\n'); to++ {
			if s.text[to] == '"' {
				in = !in
			}
		}
		next := ends + strings.Count(s.text[cut:to], "\n") - header
		if to == len(s.text) && s.text[to-1] != '\n' {
			next++
		}
		all = append(all, block{from: from, to: to, at: at, lines: next - at})
		from, at = to, next
	}
	return all
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
			c.room(lines)
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
		rows, s.bare = s.rows, s.bareValue()
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

// room gives the column n values of its type. Each must be set; those of the rows of a block are when it is parsed.
func (c *building) room(n int) {
	switch c.kind {
	case Int:
		c.ints = room[int](n)
	case Float:
		c.floats = room[float64](n)
	case Bool:
		c.bools = room[bool](n)
	default:
		c.make(n)
	}
}

// guess finds the types of the columns in the first rows. It reports false if these are bad.
func (s *source) guess() (cols []*building, ok bool) {
	first := &source{name: s.name, text: s.text, comma: s.comma, header: s.header, bareName: s.bareName}
	ok = true
	tenth := s.body + (len(s.text)-s.body)/10
	for pos := s.skipBlank(s.body); pos < len(s.text) && first.rows < guessRows && (pos < tenth || first.rows < guessLeast) && ok; pos = s.skipBlank(pos) {
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
		c.known.Store((c.kind != String || !number) && !first.quoted(j)) // long integers may be among floats
	}
	return cols, ok
}

// groups splits a block, a few rows at a time, and calls parse for each group: rows that are split in part and that are the
// rows from at in the columns. The error is of a bad row.
func (s *source) groups(b *block, parse func(part *source, rows, at int)) error {
	part := &source{name: s.name, text: s.text, comma: s.comma, header: s.header}
	marks := make([]uint32, groupBytes+asm.SeparatorsRoom)
	for pos := part.skipBlank(b.from); pos < b.to; {
		next, rows, err := part.group(pos, b.to, marks)
		parse(part, rows, b.at+b.rows)
		b.rows += rows
		if err != nil {
			return err
		}
		pos = next
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
		return parseInto(c, s, j, c.ints[at:at+rows], at, quickInt, parseInt)
	case Float:
		return parseInto(c, s, j, c.floats[at:at+rows], at, quickFloat, parseFloat)
	case Bool:
		return parseInto(c, s, j, c.bools[at:at+rows], at, quickBool, parseBool)
	case Time:
		return parseInto(c, s, j, c.times[at:at+rows], at, quickTime, parseTime)
	}
	values := c.strings[at : at+rows]
	return each(s, j, rows, slotsOf(values), quickString, func(i int) bool {
		text, quoted := s.cell(i, j)
		values[i] = text
		if text == "" && !quoted {
			c.miss(at + i)
		}
		return true
	})
}

func parseInto[T any](c *building, s *source, j int, values []T, at int, quick func(string, span) (T, bool), parse func(string) (T, bool)) bool {
	return each(s, j, len(values), slotsOf(values), quick, func(i int) bool {
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
		return true
	})
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
