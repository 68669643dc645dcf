package table

import (
	"io"
	"math"
	"slices"
	"time"
)

// Load reads a CSV file whose first line names the columns. A file that is compressed by gzip is read as it is. The
// separator is a comma, or a semicolon or tab where the first line has no comma.
//
// The type of a column is the first of these that all its values are: int, float64, bool (true or false), time (as in
// 2006-01-02 or 2006-01-02 15:04:05, in UTC unless it says otherwise), string. Numbers with leading zeros and integers that
// do not fit into an int are strings, since they are codes whose digits matter. Empty fields are missing, and NA, N/A, NaN,
// null and None in columns that are not strings; in a string column an empty field in quotes is an empty string.
// A column without any value is float64, or string where one of its fields is in quotes. A column all of whose values are in quotes is string,
// unless all names or all values of the file are, since some programs put everything in quotes. Names that occur twice get a number: x, x_2.
//
// The error of a bad row names file and line. Strings of the table share the text of the file. The cost is one pass over the
// bytes, in blocks in parallel; a column whose type is not that of its first rows takes a second one.
func Load(file string) (*Table, error) {
	s, err := open(file)
	if err != nil {
		return nil, err
	}
	return s.table()
}

// Parse reads CSV as [Load] does. The name is for errors.
func Parse(r io.Reader, name string) (*Table, error) {
	s, err := read(r, name, 0)
	if err != nil {
		return nil, err
	}
	return s.table()
}

// column finds the type of a column.
func (s *source) column(j int) *Column {
	c := &Column{name: s.header[j]}
	switch {
	case !s.empty(j):
	case s.quotedText(j):
		c.kind = String
		c.strings, c.missing = s.strings(j)
		return c
	default:
		c.kind, c.floats = Float, make([]float64, s.rows)
		for i := range c.floats {
			c.floats[i] = math.NaN()
		}
		return c
	}
	if s.bare && s.quoted(j) {
		c.kind = String
		c.strings, c.missing = s.strings(j)
		return c
	}
	var ok bool
	if c.ints, c.missing, ok = parsed(s, j, parseInt); ok {
		c.kind = Int
	} else if c.floats, c.missing, ok = parsed(s, j, parseFloat); ok && !s.integers(j) {
		c.kind = Float
		for i, m := range c.missing {
			if m {
				c.floats[i] = math.NaN()
			}
		}
		c.missing = nil
	} else if c.bools, c.missing, ok = parsed(s, j, parseBool); ok {
		c.kind = Bool
	} else if c.times, c.missing, ok = parsed[time.Time](s, j, parseTime); ok {
		c.kind = Time
	} else {
		c.kind, c.floats = String, nil
		c.strings, c.missing = s.strings(j)
	}
	return c
}

// empty reports whether there is no value in a column.
func (s *source) empty(j int) bool {
	for i := range s.rows {
		if text, _ := s.cell(i, j); !isMissing(text) {
			return false
		}
	}
	return true
}

// quotedText reports whether a field of a column without values is in quotes: a string then, as [Table.Encode] writes it. In a file of
// a single column "" is a missing value.
func (s *source) quotedText(j int) bool {
	for i := range s.rows {
		if text, quoted := s.cell(i, j); quoted && (text != "" || len(s.header) > 1) {
			return true
		}
	}
	return false
}

// quoted reports whether all values of a column are in quotes, in a file whose names are not.
func (s *source) quoted(j int) bool {
	for i := 0; s.bareName && i < s.rows; i++ {
		if text, quoted := s.cell(i, j); !quoted && text != "" {
			return false
		}
	}
	return s.bareName
}

// bareValue reports whether a value of the file is not in quotes.
func (s *source) bareValue() bool {
	return slices.ContainsFunc(s.fields, func(f span) bool { return f.to&quotedBit == 0 && f.to > f.from })
}

// integers reports whether all values of a column are written as integers.
func (s *source) integers(j int) bool {
	for i := range s.rows {
		text, _ := s.cell(i, j)
		text = trim(text)
		if isMissing(text) {
			continue
		}
		for k := range len(text) {
			if c := text[k]; c-'0' > 9 && (k > 0 || c != '-' && c != '+') {
				return false
			}
		}
	}
	return true
}

// parsed returns the values of a column and a mask of the missing ones, nil where there are none. It is not ok if one is of
// another type.
func parsed[T any](s *source, j int, parse func(string) (T, bool)) (values []T, missing []bool, ok bool) {
	for i := range s.rows {
		text, _ := s.cell(i, j)
		text = trim(text)
		x, ok := parse(text)
		if !ok {
			if !isMissing(text) {
				return nil, nil, false
			}
			if missing == nil {
				missing = make([]bool, s.rows)
			}
			missing[i] = true
		}
		if values == nil {
			values = make([]T, s.rows)
		}
		values[i] = x
	}
	return values, missing, true
}

func (s *source) strings(j int) (values []string, missing []bool) {
	values = make([]string, s.rows)
	for i := range values {
		text, quoted := s.cell(i, j)
		values[i] = text
		if text == "" && !quoted {
			if missing == nil {
				missing = make([]bool, s.rows)
			}
			missing[i] = true
		}
	}
	return values, missing
}
