package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Axis is one parameter of a grid with the values that it takes.
type Axis struct {
	Name   string
	Values []any
}

// Values returns an axis. Values are strings, bools, integers or floats, all finite; integers of every size become int,
// floats float64, so that a point read back from a file equals the one that was written. A slice or an array stands for its
// elements: Values("n", sizes).
func Values(name string, values ...any) Axis {
	a := Axis{Name: name}
	for _, v := range values {
		if list := reflect.ValueOf(v); v != nil && (list.Kind() == reflect.Slice || list.Kind() == reflect.Array) {
			for i := range list.Len() {
				a.Values = append(a.Values, list.Index(i).Interface())
			}
			continue
		}
		a.Values = append(a.Values, v)
	}
	return a
}

// A Point is one setting of an experiment: named parameters with their values, in order.
type Point struct {
	names  []string
	values []any
}

// NewPoint returns a point from names and values in turn: NewPoint("method", "fw", "N", 100). It panics when they are not
// pairs of a name and a value.
func NewPoint(pairs ...any) Point {
	if len(pairs)%2 != 0 {
		panic(fmt.Sprintf("study: %d arguments, must be pairs of a name and a value", len(pairs)))
	}
	var p Point
	for i := 0; i < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			panic(fmt.Sprintf("study: the name of a parameter is %v, must be a string", pairs[i]))
		}
		p.names = append(p.names, name)
		p.values = append(p.values, pairs[i+1])
	}
	q, err := p.normal()
	if err != nil {
		panic(err)
	}
	return q
}

// Grid returns all combinations of the axes' values; the last axis changes fastest. It panics when a value is of no
// kind that a point can hold.
func Grid(axes ...Axis) []Point {
	points := []Point{{}}
	for _, a := range axes {
		var next []Point
		for _, p := range points {
			for _, v := range a.Values {
				next = append(next, Point{append(slices.Clone(p.names), a.Name), append(slices.Clone(p.values), v)})
			}
		}
		points = next
	}
	for i, p := range points {
		q, err := p.normal()
		if err != nil {
			panic(err)
		}
		points[i] = q
	}
	return points
}

// normal is the point with its values in the types that points hold.
func (p Point) normal() (Point, error) {
	q := Point{p.names, make([]any, len(p.values))}
	for i, v := range p.values {
		if slices.Contains(p.names[:i], p.names[i]) {
			return Point{}, fmt.Errorf("study: the parameter %s is named twice", p.names[i])
		}
		n, err := normalValue(v)
		if err != nil {
			return Point{}, fmt.Errorf("study: parameter %s is %v, must be a string in UTF-8, a bool, an integer that an int holds or a finite float", p.names[i], v)
		}
		q.values[i] = n
	}
	return q, nil
}

func normalValue(v any) (any, error) {
	switch x := v.(type) {
	case string:
		if utf8.ValidString(x) {
			return x, nil
		}
	case bool, int:
		return x, nil
	case uint:
		return normalValue(uint64(x))
	case uint64:
		if x <= math.MaxInt {
			return int(x), nil
		}
	case int8:
		return int(x), nil
	case int16:
		return int(x), nil
	case int32:
		return int(x), nil
	case int64:
		return int(x), nil
	case uint8:
		return int(x), nil
	case uint16:
		return int(x), nil
	case uint32:
		return int(x), nil
	case float32:
		return normalValue(float64(x))
	case float64:
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			return x, nil
		}
	}
	return nil, fmt.Errorf("%T", v)
}

// Names returns the names of the parameters in order.
func (p Point) Names() []string { return slices.Clone(p.names) }

// Value returns the value of a parameter: a string, bool, int or float64.
func (p Point) Value(name string) (any, bool) {
	if i := slices.Index(p.names, name); i >= 0 {
		return p.values[i], true
	}
	return nil, false
}

