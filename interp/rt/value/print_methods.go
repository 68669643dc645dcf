package value

import (
	"fmt"
	"reflect"
)

// methods prints the value by its own methods, if fmt would.
func (p *printer) methods(t *Type, v reflect.Value, depth int) bool {
	if t == nil {
		return p.nativeMethods(v)
	}
	if t.Kind == reflect.Interface || !v.IsValid() && t.Kind != reflect.Pointer {
		return false
	}
	if f, ok := t.FuncOf("Format").(func(any, fmt.State, rune)); ok {
		p.guarded(t, v, "Format", func() { f(bare(t, v), p.st, p.verb) })
		return true
	}
	if p.sharpV {
		if f, ok := t.FuncOf("GoString").(func(any) string); ok {
			p.guarded(t, v, "GoString", func() { p.text('s', f(bare(t, v))) })
			return true
		}
		return false
	}
	switch p.verb {
	case 'v', 's', 'x', 'X', 'q':
		for _, name := range []string{"Error", "String"} {
			if f, ok := t.FuncOf(name).(func(any) string); ok {
				p.guarded(t, v, name, func() { p.text(p.verb, f(bare(t, v))) })
				return true
			}
		}
	}
	return false
}

// nativeMethods prints an ordinary Go value by its methods, if fmt would.
func (p *printer) nativeMethods(v reflect.Value) bool {
	if !v.IsValid() || !v.CanInterface() || v.Kind() == reflect.Interface {
		return false
	}
	switch v.Interface().(type) {
	case fmt.Formatter:
	case fmt.GoStringer:
		if !p.sharpV {
			return p.stringer(v)
		}
	default:
		return p.stringer(v)
	}
	fmt.Fprintf(p.st, p.format, v.Interface())
	return true
}

// stringer has fmt print a value that has a String or Error method.
func (p *printer) stringer(v reflect.Value) bool {
	if p.sharpV {
		return false
	}
	switch v.Interface().(type) {
	case error, fmt.Stringer:
	default:
		return false
	}
	switch p.verb {
	case 'v', 's', 'x', 'X', 'q':
		fmt.Fprintf(p.st, p.format, v.Interface())
		return true
	}
	return false
}

// FuncOf returns the function of a method, nil if the type does not have it.
func (t *Type) FuncOf(name string) any {
	if m := t.method(name); m != nil {
		return m.Func
	}
	return nil
}

// bare returns a value of type t as its methods take it.
func bare(t *Type, v reflect.Value) any {
	if !v.IsValid() {
		if t.Lowered != nil {
			return reflect.Zero(t.Lowered).Interface()
		}
		return nil
	}
	return v.Interface()
}

// text prints what a method returned.
func (p *printer) text(verb rune, s string) {
	if verb == p.verb && verb != 'v' {
		fmt.Fprintf(p.st, p.format, s)
		return
	}
	fmt.Fprintf(p.st, p.format[:len(p.format)-len(string(p.verb))]+"s", s)
}

// Recovered gets the panic of a method that printing called, and reports whether it may be printed: what ends a goroutine
// must go on. Package run sets it.
var Recovered = func(r any) bool { return true }

// guarded calls a method, and prints its panic as fmt does.
func (p *printer) guarded(t *Type, v reflect.Value, method string, f func()) {
	returned := false
	defer func() {
		if returned {
			return
		}
		r := recover()
		if r == nil {
			return // runtime.Goexit
		}
		if !Recovered(r) {
			panic(r)
		}
		if t.Kind == reflect.Pointer && (!v.IsValid() || v.IsNil()) {
			p.write("<nil>")
			return
		}
		fmt.Fprintf(p.st, "%%!%c(PANIC=%s method: %s)", p.verb, method, Sprint(Panicked(r)))
	}()
	f()
	returned = true
}
