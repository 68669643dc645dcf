package value

import (
	"fmt"
	"reflect"
	"strconv"
	"unsafe"

	"gaucho/interp/wire"
)

// Lookup finds a symbol of a compiled package, in the form of yaegi's tables: a nil pointer for a type, an addressable
// value for a variable; the zero Value if it is not known. The worker sets it.
var Lookup func(path, name string) reflect.Value

func lookupType(path, name string) reflect.Type {
	if path == "runtime" && name == "TypeAssertionError" {
		return reflect.TypeFor[AssertionError]()
	}
	if v := Lookup(path, name); v.IsValid() && v.Kind() == reflect.Pointer && v.IsNil() {
		return v.Type().Elem()
	}
	return nil
}

// Variable returns a pointer to a variable of a compiled package.
func Variable(path, name string) any {
	v := Lookup(path, name)
	if !v.IsValid() || !v.CanAddr() {
		panic("rt: no variable " + path + "." + name)
	}
	return v.Addr().Interface()
}

// Define makes descriptors of new types, and adds methods to known ones. It returns what the emitted text can name: a
// descriptor D<n> and, for struct types of cells, the lowered type S<n>.
func Define(list []wire.Type) (map[string]reflect.Value, error) {
	registry.Lock()
	defer registry.Unlock()
	if registry.native == nil {
		registry.native = map[reflect.Type]*Type{}
	}
	b := &builder{}
	for i := range list {
		b.declare(&list[i])
	}
	for i := range list {
		b.fill(&list[i])
	}
	out := map[string]reflect.Value{}
	for i := range list {
		t := typeByID(list[i].ID)
		rt, err := b.lowered(t)
		if err != nil {
			return nil, err
		}
		if t.Native && t.Kind != reflect.Interface {
			registry.native[rt] = t
		}
		n := strconv.Itoa(t.ID)
		out["D"+n] = reflect.ValueOf(t)
		if t.Recursive {
			out["R"+n] = reflect.Zero(reflect.PointerTo(rt))
		}
		if t.Kind == reflect.Struct {
			out["S"+n] = reflect.Zero(reflect.PointerTo(rt))
		}
	}
	if err := b.patch(); err != nil {
		return nil, err
	}
	return out, nil
}

// typeByID returns the descriptor with that number, nil for 0 and for an unknown one. The registry is locked.
func typeByID(id int) *Type {
	if id <= 0 || id >= len(registry.byID) {
		return nil
	}
	return registry.byID[id]
}

// A builder makes the lowered types of new descriptors.
type builder struct {
	patches []patch
	loops   []*Type // types that contain themselves and do not have their parts yet
}

// A patch gives a field of a struct type its type, after the types that it leads to exist.
type patch struct {
	in    reflect.Type
	field int
	typ   *Type
}

func (b *builder) declare(w *wire.Type) {
	for len(registry.byID) <= w.ID {
		registry.byID = append(registry.byID, nil)
	}
	if registry.byID[w.ID] == nil {
		registry.byID[w.ID] = &Type{ID: w.ID}
	}
}

func (b *builder) fill(w *wire.Type) {
	t := registry.byID[w.ID]
	old := t.Methods
	t.Methods = nil
	t.composed.Clear()
	for _, s := range w.Methods {
		m := &Method{Sig: Sig(s)}
		for _, o := range old {
			if o.Name == s.Name && o.Key == s.Key {
				m = o
			}
		}
		t.Methods = append(t.Methods, m)
	}
	if t.String != "" {
		return
	}
	t.String, t.Kind, t.Native, t.Name, t.Version, t.Path = w.String, reflect.Kind(w.Kind), w.Native, w.Name, w.Version, w.Path
	t.Recursive = w.Recursive
	t.Elem, t.Key, t.Len, t.Dir, t.Variadic = typeByID(w.Elem), typeByID(w.Key), w.Len, reflect.ChanDir(w.Dir), w.Variadic
	for _, f := range w.Fields {
		t.Fields = append(t.Fields, Field{f.Name, typeByID(f.Type), reflect.StructTag(f.Tag), f.Embedded, f.Exported})
	}
	for _, id := range w.Params {
		t.Params = append(t.Params, typeByID(id))
	}
	for _, id := range w.Results {
		t.Results = append(t.Results, typeByID(id))
	}
	for _, s := range w.Iface {
		t.Iface = append(t.Iface, Sig(s))
	}
}

var (
	anyType   = reflect.TypeFor[any]()
	errorType = reflect.TypeFor[error]()
)

var basicTypes = map[reflect.Kind]reflect.Type{
	reflect.Bool: reflect.TypeFor[bool](), reflect.Int: reflect.TypeFor[int](), reflect.Int8: reflect.TypeFor[int8](),
	reflect.Int16: reflect.TypeFor[int16](), reflect.Int32: reflect.TypeFor[int32](), reflect.Int64: reflect.TypeFor[int64](),
	reflect.Uint: reflect.TypeFor[uint](), reflect.Uint8: reflect.TypeFor[uint8](), reflect.Uint16: reflect.TypeFor[uint16](),
	reflect.Uint32: reflect.TypeFor[uint32](), reflect.Uint64: reflect.TypeFor[uint64](), reflect.Uintptr: reflect.TypeFor[uintptr](),
	reflect.Float32: reflect.TypeFor[float32](), reflect.Float64: reflect.TypeFor[float64](),
	reflect.Complex64: reflect.TypeFor[complex64](), reflect.Complex128: reflect.TypeFor[complex128](),
	reflect.String: reflect.TypeFor[string](), reflect.UnsafePointer: reflect.TypeFor[unsafe.Pointer](),
}

