package parquet

import (
	"errors"
	"fmt"
	"io"
	"math"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// A columnReader gathers the values of a column, and which of them are there.
type columnReader[T any] struct {
	max     byte                               // definition level of a value that is there
	convert func(v parquetgo.Value) (T, error) // of one value
	plain   func(page encoding.Values) []T     // of all values of a page that has no dictionary; nil to convert them one by one

	values []T
	valid  []bool
	dict   parquetgo.Dictionary // of the last page
	known  []T                  // its values
	buf    [256]parquetgo.Value
}

// read reads a column of all row groups.
func read[T any](in *parquetgo.File, leaf parquetgo.LeafColumn, convert func(parquetgo.Value) (T, error), plain func(encoding.Values) []T) (any, []bool, error) {
	rows := int(in.NumRows())
	c := &columnReader[T]{max: byte(leaf.MaxDefinitionLevel), convert: convert, plain: plain, values: make([]T, 0, rows), valid: make([]bool, 0, rows)}
	for _, group := range in.RowGroups() {
		if err := c.chunk(group.ColumnChunks()[leaf.ColumnIndex]); err != nil {
			return nil, nil, err
		}
	}
	if len(c.values) != rows {
		return nil, nil, fmt.Errorf("%d values for %d rows: the file is damaged", len(c.values), rows)
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
		func(page encoding.Values) []T { return each(all(&page), f) })
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
	data := page.Data()
	switch dict := page.Dictionary(); {
	case page.NumNulls() == page.NumValues():
		return c.add(nil, page)
	case dict != nil && c.learn(dict):
		return c.add(each(data.Int32(), func(k int32) T { return c.known[k] }), page)
	case dict == nil && c.plain != nil:
		return c.add(c.plain(data), page)
	}
	return c.oneByOne(page.Values())
}

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

// add adds a page's values, of which there are those that are not null.
func (c *columnReader[T]) add(there []T, page parquetgo.Page) error {
	n, nulls := int(page.NumValues()), int(page.NumNulls())
	if len(there) != n-nulls {
		return errors.New("a page has less values than it says: the file is damaged")
	}
	if nulls == 0 {
		c.values = append(c.values, there...)
		for range n {
			c.valid = append(c.valid, true)
		}
		return nil
	}
	levels := page.DefinitionLevels() // a page of nulls alone may have none
	for i := range n {
		var x T
		ok := len(there) > 0 && levels[i] == c.max
		if ok {
			x, there = there[0], there[1:]
		}
		c.values, c.valid = append(c.values, x), append(c.valid, ok)
	}
	return nil
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
			c.values, c.valid = append(c.values, x), append(c.valid, !v.IsNull())
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// each returns what f makes of each value.
func each[R, T any](raw []R, f func(R) T) []T {
	out := make([]T, len(raw))
	for i, v := range raw {
		out[i] = f(v)
	}
	return out
}

// texts returns a conversion to text, in which values that repeat share their bytes.
func texts() func(b []byte) string {
	const most = 1 << 14 // where more differ, few repeat
	seen := map[string]string{}
	return func(b []byte) string {
		s, ok := seen[string(b)]
		if !ok {
			s = string(b)
			if len(seen) < most {
				seen[s] = s
			}
		}
		return s
	}
}
