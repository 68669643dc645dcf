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

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/display"
)

// sourceParts is how many numbers, strings and bools a variable may hold to be written as Go source.
const sourceParts = 20_000

// A sourceWriter writes plain data as a Go expression: numbers, strings and bools, slices, arrays and maps of them, structs of
// cells that hold them, dense matrices and vectors. Types of libraries it does not take. It sees both engines' values as their
// authors wrote the types.
type sourceWriter struct {
	strings.Builder
	left int  // parts that may still come
	live bool // goroutines of cells run: maps stay closed
	// closure has every float written, long lists of them as their bytes, with imports that begin with closure2 (see
	// interp.Session.StudyProgram), and no types of cells.
	closure bool
}

// sourceOf is what a pointer to a variable points to as a Go expression, which has the variable's type where it is
// assigned, and about how many bytes that holds. ok is false if it is more than plain data, or more than sourceParts, or
// for the closure of a study's function, if that is not 0, more than so many bytes.
func sourceOf(p any, live bool, closure int) (text string, size int, ok bool) {
	parts := sourceParts
	if closure > 0 {
		parts = closure / 8
	}
	w := &sourceWriter{left: parts, live: live, closure: closure > 0}
	switch m := p.(type) {
	case **mat.Dense:
		ok = *m != nil && !(*m).IsEmpty() && w.matrix(*m)
	case **mat.VecDense:
		ok = *m != nil && !(*m).IsEmpty() && w.vector(*m)
	default:
		v := display.ValueOf(p)
		ok = v.Kind() == reflect.Pointer && !v.IsNil() && w.value(v.Elem())
	}
	if !ok {
		return "", 0, false
	}
	return w.String(), 8 * (parts - w.left), true
}

// typeName is a type's name as a cell has it; ok is false for types that are not written.
func (w *sourceWriter) typeName(v display.Value) (name string, ok bool) {
	name = v.TypeName()
	if w.closure && strings.Contains(name, "main.") {
		return "", false
	}
	name = strings.ReplaceAll(name, "main.", "")
	return name, !strings.ContainsAny(name, ".*{") && !strings.Contains(name, "interface")
}

func (w *sourceWriter) value(v display.Value) bool {
	name, ok := w.typeName(v)
	if w.left--; w.left < 0 || !ok {
		return false
	}
	switch k := v.Kind(); k {
	case reflect.Struct:
		return w.list(name, v.NumField(), func(i int) bool {
			f := v.Field(i)
			return f.Name != "_" && w.value(f.Value)
		})
	case reflect.Slice, reflect.Array:
		if k == reflect.Slice && v.IsNil() {
			w.WriteString("(" + name + ")(nil)")
			return true
		}
		if w.closure && v.Len() > listedFloats {
			if list, ok := v.Interface().([]float64); ok {
				return w.encoded(list)
			}
		}
		return w.list(name, v.Len(), func(i int) bool { return w.value(v.Index(i)) })
	case reflect.Map:
		return w.mapping(v, name)
	default:
		if name == k.String() {
			return w.basic(v)
		}
		w.WriteString(name + "(")
		ok := w.basic(v)
		w.WriteString(")")
		return ok
	}
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

func (w *sourceWriter) mapping(v display.Value, name string) bool {
	if v.IsNil() {
		w.WriteString("(" + name + ")(nil)")
		return true
	}
	if w.live || v.Len() > w.left {
		return false
	}
	var entries []string
	for _, k := range v.Keys() {
		entry := &sourceWriter{left: w.left, closure: w.closure}
		ok := entry.value(k)
		entry.WriteString(": ")
		if !ok || !entry.value(v.MapIndex(k)) {
			return false
		}
		w.left = entry.left
		entries = append(entries, entry.String())
	}
	slices.Sort(entries)
	w.WriteString(name + "{" + strings.Join(entries, ", ") + "}")
	return true
}

// basic writes a number, a string or a bool.
func (w *sourceWriter) basic(v display.Value) bool {
	switch x := v.Basic().(type) {
	case bool:
		w.WriteString(strconv.FormatBool(x))
	case int64:
		w.WriteString(strconv.FormatInt(x, 10))
	case uint64:
		w.WriteString(strconv.FormatUint(x, 10))
		return v.Kind() != reflect.Uintptr
	case float64:
		if v.Kind() == reflect.Float32 {
			return w.float(x, 32)
		}
		return w.float(x, 64)
	case string:
		w.left -= len(x) / 8
		w.WriteString(strconv.Quote(x))
		return w.left >= 0
	default:
		return false
	}
	return true
}

// float writes a number. What has no literal is not plain: infinity, NaN, negative zero.
func (w *sourceWriter) float(x float64, bits int) bool {
	if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 && math.Signbit(x) {
		if w.closure {
			fmt.Fprintf(w, "float%d(closure2math.Float64frombits(%#x))", bits, math.Float64bits(x))
		}
		return w.closure
	}
	w.WriteString(strconv.FormatFloat(x, 'g', -1, bits))
	return true
}

func (w *sourceWriter) matrix(m *mat.Dense) bool {
	r, c := m.Dims()
	fmt.Fprintf(w, "mat.NewDense(%d, %d, ", r, c)
	ok := w.floats(mat.DenseCopyOf(m).RawMatrix().Data)
	w.WriteString(")")
	return ok
}

func (w *sourceWriter) vector(m *mat.VecDense) bool {
	fmt.Fprintf(w, "mat.NewVecDense(%d, ", m.Len())
	ok := w.floats(mat.Col(nil, 0, m))
	w.WriteString(")")
	return ok
}

// floats writes a slice of numbers.
func (w *sourceWriter) floats(list []float64) bool {
	if w.closure && len(list) > listedFloats {
		return w.encoded(list)
	}
	if w.left -= len(list); w.left < 0 {
		return false
	}
	return w.list("[]float64", len(list), func(i int) bool { return w.float(list[i], 64) })
}

// listedFloats is how many floats are written as a list in a closure.
const listedFloats = 32

// encoded writes many floats as their bytes.
func (w *sourceWriter) encoded(list []float64) bool {
	if w.left -= len(list); w.left < 0 {
		return false
	}
	raw := make([]byte, 0, 8*len(list))
	for _, x := range list {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
	}
	fmt.Fprintf(w, "func() []float64 { x := make([]float64, %d); "+
		"if err := closure2binary.Read(closure2base64.NewDecoder(closure2base64.StdEncoding, closure2strings.NewReader(%q)), closure2binary.LittleEndian, x); err != nil { panic(err) }; "+
		"return x }()", len(list), base64.StdEncoding.EncodeToString(raw))
	return true
}
