package value

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// UnmarshalJSON decodes into what the box, which holds a pointer, points to.
func (b *Box) UnmarshalJSON(data []byte) error { return b.decodeJSON(data, &jsonDecoder{}) }

// DecodeJSON is the method Decode of a json.Decoder, whose settings it hands on to the decoding of cells' types.
func DecodeJSON(dec *json.Decoder, v any) error {
	if b, ok := v.(Boxed); ok && b.Unboxed().T.Kind != reflect.Pointer {
		return &json.InvalidUnmarshalError{Type: typeOf(b.Unboxed().T)}
	}
	target := Target(v)
	box, ok := target.(*Box)
	if !ok {
		return dec.Decode(target)
	}
	setting := func(name string) bool { // of the decoder: package json shows them to nobody
		f := reflect.ValueOf(dec).Elem().FieldByName("d")
		if f.Kind() == reflect.Struct {
			f = f.FieldByName(name)
		}
		return f.Kind() == reflect.Bool && f.Bool()
	}
	return dec.Decode(&jsonTarget{box, &jsonDecoder{strict: setting("disallowUnknownFields"), numbers: setting("useNumber")}})
}

// A jsonPointer is what to decode into: an interface that holds a pointer of a cell's type, or a list of interfaces of
// which some do.
type jsonPointer struct{ to reflect.Value }

func (p *jsonPointer) UnmarshalJSON(data []byte) error {
	d := &jsonDecoder{text: data}
	if err := d.native(p.to, bytes.TrimSpace(data), false); err != nil {
		return err
	}
	return d.first
}

// A jsonTarget is a box to decode into by a decoder that has settings.
type jsonTarget struct {
	box *Box
	d   *jsonDecoder
}

func (t *jsonTarget) UnmarshalJSON(data []byte) error { return t.box.decodeJSON(data, t.d) }

func (b *Box) decodeJSON(data []byte, d *jsonDecoder) error {
	v := reflect.ValueOf(b.V)
	if b.T.Kind != reflect.Pointer || !v.IsValid() || v.IsNil() {
		return &json.InvalidUnmarshalError{Type: typeOf(b.T)}
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return err
	}
	d.text = data
	if err := d.valueAs(b.T, b.T.Elem, v.Elem(), bytes.TrimSpace(data), false); err != nil {
		return err
	}
	return d.first
}

// A jsonDecoder decodes valid JSON into values of cells' types. What is an ordinary Go value it leaves to encoding/json.
type jsonDecoder struct {
	text   []byte   // the whole of it: what is decoded are slices of it
	first  error    // a value that did not fit its type; decoding goes on
	where  string   // name of the struct type that is decoded
	fields []string // and the way to the field

	strict, numbers bool // DisallowUnknownFields and UseNumber of the json.Decoder
}

// at is where in the text a slice of it begins.
func (d *jsonDecoder) at(raw []byte) int64 { return int64(cap(d.text) - cap(raw)) }

// unmarshal is json.Unmarshal with the decoder's settings. raw is one value.
func (d *jsonDecoder) unmarshal(raw []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if d.strict {
		dec.DisallowUnknownFields()
	}
	if d.numbers {
		dec.UseNumber()
	}
	return dec.Decode(v)
}

// value decodes raw into v, which can be set.
func (d *jsonDecoder) value(t *Type, v reflect.Value, raw []byte, quoted bool) error {
	return d.valueAs(t, t, v, raw, quoted)
}

