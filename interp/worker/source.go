package worker

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// sourceParts is how many numbers, strings and bools a variable may hold to be told as Go source.
const sourceParts = 20_000

// A sourceWriter writes plain data as a Go expression: numbers, strings and bools, slices, arrays and maps of them, dense
// matrices and vectors. Types that are declared somewhere else it does not take.
type sourceWriter struct {
	strings.Builder
	left int  // parts that may still come
	live bool // goroutines of cells run: maps stay closed
}

// sourceOf is what a pointer to a variable points to as a Go expression, which has the variable's type where it is
// assigned. ok is false if it is more than plain data.
func sourceOf(p any, live bool) (text string, ok bool) {
	w := &sourceWriter{left: sourceParts, live: live}
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.IsNil() || !w.value(v.Elem(), true) {
		return "", false
	}
	return w.String(), true
}

// value writes a value; top says that it is the variable itself.
func (w *sourceWriter) value(v reflect.Value, top bool) bool {
	if top {
		switch m := v.Interface().(type) {
		case *mat.Dense:
			return m != nil && !m.IsEmpty() && w.matrix(m)
		case *mat.VecDense:
			return m != nil && !m.IsEmpty() && w.vector(m)
		}
	}
	t := v.Type()
	if t.PkgPath() != "" {
		return false
	}
	if w.left--; w.left < 0 {
		return false
	}
	switch t.Kind() {
	case reflect.Bool:
		w.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		return w.float(v.Float(), t.Bits())
	case reflect.String:
		w.left -= v.Len() / 8
		w.WriteString(strconv.Quote(v.String()))
		return w.left >= 0
	case reflect.Slice:
		if v.IsNil() {
			w.WriteString("nil")
			return top
		}
		return w.list(v)
	case reflect.Array:
		return w.list(v)
	case reflect.Map:
		return w.mapping(v, top)
	default:
		return false
	}
	return true
}

// float writes a number. What has no literal is not plain: infinity, NaN, negative zero.
func (w *sourceWriter) float(x float64, bits int) bool {
	if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 && math.Signbit(x) {
		return false
	}
	w.WriteString(strconv.FormatFloat(x, 'g', -1, bits))
	return true
}

func (w *sourceWriter) list(v reflect.Value) bool {
	w.WriteString(v.Type().String() + "{")
	for i := range v.Len() {
		if i > 0 {
			w.WriteString(", ")
		}
		if !w.value(v.Index(i), false) {
			return false
		}
	}
	w.WriteString("}")
	return true
}

func (w *sourceWriter) mapping(v reflect.Value, top bool) bool {
	if v.IsNil() {
		w.WriteString("nil")
		return top
	}
	if w.live || v.Len() > w.left {
		return false
	}
	var entries []string
	for k, e := range v.Seq2() {
		entry := &sourceWriter{left: w.left}
		ok := entry.value(k, false)
		entry.WriteString(": ")
		if !ok || !entry.value(e, false) {
			return false
		}
		w.left = entry.left
		entries = append(entries, entry.String())
	}
	slices.Sort(entries)
	w.WriteString(v.Type().String() + "{" + strings.Join(entries, ", ") + "}")
	return true
}

func (w *sourceWriter) matrix(m *mat.Dense) bool {
	r, c := m.Dims()
	w.WriteString("mat.NewDense(" + strconv.Itoa(r) + ", " + strconv.Itoa(c) + ", []float64{")
	for i := range r {
		if !w.floats(m.RawRowView(i), i > 0) {
			return false
		}
	}
	w.WriteString("})")
	return true
}

func (w *sourceWriter) vector(m *mat.VecDense) bool {
	w.WriteString("mat.NewVecDense(" + strconv.Itoa(m.Len()) + ", []float64{")
	if !w.floats(mat.Col(nil, 0, m), false) {
		return false
	}
	w.WriteString("})")
	return true
}

// floats writes numbers, with a comma before the first one if there are others before.
func (w *sourceWriter) floats(list []float64, others bool) bool {
	if w.left -= len(list); w.left < 0 {
		return false
	}
	for i, x := range list {
		if i > 0 || others {
			w.WriteString(", ")
		}
		if !w.float(x, 64) {
			return false
		}
	}
	return true
}
