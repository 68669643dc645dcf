package value

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unsafe"

	"gaucho/internal/modpath"
)

// lowering turns values of the types below, which stand for types declared in cells, into what the lowered form of the
// same cell would hold, so that what rt prints can be compared with what fmt prints for the values themselves.
type lowering struct {
	types map[reflect.Type]*Type
}

var here = modpath.Own("gaucho/interp/rt/value")

// native reports whether a type mentions no type of this package and no struct type literal.
func native(t reflect.Type) bool {
	if t.Name() != "" {
		return t.PkgPath() != here
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		return native(t.Elem())
	case reflect.Map:
		return native(t.Key()) && native(t.Elem())
	case reflect.Struct:
		return t.NumField() == 0
	}
	return true
}

func (l *lowering) desc(t reflect.Type) *Type {
	if d := l.types[t]; d != nil {
		return d
	}
	d := &Type{ID: len(l.types) + 1, String: t.String(), Kind: t.Kind(), Native: native(t), Name: t.Name()}
	l.types[t] = d
	if d.Native {
		d.Lowered = t
		return d
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		d.Elem = l.desc(t.Elem())
	case reflect.Map:
		d.Key, d.Elem = l.desc(t.Key()), l.desc(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			d.Fields = append(d.Fields, Field{f.Name, l.desc(f.Type), f.Tag, f.Anonymous, f.IsExported()})
		}
	}
	d.Lowered = l.typ(t, map[reflect.Type]bool{})
	for i := range t.NumMethod() {
		m := t.Method(i)
		if t.Kind() == reflect.Interface {
			d.Iface = append(d.Iface, Sig{Name: m.Name})
			continue
		}
		d.Methods = append(d.Methods, &Method{Sig{m.Name, ""}, l.method(t, m)})
	}
	return d
}

// method returns a method in the form of a table's, for the signatures that printing and JSON know.
func (l *lowering) method(t reflect.Type, m reflect.Method) any {
	call := func(recv any, args ...any) []reflect.Value {
		in := []reflect.Value{l.raise(t, reflect.ValueOf(recv))}
		for _, a := range args {
			in = append(in, reflect.ValueOf(a))
		}
		return m.Func.Call(in)
	}
	errOf := func(v reflect.Value) error { e, _ := v.Interface().(error); return e }
	switch m.Name {
	case "String", "Error", "GoString":
		return func(r any) string { return call(r)[0].String() }
	case "Format":
		return func(r any, st fmt.State, verb rune) { call(r, st, verb) }
	case "MarshalJSON", "MarshalText":
		return func(r any) ([]byte, error) { out := call(r); return out[0].Bytes(), errOf(out[1]) }
	case "UnmarshalJSON", "UnmarshalText":
		return func(r any, b []byte) error { return errOf(call(r, b)[0]) }
	}
	return func(any) {}
}

