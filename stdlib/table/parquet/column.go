package parquet

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"slices"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// A columnReader gathers the values of a column, and which of them are there.
type columnReader[T any] struct {
	max     byte                               // definition level of a value that is there
	convert func(v parquetgo.Value) (T, error) // of one value
	plain   plain[T]                           // nil to convert them one by one

	values []T
	valid  []bool               // of the first values; those after them are there
	dict   parquetgo.Dictionary // of the last page
	known  []T                  // its values
	buf    [256]parquetgo.Value
}

// plain appends the n values that are there in a page without a dictionary.
type plain[T any] func(to []T, page encoding.Values, n int) []T

// read reads a column of all row groups. The mask is nil if all values are there.
func read[T any](in *parquetgo.File, leaf parquetgo.LeafColumn, convert func(parquetgo.Value) (T, error), plain plain[T]) (any, []bool, error) {
	rows := int(in.NumRows())
	c := &columnReader[T]{max: byte(leaf.MaxDefinitionLevel), convert: convert, plain: plain, values: make([]T, 0, rows)}
	for _, group := range in.RowGroups() {
		if err := c.chunk(group.ColumnChunks()[leaf.ColumnIndex]); err != nil {
			return nil, nil, err
		}
	}
	if len(c.values) != rows {
		return nil, nil, fmt.Errorf("%d values for %d rows: the file is damaged", len(c.values), rows)
	}
	for c.valid != nil && len(c.valid) < rows {
		c.valid = append(c.valid, true)
	}
	if floats, ok := any(c.values).([]float64); ok {
		for i, there := range c.valid {
			if !there {
				floats[i] = math.NaN()
			}
		}
	}
	return c.values, c.valid, nil
}

// readEach reads a column whose values f converts: those of a page, which all returns together, and one of a dictionary.
func readEach[R, T any](in *parquetgo.File, leaf parquetgo.LeafColumn, one func(parquetgo.Value) R, all func(*encoding.Values) []R, f func(R) T) (any, []bool, error) {
	return read(in, leaf, func(v parquetgo.Value) (T, error) { return f(one(v)), nil },
		func(to []T, page encoding.Values, _ int) []T { return each(to, all(&page), f) })
}

// chunk reads a column of a row group.
func (c *columnReader[T]) chunk(chunk parquetgo.ColumnChunk) error {
	pages := chunk.Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = c.page(page)
			parquetgo.Release(page)
		}
		if err != nil {
			return err
		}
	}
}

// page reads a page. Its Values give a value at a time, nulls among them, which takes several times as long as its Data.
func (c *columnReader[T]) page(page parquetgo.Page) error {
	data, n, nulls := page.Data(), int(page.NumValues()), int(page.NumNulls())
	var there func(to []T) []T // appends those that are not null
	switch dict := page.Dictionary(); {
	case nulls == n:
		there = func(to []T) []T { return to }
	case dict != nil && c.learn(dict):
		there = func(to []T) []T { return each(to, data.Int32(), func(k int32) T { return c.known[k] }) }
	case dict == nil && c.plain != nil:
		there = func(to []T) []T { return c.plain(to, data, n-nulls) }
	default:
		return c.oneByOne(page.Values())
	}
	if nulls > 0 {
		return c.spread(there(nil), page)
	}
	before := len(c.values)
	if c.values = there(c.values); len(c.values)-before != n {
		return errShort
	}
	return nil
}

var errShort = errors.New("a page has less values than it says: the file is damaged")

// learn converts the values of a dictionary, which pages have in common, and reports whether all can be converted. Where one
// cannot, the page's values must be looked at one by one: it is an error only in the row that has it.
func (c *columnReader[T]) learn(dict parquetgo.Dictionary) bool {
	if dict == c.dict {
		return c.known != nil
	}
	c.dict, c.known = dict, make([]T, dict.Len())
	for k := range c.known {
		var err error
		if c.known[k], err = c.convert(dict.Index(int32(k))); err != nil {
			c.known = nil
			return false
		}
	}
	return true
}

// spread adds the values of a page that are there, and the nulls among them.
func (c *columnReader[T]) spread(there []T, page parquetgo.Page) error {
	n, nulls := int(page.NumValues()), int(page.NumNulls())
	if len(there) != n-nulls {
		return errShort
	}
	levels := page.DefinitionLevels() // a page of nulls alone may have none
	for i := range n {
		var x T
		ok := len(there) > 0 && levels[i] == c.max
		if ok {
			x, there = there[0], there[1:]
		}
		c.add(x, ok)
	}
	return nil
}

// add adds a value, or one that is not there.
func (c *columnReader[T]) add(x T, ok bool) {
	if !ok {
		if c.valid == nil {
			c.valid = make([]bool, 0, cap(c.values))
		}
		for len(c.valid) < len(c.values) {
			c.valid = append(c.valid, true)
		}
		c.valid = append(c.valid, false)
	}
	c.values = append(c.values, x)
}

// oneByOne reads a page of any kind.
func (c *columnReader[T]) oneByOne(in parquetgo.ValueReader) error {
	for {
		n, err := in.ReadValues(c.buf[:])
		for _, v := range c.buf[:n] {
			var x T
			if !v.IsNull() {
				var bad error
				if x, bad = c.convert(v); bad != nil {
					return fmt.Errorf("row %d: %w", len(c.values), bad)
				}
			}
			c.add(x, !v.IsNull())
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// each appends what f makes of each value.
func each[R, T any](to []T, raw []R, f func(R) T) []T {
	to = slices.Grow(to, len(raw))
	out := to[len(to) : len(to)+len(raw)]
	for i, v := range raw {
		out[i] = f(v)
	}
	return to[:len(to)+len(raw)]
}

// truths appends the first n bits, of which a byte has the lowest first.
func truths(to []bool, page encoding.Values, n int) []bool {
	bits := page.Boolean()
	for i := range min(n, 8*len(bits)) {
		to = append(to, bits[i/8]>>(i%8)&1 == 1)
	}
	return to
}

// texts returns a conversion to text, in which values that repeat share their bytes, unless too many others came between.
func texts() func(b []byte) string {
	seed := maphash.MakeSeed()
	seen := make([]string, 1<<12)
	return func(b []byte) string {
		s := &seen[maphash.Bytes(seed, b)%uint64(len(seen))]
		if *s != string(b) {
			*s = string(b)
		}
		return *s
	}
}
