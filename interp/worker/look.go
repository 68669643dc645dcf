package worker

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"gaucho/interp/wire"
	"gaucho/stdlib/display"
	"gaucho/stdlib/table"
)

// A looker describes values from outside. It calls no method that a cell declared.
type looker struct {
	live bool // maps may be written meanwhile
}

const (
	textLength = 100 // runes of a value's short text
	pageLength = 100 // parts that are listed at once
	sortLength = 10_000
)

// item describes a value without its parts.
func (l looker) item(name string, v display.Value) wire.Item {
	it := wire.Item{Name: name, Type: v.TypeName(), Text: l.text(v)}
	it.Parts = l.count(v)
	return it
}

// text is a value in short.
func (l looker) text(v display.Value) string {
	var b strings.Builder
	l.write(&b, v, 4)
	return shorten(b.String())
}

func shorten(s string) string {
	if utf8.RuneCountInString(s) <= textLength {
		return s
	}
	return string([]rune(s)[:textLength]) + "…"
}

// full reports whether a text is long enough.
func full(b *strings.Builder) bool { return b.Len() > 2*textLength }

// write appends a value's text, to a depth.
func (l looker) write(b *strings.Builder, v display.Value, depth int) {
	if full(b) {
		return
	}
	if s, ok := l.special(v); ok {
		b.WriteString(s)
		return
	}
	switch k := v.Kind(); k {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.String:
		s := v.Basic().(string)
		if len(s) > 4*textLength {
			s = s[:4*textLength]
		}
		b.WriteString(strconv.Quote(s))
	case reflect.Interface, reflect.Pointer:
		switch {
		case v.IsNil():
			b.WriteString("nil")
		case depth == 0:
			b.WriteString("…")
		default:
			if k == reflect.Pointer {
				b.WriteByte('&')
			}
			l.write(b, v.Elem(), depth-1)
		}
	case reflect.Slice, reflect.Array:
		l.writeList(b, v, depth)
	case reflect.Map:
		l.writeMap(b, v, depth)
	case reflect.Struct:
		l.writeStruct(b, v, depth)
	case reflect.Chan:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		fmt.Fprintf(b, "%d queued", v.Len())
	case reflect.Func, reflect.UnsafePointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteString(k.String())
	default:
		fmt.Fprint(b, v.Basic())
	}
}

func (l looker) writeList(b *strings.Builder, v display.Value, depth int) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		b.WriteString("nil")
		return
	}
	n := v.Len()
	if n > 3 {
		fmt.Fprintf(b, "len %d ", n)
	}
	b.WriteByte('[')
	for i := 0; i < n && !full(b); i++ {
		if i > 0 {
			b.WriteByte(' ')
		}
		if depth == 0 {
			b.WriteString("…")
			break
		}
		l.write(b, v.Index(i), depth-1)
	}
	b.WriteByte(']')
}

func (l looker) writeMap(b *strings.Builder, v display.Value, depth int) {
	if v.IsNil() {
		b.WriteString("nil")
		return
	}
	fmt.Fprintf(b, "len %d", v.Len())
	if l.live || v.Len() == 0 || depth == 0 || v.Len() > sortLength {
		return
	}
	b.WriteString(" {")
	for i, k := range l.keys(v) {
		if full(b) {
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		l.write(b, k, 1)
		b.WriteString(": ")
		l.write(b, v.MapIndex(k), depth-1)
	}
	b.WriteByte('}')
}

func (l looker) writeStruct(b *strings.Builder, v display.Value, depth int) {
	b.WriteByte('{')
	for i := range v.NumField() {
		if full(b) {
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		f := v.Field(i)
		b.WriteString(f.Name + ": ")
		if depth == 0 {
			b.WriteString("…")
			continue
		}
		l.write(b, f.Value, depth-1)
	}
	b.WriteByte('}')
}

// special is the text of values of compiled packages that say more than their fields: matrices, tables, and what has a method
// String or Error. One that panics there shows its fields.
func (l looker) special(v display.Value) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			text, ok = "", false
		}
	}()
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "", false
		}
	case reflect.Interface:
		return "", false
	}
	switch x := v.Interface().(type) {
	case mat.Matrix:
		return matrixText(x), true
	case *table.Table:
		return fmt.Sprintf("%d rows [%s]", x.Len(), strings.Join(x.Names(), " ")), true
	case error:
		return x.Error(), true
	case fmt.Stringer:
		return x.String(), true
	}
	return "", false
}

func matrixText(m mat.Matrix) string {
	r, c := m.Dims()
	var b strings.Builder
	fmt.Fprintf(&b, "%d×%d [", r, c)
	for i := range r {
		if i > 0 {
			b.WriteString("; ")
		}
		for j := range c {
			if full(&b) {
				return b.String()
			}
			if j > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%.4g", m.At(i, j))
		}
	}
	b.WriteByte(']')
	return b.String()
}

// open goes through pointers and interfaces to what has parts.
func open(v display.Value) display.Value {
	for range 8 {
		if k := v.Kind(); (k != reflect.Pointer && k != reflect.Interface) || v.IsNil() {
			return v
		}
		v = v.Elem()
	}
	return v
}

