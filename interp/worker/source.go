package worker

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"gonum.org/v1/gonum/mat"

	"gaucho/interp/wire"
	"gaucho/stdlib/display"
)

// A sourceWriter writes plain data as Go expressions: numbers, strings and bools, slices, arrays and maps of them, structs of
// cells that hold them, dense matrices and vectors. Types of libraries other than time's numbers it does not take. It sees both
// engines' values as their authors wrote the types. The imports that the expressions need are those of wire.SourceImports.
type sourceWriter struct {
	*strings.Builder
	values int  // numbers, strings and bools that may still come
	lists  int  // and slices, maps and structs of them
	text   int  // and bytes of strings
	depth  int  // of the value that is being written
	live   bool // goroutines of cells run: maps stay closed
	limit  string
	why    string // not all could be written

	memory *memory // where what is written is, while that is being found out
	shared shared  // memory that is written once
	pieces map[*region]string
	lets   []string // assignments of the pieces
}

// sourceValues is how many numbers, strings and bools a variable may hold to be written as Go source, sourceText how many bytes
// of strings, and sourceDepth how deep they may lie.
const (
	sourceValues = 20_000
	sourceText   = 1 << 20
	sourceDepth  = 500
)

// newSourceWriter returns a writer for n variables. For the closure of a study's function, if that is not 0, they hold up to so
// many bytes.
func newSourceWriter(n int, live bool, closure int) *sourceWriter {
	w := &sourceWriter{Builder: &strings.Builder{}, values: n * sourceValues, lists: n * sourceValues, text: n * sourceText, live: live,
		limit: fmt.Sprint(n*sourceValues, " values"), pieces: map[*region]string{}}
	if closure > 0 {
		w.values, w.lists, w.text, w.limit = closure/8, closure/8, closure, fmt.Sprint(closure>>20, " MB")
	}
	return w
}

// variable writes what a pointer to a variable points to, as an expression that has the variable's type.
func (w *sourceWriter) variable(p any) bool {
	v := display.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return w.refuse("it cannot be read")
	}
	v = v.Elem()
	if v.Kind() >= reflect.Bool && v.Kind() <= reflect.Complex128 || v.Kind() == reflect.String {
		name, ok := w.typeName(v)
		w.WriteString(name + "(")
		ok = ok && w.basic(v)
		w.WriteString(")")
		return ok
	}
	return w.value(v)
}

// refuse says why a value is not written; the first reason counts.
func (w *sourceWriter) refuse(format string, args ...any) bool {
	if w.why == "" {
		w.why = fmt.Sprintf(format, args...)
	}
	return false
}

// full refuses a variable that holds too much.
func (w *sourceWriter) full() bool { return w.refuse("it holds more than %s", w.limit) }

// libraryTypes are the types of libraries that values may have, by the names under which source has them.
var libraryTypes = strings.NewReplacer("main.", "",
	"time.Duration", imported("time")+"Duration", "time.Month", imported("time")+"Month", "time.Weekday", imported("time")+"Weekday",
	"*mat.Dense", "&"+imported("mat")+"Dense", "*mat.VecDense", "&"+imported("mat")+"VecDense")

// imported is how source names a package.
func imported(name string) string { return "value" + name + wire.SourceMark + "." }

// typeName is a type's name as a cell has it; ok is false for types that are not written.
func (w *sourceWriter) typeName(v display.Value) (name string, ok bool) {
	name = libraryTypes.Replace(v.TypeName())
	if strings.ContainsAny(strings.ReplaceAll(name, wire.SourceMark+".", ""), ".*{") || strings.Contains(name, "interface") {
		return "", w.refuse("it holds a %s", strings.ReplaceAll(v.TypeName(), "main.", ""))
	}
	return strings.ReplaceAll(name, "&", "*"), true
}

func (w *sourceWriter) value(v display.Value) bool {
	name, ok := w.typeName(v)
	if !ok {
		return false
	}
	k := v.Kind()
	if k <= reflect.Complex128 || k == reflect.String {
		if name == k.String() {
			return w.basic(v)
		}
		w.WriteString(name + "(")
		ok := w.basic(v)
		w.WriteString(")")
		return ok
	}
	w.depth++
	defer func() { w.depth-- }()
	if w.lists--; w.lists < 0 {
		return w.full()
	}
	if w.depth > sourceDepth {
		return w.refuse("it is nested too deeply, or holds itself")
	}
	switch k {
	case reflect.Struct:
		return w.list(name, v.NumField(), func(i int) bool {
			f := v.Field(i)
			w.WriteString(f.Name + ": ")
			return f.Name != "_" && w.value(f.Value) || w.refuse("it has a blank field")
		})
	case reflect.Array:
		return w.array(v, name)
	case reflect.Slice:
		return w.slice(v, name)
	case reflect.Map:
		return w.mapping(v, name)
	case reflect.Pointer:
		return w.pointer(v, name)
	}
	return w.refuse("it holds a %s", k)
}

