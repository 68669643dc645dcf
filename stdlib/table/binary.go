package table

import (
	"bytes"
	"encoding/gob"
	"fmt"
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
	return out.Bytes(), nil
}

// UnmarshalBinary makes the table that [Table.MarshalBinary] wrote.
func (t *Table) UnmarshalBinary(data []byte) error {
	r := gob.NewDecoder(bytes.NewReader(data))
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
		if p.Kind < Int || p.Kind > String || c.Len() != rows || p.Missing != nil && len(p.Missing) != rows {
			return fmt.Errorf("table: column %q is not one of %d rows", p.Name, rows)
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