// raise is the value of type t that has the memory of a lowered one. The types whose methods are called here have the
// same layout in both forms.
func (l *lowering) raise(t reflect.Type, v reflect.Value) reflect.Value {
	if v.Type() == t {
		return v
	}
	if t.Kind() == reflect.Pointer {
		return reflect.NewAt(t.Elem(), v.UnsafePointer()).Convert(t)
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return reflect.NewAt(t, p.UnsafePointer()).Elem()
}

// typ is the lowered type. A type that contains itself has an empty interface where it comes back to itself.
func (l *lowering) typ(t reflect.Type, inside map[reflect.Type]bool) reflect.Type {
	if native(t) {
		return t
	}
	if inside[t] {
		return anyType
	}
	inside[t] = true
	defer delete(inside, t)
	switch t.Kind() {
	case reflect.Pointer:
		e := l.typ(t.Elem(), inside)
		if e == anyType && t.Elem().Kind() != reflect.Interface {
			return anyType
		}
		return reflect.PointerTo(e)
	case reflect.Slice:
		return reflect.SliceOf(l.typ(t.Elem(), inside))
	case reflect.Array:
		return reflect.ArrayOf(t.Len(), l.typ(t.Elem(), inside))
	case reflect.Map:
		return reflect.MapOf(l.typ(t.Key(), inside), l.typ(t.Elem(), inside))
	case reflect.Chan:
		return reflect.ChanOf(t.ChanDir(), l.typ(t.Elem(), inside))
	case reflect.Interface:
		return anyType
	case reflect.Struct:
		var fields []reflect.StructField
		for i := range t.NumField() {
			f := t.Field(i)
			name := f.Name
			if !f.IsExported() {
				name = "X_" + name
			}
			fields = append(fields, reflect.StructField{Name: name, Type: l.typ(f.Type, inside)})
		}
		return reflect.StructOf(fields)
	case reflect.Func:
		return t
	}
	return basicTypes[t.Kind()]
}

// box is what the lowered cell passes where the cell passes v as any.
func (l *lowering) box(v any) any {
	if v == nil || native(reflect.TypeOf(v)) && !holdsInterface(reflect.TypeOf(v)) {
		return v
	}
	rv := reflect.ValueOf(v)
	if native(rv.Type()) {
		return l.value(rv, rv.Type()).Interface()
	}
	b := Box{l.desc(rv.Type()), l.value(rv, l.typ(rv.Type(), map[reflect.Type]bool{})).Interface()}
	if _, ok := v.(error); ok {
		return ErrBox{b}
	}
	return b
}

// wrapStringer is what a box is in an interface of a compiled package.
type wrapStringer struct{ Box }

func (w wrapStringer) String() string { return MethodOf(w.T, "String").(func(any) string)(w.V) }

// value is the lowered form of v, of the lowered type to.
func (l *lowering) value(v reflect.Value, to reflect.Type) reflect.Value {
	if !v.CanInterface() && v.CanAddr() {
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	out := reflect.New(to).Elem()
	if to == anyType && v.Kind() != reflect.Interface {
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return out
		}
		out.Set(l.value(v, l.typ(v.Type(), map[reflect.Type]bool{})))
		return out
	}
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			x := l.box(v.Elem().Interface())
			if b, ok := x.(Box); ok && to == reflect.TypeFor[fmt.Stringer]() {
				x = wrapStringer{b}
			}
			out.Set(reflect.ValueOf(x))
		}
	case reflect.Pointer:
		if v.IsNil() || native(v.Type()) {
			return convert(v, to)
		}
		p := reflect.New(to.Elem())
		p.Elem().Set(l.value(v.Elem(), to.Elem()))
		return p
	case reflect.Struct:
		if native(v.Type()) {
			return v
		}
		c := reflect.New(v.Type()).Elem() // to reach unexported fields
		c.Set(v)
		for i := range c.NumField() {
			out.Field(i).Set(l.value(c.Field(i), to.Field(i).Type))
		}
	case reflect.Slice:
		if v.IsNil() {
			return out
		}
		out.Set(reflect.MakeSlice(to, v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(l.value(v.Index(i), to.Elem()))
		}
	case reflect.Array:
		for i := range v.Len() {
			out.Index(i).Set(l.value(v.Index(i), to.Elem()))
		}
	case reflect.Map:
		if v.IsNil() {
			return out
		}
		out.Set(reflect.MakeMap(to))
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(l.value(it.Key(), to.Key()), l.value(it.Value(), to.Elem()))
		}
	default:
		return convert(v, to)
	}
	return out
}

func convert(v reflect.Value, to reflect.Type) reflect.Value {
	if v.Type() != to && v.Type().ConvertibleTo(to) {
		return v.Convert(to)
	}
	if v.Type() != to {
		return reflect.Zero(to)
	}
	return v
}

type (
	point struct{ X, y int }
	inner struct{ A string }
	outer struct {
		inner
		*point
		B []byte
		d time.Duration
		E time.Duration
	}
	celsius float64
	weekday int
	name    string
	names   []name
	blob    []byte
	flags   [3]bool
	grid    map[point]celsius
	any3    struct{ a, B any }
	strct   struct{ s fmt.Stringer }
	node    struct {
		V    int
		next *node
		Kids []*node
		//lint:ignore U1000 it is there to be printed
		m map[string]*node
	}
	goer    struct{ n int }
	former  struct{ n int }
	ptrStr  struct{ n int }
	fails   struct{ n int }
	myErr   struct{ code int }
	shape   interface{ Area() float64 }
	square  struct{ s float64 }
	holder  struct{ S shape }
	ch      chan int
	fn      func(int) int
	cplx    complex128
	u8      uint8
	ptr     *int
	runes   []rune
	withErr struct{ Err error }
)

