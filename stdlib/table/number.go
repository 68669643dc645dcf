package table

import (
	"hash/maphash"
	"math"
	"slices"

	"gaucho/stdlib/internal/parallel"
)

// Group, join and sort number the distinct values of columns. Blocks of rows are numbered in parallel, each with a hash table
// of its own; then the distinct values of the blocks are numbered in the order of the blocks. So a value's number is its place
// in the order in which values first occur, on any number of processors.

// numberBlock is how many rows are numbered at a time.
const numberBlock = 1 << 16

// A place is where a value is.
type place struct {
	c   *Column
	row int
}

// same reports whether values of columns of one kind are equal. All NaN are equal here, both zeros, and all missing values.
func (a place) same(b place) bool {
	i, j := a.row, b.row
	if x, y := a.c.missing != nil && a.c.missing[i], b.c.missing != nil && b.c.missing[j]; x || y {
		return x && y
	}
	switch a.c.kind {
	case Int:
		return a.c.ints[i] == b.c.ints[j]
	case Float:
		return bitsOf(a.c.floats[i]) == bitsOf(b.c.floats[j])
	case Bool:
		return a.c.bools[i] == b.c.bools[j]
	case Time:
		return a.c.times[i].Equal(b.c.times[j])
	}
	return a.c.strings[i] == b.c.strings[j]
}

// hash returns hashes of the values from one row to another, equal for equal values. If they are exact, they differ for
// different values: then a value is a key of 64 bits, which mix maps one to one.
func (c *Column) hash(from, to int) (h []uint64, exact bool) {
	h, exact = make([]uint64, to-from), true
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
				h[i], exact = 0, false
			}
		}
	}
	return h, exact
}

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
// at most half full.
type numbering struct {
	slots    []slot
	distinct []place
	hash     []uint64 // of the distinct values
	exact    bool     // values of one hash are the same
}

// A slot of the table is empty if next is 0; otherwise it holds value next-1.
type slot struct {
	hash uint64
	next uint32
}

// add returns the number of a value.
func (n *numbering) add(hash uint64, v place) uint32 {
	if 2*len(n.distinct) >= len(n.slots) {
		n.grow()
	}
	mask := uint64(len(n.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		switch s := &n.slots[at]; {
		case s.next == 0:
			n.distinct, n.hash = append(n.distinct, v), append(n.hash, hash)
			*s = slot{hash, uint32(len(n.distinct))}
			return s.next - 1
		case s.hash == hash && (n.exact || v.same(n.distinct[s.next-1])):
			return s.next - 1
		}
	}
}

func (n *numbering) grow() {
	n.slots = make([]slot, max(64, 4*len(n.slots)))
	mask := uint64(len(n.slots) - 1)
	for k, hash := range n.hash {
		at := hash & mask
		for n.slots[at].next != 0 {
			at = (at + 1) & mask
		}
		n.slots[at] = slot{hash, uint32(k + 1)}
	}
}

// number numbers the distinct values of columns of one kind: code has a number for each row of the first column, then of the
// next. distinct says where each value first occurs.
func number(cols ...*Column) (code []uint32, distinct []place) {
	type block struct {
		place // of its first value
		code  []uint32
		numbering
	}
	rows := 0
	for _, c := range cols {
		rows += c.Len()
	}
	code = make([]uint32, rows)
	var blocks []block
	at := 0
	for _, c := range cols {
		for row := 0; row < c.Len(); row += numberBlock {
			n := min(numberBlock, c.Len()-row)
			blocks = append(blocks, block{place: place{c, row}, code: code[at : at+n]})
			at += n
		}
	}
	parallel.Team(len(blocks), func(k, _ int) {
		b := &blocks[k]
		var hashes []uint64
		hashes, b.exact = b.c.hash(b.row, b.row+len(b.code))
		for i, h := range hashes {
			b.code[i] = b.add(h, place{b.c, b.row + i})
		}
	})
	if len(blocks) == 1 {
		return code, blocks[0].distinct
	}
	all := numbering{exact: !slices.ContainsFunc(blocks, func(b block) bool { return !b.exact })}
	renumbered := make([][]uint32, len(blocks))
	for k := range blocks {
		b := &blocks[k]
		renumbered[k] = make([]uint32, len(b.distinct))
		for i, v := range b.distinct {
			renumbered[k][i] = all.add(b.hash[i], v)
		}
	}
	parallel.Team(len(blocks), func(k, _ int) { renumber(blocks[k].code, renumbered[k]) })
	return code, all.distinct
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
		code = next
		first = make([]int, len(distinct))
	}
	for i := len(code) - 1; i >= 0; i-- {
		first[code[i]] = i
	}
	return code, first
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