// Int returns an integer parameter. It panics, which fails the replication, when there is none of that name and type.
func (p Point) Int(name string) int {
	n, ok := p.must(name).(int)
	if !ok {
		panic(fmt.Sprintf("study: parameter %s is %v, not an integer", name, p.must(name)))
	}
	return n
}

// Float returns a numeric parameter. It panics when there is none of that name.
func (p Point) Float(name string) float64 {
	switch x := p.must(name).(type) {
	case float64:
		return x
	case int:
		return float64(x)
	}
	panic(fmt.Sprintf("study: parameter %s is %v, not a number", name, p.must(name)))
}

// Text returns a parameter that is a string. It panics when there is none of that name and type.
func (p Point) Text(name string) string {
	s, ok := p.must(name).(string)
	if !ok {
		panic(fmt.Sprintf("study: parameter %s is %v, not a string", name, p.must(name)))
	}
	return s
}

// Bool returns a parameter that is true or false. It panics when there is none of that name and type.
func (p Point) Bool(name string) bool {
	b, ok := p.must(name).(bool)
	if !ok {
		panic(fmt.Sprintf("study: parameter %s is %v, not a bool", name, p.must(name)))
	}
	return b
}

func (p Point) must(name string) any {
	v, ok := p.Value(name)
	if !ok {
		panic(fmt.Sprintf("study: the point %v has no parameter %s", p, name))
	}
	return v
}

// Matches reports whether the point has all the given names and values, in turn as in NewPoint.
func (p Point) Matches(pairs ...any) bool {
	want := NewPoint(pairs...)
	for i, n := range want.names {
		if v, ok := p.Value(n); !ok || !equal(v, want.values[i]) {
			return false
		}
	}
	return true
}

// equal compares values of parameters. An integer equals the float of the same value.
func equal(a, b any) bool {
	switch x := a.(type) {
	case int:
		if y, ok := b.(float64); ok {
			return float64(x) == y
		}
	case float64:
		if y, ok := b.(int); ok {
			return x == float64(y)
		}
	}
	return a == b
}

// matching returns the points that match names and values, in turn as in NewPoint. There must be one.
func matching(study string, points []Point, pairs []any) ([]Point, error) {
	var out []Point
	for _, p := range points {
		if p.Matches(pairs...) {
			out = append(out, p)
		}
	}
	if out != nil {
		return out, nil
	}
	want := NewPoint(pairs...)
	for i, name := range want.names {
		var have []any
		for _, p := range points {
			if v, ok := p.Value(name); ok && !slices.ContainsFunc(have, func(h any) bool { return equal(h, v) }) {
				have = append(have, v)
			}
		}
		if have == nil {
			return nil, fmt.Errorf("study: %s has no parameter %s; it has %s", study, name, strings.Join(paramsOf(points), ", "))
		}
		if !slices.ContainsFunc(have, func(h any) bool { return equal(h, want.values[i]) }) {
			return nil, fmt.Errorf("study: %s has no point with %s=%v; the values of %s are %v", study, name, want.values[i], name, have)
		}
	}
	return nil, fmt.Errorf("study: %s has no point with %v", study, want)
}

// find returns the number of a point among others.
func find(study string, points []Point, p Point) (int, error) {
	key := p.Key()
	i := slices.IndexFunc(points, func(q Point) bool { return q.Key() == key })
	if i < 0 {
		i = slices.IndexFunc(points, func(q Point) bool {
			return len(p.names) == len(q.names) && !slices.ContainsFunc(p.names, func(n string) bool {
				v, _ := p.Value(n)
				w, ok := q.Value(n)
				return !ok || !equal(v, w)
			})
		})
	}
	if i < 0 {
		return 0, fmt.Errorf("study: %s has no point %v", study, p)
	}
	return i, nil
}

