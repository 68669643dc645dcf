package export

import (
	"encoding/binary"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"sort"
)

// A Ref names a package-level object, or, with an empty name, a package as such.
type Ref struct {
	Pkg  *types.Package
	Name string
}

// Write returns the chunk that declares the named package-level objects of pkg, and the objects of this and other
// packages that it refers to.
func Write(pkg *types.Package, names []string) (chunk []byte, refs []Ref, err error) {
	w := &writer{
		pkg:      pkg,
		strings:  map[string]int{},
		pkgs:     map[*types.Package]int{pkg: 0},
		byText:   map[string]int{},
		params:   map[*types.TypeParam]int{},
		implicit: map[*types.Interface]int{},
		refs:     map[Ref]bool{},
	}
	w.pkgList = append(w.pkgList, pkg)
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(writeError)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("export: package %s: %w", pkg.Path(), e.error)
		}
	}()
	names = append([]string(nil), names...)
	sort.Strings(names)
	objects := make([][]byte, len(names))
	for i, name := range names {
		obj := pkg.Scope().Lookup(name)
		if obj == nil {
			return nil, nil, fmt.Errorf("export: package %s has no %s", pkg.Path(), name)
		}
		objects[i] = w.object(obj)
	}
	return w.assemble(names, objects), w.sortedRefs(), nil
}

type writeError struct{ error }

func fail(format string, args ...any) { panic(writeError{fmt.Errorf(format, args...)}) }

type writer struct {
	pkg      *types.Package
	strList  []string
	strings  map[string]int
	pkgList  []*types.Package
	pkgs     map[*types.Package]int
	types    [][]byte
	byText   map[string]int // type entry as text to its number
	params   map[*types.TypeParam]int
	implicit map[*types.Interface]int
	refs     map[Ref]bool
}

func (w *writer) assemble(names []string, objects [][]byte) []byte {
	pkgs := make([]int, len(w.pkgList))
	for i, p := range w.pkgList {
		pkgs[i] = w.str(p.Path())
	}
	nameStr := make([]int, len(names))
	for i, n := range names {
		nameStr[i] = w.str(n)
	}
	var b buf
	b.int(len(w.strList))
	for _, s := range w.strList {
		b.int(len(s))
		b = append(b, s...)
	}
	b.int(len(pkgs))
	for _, p := range pkgs {
		b.int(p)
	}
	b.int(len(w.types))
	for _, t := range w.types {
		b.int(len(t))
	}
	for _, t := range w.types {
		b = append(b, t...)
	}
	b.int(len(objects))
	for i, o := range objects {
		b.int(nameStr[i])
		b.int(len(o))
	}
	for _, o := range objects {
		b = append(b, o...)
	}
	return b
}

func (w *writer) sortedRefs() []Ref {
	list := make([]Ref, 0, len(w.refs))
	for r := range w.refs {
		list = append(list, r)
	}
	sort.Slice(list, func(i, j int) bool {
		if a, b := list[i].Pkg.Path(), list[j].Pkg.Path(); a != b {
			return a < b
		}
		return list[i].Name < list[j].Name
	})
	return list
}

// A buf is the bytes of an entry under construction.
type buf []byte

func (b *buf) int(n int) { *b = binary.AppendUvarint(*b, uint64(n)) }

func (b *buf) bool(v bool) {
	n := 0
	if v {
		n = 1
	}
	b.int(n)
}

func (w *writer) str(s string) int {
	n, ok := w.strings[s]
	if !ok {
		n = len(w.strList)
		w.strings[s] = n
		w.strList = append(w.strList, s)
	}
	return n
}

func (w *writer) pkgNum(p *types.Package) int {
	n, ok := w.pkgs[p]
	if !ok {
		n = len(w.pkgList)
		w.pkgs[p] = n
		w.pkgList = append(w.pkgList, p)
	}
	return n
}

