package value

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// MarshalJSON writes the box as encoding/json would write what it stands for.
func (b Box) MarshalJSON() ([]byte, error) {
	e := &jsonEncoder{}
	if err := e.value(b.T, reflect.ValueOf(b.V), false, false, 0); err != nil {
		return nil, err
	}
	return e.Bytes(), nil
}

// A jsonEncoder writes values of cells' types. What is an ordinary Go value it leaves to encoding/json. It does not
// escape HTML: encoding/json does so, where asked, with what it gets from a MarshalJSON method.
type jsonEncoder struct{ bytes.Buffer }

// maxJSONDepth is more than any value has that does not contain itself.
const maxJSONDepth = 10_000

// value writes a value; addr says that it is addressable, so that methods of its pointer count, and quoted that the
// option string is set.
func (e *jsonEncoder) value(t *Type, v reflect.Value, addr, quoted bool, depth int) error {
	t, v = open(t, v)
	if depth > maxJSONDepth {
		return &json.UnsupportedValueError{Value: v, Str: "encountered a cycle via " + typeString(t, v)}
	}
	if t == nil {
		return e.native(v, addr, quoted, depth)
	}
	if done, err := e.methods(t, v, addr); done {
		return err
	}
	switch t.Kind {
	case reflect.Struct:
		return e.structure(t, v, addr, depth)
	case reflect.Map:
		return e.mapping(t, v, depth)
	case reflect.Slice, reflect.Array:
		return e.list(t, v, addr, depth)
	case reflect.Interface:
		if !v.IsValid() || v.Kind() == reflect.Interface && v.IsNil() {
			e.WriteString("null")
			return nil
		}
		return e.value(nil, v.Elem(), false, quoted, depth+1)
	case reflect.Pointer:
		if !v.IsValid() || v.IsNil() {
			e.WriteString("null")
			return nil
		}
		return e.value(t.Elem, v.Elem(), true, quoted, depth+1)
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return unsupportedType(t)
	}
	return e.plain(v.Convert(basicTypes[t.Kind]).Interface(), quoted)
}

// native writes an ordinary Go value. One that holds boxes reaches them by their MarshalJSON method.
func (e *jsonEncoder) native(v reflect.Value, addr, quoted bool, depth int) error {
	if !v.IsValid() || v.Kind() == reflect.Interface && v.IsNil() {
		e.WriteString("null")
		return nil
	}
	if v.Kind() == reflect.Interface {
		return e.value(nil, v.Elem(), false, quoted, depth+1)
	}
	if addr && v.CanAddr() && v.Kind() != reflect.Pointer {
		return e.plain(v.Addr().Interface(), quoted)
	}
	return e.plain(v.Interface(), quoted)
}

// plain writes a value as encoding/json does.
func (e *jsonEncoder) plain(v any, quoted bool) error {
	if quoted {
		return e.quote(v)
	}
	enc := json.NewEncoder(&e.Buffer)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	e.Truncate(e.Len() - 1) // the newline
	return nil
}

// quote writes a basic value in a string. In there HTML is escaped twice, as encoding/json does unless it is set otherwise.
func (e *jsonEncoder) quote(v any) error {
	inner, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if string(inner) == "null" {
		e.WriteString("null")
		return nil
	}
	return e.plain(string(inner), false)
}

// methods writes the value by its own methods, if it has any.
func (e *jsonEncoder) methods(t *Type, v reflect.Value, addr bool) (done bool, err error) {
	if t.Kind == reflect.Interface {
		return false, nil
	}
	owner, recv := t, v
	has := func() bool { return owner.FuncOf("MarshalJSON") != nil || owner.FuncOf("MarshalText") != nil }
	if !has() && addr && v.CanAddr() {
		if p := pointerTo(t); p != nil {
			owner, recv = p, v.Addr()
		}
	}
	if !has() {
		return false, nil
	}
	if owner.Kind == reflect.Pointer && (!recv.IsValid() || recv.IsNil()) {
		e.WriteString("null")
		return true, nil
	}
	if f, ok := owner.FuncOf("MarshalJSON").(func(any) ([]byte, error)); ok {
		text, err := f(bare(owner, recv))
		if err == nil {
			err = json.Compact(&e.Buffer, text)
		}
		return true, marshalerError(owner, "MarshalJSON", err)
	}
	if f, ok := owner.FuncOf("MarshalText").(func(any) ([]byte, error)); ok {
		text, err := f(bare(owner, recv))
		if err != nil {
			return true, marshalerError(owner, "MarshalText", err)
		}
		return true, e.plain(string(text), false)
	}
	return false, nil
}

func marshalerError(t *Type, method string, err error) error {
	if err == nil {
		return nil
	}
	e := &json.MarshalerError{Type: typeOf(t), Err: err}
	if method == "MarshalText" { // the name is in a field that only package json can set
		_, made := json.Marshal(failingText{err})
		if errors.As(made, &e) {
			e.Type = typeOf(t)
		}
	}
	return e
}

// A failingText is a value whose text cannot be had.
type failingText struct{ err error }

func (f failingText) MarshalText() ([]byte, error) { return nil, f.err }