// valueAs is value for what a pointer of type outer points to, or for a value of the type itself. An error for a type
// with methods names it.
func (d *jsonDecoder) valueAs(outer, t *Type, v reflect.Value, raw []byte, quoted bool) error {
	if t.Native && t.Kind != reflect.Interface {
		return d.native(v, raw, quoted)
	}
	null := string(raw) == "null"
	if done, err := d.methods(outer, t, v, raw, null); done {
		return err
	}
	switch t.Kind {
	case reflect.Pointer:
		if null {
			v.SetZero()
			return nil
		}
		p := v
		if v.Kind() == reflect.Interface { // the pointer of a type that contains itself
			p = v.Elem()
		}
		if !p.IsValid() || p.IsNil() {
			p = reflect.New(t.Elem.Lowered)
			v.Set(p)
		}
		return d.valueAs(outer, t.Elem, p.Elem(), raw, quoted)
	case reflect.Interface:
		return d.iface(t, v, raw, null)
	}
	if null {
		switch t.Kind {
		case reflect.Map, reflect.Slice:
			v.SetZero()
		}
		return nil
	}
	switch raw[0] {
	case '{':
		switch t.Kind {
		case reflect.Struct:
			return d.structure(t, v, raw)
		case reflect.Map:
			return d.mapping(t, v, raw)
		}
	case '[':
		if t.Kind == reflect.Slice || t.Kind == reflect.Array {
			return d.list(t, v, raw)
		}
	case '"':
		if t.Kind == reflect.Slice && t.Elem.Kind == reflect.Uint8 {
			return d.bytes(t, v, raw)
		}
		return d.basic(t, v, raw, quoted)
	default:
		return d.basic(t, v, raw, quoted)
	}
	d.misfit(t, raw)
	return nil
}

// native decodes into an ordinary Go value.
func (d *jsonDecoder) native(v reflect.Value, raw []byte, quoted bool) error {
	if v.Kind() == reflect.Interface && !v.IsNil() {
		if _, ok := v.Interface().(Boxed); ok {
			return d.iface(&Type{Kind: reflect.Interface}, v, raw, string(raw) == "null")
		}
	}
	if list, ok := reflect.TypeAssert[[]any](v); ok && raw[0] == '[' && slices.ContainsFunc(list, boxedPointer) {
		return d.list(&Type{Kind: reflect.Slice, Elem: &Type{Kind: reflect.Interface}}, v, raw)
	}
	if quoted && raw[0] == '"' {
		var inner string
		if err := json.Unmarshal(raw, &inner); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(inner), v.Addr().Interface()); err != nil {
			return fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal %s into %s", raw, v.Type())
		}
		return nil
	}
	err := d.unmarshal(raw, v.Addr().Interface())
	if e, ok := err.(*json.UnmarshalTypeError); ok {
		d.misfitAs(&json.UnmarshalTypeError{Value: e.Value, Type: e.Type, Offset: d.at(raw) + e.Offset, Struct: e.Struct, Field: e.Field})
		return nil
	}
	return err
}

func (d *jsonDecoder) keep(err error) {
	if d.first == nil {
		d.first = err
	}
}

// misfit notes that a JSON value cannot be stored in a type.
func (d *jsonDecoder) misfit(t *Type, raw []byte) {
	what := map[byte]string{'{': "object", '[': "array", '"': "string", 't': "bool", 'f': "bool"}[raw[0]]
	at := d.at(raw) + int64(len(raw))
	switch what {
	case "":
		what = "number"
	case "object", "array":
		at = d.at(raw) + 1
	}
	d.misfitAs(&json.UnmarshalTypeError{Value: what, Type: typeOf(t), Offset: at})
}

// misfitAs notes an error, which knows of the fields inside a value of an ordinary Go type, if any.
func (d *jsonDecoder) misfitAs(e *json.UnmarshalTypeError) {
	if len(d.fields) > 0 {
		way := strings.Join(d.fields, ".")
		if e.Field == "" {
			e.Struct, e.Field = d.where, way
		} else {
			e.Field = way + "." + e.Field
		}
	}
	d.keep(e)
}

