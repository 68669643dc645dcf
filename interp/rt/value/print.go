package value

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// The functions below are those of package fmt for values that may be, or hold, boxes. They hand the values that hold
// none to fmt as they are, and wrap the others in a Formatter that knows how fmt would print them.

// Fprintln is fmt.Fprintln.
func Fprintln(w io.Writer, a ...any) (n int, err error) {
	return fmt.Fprintln(w, wrapped(a)...)
}

// Fprintf is fmt.Fprintf.
func Fprintf(w io.Writer, format string, a ...any) (n int, err error) {
	format, a = prepare(format, a)
	return fmt.Fprintf(w, format, a...)
}

// Fprint is fmt.Fprint.
func Fprint(w io.Writer, a ...any) (n int, err error) {
	if !anyBoxed(a) {
		return fmt.Fprint(w, a...)
	}
	return io.WriteString(w, Sprint(a...))
}

// Sprintln is fmt.Sprintln.
func Sprintln(a ...any) string { return fmt.Sprintln(wrapped(a)...) }

// Sprintf is fmt.Sprintf.
func Sprintf(format string, a ...any) string {
	format, a = prepare(format, a)
	return fmt.Sprintf(format, a...)
}

// Sprint is fmt.Sprint. That sets a space between operands of which neither is a string, so it has to see which boxes
// hold strings.
func Sprint(a ...any) string {
	if !anyBoxed(a) {
		return fmt.Sprint(a...)
	}
	var b strings.Builder
	wasString := false
	for i, v := range a {
		isString := v != nil && kindOf(v) == reflect.String
		if i > 0 && !isString && !wasString {
			b.WriteByte(' ')
		}
		fmt.Fprint(&b, wrap(v))
		wasString = isString
	}
	return b.String()
}

// Append is fmt.Append.
func Append(b []byte, a ...any) []byte {
	if !anyBoxed(a) {
		return fmt.Append(b, a...)
	}
	return append(b, Sprint(a...)...)
}

// Appendf is fmt.Appendf.
func Appendf(b []byte, format string, a ...any) []byte {
	format, a = prepare(format, a)
	return fmt.Appendf(b, format, a...)
}

// Appendln is fmt.Appendln.
func Appendln(b []byte, a ...any) []byte { return fmt.Appendln(b, wrapped(a)...) }

// Errorf is fmt.Errorf. What %w wraps stays what it is.
func Errorf(format string, a ...any) error {
	if !anyBoxed(a) {
		return fmt.Errorf(format, a...)
	}
	list := make([]any, len(a))
	for i, v := range a {
		list[i] = wrap(v)
	}
	for _, d := range directives(format, len(a)) {
		if d.verb == 'w' && d.arg < len(a) {
			list[d.arg] = asError(a[d.arg])
		}
	}
	return fmt.Errorf(rewrite(format, list), list...)
}

// kindOf returns the kind of a value in an interface.
func kindOf(v any) reflect.Kind {
	if b, ok := v.(Boxed); ok {
		return b.Unboxed().T.Kind
	}
	return reflect.TypeOf(v).Kind()
}

func anyBoxed(a []any) bool {
	return slices.ContainsFunc(a, mayHoldBox)
}

// mayHoldBox reports whether v is a box, or may hold one where fmt would show it.
func mayHoldBox(v any) bool {
	switch v.(type) {
	case nil, string, int, float64, bool, []byte, []int, []float64, []string, int64, rune, byte, uint, uint64:
		return false
	case Boxed:
		return true
	}
	return holdsInterface(reflect.TypeOf(v))
}

var holds sync.Map // reflect.Type to bool

// holdsInterface reports whether a value of the type may hold a value in an interface, so that fmt may come to a box.
func holdsInterface(t reflect.Type) bool {
	if h, ok := holds.Load(t); ok {
		return h.(bool)
	}
	h := holdsIn(t, map[reflect.Type]bool{})
	holds.Store(t, h)
	return h
}

func holdsIn(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holdsIn(t.Elem(), seen)
	case reflect.Map:
		return holdsIn(t.Key(), seen) || holdsIn(t.Elem(), seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if holdsIn(f.Type, seen) {
				return true
			}
		}
	}
	return false
}

// wrapped returns the operands with a Formatter in the place of those that may hold boxes.
func wrapped(a []any) []any {
	if !anyBoxed(a) {
		return a
	}
	list := make([]any, len(a))
	for i, v := range a {
		list[i] = wrap(v)
	}
	return list
}

func wrap(v any) any {
	if !mayHoldBox(v) {
		return v
	}
	return shown{v}
}

// shown is an operand that may hold boxes.
type shown struct{ v any }

// Format prints the operand as fmt would print what it stands for.
func (s shown) Format(st fmt.State, verb rune) {
	if b, ok := s.v.(Boxed); ok {
		box := b.Unboxed()
		formatTop(st, verb, box.T, reflect.ValueOf(box.V))
		return
	}
	formatTop(st, verb, nil, reflect.ValueOf(s.v))
}

