package value

import (
	"reflect"
	"slices"
	"strings"
	"text/template"
)

// namingTypes is an error of a template that was given the lowered form of some data, with the names of cells' types in place of
// the lowered types.
func namingTypes(err error, data, lowered any) error {
	e, ok := err.(template.ExecError)
	if !ok {
		return err
	}
	names := typeNames{}
	names.note(data, reflect.ValueOf(lowered), 0)
	if text := names.replace(e.Err.Error()); text != e.Err.Error() {
		e.Err = &renamedError{text, e.Err}
	}
	return e
}

type renamedError struct {
	text string
	err  error
}

func (e *renamedError) Error() string { return e.text }
func (e *renamedError) Unwrap() error { return e.err }

// typeNames has the names of cells' types by the text of the lowered ones; an empty name where there are two.
type typeNames map[string]string

// note notes the types in a value of which v is the lowered form.
func (n typeNames) note(data any, v reflect.Value, depth int) {
	if b, ok := data.(Boxed); ok {
		n.noteType(b.Unboxed().T, v, depth)
		return
	}
	from := reflect.ValueOf(data)
	if from.IsValid() && from.Kind() == v.Kind() && holdsInterface(from.Type()) {
		switch v.Kind() {
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				n.note(from.Index(i).Interface(), settled(v.Index(i)), depth+1)
			}
		case reflect.Map:
			for it := from.MapRange(); it.Next(); {
				n.note(it.Value().Interface(), settled(v.MapIndex(it.Key())), depth+1)
			}
		}
	}
}

// noteType notes the type of v, and those of its parts.
func (n typeNames) noteType(t *Type, v reflect.Value, depth int) {
	if t == nil || !v.IsValid() || depth > 8 {
		return
	}
	text := v.Type().String()
	if old, ok := n[text]; ok && old != t.String {
		n[text] = ""
	} else {
		n[text] = t.String
	}
	switch v.Kind() {
	case reflect.Pointer:
		if t.Elem != nil && !v.IsNil() {
			n.noteType(t.Elem, v.Elem(), depth+1)
		}
	case reflect.Struct:
		if t.Kind == reflect.Pointer { // followed when it was lowered
			t = t.Elem
		}
		for i, f := range t.Fields {
			n.noteType(f.Type, settled(v.Field(i)), depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := range min(v.Len(), 20) {
			n.noteType(t.Elem, settled(v.Index(i)), depth+1)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			n.noteType(t.Elem, settled(it.Value()), depth+1)
		}
	}
}

// settled is a value, or what an interface holds.
func settled(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// replace puts the names into a text, those of the longest types first.
func (n typeNames) replace(text string) string {
	var lowered []string
	for l, name := range n {
		if name != "" && name != l && strings.Contains(l, "struct {") {
			lowered = append(lowered, l)
		}
	}
	slices.SortFunc(lowered, func(a, b string) int { return len(b) - len(a) })
	for _, l := range lowered {
		text = strings.ReplaceAll(text, l, n[l])
	}
	return text
}
