package render

import (
	"cmp"
	"fmt"
	"image"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gaucho/stdlib/display"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
)

// What a literal shows before it is cut. Values are cut before they are rendered.
const (
	lineWidth   = 100    // columns of a line of text
	maxElements = 200    // of one slice, array, or map in text
	maxString   = 10_000 // bytes of a string
	maxDepth    = 6
)

// Literal returns the text form of a value, as a Go programmer would write it: strings quoted, numbers plain, composite
// values as composite literals, broken into lines where they are long. A value with an Error or String method prints
// as that says. Large values are cut, and the text says by how much.
func Literal(v any) string {
	var b strings.Builder
	n := literal(display.ValueOf(v), 0, true)
	n.write(&b, 0, 0)
	return b.String()
}

// A node is a piece of a literal: a leaf, or a list of nodes between brackets.
type node struct {
	text  string // of a leaf, or what precedes the open bracket
	list  []node
	close string // closing bracket; empty for a leaf
	label string // "X: " of a field, "key: " of a map element
	fill  bool   // several elements a line
	more  string // what follows the last element: "… 31 more"
}

// flat returns the length of the node on one line, or a number above limit.
func (n *node) flat(limit int) int {
	size := utf8.RuneCountInString(n.label) + utf8.RuneCountInString(n.text) + 2*len(n.close) + len(n.more)
	for i := range n.list {
		if size > limit {
			return size
		}
		size += n.list[i].flat(limit) + 2
	}
	return size
}

// write prints the node at an indentation; column is how far the line has got.
func (n *node) write(b *strings.Builder, indent, column int) {
	b.WriteString(n.label)
	b.WriteString(n.text)
	if n.close == "" {
		return
	}
	b.WriteByte(n.close[0] - 2) // { and [ are two before } and ] in ASCII
	if column+n.flat(lineWidth) <= lineWidth {
		for i := range n.list {
			if i > 0 {
				b.WriteString(", ")
			}
			n.list[i].write(b, indent, 0)
		}
		n.writeMore(b, ", ")
	} else {
		n.writeLines(b, indent+1)
		b.WriteString("\n" + strings.Repeat("    ", indent))
	}
	b.WriteString(n.close)
}

func (n *node) writeLines(b *strings.Builder, indent int) {
	start := "\n" + strings.Repeat("    ", indent)
	column := lineWidth
	for i := range n.list {
		e := &n.list[i]
		size := e.flat(lineWidth) + 2
		if !n.fill || column+size > lineWidth {
			b.WriteString(start)
			column = 4 * indent
		} else {
			b.WriteByte(' ')
		}
		e.write(b, indent, 4*indent)
		b.WriteByte(',')
		column += size
	}
	n.writeMore(b, start)
}

func (n *node) writeMore(b *strings.Builder, before string) {
	if n.more == "" {
		return
	}
	if len(n.list) == 0 && before == ", " {
		before = ""
	}
	b.WriteString(before + n.more)
}

func leaf(s string) node { return node{text: s} }

// more returns what stands for n elements that are left out.
func more(n int) string {
	if n <= 0 {
		return ""
	}
	return "… " + strconv.Itoa(n) + " more"
}

// typeName returns a type's name without the package that all cells share.
func typeName(v display.Value) string {
	return strings.ReplaceAll(strings.ReplaceAll(v.TypeName(), "interface {}", "any"), "main.", "")
}

