package value

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Fscan is fmt.Fscan for values of cells' types too, and so are those that follow.
func Fscan(r io.Reader, a ...any) (int, error) { return fmt.Fscan(r, scanned(a)...) }

// Fscanln is fmt.Fscanln.
func Fscanln(r io.Reader, a ...any) (int, error) { return fmt.Fscanln(r, scanned(a)...) }

// Fscanf is fmt.Fscanf.
func Fscanf(r io.Reader, format string, a ...any) (int, error) {
	return fmt.Fscanf(r, format, scanned(a)...)
}

// Sscan is fmt.Sscan.
func Sscan(str string, a ...any) (int, error) {
	return fmt.Fscan(strings.NewReader(str), scanned(a)...)
}

// Sscanln is fmt.Sscanln.
func Sscanln(str string, a ...any) (int, error) {
	return fmt.Fscanln(strings.NewReader(str), scanned(a)...)
}

// Sscanf is fmt.Sscanf.
func Sscanf(str, format string, a ...any) (int, error) {
	return fmt.Fscanf(strings.NewReader(str), format, scanned(a)...)
}

// scanned are the arguments as package fmt can scan into them.
func scanned(a []any) []any {
	out := make([]any, len(a))
	for i, v := range a {
		out[i] = v
		b, ok := Unwrap(v).(Box)
		if !ok {
			continue
		}
		if m := b.T.method("Scan"); m != nil {
			if f, ok := m.Func.(func(any, fmt.ScanState, rune) error); ok {
				out[i] = scanner(func(st fmt.ScanState, verb rune) error { return f(b.V, st, verb) })
				continue
			}
		}
		out[i] = b.V
		if msg := b.T.noScan(); msg != "" {
			out[i] = scanner(func(fmt.ScanState, rune) error { return errors.New(msg) })
		}
	}
	return out
}

// noScan says why package fmt cannot scan into a value of the type, in its words; empty if it can.
func (t *Type) noScan() string {
	if t.Kind != reflect.Pointer {
		return "type not a pointer: " + t.String
	}
	switch e := t.Elem; e.Kind {
	case reflect.Slice:
		if e.Elem.Kind == reflect.Uint8 {
			return ""
		}
	case reflect.Array, reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Struct, reflect.UnsafePointer:
	default:
		return ""
	}
	return "can't scan type: " + t.String
}

// A scanner is a fmt.Scanner.
type scanner func(st fmt.ScanState, verb rune) error

func (f scanner) Scan(st fmt.ScanState, verb rune) error { return f(st, verb) }

// Bare is the lowered value of a box, for compiled code that looks at it by reflection; any other value is itself.
func Bare(v any) any {
	if b, ok := Unwrap(v).(Box); ok {
		return b.V
	}
	return v
}