// Format prints the box as fmt would print what it stands for.
func (b Box) Format(st fmt.State, verb rune) { shown{b}.Format(st, verb) }

// prepare readies operands and format for fmt.
func prepare(format string, a []any) (string, []any) {
	if !anyBoxed(a) {
		return format, a
	}
	list := make([]any, len(a))
	for i, v := range a {
		list[i] = wrap(v)
	}
	format, list = surplus(rewrite(format, list), list)
	if strings.Contains(format, "*") {
		for i, v := range a {
			if b, ok := v.(Boxed); ok && isInteger(b.Unboxed().T.Kind) && usedAsStar(format, i, len(a)) {
				list[i] = b.Unboxed().V
			}
		}
	}
	return format, list
}

func isInteger(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

// fmt answers %T, %p and %w itself, before it asks a Formatter. These verbs stand for them.
const (
	verbType    = '\uE054'
	verbPointer = '\uE070'
	verbWrap    = '\uE077'
)

// rewrite puts verbs that reach a Formatter in the place of %T, %p and %w for operands that are one.
func rewrite(format string, list []any) string {
	if !strings.ContainsAny(format, "Tpw") {
		return format
	}
	var b strings.Builder
	at := 0
	for _, d := range directives(format, len(list)) {
		stand, ok := map[rune]rune{'T': verbType, 'p': verbPointer, 'w': verbWrap}[d.verb]
		if !ok || d.arg >= len(list) {
			continue
		}
		if _, ok := list[d.arg].(shown); !ok {
			continue
		}
		b.WriteString(format[at:d.at])
		b.WriteRune(stand)
		at = d.at + 1
	}
	b.WriteString(format[at:])
	return b.String()
}

// surplus has the format print operands that it does not use as fmt prints such, where one of them is a Formatter: fmt
// would name its type.
func surplus(format string, list []any) (string, []any) {
	used := 0
	for _, d := range directives(format, len(list)) {
		used = max(used, d.arg+1)
		for _, s := range d.stars {
			used = max(used, s+1)
		}
	}
	if used >= len(list) || strings.Contains(format, "[") {
		return format, list
	}
	var b strings.Builder
	for i, v := range list[used:] {
		if i > 0 {
			b.WriteString(", ")
		}
		switch x := v.(type) {
		case nil:
			b.WriteString("%v")
		case shown:
			b.WriteString(typeName(x.v) + "=%v")
		default:
			b.WriteString(typeName(v) + "=%v")
		}
	}
	return format + "%%!(EXTRA " + b.String() + ")", list
}

// usedAsStar reports whether the format takes a width or precision from operand i.
func usedAsStar(format string, i, operands int) bool {
	for _, d := range directives(format, operands) {
		if slices.Contains(d.stars, i) {
			return true
		}
	}
	return false
}

// A directive is one verb of a format, with the operands that it takes.
type directive struct {
	verb  rune
	at    int // of the verb in the format
	arg   int
	stars []int // operands that give width and precision
}

// directives finds the verbs of a format, and which operands they take, as fmt does.
func directives(format string, operands int) []directive {
	var list []directive
	arg := 0
	for i := 0; i < len(format); {
		if format[i] != '%' {
			i++
			continue
		}
		i++
		d := directive{}
		good := true // the numbers in brackets are those of operands
		for i < len(format) && strings.IndexByte("#0+- ", format[i]) >= 0 {
			i++
		}
		index := func() {
			n, width, ok := argNumber(format[i:])
			i += width
			if ok && n < operands {
				arg = n
			} else if width > 0 {
				good = false
			}
		}
		star := func() bool {
			if i < len(format) && format[i] == '*' {
				i++
				d.stars = append(d.stars, arg)
				arg++
				return true
			}
			return false
		}
		number := func() {
			for i < len(format) && '0' <= format[i] && format[i] <= '9' {
				i++
			}
		}
		index()
		if !star() {
			number()
		}
		if i < len(format) && format[i] == '.' {
			i++
			index()
			if !star() {
				number()
			}
		}
		index()
		if i >= len(format) {
			break
		}
		verb, size := utf8.DecodeRuneInString(format[i:])
		if verb == '%' {
			i += size
			continue
		}
		d.verb, d.at, d.arg = verb, i, arg
		i += size
		if good {
			arg++
			list = append(list, d)
		}
	}
	return list
}

// argNumber reads an operand's number in brackets at the start of s: the operand, the length of the text, 0 if there is
// none, and whether it is a number.
func argNumber(s string) (n, width int, ok bool) {
	if !strings.HasPrefix(s, "[") {
		return 0, 0, false
	}
	end := strings.IndexByte(s, ']')
	if end < 0 {
		return 0, 1, false
	}
	n, err := strconv.Atoi(s[1:end])
	return n - 1, end + 1, err == nil && n > 0
}