// list writes a composite literal of n elements.
func (w *sourceWriter) list(name string, n int, element func(i int) bool) bool {
	w.WriteString(name + "{")
	for i := range n {
		if i > 0 {
			w.WriteString(", ")
		}
		if !element(i) {
			return false
		}
	}
	w.WriteString("}")
	return true
}

// array writes an array. Its length is there even if its type has a name: the constant may have another value where that is read.
func (w *sourceWriter) array(v display.Value, name string) bool {
	n := v.Len()
	bare := name
	if n > 0 {
		elem, ok := w.typeName(v.Index(0))
		if !ok {
			return false
		}
		bare = fmt.Sprintf("[%d]%s", n, elem)
	}
	if bare != name {
		w.WriteString(name + "(")
		defer w.WriteString(")")
	}
	return w.list(bare, n, func(i int) bool { return w.value(v.Index(i)) })
}

func (w *sourceWriter) slice(v display.Value, name string) bool {
	if v.IsNil() {
		w.WriteString("(" + name + ")(nil)")
		return true
	}
	s := sliceAt(v)
	w.memory.enter(s)
	if r := w.shared.at(s); r != nil {
		piece, ok := w.piece(r)
		from := int((s.lo - r.lo) / s.size)
		fmt.Fprintf(w, "%s(%s[%d:%d:%d])", name, piece, from, from+v.Len(), min(from+s.capacity(), r.length))
		return ok
	}
	return w.elements(v, name)
}

// elements writes the elements of a slice.
func (w *sourceWriter) elements(v display.Value, name string) bool {
	if raw := rawOf(v); name == "[]float64" && raw.Type().Elem().Kind() == reflect.Float64 && v.Len() > listedFloats {
		return w.encoded(unsafe.Slice((*float64)(raw.UnsafePointer()), v.Len()))
	}
	return w.list(name, v.Len(), func(i int) bool { return w.value(v.Index(i)) })
}

func (w *sourceWriter) mapping(v display.Value, name string) bool {
	if v.IsNil() {
		w.WriteString("(" + name + ")(nil)")
		return true
	}
	if w.live {
		return w.refuse("it holds a map that goroutines of cells may use")
	}
	if v.Len() > w.values {
		return w.full()
	}
	m := place{lo: rawOf(v).Pointer(), size: 1, bytes: 1, view: v}
	w.memory.enter(m)
	if r := w.shared.at(m); r != nil {
		piece, ok := w.piece(r)
		w.WriteString(name + "(" + piece + ")")
		return ok
	}
	return w.entries(v, name)
}

// entries writes a map in the order of the texts of its keys.
func (w *sourceWriter) entries(v display.Value, name string) bool {
	type entry struct {
		text string
		key  display.Value
	}
	var entries []entry
	for _, k := range v.Keys() {
		text, ok := w.aside(func() bool { return w.value(k) })
		if !ok {
			return false
		}
		entries = append(entries, entry{text, k})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return strings.Compare(a.text, b.text) })
	return w.list(name, len(entries), func(i int) bool {
		e := v.MapIndex(entries[i].key)
		if e.Kind() == reflect.Invalid {
			return w.refuse("it holds a map with a key that is not equal to itself")
		}
		w.WriteString(entries[i].text + ": ")
		return w.value(e)
	})
}

// aside is what f writes.
func (w *sourceWriter) aside(f func() bool) (string, bool) {
	outer := w.Builder
	defer func() { w.Builder = outer }()
	w.Builder = &strings.Builder{}
	ok := f()
	return w.String(), ok
}

// pointer writes a matrix or a vector.
func (w *sourceWriter) pointer(v display.Value, name string) bool {
	if v.IsNil() {
		w.WriteString("(" + name + ")(nil)")
		return true
	}
	raw := rawOf(v)
	p := place{lo: raw.Pointer(), size: 1, bytes: 1, view: v}
	w.memory.enter(p)
	if r := w.shared.at(p); r != nil {
		piece, ok := w.piece(r)
		w.WriteString(piece)
		return ok
	}
	return w.matrix(raw, name)
}

