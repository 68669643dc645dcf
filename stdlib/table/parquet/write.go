package parquet

import (
	"fmt"
	"io"
	"time"

	"gaucho/internal/atomicfile"
	"gaucho/stdlib/table"

	parquetgo "github.com/parquet-go/parquet-go"
)

// Write writes rows to a file, compressed by Snappy: a [*table.Table], or what [table.From] makes one of. Columns are in their
// order, may be null, and are read by others as int64, double, boolean, string and timestamps in UTC: of microseconds, or of
// nanoseconds where a time has them. It replaces a file of that name only once all is written.
func Write(file string, rows any) error {
	t, err := table.From(rows)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(file, func(w io.Writer) error { return encode(w, t) }); err != nil {
		return fmt.Errorf("parquet: %s: %w", file, err)
	}
	return nil
}

// An ordered group keeps its columns in their order; a plain one sorts them by name.
type ordered struct {
	parquetgo.Group
	fields []parquetgo.Field
}

func (o ordered) Fields() []parquetgo.Field { return o.fields }

// schema returns the types of a table's columns, and how values become the file's.
func schema(t *table.Table) (*parquetgo.Schema, []func(any) parquetgo.Value, error) {
	group := parquetgo.Group{}
	values := make([]func(any) parquetgo.Value, len(t.Names()))
	for j, name := range t.Names() {
		node, value, err := nodeOf(t.Column(name))
		if err != nil {
			return nil, nil, err
		}
		values[j] = value
		group[name] = parquetgo.Optional(node)
	}
	byName := map[string]parquetgo.Field{}
	for _, f := range group.Fields() {
		byName[f.Name()] = f
	}
	root := ordered{Group: group}
	for _, name := range t.Names() {
		root.fields = append(root.fields, byName[name])
	}
	return parquetgo.NewSchema("table", root), values, nil
}

func nodeOf(c *table.Column) (parquetgo.Node, func(any) parquetgo.Value, error) {
	switch c.Kind() {
	case table.Int:
		return parquetgo.Leaf(parquetgo.Int64Type), func(v any) parquetgo.Value { return parquetgo.Int64Value(int64(v.(int))) }, nil
	case table.Float:
		return parquetgo.Leaf(parquetgo.DoubleType), func(v any) parquetgo.Value { return parquetgo.DoubleValue(v.(float64)) }, nil
	case table.Bool:
		return parquetgo.Leaf(parquetgo.BooleanType), func(v any) parquetgo.Value { return parquetgo.BooleanValue(v.(bool)) }, nil
	case table.String:
		return parquetgo.String(), func(v any) parquetgo.Value { return parquetgo.ByteArrayValue([]byte(v.(string))) }, nil
	}
	unit, per := parquetgo.Microsecond, time.Time.UnixMicro
	for i := range c.Len() {
		if at, ok := c.Value(i).(time.Time); ok && at.Nanosecond()%1000 != 0 {
			unit, per = parquetgo.Nanosecond, time.Time.UnixNano
		}
	}
	if unit == parquetgo.Nanosecond {
		for i := range c.Len() {
			if at, ok := c.Value(i).(time.Time); ok && !time.Unix(0, at.UnixNano()).Equal(at) {
				return nil, nil, fmt.Errorf("column %s, row %d: %s is too far from 1970 for a column of nanoseconds", c.Name(), i, at)
			}
		}
	}
	return parquetgo.Timestamp(unit), func(v any) parquetgo.Value { return parquetgo.Int64Value(per(v.(time.Time))) }, nil
}

// rowsAtOnce is how many rows are handed over together.
const rowsAtOnce = 1024

func encode(w io.Writer, t *table.Table) error {
	s, values, err := schema(t)
	if err != nil {
		return err
	}
	out := parquetgo.NewWriter(w, s, parquetgo.Compression(&parquetgo.Snappy))
	cols := make([]*table.Column, len(values))
	for j, name := range t.Names() {
		cols[j] = t.Column(name)
	}
	rows := make([]parquetgo.Row, 0, rowsAtOnce)
	for i := range t.Len() {
		row := make(parquetgo.Row, len(cols))
		for j, c := range cols {
			if v := c.Value(i); v == nil {
				row[j] = parquetgo.NullValue().Level(0, 0, j)
			} else {
				row[j] = values[j](v).Level(0, 1, j)
			}
		}
		if rows = append(rows, row); len(rows) < rowsAtOnce && i < t.Len()-1 {
			continue
		}
		if _, err := out.WriteRows(rows); err != nil {
			return err
		}
		rows = rows[:0]
	}
	return out.Close()
}