// through returns the T that v is or leads to by pointers and interfaces.
func through[T any](v display.Value) (t T, ok bool) {
	for range 8 {
		if t, ok = v.Interface().(T); ok && !(v.Kind() == reflect.Pointer && v.IsNil()) {
			return t, true
		}
		if k := v.Kind(); (k != reflect.Pointer && k != reflect.Interface) || v.IsNil() {
			break
		}
		v = v.Elem()
	}
	var none T
	return none, false
}

// columnValues is what is shown of a column: a slice.
func columnValues(c *table.Column) any {
	if c.Kind() == table.Float {
		return c.Floats()
	}
	all := make([]any, c.Len())
	for i := range all {
		all[i] = c.Value(i)
	}
	return all
}

// count is the number of a value's parts.
func (l looker) count(v display.Value) int {
	if m, ok := through[mat.Matrix](v); ok {
		r, _ := m.Dims()
		return r
	}
	if t, ok := through[*table.Table](v); ok {
		return len(t.Names())
	}
	switch v = open(v); v.Kind() {
	case reflect.Slice, reflect.Array:
		return v.Len()
	case reflect.Map:
		if l.live {
			return 0
		}
		return v.Len()
	case reflect.Struct:
		return v.NumField()
	}
	return 0
}

// keys are a map's keys, in order unless there are very many.
func (l looker) keys(v display.Value) []display.Value {
	keys := v.Keys()
	if len(keys) > sortLength {
		return keys
	}
	sort.SliceStable(keys, func(i, j int) bool { return lessKey(keys[i], keys[j]) })
	return keys
}

func lessKey(a, b display.Value) bool {
	switch x := a.Basic().(type) {
	case int64:
		if y, ok := b.Basic().(int64); ok {
			return x < y
		}
	case uint64:
		if y, ok := b.Basic().(uint64); ok {
			return x < y
		}
	case float64:
		if y, ok := b.Basic().(float64); ok {
			return x < y
		}
	case string:
		if y, ok := b.Basic().(string); ok {
			return x < y
		}
	}
	return fmt.Sprint(a.Interface()) < fmt.Sprint(b.Interface())
}

// parts lists the parts of what a path leads to from v, or where there are many, stretches of them.
func (l looker) parts(v display.Value, path []wire.Step) []wire.Item {
	lo, hi := 0, -1
	for _, s := range path {
		if s.Hi > s.Lo+1 {
			lo, hi = s.Lo, s.Hi
			continue
		}
		v, lo, hi = l.part(v, s.Lo), 0, -1
		if v == nil {
			return nil
		}
	}
	n := l.count(v)
	if hi < 0 || hi > n {
		hi = n
	}
	var out []wire.Item
	if hi-lo > pageLength {
		step := pageLength
		for (hi-lo)/step > pageLength {
			step *= pageLength
		}
		for ; lo < hi; lo += step {
			s := wire.Step{Lo: lo, Hi: min(lo+step, hi)}
			if s.Hi == s.Lo+1 {
				out = append(out, l.partItem(v, lo))
				continue
			}
			out = append(out, wire.Item{Name: fmt.Sprintf("[%d:%d]", s.Lo, s.Hi), Part: s, Parts: s.Hi - s.Lo})
		}
		return out
	}
	for ; lo < hi; lo++ {
		out = append(out, l.partItem(v, lo))
	}
	return out
}

func (l looker) partItem(v display.Value, i int) wire.Item {
	item := wire.Item{Name: fmt.Sprintf("[%d]", i)}
	if p := l.part(v, i); p != nil {
		item = l.item(l.partName(v, i), p)
	}
	item.Part = wire.Step{Lo: i, Hi: i + 1}
	return item
}

// part is one part of a value, nil if there is none.
func (l looker) part(v display.Value, i int) display.Value {
	if i < 0 || i >= l.count(v) {
		return nil
	}
	if m, ok := through[mat.Matrix](v); ok {
		_, c := m.Dims()
		row := make([]float64, c)
		for j := range row {
			row[j] = m.At(i, j)
		}
		return display.ValueOf(row)
	}
	if t, ok := through[*table.Table](v); ok {
		return display.ValueOf(columnValues(t.Column(t.Names()[i])))
	}
	switch v = open(v); v.Kind() {
	case reflect.Struct:
		return v.Field(i).Value
	case reflect.Map:
		return v.MapIndex(l.keys(v)[i])
	}
	return v.Index(i)
}

func (l looker) partName(v display.Value, i int) string {
	if t, ok := through[*table.Table](v); ok {
		return "[" + strconv.Quote(t.Names()[i]) + "]"
	}
	if _, ok := through[mat.Matrix](v); !ok {
		switch v = open(v); v.Kind() {
		case reflect.Struct:
			return v.Field(i).Name
		case reflect.Map:
			return "[" + l.text(l.keys(v)[i]) + "]"
		}
	}
	return fmt.Sprintf("[%d]", i)
}
