package export

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"strconv"
	"strings"
)

// typeText writes a type with the names that the program has. ok is false when the type has no name outside its package.
func (e *exporter) typeText(t types.Type) (text string, ok bool) {
	before := maps.Clone(e.imports)
	w := typeWriter{e: e, ok: true}
	w.write(t)
	if !w.ok {
		e.imports = before
	}
	return w.b.String(), w.ok
}

type typeWriter struct {
	e  *exporter
	b  strings.Builder
	ok bool
}

func (w *typeWriter) write(t types.Type) {
	switch t := t.(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			w.b.WriteString(w.e.use("unsafe") + ".")
		}
		w.b.WriteString(t.Name())
	case *types.Alias:
		w.named(t.Obj(), t.TypeArgs())
	case *types.Named:
		w.named(t.Obj(), t.TypeArgs())
	case *types.TypeParam:
		w.b.WriteString(t.Obj().Name())
	case *types.Pointer:
		w.b.WriteByte('*')
		w.write(t.Elem())
	case *types.Slice:
		w.b.WriteString("[]")
		w.write(t.Elem())
	case *types.Array:
		fmt.Fprintf(&w.b, "[%d]", t.Len())
		w.write(t.Elem())
	case *types.Map:
		w.b.WriteString("map[")
		w.write(t.Key())
		w.b.WriteByte(']')
		w.write(t.Elem())
	case *types.Chan:
		w.b.WriteString([]string{"chan", "chan<-", "<-chan"}[t.Dir()] + " (")
		w.write(t.Elem())
		w.b.WriteByte(')')
	case *types.Signature:
		w.b.WriteString("func")
		w.signature(t, false)
	case *types.Struct:
		w.fields(t)
	case *types.Interface:
		w.methods(t)
	default:
		w.ok = false
	}
}

// named writes the name of a declared type, and its type arguments.
func (w *typeWriter) named(obj *types.TypeName, args *types.TypeList) {
	pkg := obj.Pkg()
	switch {
	case pkg == nil:
		w.b.WriteString(obj.Name())
	case pkg == w.e.checker.Pkg:
		name := w.e.names[w.e.rootOf(obj)]
		w.ok = w.ok && name != ""
		w.b.WriteString(name)
	default:
		w.ok = w.ok && obj.Exported() && !internalPath(pkg.Path())
		w.b.WriteString(w.e.use(pkg.Path()) + "." + obj.Name())
	}
	if args.Len() == 0 {
		return
	}
	w.b.WriteByte('[')
	for i := range args.Len() {
		if i > 0 {
			w.b.WriteString(", ")
		}
		w.write(args.At(i))
	}
	w.b.WriteByte(']')
}

func internalPath(path string) bool {
	return strings.HasPrefix(path, "internal/") || strings.Contains(path, "/internal/") || strings.HasSuffix(path, "/internal")
}

// signature writes parameters and results. With numbered, parameters are named a0, a1 and so on.
func (w *typeWriter) signature(s *types.Signature, numbered bool) {
	w.b.WriteByte('(')
	n := s.Params().Len()
	for i := range n {
		if i > 0 {
			w.b.WriteString(", ")
		}
		if numbered {
			w.b.WriteString("a" + strconv.Itoa(i) + " ")
		}
		t := s.Params().At(i).Type()
		if s.Variadic() && i == n-1 {
			w.b.WriteString("...")
			t = t.Underlying().(*types.Slice).Elem()
		}
		w.write(t)
	}
	w.b.WriteString(") ")
	if s.Results().Len() == 0 {
		return
	}
	w.b.WriteByte('(')
	for i := range s.Results().Len() {
		if i > 0 {
			w.b.WriteString(", ")
		}
		w.write(s.Results().At(i).Type())
	}
	w.b.WriteByte(')')
}

func (w *typeWriter) fields(t *types.Struct) {
	w.b.WriteString("struct{")
	for i := range t.NumFields() {
		f := t.Field(i)
		if i > 0 {
			w.b.WriteString("; ")
		}
		if !f.Embedded() {
			w.b.WriteString(f.Name() + " ")
		}
		if !token.IsExported(f.Name()) && f.Pkg() != w.e.checker.Pkg {
			w.ok = false
		}
		w.write(f.Type())
		if tag := t.Tag(i); tag != "" {
			w.b.WriteString(" " + strconv.Quote(tag))
		}
	}
	w.b.WriteByte('}')
}

func (w *typeWriter) methods(t *types.Interface) {
	w.b.WriteString("interface{")
	for m := range t.ExplicitMethods() {
		w.b.WriteString(m.Name())
		w.signature(m.Signature(), false)
		w.b.WriteString("; ")
	}
	for e := range t.EmbeddedTypes() {
		w.write(e)
		w.b.WriteString("; ")
	}
	w.b.WriteByte('}')
}