func (w *writer) object(obj types.Object) []byte {
	var b buf
	switch obj := obj.(type) {
	case *types.Const:
		b.int(oConst)
		b.int(w.typ(obj.Type()))
		w.constant(&b, obj.Val())
	case *types.Var:
		b.int(oVar)
		b.int(w.typ(obj.Type()))
	case *types.Func:
		b.int(oFunc)
		sig := obj.Signature()
		w.typeParams(&b, sig.TypeParams())
		w.signature(&b, sig)
	case *types.TypeName:
		if obj.IsAlias() {
			w.alias(&b, obj)
		} else {
			w.named(&b, obj.Type().(*types.Named))
		}
	default:
		fail("%v is of an unknown kind", obj)
	}
	return b
}

func (w *writer) alias(b *buf, obj *types.TypeName) {
	b.int(oAlias)
	rhs := obj.Type()
	if a, ok := rhs.(*types.Alias); ok {
		w.typeParams(b, a.TypeParams())
		rhs = a.Rhs()
	} else {
		w.typeParams(b, nil)
	}
	b.int(w.typ(rhs))
}

func (w *writer) named(b *buf, t *types.Named) {
	b.int(oType)
	w.typeParams(b, t.TypeParams())
	if iface, ok := t.Underlying().(*types.Interface); ok && iface.NumMethods()+iface.NumEmbeddeds() > 0 {
		b.int(w.iface(iface, t))
		return
	}
	b.int(w.typ(t.Underlying()))
	if types.IsInterface(t) {
		return
	}
	b.int(t.NumMethods())
	for i := range t.NumMethods() {
		m := t.Method(i)
		sig := m.Signature()
		b.int(w.str(m.Name()))
		w.typeParams(b, sig.RecvTypeParams())
		w.typeParams(b, sig.TypeParams())
		b.int(w.str(sig.Recv().Name()))
		b.int(w.typ(sig.Recv().Type()))
		w.signature(b, sig)
	}
}

// typeParams declares type parameters: their numbers in the type table.
func (w *writer) typeParams(b *buf, list *types.TypeParamList) {
	b.int(list.Len())
	for i := range list.Len() {
		b.int(w.typ(list.At(i)))
	}
}

func (w *writer) signature(b *buf, sig *types.Signature) {
	b.bool(sig.Variadic())
	w.tuple(b, sig.Params())
	w.tuple(b, sig.Results())
}

func (w *writer) tuple(b *buf, t *types.Tuple) {
	b.int(t.Len())
	for i := range t.Len() {
		b.int(w.str(t.At(i).Name()))
		b.int(w.typ(t.At(i).Type()))
	}
}

func (w *writer) constant(b *buf, v constant.Value) {
	switch v.Kind() {
	case constant.Bool:
		b.int(cBool)
		b.bool(constant.BoolVal(v))
	case constant.String:
		b.int(cString)
		b.int(w.str(constant.StringVal(v)))
	case constant.Int:
		b.int(cInt)
		b.int(w.str(v.ExactString()))
	case constant.Float:
		b.int(cFloat)
		num, den := constant.Num(v), constant.Denom(v)
		if num.Kind() == constant.Unknown { // too large for a fraction: hexadecimal digits
			num, den = v, constant.MakeInt64(1)
		}
		b.int(w.str(num.ExactString()))
		b.int(w.str(den.ExactString()))
	case constant.Complex:
		b.int(cComplex)
		w.constant(b, constant.ToFloat(constant.Real(v)))
		w.constant(b, constant.ToFloat(constant.Imag(v)))
	default:
		b.int(cUnknown)
	}
}