func (d weekday) String() string { return [...]string{"Sun", "Mon", "Tue"}[d] }
func (c celsius) String() string { return fmt.Sprintf("%.1f°C", float64(c)) }
func (g goer) GoString() string  { return fmt.Sprintf("goer<%d>", g.n) }
func (f former) Format(st fmt.State, verb rune) {
	w, ok := st.Width()
	fmt.Fprintf(st, "[%c %d %v %v %v]", verb, w, ok, st.Flag('+'), f.n)
}
func (p *ptrStr) String() string { return fmt.Sprint("ptr", p.n) }
func (f fails) String() string   { panic(fmt.Sprint("no ", f.n)) }
func (e myErr) Error() string    { return fmt.Sprint("code ", e.code) }
func (s square) Area() float64   { return s.s * s.s }

// cases are values of all sorts of types.
func cases() []any {
	n := &node{V: 1, Kids: []*node{nil}}
	n.next = &node{V: 2}
	return []any{
		point{1, 2}, []point{{1, 2}, {3, 4}}, [2]point{}, map[string]point{"b": {1, 2}, "a": {3, 4}}, map[point]string{{2, 1}: "x", {1, 9}: "y"},
		&point{1, 2}, &[]point{{1, 2}}, &map[string]point{"a": {}}, &[1]point{}, (*point)(nil), []point(nil), map[string]point(nil),
		inner{"a b"}, outer{inner{"q"}, nil, []byte("hi"), time.Second, time.Minute},
		celsius(21.55), []celsius{1, 2}, map[celsius]weekday{3: 1, 1: 2}, weekday(1), []weekday{0, 1}, map[weekday]int{2: 1, 0: 5},
		struct{ D weekday }{1}, struct{ d weekday }{1}, struct{ D *weekday }{}, struct {
			A int `json:"a"`
			b any
		}{1, weekday(1)},
		name("hi \"there\""), names{"a", "b"}, blob("xyz"), blob(nil), flags{true, false, true}, grid{{1, 2}: 3.5},
		any3{point{1, 2}, weekday(1)}, any3{nil, []any{weekday(2), name("x"), nil, 1.5}}, any3{weekday(1), false},
		[]any{point{1, 2}, weekday(1), nil, "s", 3, celsius(1)}, map[string]any{"z": weekday(1), "y": []any{point{}}}, []any{},
		map[any]int{"b": 1, "a": 2}, []fmt.Stringer{weekday(1), celsius(2)}, strct{weekday(2)}, strct{},
		node{V: 3, Kids: []*node{}}, goer{4}, []goer{{5}}, &goer{6}, former{1}, []former{{2}, {3}}, ptrStr{8}, &ptrStr{9}, struct{ P ptrStr }{},
		(*ptrStr)(nil), fails{1}, []fails{{2}}, myErr{3}, &myErr{4}, []error{myErr{5}, errors.New("plain"), nil}, withErr{myErr{6}}, withErr{},
		holder{square{2}}, holder{}, []shape{square{1}, nil}, cplx(1 + 2i), []cplx{2i}, u8(200), []u8{1, 2, 255}, [2]u8{65, 66}, runes("hé"),
		math.NaN(), celsius(math.Inf(1)), map[celsius]int{celsius(math.NaN()): 1, 2: 2}, ch(nil), fn(nil), ptr(nil),
		[]names{{"a"}, nil}, [][]point{{{1, 2}}, nil}, map[string][]weekday{"a": {1}}, struct{}{}, []struct{ X, y int }{{1, 2}},
		time.Duration(5), []any{time.Second}, map[name]any{"k": map[name]any{"z": point{5, 6}}}, any(nil), &[]any{weekday(1)},
		struct{ t time.Time }{}, struct{ P *time.Time }{}, []map[string]point{{"a": {}}}, errors.Join(myErr{1}, myErr{2}), fmt.Errorf("w: %w", myErr{7}),
	}
}

