package value

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"unsafe"
)

// A printer prints one operand by fmt's rules, from the types that the cell's author sees. What is an ordinary Go value
// it leaves to fmt.
type printer struct {
	st     fmt.State
	verb   rune
	format string // "%" with the flags of st and the verb
	plusV  bool
	sharpV bool
	// erroring is set while the operand of a wrong verb is shown: methods are not called then.
	erroring bool
	flags    string // of the wrong verb, with "%"
}

func newPrinter(st fmt.State, verb rune) *printer {
	return &printer{st: st, verb: verb, format: fmt.FormatString(st, verb),
		plusV: verb == 'v' && st.Flag('+') && !st.Flag('#'), sharpV: verb == 'v' && st.Flag('#')}
}

// formatTop prints a value of type t (nil for an ordinary Go value) as an operand of its own.
func formatTop(st fmt.State, verb rune, t *Type, v reflect.Value) {
	p := newPrinter(st, verb)
	switch verb {
	case verbType:
		name := "<nil>"
		if t != nil {
			name = t.String
		} else if v.IsValid() {
			name = v.Type().String()
		}
		fmt.Fprintf(st, fmt.FormatString(st, 's'), name)
		return
	case verbPointer:
		q := newPrinter(st, 'p')
		switch kind(t, v) {
		case reflect.Chan, reflect.Func, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
			fmt.Fprintf(st, q.format, v.UnsafePointer())
		default:
			q.badVerb(t, v)
		}
		return
	case verbWrap:
		p.verb, p.format = 'w', fmt.FormatString(st, 'w')
		p.badVerb(t, v)
		return
	}
	p.value(t, v, 0, true)
}

// kind returns the kind of a value as the cell's author sees it.
func kind(t *Type, v reflect.Value) reflect.Kind {
	if t != nil {
		return t.Kind
	}
	return v.Kind()
}

var boxType = reflect.TypeFor[Box]()

// open turns a value as it is in memory into the type and value that it stands for: a box's content, and for the
// fields of recursive types, which are held in an interface, what that holds.
func open(t *Type, v reflect.Value) (*Type, reflect.Value) {
	if t != nil && t.Native && t.Kind != reflect.Interface {
		t = nil
	}
	if t != nil && t.Kind != reflect.Interface && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if t == nil || t.Kind == reflect.Interface {
		for v.Kind() == reflect.Struct && v.NumField() > 0 {
			if v.Type() == boxType {
				return (*Type)(v.Field(0).UnsafePointer()), v.Field(1).Elem()
			}
			last := v.NumField() - 1
			if !v.Type().Field(last).Anonymous || !v.Type().Implements(boxedType) {
				break
			}
			v = v.Field(last) // of an ErrBox or a wrapper
		}
	}
	return t, v
}

var boxedType = reflect.TypeFor[Boxed]()

// value prints a value. access is false for what was reached through an unexported field, whose methods fmt cannot call.
func (p *printer) value(t *Type, v reflect.Value, depth int, access bool) {
	t, v = open(t, v)
	if t == nil && v.IsValid() && !holdsInterface(v.Type()) && (depth == 0 || v.Kind() != reflect.Pointer) {
		p.leave(v, depth, access)
		return
	}
	if access && !p.erroring && p.methods(t, v, depth) {
		return
	}
	switch kind(t, v) {
	case reflect.Invalid:
		p.invalid(depth)
	case reflect.Struct:
		p.structure(t, v, depth, access)
	case reflect.Map:
		p.mapping(t, v, depth, access)
	case reflect.Slice, reflect.Array:
		p.list(t, v, depth, access)
	case reflect.Interface:
		e := v.Elem()
		switch {
		case e.IsValid():
			p.value(nil, e, depth+1, access)
		case p.sharpV:
			p.write(typeString(t, v) + "(nil)")
		default:
			p.write("<nil>")
		}
	case reflect.Pointer:
		p.pointer(t, v, depth, access)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		p.address(t, v)
	default:
		p.basic(t, v)
	}
}