// paramsOf are the names of all parameters, in the order in which points first have them.
func paramsOf(points []Point) []string {
	var out []string
	for _, p := range points {
		for _, n := range p.names {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// String is the point as people read it: method=fw N=100.
func (p Point) String() string {
	var b strings.Builder
	for i, n := range p.names {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s=%v", n, p.values[i])
	}
	return b.String()
}

// Key identifies the point: its parameters by name and value, sorted by name, whatever their order in the grid. Those
// in without are left out.
func (p Point) Key(without ...string) string {
	order := make([]int, 0, len(p.names))
	for i, n := range p.names {
		if !slices.Contains(without, n) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(p.names[a], p.names[b]) })
	return string(p.appendJSON(nil, order))
}

// MarshalJSON writes the parameters in their order. Floats keep a decimal point, so that they come back as floats.
func (p Point) MarshalJSON() ([]byte, error) {
	order := make([]int, len(p.names))
	for i := range order {
		order[i] = i
	}
	return p.appendJSON(nil, order), nil
}

func (p Point) appendJSON(b []byte, order []int) []byte {
	b = append(b, '{')
	for k, i := range order {
		if k > 0 {
			b = append(b, ',')
		}
		b = appendString(b, p.names[i])
		b = append(b, ':')
		b = appendValue(b, p.values[i])
	}
	return append(b, '}')
}

func appendString(b []byte, s string) []byte {
	if isPlain(s) {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	js, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always marshal
	}
	return append(b, js...)
}

// isPlain reports whether JSON has the string as it is.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}

// appendValue writes a value so that reading it back gives the same type and bits.
func appendValue(b []byte, v any) []byte {
	switch x := v.(type) {
	case string:
		return appendString(b, x)
	case bool:
		return strconv.AppendBool(b, x)
	case int:
		return strconv.AppendInt(b, int64(x), 10)
	case float64:
		return appendFloat(b, x)
	case []float64:
		b = append(b, '[')
		for i, f := range x {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendFloat(b, f)
		}
		return append(b, ']')
	}
	return append(b, "null"...)
}

// appendFloat writes the shortest text that reads back to the same bits; JSON has no NaN and no infinity, so these are
// strings.
func appendFloat(b []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return appendString(b, strconv.FormatFloat(f, 'g', -1, 64))
	}
	at := len(b)
	b = strconv.AppendFloat(b, f, 'g', -1, 64)
	if !bytes.ContainsAny(b[at:], ".e") {
		b = append(b, ".0"...)
	}
	return b
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Point) UnmarshalJSON(js []byte) error {
	names, values, err := readObject(js, false)
	p.names, p.values = names, values
	return err
}

// readObject reads a JSON object in order, with integers as int and other numbers as float64. Where special is set, the
// strings NaN, +Inf and -Inf are numbers.
func readObject(js []byte, special bool) (names []string, values []any, err error) {
	dec := json.NewDecoder(bytes.NewReader(js))
	dec.UseNumber()
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, nil, fmt.Errorf("study: %.40q is no JSON object", js)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, nil, err
		}
		var v any
		if err := dec.Decode(&v); err != nil {
			return nil, nil, err
		}
		if v, err = readValue(v, special); err != nil {
			return nil, nil, err
		}
		names = append(names, name.(string))
		values = append(values, v)
	}
	return names, values, nil
}

func readValue(v any, special bool) (any, error) {
	switch x := v.(type) {
	case json.Number:
		if strings.ContainsAny(x.String(), ".eE") {
			return x.Float64()
		}
		return strconv.Atoi(x.String())
	case []any:
		out := make([]float64, len(x))
		for i, e := range x {
			f, err := readFloat(e)
			if err != nil {
				return nil, err
			}
			out[i] = f
		}
		return out, nil
	case string:
		if special && (x == "NaN" || x == "+Inf" || x == "-Inf") {
			return strconv.ParseFloat(x, 64)
		}
	}
	return v, nil
}

func readFloat(v any) (float64, error) {
	switch x := v.(type) {
	case json.Number:
		return x.Float64()
	case string:
		return strconv.ParseFloat(x, 64)
	}
	return 0, fmt.Errorf("study: %v is no number", v)
}