// lowered returns the reflect type of a descriptor's lowered values, and makes it when it is new.
func (b *builder) lowered(t *Type) (reflect.Type, error) {
	if t == nil {
		return nil, fmt.Errorf("a type without a descriptor")
	}
	if t.Lowered != nil {
		return t.Lowered, nil
	}
	rt, err := b.build(t)
	if err != nil {
		return nil, err
	}
	t.Lowered = rt
	return rt, nil
}

func (b *builder) build(t *Type) (reflect.Type, error) {
	if t.Path != "" && t.Path != "main" {
		if rt := lookupType(t.Path, t.Name); rt != nil {
			return rt, nil
		}
		if t.Native {
			return nil, fmt.Errorf("the type %s.%s is not known", t.Path, t.Name)
		}
	}
	switch t.Kind {
	case reflect.Interface:
		if t.Name == "error" && t.Path == "" {
			return errorType, nil
		}
		return anyType, nil
	case reflect.Struct:
		return b.structure(t)
	}
	if t.Recursive {
		return b.recursive(t)
	}
	switch t.Kind {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		el, err := b.lowered(t.Elem)
		if err != nil {
			return nil, err
		}
		switch t.Kind {
		case reflect.Pointer:
			return reflect.PointerTo(el), nil
		case reflect.Slice:
			return reflect.SliceOf(el), nil
		case reflect.Array:
			return reflect.ArrayOf(t.Len, el), nil
		}
		return reflect.ChanOf(t.Dir, el), nil
	case reflect.Map:
		k, err := b.lowered(t.Key)
		if err != nil {
			return nil, err
		}
		el, err := b.lowered(t.Elem)
		if err != nil {
			return nil, err
		}
		return reflect.MapOf(k, el), nil
	case reflect.Func:
		var in, out []reflect.Type
		for _, p := range t.Params {
			rt, err := b.lowered(p)
			if err != nil {
				return nil, err
			}
			in = append(in, rt)
		}
		for _, p := range t.Results {
			rt, err := b.lowered(p)
			if err != nil {
				return nil, err
			}
			out = append(out, rt)
		}
		return reflect.FuncOf(in, out, t.Variadic), nil
	}
	if rt := basicTypes[t.Kind]; rt != nil {
		return rt, nil
	}
	return nil, fmt.Errorf("no lowered type for %s", t.String)
}

// structure makes a struct type. Package reflect cannot make types that contain themselves, so fields that may lead back
// here first get a type of the same shape, and their own when all types exist.
func (b *builder) structure(t *Type) (reflect.Type, error) {
	if len(t.Fields) == 0 {
		return reflect.TypeFor[struct{}](), nil
	}
	fields := make([]reflect.StructField, len(t.Fields))
	var later []int
	for i, f := range t.Fields {
		name := f.Name
		switch {
		case name == "_":
			name = "X_blank" + strconv.Itoa(i)
		case !f.Exported:
			name = "X_" + name
		}
		tag := string(f.Tag)
		if !f.Exported {
			tag = `json:"-" xml:"-"`
		}
		fields[i] = reflect.StructField{Name: name, Tag: reflect.StructTag(tag)}
		if stand := placeholder(f.Type); stand != nil {
			fields[i].Type = stand
			fields[i].Tag += reflect.StructTag(` gaucho:"` + strconv.Itoa(t.ID) + `"`)
			later = append(later, i)
			continue
		}
		rt, err := b.lowered(f.Type)
		if err != nil {
			return nil, err
		}
		fields[i].Type = rt
	}
	rt := reflect.StructOf(fields)
	for _, i := range later {
		b.patches = append(b.patches, patch{rt, i, t.Fields[i].Type})
	}
	return rt, nil
}

// placeholder returns a type of the same shape for a type that may lead back to the struct that it is in, else nil.
func placeholder(t *Type) reflect.Type {
	if t.Native || t.Lowered != nil {
		return nil
	}
	switch t.Kind {
	case reflect.Pointer:
		return reflect.TypeFor[*byte]()
	case reflect.Slice:
		return reflect.TypeFor[[]byte]()
	case reflect.Map:
		return reflect.TypeFor[map[byte]byte]()
	case reflect.Chan:
		return reflect.TypeFor[chan byte]()
	case reflect.Func:
		return reflect.TypeFor[func()]()
	case reflect.Array:
		if el := placeholder(t.Elem); el != nil {
			return reflect.ArrayOf(t.Len, el)
		}
	}
	return nil
}