func (p *printer) write(s string) { io.WriteString(p.st, s) }

func typeString(t *Type, v reflect.Value) string {
	if t != nil {
		return t.String
	}
	return v.Type().String()
}

// leave has fmt print an ordinary Go value.
func (p *printer) leave(v reflect.Value, depth int, access bool) {
	switch {
	case !access || p.erroring || !v.CanInterface():
		fmt.Fprintf(p.st, p.format, hidden(v))
	case depth > 0:
		fmt.Fprintf(p.st, p.format, v) // fmt prints a []byte otherwise when it is the operand itself
	default:
		fmt.Fprintf(p.st, p.format, v.Interface())
	}
}

// hidden returns the value in such a way that fmt does not call its methods.
func hidden(v reflect.Value) reflect.Value {
	if !v.CanInterface() {
		return v
	}
	return reflect.ValueOf(struct{ v any }{v.Interface()}).Field(0).Elem()
}

func (p *printer) invalid(depth int) {
	if depth > 0 && p.verb != 'v' {
		p.write("%!" + string(p.verb) + "(<nil>)")
		return
	}
	p.write("<nil>")
}

func (p *printer) structure(t *Type, v reflect.Value, depth int, access bool) {
	if p.sharpV {
		p.write(typeString(t, v))
	}
	p.write("{")
	for i := range v.NumField() {
		if i > 0 {
			p.write(map[bool]string{true: ", ", false: " "}[p.sharpV])
		}
		f := fieldOf(t, v, i)
		if p.plusV || p.sharpV {
			p.write(f.Name + ":")
		}
		ft, fv := f.Type, v.Field(i)
		if kind(ft, fv) == reflect.Interface && fv.Kind() == reflect.Interface && !fv.IsNil() {
			ft, fv = nil, fv.Elem()
		}
		p.value(ft, fv, depth+1, access && f.Exported)
	}
	p.write("}")
}

// fieldOf describes field i of a struct; its Type is nil where the struct is an ordinary Go value.
func fieldOf(t *Type, v reflect.Value, i int) Field {
	if t != nil {
		return t.Fields[i]
	}
	f := v.Type().Field(i)
	return Field{Name: f.Name, Exported: f.IsExported(), Tag: f.Tag, Embedded: f.Anonymous}
}

// elem and key are the types of the parts of a value of type t, nil for an ordinary Go value.
func elem(t *Type) *Type {
	if t == nil {
		return nil
	}
	return t.Elem
}

func key(t *Type) *Type {
	if t == nil {
		return nil
	}
	return t.Key
}

func (p *printer) mapping(t *Type, v reflect.Value, depth int, access bool) {
	isNil := !v.IsValid() || v.IsNil()
	if p.sharpV {
		p.write(typeString(t, v))
		if isNil {
			p.write("(nil)")
			return
		}
		p.write("{")
	} else {
		p.write("map[")
	}
	if !isNil {
		for i, e := range sortedMap(t, v) {
			if i > 0 {
				p.write(map[bool]string{true: ", ", false: " "}[p.sharpV])
			}
			p.value(key(t), e.key, depth+1, access)
			p.write(":")
			p.value(elem(t), e.value, depth+1, access)
		}
	}
	p.write(map[bool]string{true: "}", false: "]"}[p.sharpV])
}

func (p *printer) list(t *Type, v reflect.Value, depth int, access bool) {
	isSlice := kind(t, v) == reflect.Slice
	isNil := isSlice && (!v.IsValid() || v.IsNil())
	switch p.verb {
	case 's', 'q', 'x', 'X':
		if e := elem(t); t != nil && e.Kind == reflect.Uint8 {
			fmt.Fprintf(p.st, p.format, bytesOf(v, isNil))
			return
		}
	}
	open, between, end := "[", " ", "]"
	if p.sharpV {
		p.write(typeString(t, v))
		if isNil {
			p.write("(nil)")
			return
		}
		open, between, end = "{", ", ", "}"
	}
	p.write(open)
	if !isNil {
		for i := range v.Len() {
			if i > 0 {
				p.write(between)
			}
			p.value(elem(t), v.Index(i), depth+1, access)
		}
	}
	p.write(end)
}

