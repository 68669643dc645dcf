package table

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
)

// LoadJSON reads a file of records as JSON: one object a line (JSON lines), or one array of objects. A file that is compressed
// by gzip is read as it is.
//
// Columns are in the order in which their names first occur. A column of numbers is int if all are integers, otherwise
// float64; one of strings is a time if all are as in 2006-01-02 or 2006-01-02T15:04:05Z, without escapes. null and a name that a record does
// not have are missing. An object in a record becomes a column for each of its members, address.city; an array becomes its
// JSON text. Errors name line and column.
func LoadJSON(file string) (*Table, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	defer f.Close()
	return ParseJSON(f, file)
}

// ParseJSON reads JSON as [LoadJSON] does. The name is for errors.
func ParseJSON(r io.Reader, name string) (*Table, error) {
	text, err := readText(r, name, 0)
	if err != nil {
		return nil, err
	}
	d := &jsonReader{text: text, Decoder: json.NewDecoder(strings.NewReader(text)), numbers: map[string]int{}, escaped: map[string]bool{}}
	d.UseNumber()
	if err := d.records(); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("table: %s, line %d: the text ends in the middle of a record", name, d.line(int64(len(text))))
	} else if err != nil {
		return nil, fmt.Errorf("table: %s, line %d: %w", name, d.line(d.InputOffset()), err)
	}
	cols := make([]*Column, len(d.names))
	for j, values := range d.values {
		values = append(values, make([]any, len(d.starts)-len(values))...)
		c, err := columnOf(d.names[j], values)
		var bad *cellError
		if errors.As(err, &bad) {
			err = fmt.Errorf("table: %s, line %d: column %s: %s", name, d.line(d.starts[bad.row]), bad.column, bad.text)
		}
		if err != nil {
			return nil, err
		}
		if cols[j] = c; !d.escaped[d.names[j]] {
			cols[j] = c.asTimes()
		}
	}
	return newTable(len(d.starts), cols), nil
}

// A jsonReader gathers the values of records by column.
type jsonReader struct {
	*json.Decoder
	text    string
	starts  []int64 // of the records
	names   []string
	numbers map[string]int
	values  [][]any         // by column; shorter than starts where the last records have none
	escaped map[string]bool // columns with an escape in a string
}

func (d *jsonReader) line(offset int64) int {
	return 1 + strings.Count(strings.TrimRight(d.text[:offset], "\n"), "\n")
}

func (d *jsonReader) records() error {
	inArray := strings.HasPrefix(strings.TrimLeft(d.text, "\ufeff \t\r\n"), "[")
	if inArray {
		if _, err := d.Token(); err != nil {
			return err
		}
	}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		if token != json.Delim('{') {
			return fmt.Errorf("%v, each record must be an object such as {\"name\": 1}", token)
		}
		d.starts = append(d.starts, d.InputOffset())
		if err := d.object(""); err != nil {
			return err
		}
	}
	if inArray {
		if _, err := d.Token(); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != io.EOF {
		if err == nil {
			err = errors.New("text after the end of the records")
		}
		return err
	}
	return nil
}

// object reads the members of an object whose brace is read.
func (d *jsonReader) object(prefix string) error {
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		name := prefix + key.(string)
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
		if err := d.value(name, raw); err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
	}
	_, err := d.Token()
	return err
}

func (d *jsonReader) value(name string, raw json.RawMessage) error {
	switch raw[0] {
	case '{':
		inner := &jsonReader{text: string(raw), Decoder: json.NewDecoder(bytes.NewReader(raw)), starts: d.starts, names: d.names, numbers: d.numbers, values: d.values, escaped: d.escaped}
		if _, err := inner.Token(); err != nil {
			return err
		}
		err := inner.object(name + ".")
		d.names, d.values = inner.names, inner.values
		return err
	case '[':
		return d.add(name, string(raw))
	case 'n':
		return d.add(name, nil)
	case 't', 'f':
		return d.add(name, raw[0] == 't')
	case '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		if bytes.IndexByte(raw, '\\') >= 0 {
			d.escaped[name] = true
		}
		return d.add(name, s)
	}
	if n, err := strconv.Atoi(string(raw)); err == nil {
		return d.add(name, n)
	}
	x, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return fmt.Errorf("%s does not fit into a float64", raw)
	}
	if !strings.ContainsAny(string(raw), ".eE") {
		return fmt.Errorf("%s does not fit into an int; write it as text", raw)
	}
	return d.add(name, x)
}

