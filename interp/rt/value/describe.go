package value

import (
	"fmt"
	"reflect"
	"runtime"
)

// Describe puts a panic in words: a name for its kind, "runtime error", the type of an error, or "panic", and the message
// as Go gives it. r is what Go's recover returned.
func Describe(r any) (name, message string) {
	v := Panicked(r)
	switch e := v.(type) {
	case runtime.Error:
		return "runtime error", e.Error()
	case error:
		return typeName(e), text(e, func() string { return e.Error() })
	case fmt.Stringer:
		return "panic", text(e, func() string { return e.String() })
	}
	if b, ok := v.(Box); ok {
		if f, ok := b.T.FuncOf("Error").(func(any) string); ok {
			return b.T.String, text(v, func() string { return f(b.V) })
		}
		if f, ok := b.T.FuncOf("String").(func(any) string); ok {
			return "panic", text(v, func() string { return f(b.V) })
		}
		switch k := b.T.Kind; {
		case k == reflect.String:
			return "panic", Sprintf("%T(%q)", v, v)
		case k >= reflect.Bool && k <= reflect.Complex128:
			return "panic", Sprintf("%T(%v)", v, v)
		}
		return "panic", Sprintf("%#v", v)
	}
	return "panic", Sprint(v)
}

// String is what the Go runtime prints when a panic of cell code ends the process: one in a goroutine that compiled code
// started.
func (t Thrown) String() string {
	name, message := Describe(t)
	if name == "panic" || name == "runtime error" {
		return message
	}
	return name + ": " + message
}

// text calls a method for a message; where that panics too, the value itself must do.
func text(v any, method func() string) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprintf("%s (its message panics: %v)", typeName(v), Panicked(r))
		}
	}()
	return method()
}
