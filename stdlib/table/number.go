package table

import (
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"gaucho/stdlib/internal/parallel"
)

// Group, join and sort number the distinct values of columns, from 0, in the order in which values first occur, on any number of
// processors. Where values are few, blocks of rows are numbered in parallel, each with a hash table of its own, and then the
// distinct values of the blocks. Where most rows differ, nearly all would be added twice, and to a table far larger than the
// caches: there, rows are sorted by the first bits of their hashes, and what has these in common is numbered in parallel.

// numberBlock is how many rows are numbered at a time.
const numberBlock = 1 << 16

// A stack is columns of one kind, one below the other, whose rows are counted over all of them.
type stack []*Column

// A part is rows of one column of a stack.
type part struct {
	c        *Column
	from, to int
	at       int // the first of them in the stack
}

// parts returns all rows in parts of at most n.
func (s stack) parts(n int) []part {
	var out []part
	at := 0
	for _, c := range s {
		for from := 0; from < c.Len(); from += n {
			out = append(out, part{c, from, min(from+n, c.Len()), at + from})
		}
		at += c.Len()
	}
	return out
}

// within returns what belongs to the part in a slice with an element for each row of the stack.
func within[T any](all []T, p part) []T { return all[p.at : p.at+p.to-p.from] }

// find returns the column of a row of the stack, and the row there.
func (s stack) find(row uint32) (c *Column, i int) {
	i = int(row)
	for _, c = range s[:len(s)-1] {
		if i < c.Len() {
			return c, i
		}
		i -= c.Len()
	}
	return s[len(s)-1], i
}

// same reports whether the values of two rows are equal. All NaN are equal here, both zeros, and all missing values.
func (s stack) same(row, other uint32) bool {
	a, i := s.find(row)
	b, j := s.find(other)
	if x, y := a.missing != nil && a.missing[i], b.missing != nil && b.missing[j]; x || y {
		return x && y
	}
	switch a.kind {
	case Int:
		return a.ints[i] == b.ints[j]
	case Float:
		return bitsOf(a.floats[i]) == bitsOf(b.floats[j])
	case Bool:
		return a.bools[i] == b.bools[j]
	case Time:
		return a.times[i].Equal(b.times[j])
	}
	return a.strings[i] == b.strings[j]
}

// hash sets h to hashes of the values from one row on, equal for equal values. If they are exact, they differ for different
// values: then a value is a key of 64 bits, which mix maps one to one.
func (c *Column) hash(h []uint64, from int) (exact bool) {
	to := from + len(h)
	exact = true
	switch c.kind {
	case Int:
		for i, v := range c.ints[from:to] {
			h[i] = mix(uint64(v))
		}
	case Float:
		for i, v := range c.floats[from:to] {
			h[i] = mix(bitsOf(v))
		}
	case Bool:
		for i, v := range c.bools[from:to] {
			h[i] = mix(uint64(truth(v)))
		}
	case Time:
		for i, v := range c.times[from:to] {
			h[i] = mix(uint64(v.Unix())<<30 + uint64(v.Nanosecond()))
		}
		exact = false
	case String:
		for i, v := range c.strings[from:to] {
			if len(v) < 8 {
				h[i] = mix(shortKey(v))
			} else {
				h[i], exact = maphash.String(seed, v), false
			}
		}
	}
	if c.missing != nil {
		for i, m := range c.missing[from:to] {
			if m {
				h[i], exact = mix(unlikely), false
			}
		}
	}
	return exact
}

// hashed calls f with the hashes of some rows after the other, from row lo of the part, and whether they are exact.
func (p part) hashed(f func(lo int, hashes []uint64, exact bool)) {
	var room [2048]uint64 // which stay in the first cache
	n := p.to - p.from
	for lo := 0; lo < n; lo += len(room) {
		hashes := room[:min(len(room), n-lo)]
		f(lo, hashes, p.c.hash(hashes, p.from+lo))
	}
}

// unlikely is a number that hardly occurs; missing values have its hash.
const unlikely = 0x5bd1e9955bd1e995

// shortKey returns a key of a text of at most seven bytes: these and their number.
func shortKey(s string) uint64 {
	key := uint64(len(s))
	for i := range len(s) {
		key = key<<8 | uint64(s[i])
	}
	return key
}

var seed = maphash.MakeSeed()