// bytesOf returns the content of a slice or array of bytes of a cell's type.
func bytesOf(v reflect.Value, isNil bool) []byte {
	if isNil {
		return nil
	}
	b := make([]byte, v.Len())
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
	}
	return b
}

func (p *printer) pointer(t *Type, v reflect.Value, depth int, access bool) {
	if depth == 0 && v.IsValid() && !v.IsNil() {
		et, e := open(elem(t), v.Elem())
		switch kind(et, e) {
		case reflect.Array, reflect.Slice, reflect.Struct, reflect.Map:
			p.write("&")
			p.value(et, e, depth+1, access)
			return
		}
	}
	p.address(t, v)
}

// address prints a pointer, channel or function.
func (p *printer) address(t *Type, v reflect.Value) {
	var a unsafe.Pointer
	if v.IsValid() {
		a = v.UnsafePointer()
	}
	switch p.verb {
	case 'v':
		if !p.sharpV {
			fmt.Fprintf(p.st, p.format, a)
			return
		}
		p.write("(" + typeString(t, v) + ")(")
		if a == nil {
			p.write("nil)")
		} else {
			p.write(fmt.Sprintf("%#x)", uintptr(a)))
		}
	case 'p', 'b', 'o', 'd', 'x', 'X':
		if p.verb == 'p' {
			fmt.Fprintf(p.st, p.format, a)
		} else {
			fmt.Fprintf(p.st, p.format, uintptr(a))
		}
	default:
		p.badVerb(t, v)
	}
}

// basic prints a value of a basic kind: bool, number or string.
func (p *printer) basic(t *Type, v reflect.Value) {
	if t == nil {
		p.leave(v, 1, !p.erroring)
		return
	}
	if p.erroring {
		fmt.Fprintf(p.st, p.flags+plainVerb(t.Kind), v.Convert(basicTypes[t.Kind]))
		return
	}
	if !strings.ContainsRune(verbsOf(t.Kind), p.verb) {
		p.badVerb(t, v)
		return
	}
	if to := basicTypes[t.Kind]; v.Type() != to {
		v = v.Convert(to)
	}
	fmt.Fprintf(p.st, p.format, v)
}

// verbsOf returns the verbs that fmt has for a basic kind.
func verbsOf(k reflect.Kind) string {
	switch k {
	case reflect.Bool:
		return "tv"
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return "vbgGxXfFeE"
	case reflect.String:
		return "vsxXq"
	}
	return "vdboOxXcqU"
}

// badVerb prints a value with a verb that its type does not have, as %!d(main.S=hi).
func (p *printer) badVerb(t *Type, v reflect.Value) {
	p.write("%!" + string(p.verb) + "(")
	if t == nil && !v.IsValid() {
		p.write("<nil>)")
		return
	}
	p.write(typeString(t, v) + "=")
	q := *p
	// fmt keeps the flags of the wrong verb, but as such: # and + do not mean what they mean for %v.
	q.erroring, q.verb, q.plusV, q.sharpV = true, 'v', false, false
	q.flags = strings.TrimSuffix(p.format, string(p.verb))
	q.format = strings.NewReplacer("#", "", "+", "").Replace(q.flags) + "v"
	q.value(t, v, 0, true)
	p.write(")")
}

// plainVerb returns the verb that prints a basic kind as %v does and keeps the flags.
func plainVerb(k reflect.Kind) string {
	switch k {
	case reflect.Bool:
		return "t"
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return "g"
	case reflect.String:
		return "s"
	}
	return "d"
}
