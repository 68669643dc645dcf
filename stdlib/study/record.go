package study

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode/utf8"
)

// A Record holds what one replication found: float64, int, bool, string or []float64 by name.
type Record map[string]any

// normal checks a record and makes a copy of it, with its values in the types that a file gives back.
func (r Record) normal(anyNumber bool) (Record, error) {
	plain := r != nil
	for name, v := range r {
		plain = plain && isText(name)
		switch x := v.(type) {
		case float64:
			plain = plain && (anyNumber || !math.IsNaN(x-x))
		case string:
			plain = plain && isText(x)
		case int, bool:
		default:
			plain = false
		}
	}
	if plain {
		return maps.Clone(r), nil
	}
	out := make(Record, len(r))
	for _, name := range slices.Sorted(maps.Keys(r)) {
		v, err := recordValue(r[name])
		if err != nil {
			return nil, fmt.Errorf("study: field %s of the record is a %T, must be a number, bool, string or []float64", name, r[name])
		}
		for _, text := range []any{name, v} {
			if text, ok := text.(string); ok && !isText(text) {
				return nil, fmt.Errorf("study: the text %q in field %q of the record would not come back from a file as it is: it must be UTF-8, and none of NaN, +Inf and -Inf, which are numbers there", text, name)
			}
		}
		if !anyNumber && !finite(v) {
			return nil, fmt.Errorf("study: field %s of the record is %v, must be finite (Study.AnyNumber allows NaN and Inf)", name, v)
		}
		out[name] = v
	}
	return out, nil
}

// isText reports whether a text comes back from a file as it is.
func isText(s string) bool {
	return isPlain(s) && s != "NaN" && s != "+Inf" && s != "-Inf" || !isPlain(s) && utf8.ValidString(s)
}

func recordValue(v any) (any, error) {
	switch x := v.(type) {
	case float64:
		return x, nil
	case float32:
		return float64(x), nil
	case []float64:
		return slices.Clone(x), nil
	case []int:
		out := make([]float64, len(x))
		for i, n := range x {
			out[i] = float64(n)
		}
		return out, nil
	}
	return normalValue(v)
}

func finite(v any) bool {
	switch x := v.(type) {
	case float64:
		return !math.IsNaN(x) && !math.IsInf(x, 0)
	case []float64:
		return !slices.ContainsFunc(x, func(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) })
	}
	return true
}

// appendJSON writes the record with its fields sorted by name.
func (r Record) appendJSON(b []byte) []byte {
	var few [16]string
	names := few[:0]
	for name := range r {
		names = append(names, name)
	}
	slices.Sort(names)
	b = append(b, '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, name)
		b = append(b, ':')
		b = appendValue(b, r[name])
	}
	return append(b, '}')
}

// MarshalJSON writes the record with its fields sorted by name.
func (r Record) MarshalJSON() ([]byte, error) { return r.appendJSON(nil), nil }

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Record) UnmarshalJSON(js []byte) error {
	names, values, err := readObject(js, true)
	if err != nil {
		return err
	}
	*r = make(Record, len(names))
	for i, n := range names {
		(*r)[n] = values[i]
	}
	return nil
}