// methods decodes by a value's own methods, if it has any.
func (d *jsonDecoder) methods(outer, t *Type, v reflect.Value, raw []byte, null bool) (done bool, err error) {
	if t.Kind == reflect.Interface {
		return false, nil
	}
	owner, recv := t, v
	if t.Kind == reflect.Pointer {
		if t.FuncOf("UnmarshalJSON") == nil && t.FuncOf("UnmarshalText") == nil || null {
			return false, nil
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
	} else if p := pointerTo(t); p != nil {
		owner, recv = p, v.Addr()
	}
	if f, ok := owner.FuncOf("UnmarshalJSON").(func(any, []byte) error); ok {
		return true, f(bare(owner, recv), raw)
	}
	if f, ok := owner.FuncOf("UnmarshalText").(func(any, []byte) error); ok {
		if null {
			return true, nil
		}
		var s string
		if raw[0] != '"' {
			d.misfit(outer, raw)
			return true, nil
		}
		if err := json.Unmarshal(raw, &s); err != nil {
			return true, err
		}
		return true, f(bare(owner, recv), []byte(s))
	}
	return false, nil
}

// iface decodes into an interface: into what its pointer points to, if it holds one, else a value of JSON's own types.
func (d *jsonDecoder) iface(t *Type, v reflect.Value, raw []byte, null bool) error {
	if null {
		v.SetZero()
		return nil
	}
	if !v.IsNil() {
		if b, ok := v.Interface().(Boxed); ok {
			box := b.Unboxed()
			if p := reflect.ValueOf(box.V); box.T.Kind == reflect.Pointer && p.IsValid() && !p.IsNil() {
				return d.value(box.T.Elem, p.Elem(), raw, false)
			}
		} else if p := v.Elem(); p.Kind() == reflect.Pointer && !p.IsNil() {
			return d.native(p.Elem(), raw, false)
		}
	}
	if len(t.Iface) > 0 || v.Type().NumMethod() > 0 {
		d.misfit(t, raw)
		return nil
	}
	var x any
	if err := d.unmarshal(raw, &x); err != nil {
		return err
	}
	v.Set(reflect.ValueOf(x))
	return nil
}

// object calls f for each member of a JSON object. Values are slices of raw, and so is name: the key as it is written,
// and what follows.
func object(raw []byte, f func(name []byte, key string, value []byte) error) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		name := bytes.TrimLeft(raw[dec.InputOffset():], ", \t\r\n")
		k, err := dec.Token()
		if err != nil {
			return err
		}
		value, err := next(dec, raw)
		if err != nil {
			return err
		}
		if err := f(name, k.(string), value); err != nil {
			return err
		}
	}
	return nil
}

// next is the slice of raw, which dec decodes, that has the next value.
func next(dec *json.Decoder, raw []byte) ([]byte, error) {
	var value json.RawMessage
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	end := dec.InputOffset()
	return raw[end-int64(len(value)) : end], nil
}

