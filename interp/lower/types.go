package lower

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gaucho/interp/wire"
)

// A typeInfo is what the session knows about one type, in the sense of types.Identical.
type typeInfo struct {
	id     int
	typ    types.Type
	native bool
	wire   wire.Type
	told   bool                   // described: wire is complete but for methods
	tabled bool                   // wire has the methods, and the lowered text registers them
	set    string                 // the method set that was sent, as text
	funcs  map[string]*types.Func // the methods that are registered
	loop   int                    // whether a named type contains itself without a struct in between: 1 no, 2 yes
}

// info returns the entry of a closed type.
func (e *emitter) info(t types.Type) *typeInfo {
	s := e.s
	t = types.Unalias(t)
	if ti, ok := s.types.At(t).(*typeInfo); ok {
		return ti
	}
	s.ids++ // never taken back: the engine may know the type of a unit that failed
	ti := &typeInfo{id: s.ids, typ: t}
	s.list = append(s.list, ti)
	s.types.Set(t, ti)
	n := len(s.list)
	s.Note(func() {
		s.types.Delete(t)
		s.list = s.list[:n-1]
	})
	ti.native = e.isNative(t)
	return ti
}

func (e *emitter) native(t types.Type) bool { return e.info(t).native }

// isCell reports whether a package-level object or a local one belongs to cells.
func isCell(pkg *types.Package) bool { return pkg != nil && pkg.Path() == "main" }

// binary reports whether a named type is one of a compiled package, with all its methods.
func (e *emitter) binary(n *types.Named) bool {
	obj := n.Obj()
	if obj.Pkg() == nil {
		return true
	}
	if e.s.interpreted(obj.Pkg()) || n.TypeArgs().Len() > 0 || n.TypeParams().Len() > 0 {
		return false
	}
	if obj.Parent() != nil && obj.Parent() != obj.Pkg().Scope() {
		return false
	}
	if e.s.sources[obj.Pkg().Path()] != nil && e.s.sources[obj.Pkg().Path()].pkg == obj.Pkg() {
		return e.s.lib.Has(obj.Pkg().Path(), obj.Name())
	}
	return true
}

