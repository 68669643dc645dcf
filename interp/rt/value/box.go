package value

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	cellrt "gaucho/interp/rt/internal/runtime"
)

// A Boxed is a value that compiled code sees and that holds a box: an ErrBox, or a wrapper for an interface of a compiled
// package.
type Boxed interface{ Unboxed() Box }

// Unboxed makes Box, and all wrappers that embed one, Boxed.
func (b Box) Unboxed() Box { return b }

// Unwrap returns what a value that has gone through an interface of a compiled package is for cell code: its box, where
// it has one.
func Unwrap(v any) any {
	switch b := v.(type) {
	case Box:
		return b
	case Boxed:
		return b.Unboxed()
	}
	return v
}

// BoxOf returns the box in a value, if there is one.
func BoxOf(v any) (Box, bool) {
	b, ok := Unwrap(v).(Box)
	return b, ok
}

// Equal compares two values as Go compares interfaces.
func Equal(a, b any) bool {
	a, b = Unwrap(a), Unwrap(b)
	if x, ok := a.(Box); ok {
		if y, ok := b.(Box); ok && x.T == y.T && !x.T.comparable() {
			panic(cellrt.Error("comparing uncomparable type " + x.T.String))
		}
	}
	return a == b
}

func (t *Type) comparable() bool {
	switch t.Kind {
	case reflect.Slice, reflect.Map, reflect.Func:
		return false
	case reflect.Array:
		return t.Elem == nil || t.Elem.comparable()
	case reflect.Struct:
		for _, f := range t.Fields {
			if !f.Type.comparable() {
				return false
			}
		}
	}
	return true
}

// registry holds the descriptors of the worker.
var registry struct {
	sync.RWMutex
	byID   []*Type
	native map[reflect.Type]*Type
}

// TypeID returns the number of the type of a value in an interface: 0 for nil, -1 for a type without a descriptor.
func TypeID(v any) int {
	switch b := v.(type) {
	case nil:
		return 0
	case Box:
		return b.T.ID
	case Boxed:
		return b.Unboxed().T.ID
	}
	registry.RLock()
	t := registry.native[reflect.TypeOf(v)]
	registry.RUnlock()
	if t == nil {
		return -1
	}
	return t.ID
}

// SetMethod puts a method into the table of a type. f takes the bare receiver as its first argument, of type any.
func SetMethod(t *Type, name string, f any) {
	for _, m := range t.Methods {
		if m.Name == name {
			m.Func = f
			t.composed.Clear()
			return
		}
	}
}

// MethodOf returns the function that SetMethod registered.
func MethodOf(t *Type, name string) any {
	if t == nil && name == "String" {
		return noString
	}
	if m := t.method(name); m != nil && m.Func != nil {
		return m.Func
	}
	panic(cellrt.Error("method " + name + " of " + t.String + " is not there"))
}

func (t *Type) method(name string) *Method {
	i, ok := slices.BinarySearchFunc(t.Methods, name, func(m *Method, name string) int { return strings.Compare(m.Name, name) })
	if !ok {
		return nil
	}
	return t.Methods[i]
}

// NativeMethod returns the method of a value that is no box, bound to it.
func NativeMethod(v any, name string) any {
	if v == nil {
		NilDereference()
	}
	if b, ok := v.(Boxed); ok {
		box := b.Unboxed()
		f := reflect.ValueOf(MethodOf(box.T, name))
		ft := f.Type()
		in := make([]reflect.Type, 0, ft.NumIn())
		for i := 1; i < ft.NumIn(); i++ {
			in = append(in, ft.In(i))
		}
		out := make([]reflect.Type, ft.NumOut())
		for i := range out {
			out[i] = ft.Out(i)
		}
		recv := reflect.New(ft.In(0)).Elem()
		recv.Set(reflect.ValueOf(box.V))
		return reflect.MakeFunc(reflect.FuncOf(in, out, ft.IsVariadic()), func(args []reflect.Value) []reflect.Value {
			args = append([]reflect.Value{recv}, args...)
			if ft.IsVariadic() {
				return f.CallSlice(args)
			}
			return f.Call(args)
		}).Interface()
	}
	m := reflect.ValueOf(v).MethodByName(name)
	if !m.IsValid() {
		panic(cellrt.Error("method " + name + " of " + reflect.TypeOf(v).String() + " is not there"))
	}
	return m.Interface()
}

type implKey struct {
	dynamic any // *Type or reflect.Type
	iface   *Type
}

var implCache sync.Map // implKey to bool

