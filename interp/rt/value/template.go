package value

import "reflect"

// TemplateData turns what a cell gives to a template into what the template can walk by reflection: lowered values, in
// place of boxes. A template that would see a method of a cell's type cannot be right, and ends the cell.
func TemplateData(v any) any {
	b, ok := v.(Boxed)
	if !ok {
		if v == nil || !holdsInterface(reflect.TypeOf(v)) {
			return v
		}
		return templateValue(nil, reflect.ValueOf(v)).Interface()
	}
	box := b.Unboxed()
	return templateValue(box.T, reflect.ValueOf(box.V)).Interface()
}

// templateValue copies a value so that no box is left in it. The type is nil for an ordinary Go value.
func templateValue(t *Type, v reflect.Value) reflect.Value {
	if t != nil && len(t.Methods) > 0 {
		panic(Thrown{Refused{What: "a template with a value of the cell's type " + t.String + ", which has methods,"}})
	}
	if !v.IsValid() || t != nil && !t.mayBox(map[*Type]bool{}) {
		return v
	}
	part := func(p *Type) *Type { return p }
	if t == nil {
		part = func(*Type) *Type { return nil }
		t = &Type{}
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		return templateInterface(v)
	case reflect.Pointer:
		if v.IsNil() || t.Elem == nil {
			return v
		}
		return templateValue(part(t.Elem), v.Elem())
	case reflect.Struct:
		if t.Fields == nil {
			return v
		}
		return templateStruct(t, v)
	case reflect.Slice, reflect.Array:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = templateValue(part(t.Elem), v.Index(i)).Interface()
		}
		return reflect.ValueOf(list)
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.Interface {
			return v
		}
		m := reflect.MakeMap(reflect.MapOf(v.Type().Key(), anyType))
		for it := v.MapRange(); it.Next(); {
			e := templateValue(part(t.Elem), it.Value())
			if !e.IsValid() {
				e = reflect.Zero(anyType)
			}
			m.SetMapIndex(it.Key(), e)
		}
		return m
	}
	return v
}

// templateStruct is a struct with fields of the same names, embedded where they are.
func templateStruct(t *Type, v reflect.Value) reflect.Value {
	fields, values := make([]reflect.StructField, v.NumField()), make([]reflect.Value, v.NumField())
	for i, f := range t.Fields {
		x := templateValue(f.Type, v.Field(i))
		fields[i] = reflect.StructField{Name: v.Type().Field(i).Name, Type: anyType}
		if f.Embedded && x.IsValid() && (x.Kind() == reflect.Struct || x.Kind() == reflect.Pointer && x.Type().Elem().Kind() == reflect.Struct) {
			fields[i].Type, fields[i].Anonymous = x.Type(), true
		}
		values[i] = x
	}
	out := reflect.New(reflect.StructOf(fields)).Elem()
	for i, x := range values {
		if x.IsValid() {
			out.Field(i).Set(x)
		}
	}
	return out
}

// TemplateFuncs turns the functions that a cell gives to a template, in the form of a template.FuncMap, into some that
// take what TemplateData makes.
func TemplateFuncs(funcs map[string]any) map[string]any {
	out := make(map[string]any, len(funcs))
	for name, f := range funcs {
		if b, ok := f.(Boxed); ok {
			t := b.Unboxed().T
			for _, r := range t.Results {
				templateResult(name, r)
			}
			f = b.Unboxed().V
		}
		if ft := reflect.TypeOf(f); ft != nil && ft.Kind() == reflect.Func {
			for i := range ft.NumIn() {
				in := ft.In(i)
				if ft.IsVariadic() && i == ft.NumIn()-1 {
					in = in.Elem()
				}
				if in.Kind() == reflect.Interface || in == reflect.TypeFor[reflect.Value]() {
					takesAny.Store(name, true)
				}
			}
		}
		out[name] = f
	}
	return out
}

// templateResult refuses a function whose result a template would see as TemplateData does not make it.
func templateResult(name string, t *Type) {
	if !t.Native && (len(t.Methods) > 0 || t.mayBox(map[*Type]bool{})) {
		panic(Thrown{Refused{What: "a template with the function " + name + " that returns the cell's type " + t.String}})
	}
}

func templateInterface(v reflect.Value) reflect.Value {
	x := TemplateData(v.Interface())
	out := reflect.New(anyType).Elem()
	if x != nil {
		out.Set(reflect.ValueOf(x))
	}
	return out
}

// mayBox reports whether a value of the type may hold boxes, or is of a type with methods that a template would see.
func (t *Type) mayBox(seen map[*Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	if t.Kind == reflect.Interface || !t.Native && len(t.Methods) > 0 {
		return true
	}
	if t.Native {
		return t.Lowered != nil && holdsInterface(t.Lowered)
	}
	for _, f := range t.Fields {
		if f.Embedded || f.Type.mayBox(seen) {
			return true
		}
	}
	return t.Elem.mayBox(seen) || t.Key.mayBox(seen)
}
