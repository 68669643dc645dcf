package table

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"time"
)

// A packed is a column as it is kept.
type packed struct {
	Name    string
	Kind    Kind
	Ints    []int
	Floats  []float64
	Bools   []bool
	Times   []time.Time
	Strings []string
	Missing []bool
}

// MarshalBinary returns the table as bytes from which [Table.UnmarshalBinary] of the same version makes it again. To keep a
// table for long, write CSV, JSON or Parquet.
func (t *Table) MarshalBinary() ([]byte, error) {
	var out bytes.Buffer
	w := gob.NewEncoder(&out)
	for _, v := range []int{t.rows, len(t.cols)} {
		if err := w.Encode(v); err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
	}
	for _, c := range t.cols {
		if err := w.Encode(packed{c.name, c.kind, c.ints, c.floats, c.bools, c.times, c.strings, c.missing}); err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
	}
	return binary.LittleEndian.AppendUint32(out.Bytes(), crc32.ChecksumIEEE(out.Bytes())), nil
}

// UnmarshalBinary makes the table that [Table.MarshalBinary] wrote.
func (t *Table) UnmarshalBinary(data []byte) error {
	end := len(data) - 4
	if end < 0 || binary.LittleEndian.Uint32(data[end:]) != crc32.ChecksumIEEE(data[:end]) {
		return errors.New("table: the bytes are damaged, or not those of a table of this version")
	}
	r := gob.NewDecoder(bytes.NewReader(data[:end]))
	var rows, columns int
	for _, v := range []*int{&rows, &columns} {
		if err := r.Decode(v); err != nil {
			return fmt.Errorf("table: %w", err)
		}
	}
	var cols []*Column
	for range columns {
		var p packed
		if err := r.Decode(&p); err != nil {
			return fmt.Errorf("table: %w", err)
		}
		c := &Column{p.Name, p.Kind, p.Ints, p.Floats, p.Bools, p.Times, p.Strings, p.Missing}
		if !c.holds(rows) {
			return fmt.Errorf("table: column %q is not one of %d rows: the bytes are damaged", p.Name, rows)
		}
		cols = append(cols, c)
	}
	made, err := distinct(rows, cols)
	if err != nil {
		return err
	}
	*t = *made
	return nil
}

// holds reports whether the column has so many values of its kind and none of another.
func (c *Column) holds(rows int) bool {
	lengths := [...]int{Int: len(c.ints), Float: len(c.floats), Bool: len(c.bools), Time: len(c.times), String: len(c.strings)}
	for k, n := range lengths {
		if Kind(k) == c.kind && n != rows || Kind(k) != c.kind && n > 0 {
			return false
		}
	}
	return c.kind >= Int && c.kind <= String && (c.missing == nil || c.kind != Float && len(c.missing) == rows)
}