// Implements reports whether the dynamic type of v, which is not nil, has the methods of an interface.
func Implements(v any, iface *Type) bool {
	if len(iface.Iface) == 0 && !iface.opaque() {
		return true
	}
	var dyn any
	switch b := v.(type) {
	case Box:
		dyn = b.T
	case Boxed:
		dyn = b.Unboxed().T
	default:
		dyn = reflect.TypeOf(v)
	}
	key := implKey{dyn, iface}
	if t, ok := dyn.(*Type); ok {
		return t.missing(iface) == "" // methods may be added later: not cached
	}
	if ok, cached := implCache.Load(key); cached {
		return ok.(bool)
	}
	ok := missingNative(dyn.(reflect.Type), iface) == ""
	implCache.Store(key, ok)
	return ok
}

// opaque reports whether the type is an interface of a compiled package, whose methods are asked by reflection.
func (t *Type) opaque() bool {
	return t.Lowered != nil && t.Lowered.Kind() == reflect.Interface && t.Lowered.NumMethod() > 0
}

// missing returns the first method of the interface that t does not have, "" if it has all.
func (t *Type) missing(iface *Type) string {
	for _, s := range iface.Iface {
		m := t.method(s.Name)
		if m == nil || m.Key != s.Key {
			return s.Name
		}
	}
	return ""
}

func missingNative(t reflect.Type, iface *Type) string {
	if iface.opaque() {
		for i := range iface.Lowered.NumMethod() {
			m := iface.Lowered.Method(i)
			if _, ok := t.MethodByName(m.Name); !ok {
				return m.Name
			}
		}
		if t.Implements(iface.Lowered) {
			return ""
		}
		return iface.Lowered.Method(0).Name
	}
	receiver := 1 // the first parameter of a method, but of an interface's
	if t.Kind() == reflect.Interface {
		receiver = 0
	}
	for _, s := range iface.Iface {
		m, ok := t.MethodByName(s.Name)
		if !ok || signature(m.Type, receiver) != s.Key {
			return s.Name
		}
	}
	return ""
}

// signature is that of a function without its parameters before first, as the lowerer writes it.
func signature(t reflect.Type, first int) string {
	var b strings.Builder
	b.WriteString("func(")
	for i := first; i < t.NumIn(); i++ {
		if i > first {
			b.WriteByte(',')
		}
		if t.IsVariadic() && i == t.NumIn()-1 {
			b.WriteString("...")
		}
		b.WriteString(typeKey(t.In(i)))
	}
	b.WriteByte(')')
	for i := range t.NumOut() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(typeKey(t.Out(i)))
	}
	return b.String()
}

func typeKey(t reflect.Type) string {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return t.Name()
		}
		return t.PkgPath() + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + typeKey(t.Elem())
	case reflect.Slice:
		return "[]" + typeKey(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + typeKey(t.Elem())
	case reflect.Map:
		return "map[" + typeKey(t.Key()) + "]" + typeKey(t.Elem())
	case reflect.Chan:
		return map[reflect.ChanDir]string{reflect.BothDir: "chan ", reflect.SendDir: "chan<- ", reflect.RecvDir: "<-chan "}[t.ChanDir()] + typeKey(t.Elem())
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return "any"
		}
	case reflect.Struct:
		if t.NumField() == 0 {
			return "struct{}"
		}
	case reflect.Func:
		return signature(t, 0)
	}
	return "?" + t.String()
}

// typeName is the type of a value in an interface as messages name it.
func typeName(v any) string {
	switch b := v.(type) {
	case Box:
		return b.T.String
	case Boxed:
		return b.Unboxed().T.String
	}
	return reflect.TypeOf(v).String()
}

// AssertFailed panics as a type assertion does that fails: v, in an interface of type from, is not a t.
func AssertFailed(v any, from, t *Type) {
	v = Unwrap(v)
	name := from.String
	if from.Name == "" && len(from.Iface) == 0 || from.String == "any" {
		name = "interface {}"
	}
	if t.Kind == reflect.Interface {
		if v == nil {
			panic(cellrt.Assertion("interface conversion: interface is nil, not " + t.String))
		}
		miss := ""
		if b, ok := v.(Box); ok {
			miss = b.T.missing(t)
		} else {
			miss = missingNative(reflect.TypeOf(v), t)
		}
		panic(cellrt.Assertion("interface conversion: " + typeName(v) + " is not " + t.String + ": missing method " + miss))
	}
	if v == nil {
		panic(cellrt.Assertion("interface conversion: " + name + " is nil, not " + t.String))
	}
	msg := "interface conversion: " + name + " is " + typeName(v) + ", not " + t.String
	if typeName(v) == t.String {
		msg += " (types from different scopes)"
	}
	panic(cellrt.Assertion(msg))
}
