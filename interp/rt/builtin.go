package rt

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// BuiltinPrint is the built-in function print: it writes to the cell's standard error, as the Go runtime formats.
func BuiltinPrint(args ...any) {
	var b strings.Builder
	for _, a := range args {
		builtinFormat(&b, a)
	}
	fmt.Fprint(Stderr, b.String())
}

// BuiltinPrintln is the built-in function println.
func BuiltinPrintln(args ...any) {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		builtinFormat(&b, a)
	}
	b.WriteByte('\n')
	fmt.Fprint(Stderr, b.String())
}

func builtinFormat(b *strings.Builder, a any) {
	a = Unwrap(a)
	if box, ok := a.(Box); ok {
		a = box.V
	}
	if a == nil {
		b.WriteString("nil")
		return
	}
	v := reflect.ValueOf(a)
	switch v.Kind() {
	case reflect.Bool:
		b.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.String:
		b.WriteString(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		b.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		b.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		builtinFloat(b, v.Float())
	case reflect.Complex64, reflect.Complex128:
		b.WriteByte('(')
		builtinFloat(b, real(v.Complex()))
		builtinFloat(b, imag(v.Complex()))
		b.WriteString("i)")
	case reflect.Slice:
		fmt.Fprintf(b, "[%d/%d]%#x", v.Len(), v.Cap(), v.Pointer())
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func:
		fmt.Fprintf(b, "%#x", v.Pointer())
	default:
		fmt.Fprint(b, a)
	}
}

// builtinFloat writes a number as the runtime does: +1.500000e+000.
func builtinFloat(b *strings.Builder, x float64) {
	switch {
	case math.IsNaN(x):
		b.WriteString("NaN")
		return
	case math.IsInf(x, 1):
		b.WriteString("+Inf")
		return
	case math.IsInf(x, -1):
		b.WriteString("-Inf")
		return
	}
	s := strconv.FormatFloat(x, 'e', 6, 64)
	if !strings.HasPrefix(s, "-") {
		s = "+" + s
	}
	if i := strings.IndexByte(s, 'e'); len(s)-i < 5 { // e+00 becomes e+000
		s = s[:i+2] + "0" + s[i+2:]
	}
	b.WriteString(s)
}

// DeepEqual is reflect.DeepEqual for values of cells.
func DeepEqual(a, b any) bool { return reflect.DeepEqual(Unwrap(a), Unwrap(b)) }