// recursive makes a type that contains itself, of types that have the shape of its parts, and notes that it gets the
// parts themselves later.
func (b *builder) recursive(t *Type) (reflect.Type, error) {
	unique := reflect.StructOf([]reflect.StructField{{Name: "X", Type: reflect.TypeFor[int](), Tag: reflect.StructTag(`gaucho:"` + strconv.Itoa(t.ID) + `"`)}})
	var failed error
	var shape func(p *Type) reflect.Type
	shape = func(p *Type) reflect.Type {
		switch p.Kind {
		case reflect.Array:
			return reflect.ArrayOf(p.Len, shape(p.Elem))
		case reflect.Pointer:
			return reflect.PointerTo(unique)
		case reflect.Slice:
			return reflect.SliceOf(unique)
		case reflect.Map:
			return reflect.MapOf(reflect.TypeFor[int](), unique)
		case reflect.Chan:
			return reflect.ChanOf(reflect.BothDir, unique)
		case reflect.Func:
			return reflect.FuncOf([]reflect.Type{unique}, nil, false)
		}
		rt, err := b.lowered(p)
		if err != nil {
			failed = err
			return anyType
		}
		return rt
	}
	var rt reflect.Type
	switch t.Kind {
	case reflect.Pointer:
		rt = reflect.PointerTo(shape(t.Elem))
	case reflect.Slice:
		rt = reflect.SliceOf(shape(t.Elem))
	case reflect.Array:
		rt = reflect.ArrayOf(t.Len, shape(t.Elem))
	case reflect.Chan:
		rt = reflect.ChanOf(t.Dir, shape(t.Elem))
	case reflect.Map:
		rt = reflect.MapOf(shape(t.Key), shape(t.Elem))
	case reflect.Func:
		var in, out []reflect.Type
		for _, p := range t.Params {
			in = append(in, shape(p))
		}
		for _, p := range t.Results {
			out = append(out, shape(p))
		}
		if t.Variadic {
			in[len(in)-1] = reflect.SliceOf(unique)
		}
		rt = reflect.FuncOf(in, out, t.Variadic)
	default:
		return nil, fmt.Errorf("the type %s contains itself", t.String)
	}
	if failed != nil {
		return nil, failed
	}
	b.loops = append(b.loops, t)
	return rt, nil
}

// closeLoop gives a type that contains itself its parts.
func (b *builder) closeLoop(t *Type) error {
	parts := []*Type{t.Elem}
	words := (*[4]unsafe.Pointer)(unsafe.Add(typePointer(t.Lowered), unsafe.Sizeof(abiTypeShape{})))
	switch t.Kind {
	case reflect.Map:
		parts = []*Type{t.Key, t.Elem}
	case reflect.Func:
		parts = append(append([]*Type(nil), t.Params...), t.Results...)
		words = (*[4]unsafe.Pointer)(unsafe.Add(unsafe.Pointer(words), unsafe.Sizeof(uintptr(0)))) // after the counts
	}
	for i, p := range parts {
		rt, err := b.lowered(p)
		if err != nil {
			return err
		}
		*(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(words), uintptr(i)*unsafe.Sizeof(uintptr(0)))) = typePointer(rt)
	}
	return nil
}

func (b *builder) patch() error {
	for len(b.loops) > 0 {
		t := b.loops[0]
		b.loops = b.loops[1:]
		if err := b.closeLoop(t); err != nil {
			return err
		}
	}

	for len(b.patches) > 0 {
		p := b.patches[0]
		b.patches = b.patches[1:]
		rt, err := b.lowered(p.typ)
		if err != nil {
			return err
		}
		setFieldType(p.in, p.field, rt)
		if len(b.loops) > 0 {
			return b.patch()
		}
	}
	return nil
}

// An abiStruct has the layout of struct types in the runtime (internal/abi), checked when the package starts.
type abiStruct struct {
	abiType [unsafe.Sizeof(abiTypeShape{})]byte
	pkgPath *byte
	fields  []abiField
}

type abiTypeShape struct {
	_, _    uintptr // size, ptrBytes
	hash    uint32
	_, _, _ uint8 // tflag, align, fieldAlign
	_       uint8 // kind
	_       func(unsafe.Pointer, unsafe.Pointer) bool
	_       *byte // gcData
	str, _  int32 // str, ptrToThis
}

type abiField struct {
	_   *byte // name
	typ unsafe.Pointer
	_   uintptr // offset
}

func typePointer(t reflect.Type) unsafe.Pointer {
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1]
}

// setFieldType gives a field of a struct type made by reflect.StructOf another type of the same shape.
func setFieldType(in reflect.Type, i int, t reflect.Type) {
	(*abiStruct)(typePointer(in)).fields[i].typ = typePointer(t)
}

func init() {
	st := reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: reflect.TypeFor[*byte](), Tag: `gaucho:"check"`}, {Name: "B", Type: reflect.TypeFor[int]()},
	})
	setFieldType(st, 0, reflect.PointerTo(st))
	if f := st.Field(0); f.Type.Elem() != st || st.Field(1).Offset != unsafe.Sizeof(uintptr(0)) {
		panic("rt: the runtime's struct types have another layout than this Go version's")
	}
}