// Every verb with flags prints every value as fmt does.
func TestPrintAsFmt(t *testing.T) {
	l := &lowering{map[reflect.Type]*Type{}}
	formats := []string{"%v", "%+v", "%#v", "%T", "%d", "%s", "%q", "%x", "%X", "% x", "%#x", "%o", "%b", "%c", "%U", "%e", "%f", "%.2f", "%8.3g", "%t", "%p",
		"%10v", "%-10v|", "%05d", "%+d", "%+q", "%#q", "%6s", "%.1s", "%w", "%z", "%!", "%-20T|", "%[1]T", "%[1]v %[1]T", "%*v", "%[2]*[1]v"}
	for _, v := range cases() {
		b := l.box(v)
		for _, f := range formats {
			args, boxes := []any{v}, []any{b}
			if f == "%*v" {
				args, boxes = []any{12, v}, []any{12, b}
			} else if strings.Contains(f, "[2]*") {
				args, boxes = []any{v, 9}, []any{b, 9}
			}
			want, got := fmt.Sprintf(f, args...), Sprintf(f, boxes...)
			if got != want && !sameButAddress(got, want) {
				t.Errorf("%s of %T:\n got  %s\n want %s", f, v, got, want)
			}
		}
		if got, want := Sprintln("a", b, b, 1), fmt.Sprintln("a", v, v, 1); got != want && !sameButAddress(got, want) {
			t.Errorf("Sprintln of %T: got %s want %s", v, got, want)
		}
		if got, want := Sprint("a", b, b, 1, 2, b), fmt.Sprint("a", v, v, 1, 2, v); got != want && !sameButAddress(got, want) {
			t.Errorf("Sprint of %T: got %s want %s", v, got, want)
		}
		if got, want := string(Append([]byte("x"), b))+string(Appendf(nil, "%v", b))+string(Appendln(nil, b)),
			string(fmt.Append([]byte("x"), v))+string(fmt.Appendf(nil, "%v", v))+string(fmt.Appendln(nil, v)); got != want && !sameButAddress(got, want) {
			t.Errorf("Append of %T: got %s want %s", v, got, want)
		}
		// A box that reaches fmt by another way, at the top and inside.
		if got, want := fmt.Sprintf("%v %+v", b, b), fmt.Sprintf("%v %+v", v, v); got != want && !sameButAddress(got, want) {
			t.Errorf("fmt itself, %T: got %s want %s", v, got, want)
		}
	}
}

var address = regexp.MustCompile(`0[xX][0-9a-fA-F]{8,}|[0-9a-fA-F]{11,}`)

// sameButAddress compares texts in which addresses differ.
func sameButAddress(a, b string) bool {
	return address.ReplaceAllString(a, "@") == address.ReplaceAllString(b, "@")
}

func TestErrorf(t *testing.T) {
	l := &lowering{map[reflect.Type]*Type{}}
	e := l.box(myErr{7}).(error)
	err := Errorf("at %v: %w", l.box(point{1, 2}), e)
	if err.Error() != "at {1 2}: code 7" {
		t.Errorf("text %q", err)
	}
	if errors.Unwrap(err) != e {
		t.Errorf("wraps %v", errors.Unwrap(err))
	}
	if err := Errorf("%w and %w, a %T", e, errors.New("x"), e); err.Error() != "code 7 and x, a value.myErr" || !errors.Is(err, e) {
		t.Errorf("got %q", err)
	}
	if err := Errorf("plain %d", 3); err.Error() != "plain 3" {
		t.Errorf("got %q", err)
	}
}

// The finder of operands agrees with fmt on which operand a verb takes.
func TestDirectives(t *testing.T) {
	for _, c := range []struct {
		format string
		args   int
	}{
		{"%d %s %v", 3}, {"%[2]d %d", 3}, {"%*d %d", 3}, {"%[3]*.[2]*[1]f %d", 3}, {"%.*f|%d", 3}, {"%% %d", 1}, {"%[5]d %d", 2}, {"%[x]d %d", 2},
		{"%-+# 08.3d %v", 2}, {"%[1]d %[1]v %d", 2}, {"%6.*d %d", 3}, {"%", 0}, {"%é %d", 2}, {"%.d %d", 2},
	} {
		for _, d := range directives(c.format, c.args) {
			// The operand that the verb takes is the one whose change changes the text.
			mark := func(i int) string {
				args := make([]any, c.args)
				for k := range args {
					args[k] = 3
				}
				if i < len(args) {
					args[i] = 4
				}
				return fmt.Sprintf(c.format, args...)
			}
			if d.arg < c.args && mark(d.arg) == mark(99) {
				t.Errorf("%q: verb %c at %d does not take operand %d", c.format, d.verb, d.at, d.arg)
			}
		}
	}
}

func BenchmarkSprintfBox(b *testing.B) {
	l := &lowering{map[reflect.Type]*Type{}}
	p := l.box(point{1, 2})
	b.ReportAllocs()
	for b.Loop() {
		_ = Sprintf("%v %d", p, 3)
	}
}

func BenchmarkSprintfPlain(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_ = Sprintf("%v %d", "x", 3)
	}
}
