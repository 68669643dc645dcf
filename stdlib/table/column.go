package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A Kind is the type of a column's values.
type Kind int

// The types of columns.
const (
	Int    Kind = iota // int
	Float              // float64
	Bool               // bool
	Time               // time.Time
	String             // string
)

// String returns the name of the Go type: int, float64, bool, time.Time or string.
func (k Kind) String() string {
	return [...]string{"int", "float64", "bool", "time.Time", "string"}[k]
}

// A Column is a column of a table: a name and values of one type, of which some may be missing. In a column of type float64,
// NaN and missing are the same. Columns do not change.
type Column struct {
	name    string
	kind    Kind
	ints    []int
	floats  []float64
	bools   []bool
	times   []time.Time
	strings []string
	missing []bool // nil where nothing is; nil for floats
}

// Name returns the name of the column.
func (c *Column) Name() string { return c.name }

// Kind returns the type of the values.
func (c *Column) Kind() Kind { return c.kind }

// Len returns the number of values, missing ones included.
func (c *Column) Len() int {
	return max(len(c.ints), len(c.floats), len(c.bools), len(c.times), len(c.strings))
}

// Missing reports whether value i is missing.
func (c *Column) Missing(i int) bool {
	if c.kind == Float {
		return math.IsNaN(c.floats[i])
	}
	return c.missing != nil && c.missing[i]
}

// Value returns value i as an int, float64, bool, time.Time or string, or nil if it is missing.
func (c *Column) Value(i int) any {
	if c.Missing(i) {
		return nil
	}
	switch c.kind {
	case Int:
		return c.ints[i]
	case Float:
		return c.floats[i]
	case Bool:
		return c.bools[i]
	case Time:
		return c.times[i]
	}
	return c.strings[i]
}

// Floats returns the values as numbers: those of a column of type float64 without a copy, integers converted, and true and
// false as 1 and 0. Missing values are NaN.
func (c *Column) Floats() []float64 {
	if c.kind == Float {
		return c.floats
	}
	if c.kind != Int && c.kind != Bool {
		panic(c.not("numbers"))
	}
	out := make([]float64, c.Len())
	for i := range out {
		out[i] = c.number(i)
	}
	return out
}

// number returns value i as a number. The column is of numbers or bools.
func (c *Column) number(i int) float64 {
	switch {
	case c.kind == Float:
		return c.floats[i]
	case c.Missing(i):
		return math.NaN()
	case c.kind == Int:
		return float64(c.ints[i])
	case c.bools[i]:
		return 1
	}
	return 0
}

func (c *Column) numeric() bool { return c.kind == Int || c.kind == Float }

func (c *Column) not(what string) error {
	return fmt.Errorf("table: column %s is of type %s, not %s", c.name, c.kind, what)
}

// pick returns the values at the indices; -1 stands for a missing one.
func (c *Column) pick(rows []int) *Column {
	out := &Column{name: c.name, kind: c.kind, ints: takeIn(room, c.ints, rows), floats: takeIn(room, c.floats, rows), bools: takeIn(room, c.bools, rows),
		times: takeIn(cleared, c.times, rows), strings: takeIn(cleared, c.strings, rows), missing: takeIn(room, c.missing, rows)}
	if c.Len() == 0 {
		out.fill(make([]any, len(rows)))
		return out
	}
	for k, i := range rows {
		if i >= 0 {
			continue
		}
		if c.kind == Float {
			out.floats[k] = math.NaN()
			continue
		}
		if out.missing == nil {
			out.missing = make([]bool, len(rows))
		}
		out.missing[k] = true
	}
	return out
}

// takeIn returns the values at the indices in a slice that of makes, nil if x is.
func takeIn[T any](of func(n int) []T, x []T, rows []int) []T {
	if x == nil {
		return nil
	}
	out := of(len(rows))
	for k, i := range rows {
		if i >= 0 {
			out[k] = x[i]
		} else {
			out[k] = *new(T)
		}
	}
	return out
}

func cleared[T any](n int) []T { return make([]T, n) }