// literal builds the node of a value. With typed its type precedes its brackets.
func literal(v display.Value, depth int, typed bool) node {
	if said, ok := says(v); ok {
		return leaf(said)
	}
	if depth > 0 {
		if short, ok := inShort(v); ok {
			return leaf(short)
		}
	}
	switch kind := v.Kind(); kind {
	case reflect.Invalid:
		return leaf("nil")
	case reflect.Interface:
		if v.IsNil() {
			return leaf("nil")
		}
		return literal(v.Elem(), depth, true)
	case reflect.Pointer:
		return pointer(v, depth, typed)
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		if kind != reflect.Struct && kind != reflect.Array && v.IsNil() {
			return leaf(typeName(v) + "(nil)")
		}
		if kind == reflect.Slice {
			if s, ok := v.Interface().([]byte); ok && v.TypeName() == "[]uint8" {
				return byteSlice(s)
			}
		}
		if depth >= maxDepth {
			return leaf(typeName(v) + "{…}")
		}
		return composite(v, depth, typed)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			return leaf(typeName(v) + "(nil)")
		}
		if kind == reflect.Chan {
			return leaf(fmt.Sprintf("%s (%d waiting)", typeName(v), v.Len()))
		}
		return leaf(typeName(v))
	case reflect.String:
		return leaf(quote(v.Basic().(string), maxString))
	default:
		return leaf(fmt.Sprint(shorten(v)))
	}
}

// shorten returns a number as its own type would print it: a float32 with its own digits.
func shorten(v display.Value) any {
	switch x := v.Basic().(type) {
	case float64:
		if digits.Load() > 0 {
			x, _ = strconv.ParseFloat(toDigits(x, 0), 64)
			return x
		}
		if v.Kind() == reflect.Float32 {
			return float32(x)
		}
	case complex128:
		if v.Kind() == reflect.Complex64 {
			return complex64(x)
		}
	}
	return v.Basic()
}

func pointer(v display.Value, depth int, typed bool) node {
	if v.IsNil() {
		if typed {
			return leaf("(" + typeName(v) + ")(nil)")
		}
		return leaf("nil")
	}
	if depth >= maxDepth {
		return leaf("(" + typeName(v) + ")(…)")
	}
	n := literal(v.Elem(), depth+1, true)
	n.text = "&" + n.text
	return n
}

// isOwn reports whether a value's type is the program's or the cell's own, and not a library's, which keeps to itself
// what it does not export.
func isOwn(v display.Value) bool {
	return strings.HasPrefix(v.TypeName(), "main.") || strings.HasPrefix(v.TypeName(), "struct ")
}

func composite(v display.Value, depth int, typed bool) node {
	n := node{close: "}"}
	if typed {
		n.text = typeName(v)
	}
	switch v.Kind() {
	case reflect.Struct:
		own := isOwn(v)
		for i := range v.NumField() {
			f := v.Field(i)
			if !own && !f.Exported {
				n.more = "…" // what a library keeps to itself
				continue
			}
			e := literal(f.Value, depth+1, true)
			e.label = f.Name + ": "
			n.list = append(n.list, e)
		}
	case reflect.Map:
		for _, k := range firstKeys(v, elementLimit()) {
			e := literal(v.MapIndex(k), depth+1, false)
			var key strings.Builder
			kn := literal(k, depth+1, false)
			kn.write(&key, 0, 0)
			e.label = key.String() + ": "
			n.list = append(n.list, e)
		}
		n.more = more(v.Len() - len(n.list))
	default:
		for i := range min(v.Len(), elementLimit()) {
			e := literal(v.Index(i), depth+1, false)
			if e.close != "" && i == int(rowLimit.Load()) { // lists of lists have a line for each, or more
				break
			}
			n.fill = e.close == ""
			n.list = append(n.list, e)
		}
		n.more = more(v.Len() - len(n.list))
	}
	return n
}

// says returns what a value's Error, String or Format method says of it. A method that fails, as on a struct that embeds a nil
// interface, says nothing.
func says(v display.Value) (text string, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, own := r.(runtime.Error); !own {
				panic(r)
			}
			text, ok = "", false
		}
	}()
	if v.Kind() == reflect.Invalid || v.IsNil() {
		return "", false
	}
	for _, name := range []string{"Error", "String"} {
		if f, ok := v.Method(name).(func() string); ok {
			return f(), true
		}
	}
	if f, ok := v.Method("Format").(func(fmt.State, rune)); ok {
		return fmt.Sprint(formatted(f)), true
	}
	return "", false
}

