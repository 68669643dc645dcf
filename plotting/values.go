package plotting

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

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
	case mat.Vector:
		out := make([]float64, v.Len())
		for i := range out {
			out[i] = v.AtVec(i)
		}
		return out
	}
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Slice && r.Kind() != reflect.Array {
		panic(fmt.Sprintf("plotting: %s: %s is of type %T, must be a slice of numbers", call, argument, v))
	}
	out := make([]float64, r.Len())
	for i := range out {
		x, ok := number64(r.Index(i))
		if !ok {
			panic(fmt.Sprintf("plotting: %s: %s is of type %T, must be a slice of numbers", call, argument, v))
		}
		out[i] = x
	}
	if len(out) == 0 && !isNumber(r.Type().Elem().Kind()) && r.Type().Elem().Kind() != reflect.Interface {
		panic(fmt.Sprintf("plotting: %s: %s is of type %T, must be a slice of numbers", call, argument, v))
	}
	return out
}

func isNumber(k reflect.Kind) bool {
	return k >= reflect.Int && k <= reflect.Float64 && k != reflect.Uintptr
}

// number64 returns a number as float64; one in an interface, too.
func number64(v reflect.Value) (float64, bool) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
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
	r := reflect.ValueOf(v)
	switch {
	case v == nil:
		return nil, nil
	case r.Kind() == reflect.Map && r.Type().Key().Kind() == reflect.String:
		byName := map[string][]float64{}
		for _, key := range r.MapKeys() {
			byName[key.String()] = numbers(call, fmt.Sprintf("%s[%q]", argument, key.String()), r.MapIndex(key).Interface())
		}
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			names, data = append(names, name), append(data, byName[name])
		}
		return names, data
	case r.Kind() == reflect.Slice && (r.Type().Elem().Kind() == reflect.Slice || r.Type().Elem().Kind() == reflect.Array):
		for i := range r.Len() {
			names = append(names, strconv.Itoa(i+1))
			data = append(data, numbers(call, fmt.Sprintf("%s[%d]", argument, i), r.Index(i).Interface()))
		}
		return names, data
	}
	return []string{""}, [][]float64{numbers(call, argument, v)}
}
