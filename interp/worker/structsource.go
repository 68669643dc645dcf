package worker

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gaucho/stdlib/display"
)

// A viewWriter writes values of cells' types as Go expressions: structs, and what holds them. It sees both engines' values
// as their authors wrote the types.
type viewWriter struct {
	strings.Builder
	left int // parts that may still come
	live bool
}

// viewSource is what a pointer to a variable points to as a Go expression, if that is plain data of cells' types.
func viewSource(p any, live bool) (text string, ok bool) {
	w := &viewWriter{left: sourceParts, live: live}
	v := display.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.IsNil() || !w.value(v.Elem()) {
		return "", false
	}
	return w.String(), true
}

// typeName is a type's name as a cell has it; ok is false for types of libraries.
func typeName(v display.Value) (name string, ok bool) {
	name = strings.ReplaceAll(v.TypeName(), "main.", "")
	return name, !strings.ContainsAny(name, ".*{") && !strings.Contains(name, "interface")
}

func (w *viewWriter) value(v display.Value) bool {
	name, ok := typeName(v)
	if w.left--; w.left < 0 || !ok {
		return false
	}
	switch k := v.Kind(); k {
	case reflect.Struct:
		w.WriteString(name + "{")
		for i := range v.NumField() {
			f := v.Field(i)
			if i > 0 {
				w.WriteString(", ")
			}
			if f.Name == "_" || !w.value(f.Value) {
				return false
			}
		}
		w.WriteString("}")
	case reflect.Slice, reflect.Array:
		if k == reflect.Slice && v.IsNil() {
			w.WriteString("(" + name + ")(nil)")
			return true
		}
		w.WriteString(name + "{")
		for i := range v.Len() {
			if i > 0 {
				w.WriteString(", ")
			}
			if !w.value(v.Index(i)) {
				return false
			}
		}
		w.WriteString("}")
	case reflect.Map:
		return w.mapping(v, name)
	default:
		text, ok := literal(v)
		if name != k.String() {
			text = name + "(" + text + ")"
		}
		w.left -= len(text) / 16
		w.WriteString(text)
		return ok && w.left >= 0
	}
	return true
}

func (w *viewWriter) mapping(v display.Value, name string) bool {
	if v.IsNil() {
		w.WriteString("(" + name + ")(nil)")
		return true
	}
	if w.live || v.Len() > w.left {
		return false
	}
	var entries []string
	for _, k := range v.Keys() {
		entry := &viewWriter{left: w.left}
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

// literal is a basic value; ok is false for what has none: infinity, NaN, negative zero, complex numbers.
func literal(v display.Value) (text string, ok bool) {
	switch x := v.Basic().(type) {
	case bool:
		return strconv.FormatBool(x), true
	case int64:
		return strconv.FormatInt(x, 10), true
	case uint64:
		return strconv.FormatUint(x, 10), v.Kind() != reflect.Uintptr
	case float64:
		bits := 64
		if v.Kind() == reflect.Float32 {
			bits = 32
		}
		return strconv.FormatFloat(x, 'g', -1, bits), !math.IsNaN(x) && !math.IsInf(x, 0) && (x != 0 || !math.Signbit(x))
	case string:
		return strconv.Quote(x), true
	}
	return "", false
}