// add adds a value of the last record.
func (d *jsonReader) add(name string, v any) error {
	j, ok := d.numbers[name]
	if !ok {
		j = len(d.names)
		d.numbers[name], d.names, d.values = j, append(d.names, name), append(d.values, nil)
	}
	row := len(d.starts) - 1
	if len(d.values[j]) > row {
		return errors.New("twice in a record")
	}
	for len(d.values[j]) < row {
		d.values[j] = append(d.values[j], nil)
	}
	d.values[j] = append(d.values[j], v)
	return nil
}

// asTimes returns a column of strings as times, if all its values are times.
func (c *Column) asTimes() *Column {
	if c.kind != String || len(c.strings) == 0 {
		return c
	}
	times := make([]time.Time, len(c.strings))
	for i, s := range c.strings {
		if c.Missing(i) {
			continue
		}
		var ok bool
		if times[i], ok = parseTime(s); !ok {
			return c
		}
	}
	return &Column{name: c.name, kind: Time, times: times, missing: c.missing}
}

// WriteJSON writes the table to a file as JSON lines, an object a row with the columns in their order, in a form that
// [LoadJSON] reads back: missing values are null, times as [Table.Encode] writes them. A file whose name ends in .gz is
// compressed. Infinite numbers, which JSON does not have, are an error. JSON has no times: where strings are all as times are, their first
// character is escaped, \u0032024-01-02, and they are strings again. It has no columns: one of nothing but null is read back as float64, and
// a table without rows has none.
func (t *Table) WriteJSON(file string) error { return save(file, t.EncodeJSON) }

// EncodeJSON writes what [Table.WriteJSON] writes.
func (t *Table) EncodeJSON(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	names, dates, texts := make([][]byte, len(t.cols)), make([]bool, len(t.cols)), make([]bool, len(t.cols))
	for j, c := range t.cols {
		names[j], dates[j], texts[j] = append(jsonText(c.name), ':'), c.dates(), c.asTimes() != c
	}
	var buf []byte
	for i := range t.rows {
		buf = append(buf[:0], '{')
		for j, c := range t.cols {
			if j > 0 {
				buf = append(buf, ',')
			}
			buf = append(buf, names[j]...)
			switch {
			case c.Missing(i):
				buf = append(buf, "null"...)
			case c.kind == String && texts[j]:
				buf = fmt.Appendf(buf, `"\u%04x%s"`, c.strings[i][0], c.strings[i][1:])
			case c.kind == String:
				buf = append(buf, jsonText(c.strings[i])...)
			case c.kind == Time:
				buf = append(c.append(append(buf, '"'), i, dates[j]), '"')
			case c.kind == Float && math.IsInf(c.floats[i], 0):
				return fmt.Errorf("column %s, row %d: %g, which JSON does not have", c.name, i, c.floats[i])
			case c.kind == Float:
				buf = jsonFloat(buf, c.floats[i])
			default:
				buf = c.append(buf, i, false)
			}
		}
		if _, err := out.Write(append(buf, "}\n"...)); err != nil {
			return err
		}
	}
	return out.Flush()
}

// jsonFloat appends a float with a point or exponent, so that it is read as a float again.
func jsonFloat(buf []byte, x float64) []byte {
	start := len(buf)
	buf = strconv.AppendFloat(buf, x, 'g', -1, 64)
	if !bytes.ContainsAny(buf[start:], ".e") {
		buf = append(buf, ".0"...)
	}
	return buf
}

func jsonText(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string can be encoded
	return bytes.TrimRight(b.Bytes(), "\n")
}