func (e *jsonEncoder) structure(t *Type, v reflect.Value, addr bool, depth int) error {
	e.WriteByte('{')
	first := true
	for _, f := range jsonFields(t) {
		fv, ok := follow(v, f.path)
		if !ok || f.omitEmpty && isEmpty(fv) || f.omitZero && isZero(f.typ, fv) {
			continue
		}
		if !first {
			e.WriteByte(',')
		}
		first = false
		if err := e.plain(f.name, false); err != nil {
			return err
		}
		e.WriteByte(':')
		if err := e.value(f.typ, fv, addr || fv.CanAddr(), f.quoted, depth+1); err != nil {
			return err
		}
	}
	e.WriteByte('}')
	return nil
}

// follow goes along field indices, through pointers to embedded structs; false when one of these is nil.
func follow(v reflect.Value, path []int) (reflect.Value, bool) {
	for i, index := range path {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(index)
	}
	return v, true
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct, reflect.Chan, reflect.Func:
		return false
	}
	return v.IsZero()
}

func isZero(t *Type, v reflect.Value) bool {
	if t != nil {
		if f, ok := t.FuncOf("IsZero").(func(any) bool); ok {
			return !(t.Kind == reflect.Pointer && v.IsNil()) && f(bare(t, v)) || v.Kind() == reflect.Pointer && v.IsNil()
		}
		if p := pointerTo(t); p != nil {
			if f, ok := p.FuncOf("IsZero").(func(any) bool); ok {
				if !v.CanAddr() { // as package json does
					c := reflect.New(v.Type())
					c.Elem().Set(v)
					v = c.Elem()
				}
				return f(bare(p, v.Addr()))
			}
		}
		return v.IsZero()
	}
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok && !(v.Kind() == reflect.Pointer && v.IsNil()) {
		return z.IsZero()
	}
	return v.IsZero()
}

func (e *jsonEncoder) mapping(t *Type, v reflect.Value, depth int) error {
	if !isKey(t.Key) {
		return unsupportedType(t)
	}
	if !v.IsValid() || v.IsNil() {
		e.WriteString("null")
		return nil
	}
	type pair struct {
		key   string
		value reflect.Value
	}
	var list []pair
	for it := v.MapRange(); it.Next(); {
		k, err := keyText(t, it.Key())
		if err != nil {
			return err
		}
		list = append(list, pair{k, it.Value()})
	}
	slices.SortFunc(list, func(a, b pair) int { return strings.Compare(a.key, b.key) })
	e.WriteByte('{')
	for i, p := range list {
		if i > 0 {
			e.WriteByte(',')
		}
		if err := e.plain(p.key, false); err != nil {
			return err
		}
		e.WriteByte(':')
		if err := e.value(t.Elem, p.value, false, false, depth+1); err != nil {
			return err
		}
	}
	e.WriteByte('}')
	return nil
}

// isKey reports whether a type can be that of the keys of a map that is written as JSON.
func isKey(t *Type) bool {
	switch {
	case t.Kind == reflect.String, t.Kind >= reflect.Int && t.Kind <= reflect.Uintptr:
		return true
	case t.Native:
		return t.Lowered.Implements(reflect.TypeFor[encoding.TextMarshaler]())
	}
	return t.FuncOf("MarshalText") != nil
}

func unsupportedType(t *Type) error { return &json.UnsupportedTypeError{Type: typeOf(t)} }

// keyText writes a map's key.
func keyText(m *Type, k reflect.Value) (string, error) {
	t := m.Key
	if t.Native {
		one := reflect.MakeMap(reflect.MapOf(k.Type(), reflect.TypeFor[bool]()))
		one.SetMapIndex(k, reflect.ValueOf(true))
		text, err := json.Marshal(one.Interface())
		if err != nil {
			return "", unsupportedType(m)
		}
		var back map[string]bool
		if err := json.Unmarshal(text, &back); err != nil {
			return "", err
		}
		for s := range back {
			return s, nil
		}
	}
	if t.Kind == reflect.String {
		return k.String(), nil
	}
	if f, ok := t.FuncOf("MarshalText").(func(any) ([]byte, error)); ok {
		text, err := f(bare(t, k))
		if err != nil {
			return "", fmt.Errorf("json: encoding error for type %q: %q", m.String, err.Error())
		}
		return string(text), nil
	}
	switch {
	case t.Kind >= reflect.Int && t.Kind <= reflect.Int64:
		return strconv.FormatInt(k.Int(), 10), nil
	case t.Kind >= reflect.Uint && t.Kind <= reflect.Uintptr:
		return strconv.FormatUint(k.Uint(), 10), nil
	}
	return "", unsupportedType(m)
}

func (e *jsonEncoder) list(t *Type, v reflect.Value, addr bool, depth int) error {
	if t.Kind == reflect.Slice {
		if !v.IsValid() || v.IsNil() {
			e.WriteString("null")
			return nil
		}
		if el := t.Elem; el.Kind == reflect.Uint8 && el.FuncOf("MarshalJSON") == nil && el.FuncOf("MarshalText") == nil {
			return e.plain(base64.StdEncoding.EncodeToString(bytesOf(v, false)), false)
		}
		addr = true
	}
	e.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			e.WriteByte(',')
		}
		if err := e.value(t.Elem, v.Index(i), addr, false, depth+1); err != nil {
			return err
		}
	}
	e.WriteByte(']')
	return nil
}