func (d *jsonDecoder) structure(t *Type, v reflect.Value, raw []byte) error {
	fields := jsonFields(t)
	where, way := d.where, d.fields
	defer func() { d.where, d.fields = where, way }()
	d.where = t.Name
	return object(raw, func(_ []byte, key string, value []byte) error {
		f := findField(fields, key)
		if f == nil {
			if d.strict {
				d.keep(fmt.Errorf("json: unknown field %q", key))
			}
			return nil
		}
		d.fields = append(append(way[:len(way):len(way)], f.outer...), f.name)
		fv, err := reach(v, f)
		if err != nil {
			d.keep(err)
			return nil
		}
		if f.quoted && value[0] != '"' && string(value) != "null" {
			d.keep(fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal unquoted value into %s", typeText(f.typ, f.native)))
			return nil
		}
		if f.typ == nil {
			return d.native(fv, value, f.quoted)
		}
		return d.value(f.typ, fv, value, f.quoted)
	})
}

// findField finds the field for a key: by its name, or else by its name in any case.
func findField(fields []jsonField, key string) *jsonField {
	for i := range fields {
		if fields[i].name == key {
			return &fields[i]
		}
	}
	for i := range fields {
		if strings.EqualFold(fields[i].name, key) {
			return &fields[i]
		}
	}
	return nil
}

// reach goes to a field and makes the embedded structs on the way that are nil pointers.
func reach(v reflect.Value, f *jsonField) (reflect.Value, error) {
	for i, index := range f.path {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if f.sealed[i-1] != "" {
					return v, fmt.Errorf("json: cannot set embedded pointer to unexported struct: %s", f.sealed[i-1])
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(index)
	}
	return v, nil
}

func (d *jsonDecoder) mapping(t *Type, v reflect.Value, raw []byte) error {
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	return object(raw, func(name []byte, key string, value []byte) error {
		e := reflect.New(v.Type().Elem()).Elem()
		if err := d.value(t.Elem, e, value, false); err != nil {
			return err
		}
		k := reflect.New(v.Type().Key()).Elem()
		ok, err := d.key(t, k, name, key)
		if ok && err == nil {
			v.SetMapIndex(k, e)
		}
		return err
	})
}

// key decodes a map's key.
func (d *jsonDecoder) key(m *Type, k reflect.Value, raw []byte, text string) (bool, error) {
	t := m.Key
	bad := func(t *Type, what string) (bool, error) {
		d.misfitAs(&json.UnmarshalTypeError{Value: what, Type: typeOf(t), Offset: d.at(raw) + 1})
		return false, nil
	}
	if t.Native {
		one := reflect.New(reflect.MapOf(k.Type(), reflect.TypeFor[bool]()))
		quoted, _ := json.Marshal(text)
		if err := json.Unmarshal(fmt.Appendf(nil, "{%s:true}", quoted), one.Interface()); err != nil {
			if e, ok := err.(*json.UnmarshalTypeError); ok {
				return bad(t, e.Value)
			}
			d.keep(err)
			return false, nil
		}
		for _, got := range one.Elem().MapKeys() {
			k.Set(got)
		}
		return true, nil
	}
	if p := pointerTo(t); p != nil {
		if f, ok := p.FuncOf("UnmarshalText").(func(any, []byte) error); ok {
			return true, f(k.Addr().Interface(), []byte(text))
		}
	}
	switch {
	case t.Kind == reflect.String:
		k.SetString(text)
	case t.Kind >= reflect.Int && t.Kind <= reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || k.OverflowInt(n) {
			return bad(t, "number "+text)
		}
		k.SetInt(n)
	case t.Kind >= reflect.Uint && t.Kind <= reflect.Uintptr:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || k.OverflowUint(n) {
			return bad(t, "number "+text)
		}
		k.SetUint(n)
	default:
		return bad(m, "object")
	}
	return true, nil
}

func (d *jsonDecoder) list(t *Type, v reflect.Value, raw []byte) error {
	var items [][]byte
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		item, err := next(dec, raw)
		if err != nil {
			return err
		}
		items = append(items, item)
	}
	if t.Kind == reflect.Slice && (v.Cap() < len(items) || v.IsNil()) {
		grown := reflect.MakeSlice(v.Type(), v.Len(), len(items))
		reflect.Copy(grown, v)
		v.Set(grown)
	}
	for i, item := range items {
		if t.Kind == reflect.Array && i >= v.Len() {
			break
		}
		if t.Kind == reflect.Slice && i >= v.Len() {
			v.SetLen(i + 1)
		}
		if err := d.value(t.Elem, v.Index(i), item, false); err != nil {
			return err
		}
	}
	if t.Kind == reflect.Slice {
		v.SetLen(len(items))
	}
	for i := len(items); i < v.Len(); i++ {
		v.Index(i).SetZero()
	}
	return nil
}

// bytes decodes base64 text into a slice of bytes of a cell's type.
func (d *jsonDecoder) bytes(t *Type, v reflect.Value, raw []byte) error {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		d.keep(err)
		return nil
	}
	out := reflect.MakeSlice(v.Type(), len(b), len(b))
	for i, c := range b {
		out.Index(i).SetUint(uint64(c))
	}
	v.Set(out)
	return nil
}

// basic decodes a value of a basic kind.
func (d *jsonDecoder) basic(t *Type, v reflect.Value, raw []byte, quoted bool) error {
	to := basicTypes[t.Kind]
	if to == nil || t.Kind == reflect.UnsafePointer {
		d.misfit(t, raw)
		return nil
	}
	inner := raw
	if quoted && raw[0] == '"' {
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		inner = []byte(s)
	}
	x := reflect.New(to)
	if err := json.Unmarshal(inner, x.Interface()); err != nil {
		if e, ok := err.(*json.UnmarshalTypeError); ok {
			d.misfitAs(&json.UnmarshalTypeError{Value: e.Value, Type: typeOf(t), Offset: d.at(raw) + int64(len(raw))})
			return nil
		}
		return fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal %s into %s", raw, t.String)
	}
	v.Set(x.Elem().Convert(v.Type()))
	return nil
}
