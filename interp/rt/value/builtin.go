package value

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unsafe"
)

// BuiltinPrint is what the built-in function print writes, as the Go runtime formats.
func BuiltinPrint(args ...any) string {
	var b strings.Builder
	for _, a := range args {
		builtinFormat(&b, a)
	}
	return b.String()
}

// BuiltinPrintln is what the built-in function println writes.
func BuiltinPrintln(args ...any) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		builtinFormat(&b, a)
	}
	b.WriteByte('\n')
	return b.String()
}

func builtinFormat(b *strings.Builder, a any) {
	if i, ok := a.(Iface); ok {
		b.WriteString(i.words())
		return
	}
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
	case reflect.Float32:
		b.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, 32))
	case reflect.Float64:
		b.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	case reflect.Complex64:
		b.WriteString(strconv.FormatComplex(v.Complex(), 'g', -1, 64))
	case reflect.Complex128:
		b.WriteString(strconv.FormatComplex(v.Complex(), 'g', -1, 128))
	case reflect.Slice:
		fmt.Fprintf(b, "[%d/%d]%#x", v.Len(), v.Cap(), v.Pointer())
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func:
		fmt.Fprintf(b, "%#x", v.Pointer())
	default:
		fmt.Fprint(b, a)
	}
}

// An Iface is an operand of print and println whose static type is an interface: they show its two words.
type Iface struct{ v any }

// IfaceOf makes an Iface.
func IfaceOf(v any) Iface { return Iface{v} }

func (i Iface) words() string {
	if i.v == nil {
		return "(0x0,0x0)"
	}
	w := (*[2]uintptr)(unsafe.Pointer(&i.v))
	return fmt.Sprintf("(%#x,%#x)", w[0], w[1])
}

// DeepEqual is reflect.DeepEqual for values of cells.
func DeepEqual(a, b any) bool { return reflect.DeepEqual(Unwrap(a), Unwrap(b)) }