// formatted is a method Format, for package fmt.
type formatted func(s fmt.State, verb rune)

func (f formatted) Format(s fmt.State, verb rune) { f(s, verb) }

// inShort is how other values show one that has more to show than a literal: a matrix, an image, a figure.
func inShort(v display.Value) (string, bool) {
	if v.Kind() == reflect.Invalid || v.IsNil() {
		return "", false
	}
	switch x := v.Interface().(type) {
	case mat.Matrix:
		rows, cols := x.Dims()
		return matrixTitle(x, rows, cols), true
	case image.Image:
		return imageText(x), true
	case *plot.Plot:
		return typeName(v), true
	}
	if _, ok := v.Method("MIMEBundle").(func() map[string]any); ok {
		return typeName(v), true
	}
	return "", false
}

// byteSlice shows bytes as text where they are text.
func byteSlice(s []byte) node {
	if len(s) > 0 && utf8.Valid(s[:min(len(s), maxString)]) && !slices.ContainsFunc([]rune(string(s[:min(len(s), maxString)])), func(r rune) bool {
		return !unicode.IsPrint(r) && !unicode.IsSpace(r)
	}) {
		return leaf("[]byte(" + quote(string(s), maxString) + ")")
	}
	n := node{text: "[]byte", close: "}", fill: true, more: more(len(s) - elementLimit())}
	for _, c := range s[:min(len(s), elementLimit())] {
		n.list = append(n.list, leaf(fmt.Sprintf("%#02x", c)))
	}
	return n
}

// quote returns a Go string literal, cut at a number of bytes: a raw one where the text has several lines and allows it.
func quote(s string, limit int) string {
	rest := ""
	if len(s) > limit {
		cut := limit
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		rest = fmt.Sprintf(" + … %d more bytes", len(s)-cut)
		s = s[:cut]
	}
	raw := strings.Contains(strings.TrimSuffix(s, "\n"), "\n") && !strings.Contains(s, "`") && utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' && r != '\t' })
	if raw {
		return "`" + s + "`" + rest
	}
	return strconv.Quote(s) + rest
}

// firstKeys returns the first keys of a map in order, at most n: numbers by size, strings as strings, other keys by their
// text.
func firstKeys(v display.Value, n int) []display.Value {
	var first []display.Value
	for _, k := range v.Keys() {
		if len(first) == n && compareKeys(bare(k), bare(first[n-1])) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(first, k, func(a, b display.Value) int { return compareKeys(bare(a), bare(b)) })
		first = slices.Insert(first, at, k)
		first = first[:min(len(first), n)]
	}
	return first
}

// bare returns what an interface holds, and other values as they are.
func bare(v display.Value) display.Value {
	for v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	return v
}

func compareKeys(a, b display.Value) int {
	if c := int(a.Kind()) - int(b.Kind()); c != 0 {
		return c
	}
	switch x := a.Basic().(type) {
	case int64:
		return cmp.Compare(x, b.Basic().(int64))
	case uint64:
		return cmp.Compare(x, b.Basic().(uint64))
	case float64:
		return cmp.Compare(x, b.Basic().(float64))
	case string:
		return strings.Compare(x, b.Basic().(string))
	case bool:
		y := b.Basic().(bool)
		if x == y {
			return 0
		} else if y {
			return -1
		}
		return 1
	}
	return strings.Compare(line(a), line(b))
}

// line returns a value's literal on one line.
func line(v display.Value) string {
	n := literal(v, 0, true)
	var b strings.Builder
	n.writeFlat(&b)
	return b.String()
}

func (n *node) writeFlat(b *strings.Builder) {
	b.WriteString(n.label)
	b.WriteString(n.text)
	if n.close == "" {
		return
	}
	b.WriteByte(n.close[0] - 2)
	for i := range n.list {
		if i > 0 {
			b.WriteString(", ")
		}
		n.list[i].writeFlat(b)
	}
	n.writeMore(b, ", ")
	b.WriteString(n.close)
}
