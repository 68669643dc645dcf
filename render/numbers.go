package render

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"gaucho/stdlib/display"
)

// manyNumbers returns the first and last of a long slice of numbers, to six digits, and how many there are; fmt.Println
// writes all. It reports false for other values.
func manyNumbers(v display.Value) (string, bool) {
	v = bare(v)
	if k := v.Kind(); k != reflect.Slice && k != reflect.Array || v.Len() <= elementLimit() {
		return "", false
	}
	if _, ok := says(v); ok {
		return "", false
	}
	const first, last = 5, 3
	var texts []string
	for i := range v.Len() {
		if i == first {
			texts = append(texts, "…")
		}
		if i >= first && i < v.Len()-last {
			continue
		}
		element := v.Index(i)
		if element.TypeName() == "uint8" || element.TypeName() == "int32" { // bytes and runes are text
			return "", false
		}
		switch x := element.Basic().(type) {
		case int64:
			texts = append(texts, strconv.FormatInt(x, 10))
		case uint64:
			texts = append(texts, strconv.FormatUint(x, 10))
		case float64:
			texts = append(texts, toDigits(x, 6))
		default:
			return "", false
		}
	}
	return fmt.Sprintf("%s{%s} // %d values", v.TypeName(), strings.Join(texts, ", "), v.Len()), true
}
