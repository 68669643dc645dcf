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
)

// sourceParts is how many numbers, strings and bools a variable may hold to be told as Go source.
const sourceParts = 20_000

// A sourceWriter writes plain data as a Go expression: numbers, strings and bools, slices, arrays and maps of them, dense
// matrices and vectors. Types that are declared somewhere else it does not take.
type sourceWriter struct {
	strings.Builder
	left int  // parts that may still come
	live bool // goroutines of cells run: maps stay closed
	// travel has every float written, and long lists of them briefly, with imports that begin with travel2 (see
	// interp.Session.StudyProgram).
	travel bool
}

// sourceOf is what a pointer to a variable points to as a Go expression, which has the variable's type where it is
// assigned, and about how many bytes that holds. ok is false if it is more than plain data, or more than sourceParts, or
// with travel, if that is not 0, more than so many bytes.
func sourceOf(p any, live bool, travel int) (text string, size int, ok bool) {
	parts := sourceParts
	if travel > 0 {
		parts = travel / 8
	}
	w := &sourceWriter{left: parts, live: live, travel: travel > 0}
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.IsNil() || !w.value(v.Elem(), true) {
		return "", 0, false
	}
	return w.String(), 8 * (parts - w.left), true
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
			return top || w.travel
		}
		if list, ok := v.Interface().([]float64); ok && w.travel && len(list) > briefly {
			return w.brief(list)
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
		if w.travel {
			fmt.Fprintf(w, "float%d(travel2math.Float64frombits(%#x))", bits, math.Float64bits(x))
		}
		return w.travel
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
		return top || w.travel
	}
	if w.live || v.Len() > w.left {
		return false
	}
	var entries []string
	for k, e := range v.Seq2() {
		entry := &sourceWriter{left: w.left, travel: w.travel}
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
	if w.travel && r*c > briefly {
		fmt.Fprintf(w, "mat.NewDense(%d, %d, ", r, c)
		ok := w.brief(mat.DenseCopyOf(m).RawMatrix().Data)
		w.WriteString(")")
		return ok
	}
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
	if w.travel && m.Len() > briefly {
		fmt.Fprintf(w, "mat.NewVecDense(%d, ", m.Len())
		ok := w.brief(mat.Col(nil, 0, m))
		w.WriteString(")")
		return ok
	}
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

// briefly is how many floats are written as a list.
const briefly = 32

// brief writes many floats as their bytes.
func (w *sourceWriter) brief(list []float64) bool {
	if w.left -= len(list); w.left < 0 {
		return false
	}
	raw := make([]byte, 0, 8*len(list))
	for _, x := range list {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
	}
	fmt.Fprintf(w, "func() []float64 { x := make([]float64, %d); "+
		"if err := travel2binary.Read(travel2base64.NewDecoder(travel2base64.StdEncoding, travel2strings.NewReader(%q)), travel2binary.LittleEndian, x); err != nil { panic(err) }; "+
		"return x }()", len(list), base64.StdEncoding.EncodeToString(raw))
	return true
}