func (w *sourceWriter) matrix(raw reflect.Value, name string) bool {
	switch raw.Type() {
	case reflect.TypeFor[*mat.Dense]():
		m := (*mat.Dense)(raw.UnsafePointer())
		r, c := m.Dims()
		if m.IsEmpty() {
			break
		}
		fmt.Fprintf(w, "%sNewDense(%d, %d, ", imported("mat"), r, c)
		all := m.RawMatrix()
		return w.numbers(all.Data, all.Stride == c, func() []float64 { return mat.DenseCopyOf(m).RawMatrix().Data })
	case reflect.TypeFor[*mat.VecDense]():
		m := (*mat.VecDense)(raw.UnsafePointer())
		if m.IsEmpty() {
			break
		}
		fmt.Fprintf(w, "%sNewVecDense(%d, ", imported("mat"), m.Len())
		all := m.RawVector()
		return w.numbers(all.Data, all.Inc == 1, func() []float64 { return mat.Col(nil, 0, m) })
	default:
		return w.refuse("it holds a %s", raw.Type())
	}
	w.WriteString("new(" + strings.TrimPrefix(name, "*") + ")")
	return true
}

// numbers writes the numbers of a matrix, and the end of the call that takes them: those in data, or if that has gaps the copy.
func (w *sourceWriter) numbers(data []float64, dense bool, packed func() []float64) (ok bool) {
	if dense {
		ok = w.value(display.ValueOf(data))
	} else {
		s := sliceAt(display.ValueOf(data))
		s.strided = true
		w.memory.enter(s)
		if w.shared.at(s) != nil {
			return w.refuse("it is a part of a matrix, and shares its memory")
		}
		ok = w.elements(display.ValueOf(packed()), "[]float64")
	}
	w.WriteString(")")
	return ok
}

// basic writes a number, a string or a bool.
func (w *sourceWriter) basic(v display.Value) bool {
	if w.values--; w.values < 0 {
		return w.full()
	}
	bits := 64
	if k := v.Kind(); k == reflect.Float32 || k == reflect.Complex64 {
		bits = 32
	}
	switch x := v.Basic().(type) {
	case bool:
		w.WriteString(strconv.FormatBool(x))
	case int64:
		w.WriteString(strconv.FormatInt(x, 10))
	case uint64:
		if v.Kind() == reflect.Uintptr {
			return w.refuse("it holds an address")
		}
		w.WriteString(strconv.FormatUint(x, 10))
	case float64:
		w.float(x, bits)
	case complex128:
		fmt.Fprintf(w, "complex(float%d(", bits)
		w.float(real(x), bits)
		fmt.Fprintf(w, "), float%d(", bits)
		w.float(imag(x), bits)
		w.WriteString("))")
	case string:
		if w.text -= len(x); w.text < 0 {
			return w.refuse("its strings are too long")
		}
		w.WriteString(strconv.Quote(x))
	default:
		return w.refuse("it holds a %s", v.Kind())
	}
	return true
}

// float writes a number. Infinity, NaN and negative zero have no literal.
func (w *sourceWriter) float(x float64, bits int) {
	if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 && math.Signbit(x) {
		fmt.Fprintf(w, "float%d(%sFloat64frombits(%#x))", bits, imported("math"), math.Float64bits(x))
		return
	}
	w.WriteString(strconv.FormatFloat(x, 'g', -1, bits))
}

// listedFloats is how many floats are written as a list.
const listedFloats = 32

// encoded writes many floats as their bytes.
func (w *sourceWriter) encoded(list []float64) bool {
	if w.values -= len(list); w.values < 0 {
		return w.full()
	}
	raw := make([]byte, 0, 8*len(list))
	for _, x := range list {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
	}
	decoder := fmt.Sprintf("%[1]sNewDecoder(%[1]sStdEncoding, %[2]sNewReader(%[3]q))", imported("base64"), imported("strings"), base64.StdEncoding.EncodeToString(raw))
	fmt.Fprintf(w, "func() []float64 { x := make([]float64, %d); if err := %[2]sRead(%[3]s, %[2]sLittleEndian, x); err != nil { panic(err) }; return x }()",
		len(list), imported("binary"), decoder)
	return true
}