// isNative reports whether the lowered type is the very Go type, so that reflection says the truth about its values.
func (e *emitter) isNative(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return true
	case *types.Named:
		return e.binary(t)
	case *types.Pointer:
		return e.native(t.Elem())
	case *types.Slice:
		return e.native(t.Elem())
	case *types.Array:
		return e.native(t.Elem())
	case *types.Chan:
		return e.native(t.Elem())
	case *types.Map:
		return e.native(t.Key()) && e.native(t.Elem())
	case *types.Struct:
		return t.NumFields() == 0
	case *types.Interface:
		return t.Empty()
	case *types.Signature:
		for v := range t.Params().Variables() {
			if !e.native(v.Type()) {
				return false
			}
		}
		for v := range t.Results().Variables() {
			if !e.native(v.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// under is the underlying type. That of an instance of a generic type of a compiled package comes from the package's
// source, whose version the interpreter can run.
func (e *emitter) under(t types.Type) types.Type {
	t = types.Unalias(t)
	if n, ok := t.(*types.Named); ok {
		if src := e.sourceNamed(n); src != nil {
			return src.Underlying()
		}
	}
	return t.Underlying()
}

func isInterface(t types.Type) bool {
	_, ok := t.Underlying().(*types.Interface)
	return ok
}

// compiledInterface reports whether an interface type is represented as that of a compiled package, and not as any.
func (e *emitter) compiledInterface(t types.Type) bool {
	t = types.Unalias(t)
	n, ok := t.(*types.Named)
	if !ok || !isInterface(t) || !e.binary(n) {
		return false
	}
	if n.Obj().Pkg() == nil {
		return n.Obj().Name() == "error"
	}
	return n.Underlying().(*types.Interface).NumMethods() > 0 && n.Obj().Exported()
}

// typ is the text of the lowered type.
func (e *emitter) typ(t types.Type) string {
	t = types.Unalias(t)
	switch t := t.(type) {
	case *types.Basic:
		return e.basic(t)
	case *types.Named:
		return e.namedText(t)
	case *types.Pointer:
		return "*" + e.typ(t.Elem())
	case *types.Slice:
		return "[]" + e.typ(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), e.typ(t.Elem()))
	case *types.Map:
		return "map[" + e.typ(t.Key()) + "]" + e.typ(t.Elem())
	case *types.Chan:
		switch t.Dir() {
		case types.SendOnly:
			return "chan<- " + e.typ(t.Elem())
		case types.RecvOnly:
			return "<-chan " + e.typ(t.Elem())
		}
		if c, ok := types.Unalias(t.Elem()).(*types.Chan); ok && c.Dir() == types.RecvOnly {
			return "chan (" + e.typ(t.Elem()) + ")"
		}
		return "chan " + e.typ(t.Elem())
	case *types.Signature:
		return "func" + e.sigText(t, nil)
	case *types.Struct:
		if t.NumFields() == 0 {
			return "struct{}"
		}
		return e.structText(t)
	case *types.Interface:
		return "any"
	case *types.Tuple:
		if t.Len() == 1 {
			return e.typ(t.At(0).Type())
		}
	}
	e.refuse(e.pos(), "internal: type %v (%T)", t, t)
	return ""
}

func (e *emitter) basic(t *types.Basic) string {
	t = types.Default(t).(*types.Basic)
	switch t.Kind() {
	case types.UnsafePointer:
		e.refuse(e.pos(), "unsafe.Pointer cannot be interpreted")
	case types.UntypedNil:
		return "any"
	case types.Invalid:
		e.refuse(e.pos(), "internal: invalid type")
	}
	return types.Typ[t.Kind()].Name()
}

func (e *emitter) namedText(t *types.Named) string {
	if isInterface(t) {
		if e.compiledInterface(t) {
			return e.binaryText(t)
		}
		return "any"
	}
	if e.binary(t) {
		return e.binaryText(t)
	}
	under := e.under(t)
	if st, ok := under.(*types.Struct); ok {
		if st.NumFields() == 0 {
			return "struct{}"
		}
		for f := range st.Fields() {
			if p := f.Pkg(); !f.Exported() && p.Path() != t.Obj().Pkg().Path() && !e.s.interpreted(p) {
				e.refuse(e.pos(), "the type %s, declared as one of package %s with unexported fields, cannot be interpreted", t.Obj().Name(), p.Path())
			}
		}
		return e.structText(t)
	}
	if e.recursive(t) {
		return "t_.R" + strconv.Itoa(e.describe(t))
	}
	return e.typ(under)
}

// recursive reports whether a type contains itself without a struct or interface type in between.
func (e *emitter) recursive(t *types.Named) bool {
	ti := e.info(t)
	if ti.loop == 0 {
		ti.loop = 1
		if e.reaches(e.under(t), t, map[types.Type]bool{}) {
			ti.loop = 2
		}
	}
	return ti.loop == 2
}

func (e *emitter) reaches(from types.Type, goal *types.Named, seen map[types.Type]bool) bool {
	from = types.Unalias(from)
	if seen[from] {
		return false
	}
	seen[from] = true
	switch t := from.(type) {
	case *types.Named:
		if types.Identical(t, goal) {
			return true
		}
		return !e.binary(t) && e.reaches(e.under(t), goal, seen)
	case *types.Pointer:
		return e.reaches(t.Elem(), goal, seen)
	case *types.Slice:
		return e.reaches(t.Elem(), goal, seen)
	case *types.Array:
		return e.reaches(t.Elem(), goal, seen)
	case *types.Chan:
		return e.reaches(t.Elem(), goal, seen)
	case *types.Map:
		return e.reaches(t.Key(), goal, seen) || e.reaches(t.Elem(), goal, seen)
	case *types.Signature:
		for v := range t.Params().Variables() {
			if e.reaches(v.Type(), goal, seen) {
				return true
			}
		}
		for v := range t.Results().Variables() {
			if e.reaches(v.Type(), goal, seen) {
				return true
			}
		}
	}
	return false
}

func (e *emitter) binaryText(t *types.Named) string {
	obj := t.Obj()
	if obj.Pkg() == nil {
		return obj.Name()
	}
	if obj.Pkg().Path() == "unsafe" {
		e.refuse(e.pos(), "unsafe.Pointer cannot be interpreted")
	}
	if !e.s.lib.Has(obj.Pkg().Path(), obj.Name()) {
		e.refuse(e.pos(), "the type %s.%s is not known to the interpreter", obj.Pkg().Path(), obj.Name())
	}
	return e.imp(obj.Pkg().Path()) + "." + obj.Name()
}

// structText is the name of a struct type that the worker makes from its descriptor.
func (e *emitter) structText(t types.Type) string {
	ti := e.info(t)
	e.describe(t)
	return "t_.S" + strconv.Itoa(ti.id)
}

// desc is the text of a type's descriptor.
func (e *emitter) desc(t types.Type) string {
	return "t_.D" + strconv.Itoa(e.describe(t))
}

// sigText is parameter and result types of a function type; names, if any, are those of the parameters.
func (e *emitter) sigText(t *types.Signature, names []string) string {
	var b strings.Builder
	b.WriteByte('(')
	for i := range t.Params().Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		if names != nil {
			b.WriteString(names[i] + " ")
		}
		pt := t.Params().At(i).Type()
		if t.Variadic() && i == t.Params().Len()-1 {
			if sl, ok := pt.Underlying().(*types.Slice); ok {
				b.WriteString("..." + e.typ(sl.Elem()))
			} else { // append([]byte, string...)
				b.WriteString("..." + e.typ(pt))
			}
			continue
		}
		b.WriteString(e.typ(pt))
	}
	b.WriteByte(')')
	b.WriteString(e.resultText(t))
	return b.String()
}

func (e *emitter) resultText(t *types.Signature) string {
	switch n := t.Results().Len(); n {
	case 0:
		return ""
	case 1:
		return " " + e.typ(t.Results().At(0).Type())
	default:
		var list []string
		for v := range t.Results().Variables() {
			list = append(list, e.typ(v.Type()))
		}
		return " (" + strings.Join(list, ", ") + ")"
	}
}

// change puts a descriptor on the list of those that go with the unit.
func (e *emitter) change(ti *typeInfo) {
	if slices.Contains(e.changed, ti) {
		return
	}
	e.changed = append(e.changed, ti)
}

// describe makes the worker know the type, and returns its number.
func (e *emitter) describe(t types.Type) int {
	if t == nil {
		return 0
	}
	t = types.Unalias(t)
	ti := e.info(t)
	if ti.told {
		return ti.id
	}
	ti.told = true
	e.s.Note(func() { ti.told = false })
	w := &ti.wire
	*w = wire.Type{ID: ti.id, String: e.typeString(t), Native: ti.native}
	if n, ok := t.(*types.Named); ok {
		w.Name = e.localName(n)
		w.Version = 0
		if n.Obj().Pkg() != nil {
			w.Path = n.Obj().Pkg().Path()
		}
		w.Recursive = !ti.native && !isInterface(t) && kindOf(e.under(t)) != reflect.Struct && e.recursive(n)
	}
	under := e.under(t)
	if ti.native && isNamed(t) && !isInterface(t) {
		w.Kind = uint(kindOf(under))
		e.change(ti)
		return ti.id
	}
	w.Kind = uint(kindOf(under))
	switch u := under.(type) {
	case *types.Basic:
	case *types.Pointer:
		w.Elem = e.describe(u.Elem())
	case *types.Slice:
		w.Elem = e.describe(u.Elem())
	case *types.Array:
		w.Elem, w.Len = e.describe(u.Elem()), int(u.Len())
	case *types.Chan:
		w.Elem = e.describe(u.Elem())
		w.Dir = int([]reflect.ChanDir{reflect.BothDir, reflect.SendDir, reflect.RecvDir}[u.Dir()])
	case *types.Map:
		w.Key, w.Elem = e.describe(u.Key()), e.describe(u.Elem())
	case *types.Signature:
		w.Variadic = u.Variadic()
		for v := range u.Params().Variables() {
			w.Params = append(w.Params, e.describe(v.Type()))
		}
		for v := range u.Results().Variables() {
			w.Results = append(w.Results, e.describe(v.Type()))
		}
	case *types.Struct:
		for i := range u.NumFields() {
			v := u.Field(i)
			w.Fields = append(w.Fields, wire.Field{
				Name: v.Name(), Type: e.describe(v.Type()), Tag: u.Tag(i), Embedded: v.Embedded(), Exported: v.Exported(),
			})
		}
	case *types.Interface:
		for m := range u.Methods() {
			w.Iface = append(w.Iface, wire.Sig{Name: e.methodName(m), Key: e.sigKey(m.Signature())})
		}
	}
	e.change(ti)
	return ti.id
}

func isNamed(t types.Type) bool {
	_, ok := t.(*types.Named)
	return ok
}

var kinds = map[types.BasicKind]reflect.Kind{
	types.Bool: reflect.Bool, types.Int: reflect.Int, types.Int8: reflect.Int8, types.Int16: reflect.Int16,
	types.Int32: reflect.Int32, types.Int64: reflect.Int64, types.Uint: reflect.Uint, types.Uint8: reflect.Uint8,
	types.Uint16: reflect.Uint16, types.Uint32: reflect.Uint32, types.Uint64: reflect.Uint64, types.Uintptr: reflect.Uintptr,
	types.Float32: reflect.Float32, types.Float64: reflect.Float64, types.Complex64: reflect.Complex64,
	types.Complex128: reflect.Complex128, types.String: reflect.String, types.UnsafePointer: reflect.UnsafePointer,
}

func kindOf(under types.Type) reflect.Kind {
	switch u := under.(type) {
	case *types.Basic:
		return kinds[types.Default(u).(*types.Basic).Kind()]
	case *types.Pointer:
		return reflect.Pointer
	case *types.Slice:
		return reflect.Slice
	case *types.Array:
		return reflect.Array
	case *types.Chan:
		return reflect.Chan
	case *types.Map:
		return reflect.Map
	case *types.Signature:
		return reflect.Func
	case *types.Struct:
		return reflect.Struct
	case *types.Interface:
		return reflect.Interface
	}
	return reflect.Invalid
}