// typ returns the number of a type, after adding it to the table where it is new. Equal entries share a number; the
// only cycles run through named types, which are referred to by name, and type parameters, which get their number
// before their constraint is written.
func (w *writer) typ(t types.Type) int {
	if p, ok := t.(*types.TypeParam); ok {
		return w.param(p)
	}
	var b buf
	for i, p := range predeclared {
		if p == t {
			b.int(tBasic)
			b.int(i)
			return w.entry(b)
		}
	}
	switch t := t.(type) {
	case *types.Named:
		w.reference(&b, t.Obj(), t.TypeArgs())
	case *types.Alias:
		w.reference(&b, t.Obj(), t.TypeArgs())
	case *types.Pointer:
		b.int(tPointer)
		b.int(w.typ(t.Elem()))
	case *types.Slice:
		b.int(tSlice)
		b.int(w.typ(t.Elem()))
	case *types.Array:
		b.int(tArray)
		b.int(int(t.Len()))
		b.int(w.typ(t.Elem()))
	case *types.Map:
		b.int(tMap)
		b.int(w.typ(t.Key()))
		b.int(w.typ(t.Elem()))
	case *types.Chan:
		b.int(tChan)
		b.int(int(t.Dir()))
		b.int(w.typ(t.Elem()))
	case *types.Signature:
		b.int(tFunc)
		w.signature(&b, t)
	case *types.Struct:
		w.structure(&b, t)
	case *types.Interface:
		return w.iface(t, nil)
	case *types.Union:
		b.int(tUnion)
		b.int(t.Len())
		for i := range t.Len() {
			b.bool(t.Term(i).Tilde())
			b.int(w.typ(t.Term(i).Type()))
		}
	default:
		fail("type %v is of an unknown kind", t)
	}
	return w.entry(b)
}

func (w *writer) entry(b buf) int {
	n, ok := w.byText[string(b)]
	if !ok {
		n = len(w.types)
		w.byText[string(b)] = n
		w.types = append(w.types, b)
	}
	return n
}

func (w *writer) reference(b *buf, obj *types.TypeName, args *types.TypeList) {
	if obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
		fail("type %v is not declared at package level", obj)
	}
	w.refs[Ref{obj.Pkg(), obj.Name()}] = true
	b.int(tNamed)
	b.int(w.pkgNum(obj.Pkg()))
	b.int(w.str(obj.Name()))
	b.int(args.Len())
	for i := range args.Len() {
		b.int(w.typ(args.At(i)))
	}
}

func (w *writer) structure(b *buf, t *types.Struct) {
	b.int(tStruct)
	b.int(t.NumFields())
	for i := range t.NumFields() {
		f := t.Field(i)
		if f.Pkg() != w.pkg {
			w.refs[Ref{f.Pkg(), ""}] = true
		}
		b.int(w.pkgNum(f.Pkg()))
		b.int(w.str(f.Name()))
		b.bool(f.Embedded())
		b.int(w.str(t.Tag(i)))
		b.int(w.typ(f.Type()))
	}
}

// iface writes an interface type; its methods have the named type as receiver where it is that type's declaration.
func (w *writer) iface(t *types.Interface, named *types.Named) int {
	if n, ok := w.implicit[t]; ok {
		return n
	}
	var b buf
	b.int(tInterface)
	if named == nil {
		b.int(0)
	} else {
		var recv buf
		w.reference(&recv, named.Obj(), nil)
		b.int(1 + w.entry(recv))
	}
	b.bool(t.IsImplicit())
	b.int(t.NumExplicitMethods())
	for i := range t.NumExplicitMethods() {
		m := t.ExplicitMethod(i)
		if !token.IsExported(m.Name()) && m.Pkg() != w.pkg {
			fail("interface method %v belongs to another package", m)
		}
		b.int(w.str(m.Name()))
		w.signature(&b, m.Signature())
	}
	b.int(t.NumEmbeddeds())
	for i := range t.NumEmbeddeds() {
		b.int(w.typ(t.EmbeddedType(i)))
	}
	if t.IsImplicit() { // type parameters print as one group if they share their constraint
		w.types = append(w.types, b)
		w.implicit[t] = len(w.types) - 1
		return len(w.types) - 1
	}
	return w.entry(b)
}

func (w *writer) param(p *types.TypeParam) int {
	n, ok := w.params[p]
	if ok {
		return n
	}
	n = len(w.types)
	w.params[p] = n
	w.types = append(w.types, nil)
	var b buf
	b.int(tParam)
	b.int(w.str(p.Obj().Name()))
	b.int(w.typ(p.Constraint()))
	w.types[n] = b
	return n
}
