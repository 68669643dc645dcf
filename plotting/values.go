package plotting

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gaucho/stdlib/display"

	"gonum.org/v1/gonum/mat"
)

// numbers returns a slice or array of any numeric type, or a vector, as float64 values. It panics with the name of the
// argument where the value is something else.
func numbers(call, argument string, v any) []float64 {
	switch v := v.(type) {
	case nil:
		return nil
	case []float64:
		return v
	case []int:
		return Floats(v)
	case mat.Vector:
		out := make([]float64, v.Len())
		for i := range out {
			out[i] = v.AtVec(i)
		}
		return out
	}
	return numbersOf(call, argument, display.ValueOf(v))
}

// numbersOf is numbers for values of all types, also of those that a cell declares.
func numbersOf(call, argument string, v display.Value) []float64 {
	bad := func() {
		panic(fmt.Sprintf("plotting: %s: %s is of type %s, must be a slice of numbers", call, argument, v.TypeName()))
	}
	if k := v.Kind(); k != reflect.Slice && k != reflect.Array {
		bad()
	}
	out := make([]float64, v.Len())
	for i := range out {
		element := v.Index(i)
		if element.Kind() == reflect.Interface {
			element = element.Elem()
		}
		switch x := element.Basic().(type) {
		case int64:
			out[i] = float64(x)
		case uint64:
			out[i] = float64(x)
		case float64:
			out[i] = x
		default:
			bad()
		}
	}
	return out
}

// horizontal returns the values of a horizontal axis, and whether they are times.
func horizontal(call string, v any) (x []float64, times bool) {
	if t, ok := v.([]time.Time); ok {
		return Times(t), true
	}
	return numbers(call, "x", v), false
}

// samples returns one sample, several in a slice, or several with names in a map, which are sorted by name.
func samples(call, argument string, v any) (names []string, data [][]float64) {
	if v == nil {
		return nil, nil
	}
	view := display.ValueOf(v)
	switch k := view.Kind(); {
	case k == reflect.Map:
		for _, key := range namesOf(call, argument, view) {
			name := key.Basic().(string)
			names = append(names, name)
			data = append(data, numbersOf(call, fmt.Sprintf("%s[%q]", argument, name), view.MapIndex(key)))
		}
		return names, data
	case k == reflect.Slice && view.Len() > 0 && view.Index(0).Kind() == reflect.Slice:
		for i := range view.Len() {
			names = append(names, strconv.Itoa(i+1))
			data = append(data, numbersOf(call, fmt.Sprintf("%s[%d]", argument, i), view.Index(i)))
		}
		return names, data
	}
	return []string{""}, [][]float64{numbers(call, argument, v)}
}

// namesOf returns the keys of a map, sorted; they must be strings.
func namesOf(call, argument string, v display.Value) []display.Value {
	keys := v.Keys()
	for _, k := range keys {
		if k.Kind() != reflect.String {
			panic(fmt.Sprintf("plotting: %s: %s is of type %s, a map must be from names to slices of numbers", call, argument, v.TypeName()))
		}
	}
	slices.SortFunc(keys, func(a, b display.Value) int { return strings.Compare(a.Basic().(string), b.Basic().(string)) })
	return keys
}