// part returns rows from to to without a copy.
func (c *Column) part(from, to int) *Column {
	return &Column{name: c.name, kind: c.kind, ints: cutOut(c.ints, from, to), floats: cutOut(c.floats, from, to),
		bools: cutOut(c.bools, from, to), times: cutOut(c.times, from, to), strings: cutOut(c.strings, from, to), missing: cutOut(c.missing, from, to)}
}

func cutOut[T any](x []T, from, to int) []T {
	if x == nil {
		return nil
	}
	return x[from:to:to]
}

func (c *Column) renamed(name string) *Column {
	out := *c
	out.name = name
	return &out
}

// order returns the order of values i and j, upwards or downwards. Missing ones come last either way.
func (c *Column) order(down bool) func(i, j int) int {
	var order func(i, j int) int
	switch c.kind {
	case Int:
		order = func(i, j int) int { return cmp.Compare(c.ints[i], c.ints[j]) }
	case Float:
		order = func(i, j int) int { return cmp.Compare(c.floats[i], c.floats[j]) }
	case Bool:
		order = func(i, j int) int { return truth(c.bools[i]) - truth(c.bools[j]) }
	case Time:
		order = func(i, j int) int { return c.times[i].Compare(c.times[j]) }
	case String:
		order = func(i, j int) int { return strings.Compare(c.strings[i], c.strings[j]) }
	}
	if down {
		up := order
		order = func(i, j int) int { return up(j, i) }
	}
	if c.missing == nil && c.kind != Float || c.kind == Float && !slices.ContainsFunc(c.floats, math.IsNaN) {
		return order
	}
	return func(i, j int) int {
		if a, b := c.Missing(i), c.Missing(j); a || b {
			return truth(a) - truth(b)
		}
		return order(i, j)
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A cellError says what is wrong with one value.
type cellError struct {
	column string
	row    int
	text   string
}

func (e *cellError) Error() string {
	return fmt.Sprintf("table: column %s, row %d: %s", e.column, e.row, e.text)
}

// columnOf returns a column of values, each an int, float64, bool, time.Time, string, or nil where it is missing. Integers
// among floats become floats.
func columnOf(name string, values []any) (*Column, error) {
	c := &Column{name: name, kind: -1}
	for i, v := range values {
		if v == nil {
			continue
		}
		k, ok := kindOf(v)
		switch {
		case !ok:
			return nil, &cellError{name, i, fmt.Sprintf("a value of type %T, must be an int, float64, bool, time.Time or string, or nil where it is missing", v)}
		case c.kind < 0 || c.kind == k || c.kind == Int && k == Float:
			c.kind = k
		case c.kind == Float && k == Int:
		default:
			return nil, &cellError{name, i, fmt.Sprintf("a value of type %s among values of type %s", k, c.kind)}
		}
	}
	c.kind = max(c.kind, Int)
	if !slices.ContainsFunc(values, func(v any) bool { return v != nil }) {
		c.kind = Float
	}
	c.fill(values)
	return c, nil
}

func kindOf(v any) (k Kind, ok bool) {
	switch v.(type) {
	case int:
		return Int, true
	case float64:
		return Float, true
	case bool:
		return Bool, true
	case time.Time:
		return Time, true
	case string:
		return String, true
	}
	return 0, false
}

// make gives the column n values of its type, all zero.
func (c *Column) make(n int) {
	switch c.kind {
	case Int:
		c.ints = make([]int, n)
	case Float:
		c.floats = make([]float64, n)
	case Bool:
		c.bools = make([]bool, n)
	case Time:
		c.times = make([]time.Time, n)
	case String:
		c.strings = make([]string, n)
	}
}

// fill sets the values, whose types suit the column.
func (c *Column) fill(values []any) {
	n := len(values)
	c.make(n)
	for i, v := range values {
		switch v := v.(type) {
		case nil:
			if c.kind == Float {
				c.floats[i] = math.NaN()
				continue
			}
			if c.missing == nil {
				c.missing = make([]bool, n)
			}
			c.missing[i] = true
		case int:
			if c.kind == Float {
				c.floats[i] = float64(v)
			} else {
				c.ints[i] = v
			}
		case float64:
			c.floats[i] = v
		case bool:
			c.bools[i] = v
		case time.Time:
			c.times[i] = v
		case string:
			c.strings[i] = v
		}
	}
}
