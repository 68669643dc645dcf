package table

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"gaucho/internal/atomicfile"
)

// WriteCSV writes rows to a CSV file: a [*Table], or what [From] makes one of. A file whose name ends in .gz is compressed. It
// replaces a file of that name only once all is written. See [Table.Encode] for the form.
func WriteCSV(file string, rows any) (err error) {
	t, err := From(rows)
	if err != nil {
		return err
	}
	return t.WriteCSV(file)
}

// WriteCSV writes the table to a file as the function [WriteCSV] does.
func (t *Table) WriteCSV(file string) error { return save(file, t.Encode) }

// save writes a file, compressed if its name ends in .gz.
func save(file string, encode func(w io.Writer) error) error {
	err := atomicfile.Write(file, func(w io.Writer) error {
		if !strings.HasSuffix(file, ".gz") {
			return encode(w)
		}
		z := gzip.NewWriter(w)
		if err := encode(z); err != nil {
			return err
		}
		return z.Close()
	})
	if err != nil {
		return fmt.Errorf("table: %s: %w", file, err)
	}
	return nil
}

// Encode writes the table as CSV, the names of the columns first, in a form that [Load] reads back: missing values are empty
// fields and empty strings are "" in quotes; floats have as many digits as it takes to read the same number again; times are
// 2006-01-02 where all of a column are dates in UTC, and RFC 3339 elsewhere. In a table of a single column a missing value
// is "" too, since readers of CSV skip blank lines.
//
// CSV has no types. Columns of strings that are all numbers, true and false, or times are in quotes, and float64 that are all whole are
// written as 2.0, so that Load gives them their types again, unless there is nothing else in the table or all names are in quotes. A
// column of no values is read back as float64, and names lose spaces at their ends. [Table.MarshalBinary] and Parquet keep all.
func (t *Table) Encode(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	dates, other := make([]bool, len(t.cols)), make([]bool, len(t.cols))
	for j, c := range t.cols {
		if j > 0 {
			out.WriteByte(',')
		}
		out.WriteString(quote(c.name))
		dates[j], other[j] = c.dates(), c.readsAsOther()
	}
	out.WriteByte('\n')
	var buf []byte
	for i := range t.rows {
		buf = buf[:0]
		for j, c := range t.cols {
			if j > 0 {
				buf = append(buf, ',')
			}
			switch {
			case !other[j] || c.Missing(i):
				buf = c.append(buf, i, dates[j])
			case c.kind == Float:
				buf = jsonFloat(buf, c.floats[i])
			default:
				buf = append(append(append(buf, '"'), c.strings[i]...), '"')
			}
		}
		if len(buf) == 0 {
			buf = append(buf, `""`...)
		}
		if _, err := out.Write(append(buf, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// readsAsOther reports whether the values of a column, without quotes or a point, would be read as another type: strings that are numbers,
// bools or times, and float64 that are whole.
func (c *Column) readsAsOther() bool {
	for i, x := range c.floats {
		if !c.Missing(i) && (x != math.Trunc(x) || math.Abs(x) >= 1e6) { // from 1e6 on there is an exponent
			return false
		}
	}
	for i, s := range c.strings {
		if !c.Missing(i) && !isOther(trim(s)) {
			return false
		}
	}
	return c.kind == Float || c.kind == String
}

// isOther reports whether a text without quotes may be read as no string.
func isOther(s string) bool {
	if isMissing(s) {
		return true
	}
	if _, ok := parseFloat(s); ok {
		return true
	}
	if _, ok := parseBool(s); ok {
		return true
	}
	_, ok := parseTime(s)
	return ok
}

// dates reports whether all times of a column are dates in UTC.
func (c *Column) dates() bool {
	for i, t := range c.times {
		if h, m, s := t.Clock(); !c.Missing(i) && (h|m|s|t.Nanosecond() != 0 || t.Location() != time.UTC) {
			return false
		}
	}
	return true
}

// append appends value i as a CSV file has it.
func (c *Column) append(buf []byte, i int, date bool) []byte {
	switch {
	case c.Missing(i):
		return buf
	case c.kind == Int:
		return strconv.AppendInt(buf, int64(c.ints[i]), 10)
	case c.kind == Float:
		return strconv.AppendFloat(buf, c.floats[i], 'g', -1, 64)
	case c.kind == Bool:
		return strconv.AppendBool(buf, c.bools[i])
	case c.kind == Time && date:
		return c.times[i].AppendFormat(buf, time.DateOnly)
	case c.kind == Time:
		return c.times[i].AppendFormat(buf, time.RFC3339Nano)
	}
	if s := c.strings[i]; isMissing(trim(s)) { // in quotes it is a string that says so
		return append(append(append(buf, '"'), s...), '"')
	}
	return append(buf, quote(c.strings[i])...)
}

// text returns value i as text, "" if it is missing.
func (c *Column) text(i int) string {
	if c.kind == String {
		return c.strings[i]
	}
	date := c.kind == Time && (&Column{kind: Time, times: c.times[i : i+1]}).dates()
	return string(c.append(nil, i, date))
}

// quote puts a field in quotes that is empty or has a sign in it that means something in CSV.
func quote(s string) string {
	if s != "" && !strings.ContainsAny(s, ",;\t\"\r\n") && s[0] != ' ' && s[len(s)-1] != ' ' && !strings.HasPrefix(s, "\ufeff") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