// mix spreads a key over all bits (the last step of MurmurHash3).
func mix(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// bitsOf returns equal bits for equal numbers; all NaN are equal here, and both zeros.
func bitsOf(v float64) uint64 {
	switch {
	case v == 0:
		return 0
	case v != v:
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(v)
}

// A numbering numbers distinct values from 0 in the order in which they are added. It is a hash table with linear probing,
// at most a quarter full, as a second probe is often a branch mispredicted.
type numbering struct {
	of    stack
	slots []slot
	first []uint32 // rows of the distinct values
	hash  []uint64 // and their hashes
	exact bool     // values of one hash are the same
}

// A slot of the table is empty if next is 0; otherwise it holds value next-1.
type slot struct {
	hash uint64
	next uint32
}

// add returns the number of the value in a row.
func (n *numbering) add(hash uint64, row uint32) uint32 {
	if 4*len(n.first) >= len(n.slots) {
		n.grow(max(64, 4*len(n.slots)))
	}
	mask := uint64(len(n.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		switch s := &n.slots[at]; {
		case s.next == 0:
			n.first, n.hash = append(n.first, row), append(n.hash, hash)
			*s = slot{hash, uint32(len(n.first))}
			return s.next - 1
		case s.hash == hash && (n.exact || n.of.same(row, n.first[s.next-1])):
			return s.next - 1
		}
	}
}

// grow makes a table of so many slots, a power of two, in the memory of the last one if that suffices.
func (n *numbering) grow(slots int) {
	if slots <= cap(n.slots) {
		n.slots = n.slots[:slots]
		clear(n.slots)
	} else {
		n.slots = make([]slot, slots)
	}
	mask := uint64(slots - 1)
	for k, hash := range n.hash {
		at := hash & mask
		for n.slots[at].next != 0 {
			at = (at + 1) & mask
		}
		n.slots[at] = slot{hash, uint32(k + 1)}
	}
}

// reset forgets all values and makes room for about so many, of which not all may differ.
func (n *numbering) reset(values int) {
	n.first, n.hash = n.first[:0], n.hash[:0]
	n.grow(1 << bits.Len(uint(4*min(values, 1024))))
}

// number numbers the distinct values of columns of one kind: code has a number for each row of the first column, then of the
// next. first says in which of these rows each value first occurs.
func number(cols ...*Column) (code, first []uint32) {
	s := stack(cols)
	if s.many() {
		return s.scattered()
	}
	return s.blockwise()
}

// many reports whether most of the first rows differ, where there are more than a block.
func (s stack) many() bool {
	if s.len() <= numberBlock {
		return false
	}
	p := s.parts(numberBlock)[0]
	p.to = min(p.to, p.from+4096)
	code := make([]uint32, p.to-p.from)
	return 2*len(s.alone(p, code).first) > len(code)
}

// alone numbers the values of a part, without the others.
func (s stack) alone(p part, code []uint32) numbering {
	n := numbering{of: s, exact: true}
	p.hashed(func(lo int, hashes []uint64, exact bool) {
		n.exact = n.exact && exact
		for i, h := range hashes {
			code[lo+i] = n.add(h, uint32(p.at+lo+i))
		}
	})
	return n
}

// blockwise numbers values of which there are few.
func (s stack) blockwise() (code, first []uint32) {
	parts := s.parts(numberBlock)
	code = make([]uint32, s.len())
	numberings := make([]numbering, len(parts))
	parallel.Team(len(parts), func(k, _ int) { numberings[k] = s.alone(parts[k], within(code, parts[k])) })
	if len(parts) == 1 {
		return code, numberings[0].first
	}
	all := numbering{of: s, exact: !slices.ContainsFunc(numberings, func(n numbering) bool { return !n.exact })}
	renumbered := make([][]uint32, len(parts))
	for k, n := range numberings {
		renumbered[k] = make([]uint32, len(n.first))
		for i, row := range n.first {
			renumbered[k][i] = all.add(n.hash[i], row)
		}
	}
	parallel.Team(len(parts), func(k, _ int) { renumber(within(code, parts[k]), renumbered[k]) })
	return code, all.first
}

// scattered numbers values of which there are many. To compare each with the first of its hash, as the rows come in the order of
// their hashes, takes longer than all else. So hashes are taken for the values at first, and those compared in the order of the
// rows: only where two have one hash, which is unlikely, all is done again.
func (s stack) scattered() (code, first []uint32) {
	rows, starts, exact := s.byHash()
	earliest := s.earliest(rows, starts, true)
	if !exact && !s.equal(earliest) {
		earliest = s.earliest(rows, starts, false)
	}
	return inOrder(earliest)
}

// earliest returns, for each row, the first with its value. Rows are sorted by the first digit of their hashes.
func (s stack) earliest(rows []keyed, starts []uint32, exact bool) []uint32 {
	out := make([]uint32, len(rows))
	parallel.Blocks(len(starts)-1, 32, func(_, lo, hi int) {
		n := numbering{of: s, exact: exact}
		for d := lo; d < hi; d++ {
			some := rows[starts[d]:starts[d+1]]
			n.reset(len(some))
			for _, r := range some {
				out[r.row] = n.first[n.add(r.key, r.row)]
			}
		}
	})
	return out
}

// equal reports whether each row has the value of another one.
func (s stack) equal(other []uint32) bool {
	var differ atomic.Bool
	parallel.Blocks(len(other), numberBlock, func(_, lo, hi int) {
		for i, o := range other[lo:hi] {
			if row := uint32(lo + i); o != row && !s.same(row, o) {
				differ.Store(true)
				return
			}
		}
	})
	return !differ.Load()
}

// byHash returns the rows with their hashes, sorted by the first digit of these, and where rows with each digit start.
func (s stack) byHash() (rows []keyed, starts []uint32, exact bool) {
	from, to := room[keyed](s.len()), room[keyed](s.len())
	parts := s.parts(numberBlock)
	exacts := make([]bool, len(parts))
	parallel.Team(len(parts), func(k, _ int) {
		p := parts[k]
		exacts[k] = true
		p.hashed(func(lo int, hashes []uint64, exact bool) {
			exacts[k] = exacts[k] && exact
			for i, h := range hashes {
				from[p.at+lo+i] = keyed{h, uint32(p.at + lo + i)}
			}
		})
	})
	const shift = 64 - digit
	at := make(histograms, parallel.Count(len(from), numberBlock))
	at.count(from, shift)
	starts = append(slices.Clone(at[0][:]), uint32(len(from)))
	at.move(to, from, shift)
	return to, starts, !slices.Contains(exacts, false)
}

// inOrder numbers values by the rows in which they first occur, given that row for each row.
func inOrder(earliest []uint32) (code, first []uint32) {
	blocks := make([][]uint32, parallel.Count(len(earliest), numberBlock))
	parallel.Blocks(len(earliest), numberBlock, func(b, lo, hi int) {
		for i, e := range earliest[lo:hi] {
			if e == uint32(lo+i) {
				blocks[b] = append(blocks[b], e)
			}
		}
	})
	first = slices.Concat(blocks...)
	code = make([]uint32, len(earliest))
	parallel.Blocks(len(first), numberBlock, func(_, lo, hi int) {
		for k, row := range first[lo:hi] {
			code[row] = uint32(lo + k)
		}
	})
	// A row's number is that of its first row, which stays, so rows may be looked at in any order.
	parallel.Blocks(len(code), numberBlock, func(_, lo, hi int) {
		for i, e := range earliest[lo:hi] {
			if e != uint32(lo+i) {
				code[lo+i] = code[e]
			}
		}
	})
	return code, first
}

func (s stack) len() int {
	n := 0
	for _, c := range s {
		n += c.Len()
	}
	return n
}

// renumber replaces numbers by those at their places.
func renumber(code, by []uint32) {
	for i, k := range code {
		code[i] = by[k]
	}
}

// numberRows numbers the distinct rows of tables, each a list of columns, as number does for values. first says which row,
// counted over all tables, is the first of each number.
func numberRows(tables ...[]*Column) (code []uint32, first []int) {
	var rows []uint32
	column := make([]*Column, len(tables))
	for k := range tables[0] {
		for i, t := range tables {
			column[i] = t[k]
		}
		next, distinct := number(column...)
		if k > 0 {
			both := make([]int, len(code))
			for i := range both {
				both[i] = int(code[i])*len(distinct) + int(next[i])
			}
			next, distinct = number(&Column{kind: Int, ints: both})
		}
		code, rows = next, distinct
	}
	return code, integers(rows)
}

// buckets sorts row numbers by code, with those of code k at starts[k] to starts[k+1].
func buckets(code []uint32, n int) (starts, rows []int) {
	starts = make([]int, n+1)
	for _, k := range code {
		starts[k+1]++
	}
	for k := range n {
		starts[k+1] += starts[k]
	}
	next := slices.Clone(starts)
	rows = make([]int, len(code))
	for i, k := range code {
		rows[next[k]] = i
		next[k]++
	}
	return starts, rows
}
