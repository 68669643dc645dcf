package kernel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
)

// An object is a JSON object under construction.
type object = map[string]any

// marshal writes a value as JSON that every client takes: no HTML escapes, null for NaN and infinities, for which JSON
// has no word. A value that cannot be written at all becomes an object that says so.
func marshal(v any) []byte {
	if e, ok := v.(interface{ encode() []byte }); ok {
		return e.encode()
	}
	b, err := encodeJSON(v)
	if _, ok := err.(*json.UnsupportedValueError); ok {
		b, err = encodeJSON(finite(reflect.ValueOf(v), 0))
	}
	if err != nil {
		b, _ = encodeJSON(object{"error": fmt.Sprint("cannot be written as JSON: ", err)})
	}
	return b
}

func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// finite copies maps and slices with NaN and infinities replaced by nil. Other values stay as they are; so does what
// lies deeper than a thousand levels, where encoding/json reports the cycle.
func finite(v reflect.Value, depth int) any {
	if !v.IsValid() || depth > 1000 {
		return nil
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		switch e := v.Elem(); {
		case v.Kind() == reflect.Interface:
			return finite(e, depth+1)
		case e.Kind() == reflect.Float64, e.Kind() == reflect.Float32, e.Kind() == reflect.Map, e.Kind() == reflect.Slice:
			return finite(e, depth+1)
		}
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil
		}
	case reflect.Map:
		if v.Type().Key().Kind() != reflect.String {
			break
		}
		m := object{}
		for it := v.MapRange(); it.Next(); {
			m[it.Key().String()] = finite(it.Value(), depth+1)
		}
		return m
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			break
		}
		s := make([]any, v.Len())
		for i := range s {
			s[i] = finite(v.Index(i), depth+1)
		}
		return s
	}
	return v.Interface()
}
