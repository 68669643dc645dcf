package value

import (
	"fmt"
	"reflect"
	"unicode/utf8"

	cellrt "gaucho/interp/rt/internal/runtime"
)

// Runes decodes a string: where each rune starts, and the runes.
func Runes(s string) ([]int, []rune) {
	n := utf8.RuneCountInString(s)
	is, rs := make([]int, 0, n), make([]rune, 0, n)
	for i, r := range s {
		is, rs = append(is, i), append(rs, r)
	}
	return is, rs
}

// Clear is the built-in function clear.
func Clear(v any) {
	x := reflect.ValueOf(v)
	if x.Kind() == reflect.Map && x.IsNil() {
		return
	}
	x.Clear()
}

// StringOfInt is string(n) for a signed integer.
func StringOfInt(n int64) string {
	if n < 0 || n > utf8.MaxRune {
		return string(utf8.RuneError)
	}
	return string(rune(n))
}

// StringOfUint is string(n) for an unsigned integer.
func StringOfUint(n uint64) string {
	if n > utf8.MaxRune {
		return string(utf8.RuneError)
	}
	return string(rune(n))
}

// FloatToUint converts to uint64, for which yaegi goes through int64.
func FloatToUint(x float64) uint64 { return uint64(x) }

// ShiftCount checks the count of a shift.
func ShiftCount(n int64) uint {
	if n < 0 {
		panic(Thrown{cellrt.Error("negative shift amount")})
	}
	return uint(n)
}

// FloatMin and FloatMax are min and max of floating-point numbers.
func FloatMin(a, b float64) float64 { return min(a, b) }

// FloatMax is max of floating-point numbers.
func FloatMax(a, b float64) float64 { return max(a, b) }

// SliceToArray converts a slice to an array.
func SliceToArray(s any, t *Type) any {
	v := reflect.ValueOf(s)
	checkLength(v, t.Lowered.Len())
	return v.Convert(t.Lowered).Interface()
}

// SliceToArrayPointer converts a slice to a pointer to an array.
func SliceToArrayPointer(s any, t *Type) any {
	v := reflect.ValueOf(s)
	checkLength(v, t.Lowered.Elem().Len())
	return v.Convert(t.Lowered).Interface()
}

func checkLength(v reflect.Value, n int) {
	if v.Len() < n {
		panic(Thrown{cellrt.Error(fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", v.Len(), n))})
	}
}

// RangeState panics as a range over a function does when the iterator does not keep to the rules.
func RangeState(state int) {
	switch state {
	case -1:
		panic(Thrown{cellrt.Error("range function recovered a loop body panic and did not resume panicking")})
	case 1:
		panic(Thrown{cellrt.Error("range function continued iteration after function for loop body returned false")})
	case 2:
		panic(Thrown{cellrt.Error("range function continued iteration after whole loop exit")})
	}
	panic(Thrown{cellrt.Error("range function continued iteration after loop body panic")})
}
