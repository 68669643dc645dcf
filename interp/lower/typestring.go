package lower

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// typeString is the type as %T prints it.
func (e *emitter) typeString(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return types.Typ[types.Default(t).(*types.Basic).Kind()].Name()
	case *types.Named:
		if t.Obj().Pkg() == nil {
			return t.Obj().Name()
		}
		return t.Obj().Pkg().Name() + "." + e.localName(t)
	case *types.Pointer:
		return "*" + e.typeString(t.Elem())
	case *types.Slice:
		return "[]" + e.typeString(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), e.typeString(t.Elem()))
	case *types.Map:
		return "map[" + e.typeString(t.Key()) + "]" + e.typeString(t.Elem())
	case *types.Chan:
		switch t.Dir() {
		case types.SendOnly:
			return "chan<- " + e.typeString(t.Elem())
		case types.RecvOnly:
			return "<-chan " + e.typeString(t.Elem())
		}
		if c, ok := types.Unalias(t.Elem()).(*types.Chan); ok && c.Dir() == types.RecvOnly {
			return "chan (" + e.typeString(t.Elem()) + ")"
		}
		return "chan " + e.typeString(t.Elem())
	case *types.Signature:
		return "func" + e.sigString(t)
	case *types.Struct:
		if t.NumFields() == 0 {
			return "struct {}"
		}
		var list []string
		for i := range t.NumFields() {
			v := t.Field(i)
			f := v.Name() + " " + e.typeString(v.Type())
			if v.Embedded() {
				f = e.typeString(v.Type())
			}
			if t.Tag(i) != "" {
				f += " " + strconv.Quote(t.Tag(i))
			}
			list = append(list, f)
		}
		return "struct { " + strings.Join(list, "; ") + " }"
	case *types.Interface:
		if t.Empty() {
			return "interface {}"
		}
		var list []string
		for m := range t.Methods() {
			name := m.Name()
			if !m.Exported() {
				name = m.Pkg().Name() + "." + name
			}
			list = append(list, name+e.sigString(m.Signature()))
		}
		return "interface { " + strings.Join(list, "; ") + " }"
	}
	return t.String()
}

func (e *emitter) sigString(t *types.Signature) string {
	var params, results []string
	for i := range t.Params().Len() {
		pt := t.Params().At(i).Type()
		if t.Variadic() && i == t.Params().Len()-1 {
			if sl, ok := pt.Underlying().(*types.Slice); ok {
				params = append(params, "..."+e.typeString(sl.Elem()))
				continue
			}
		}
		params = append(params, e.typeString(pt))
	}
	for v := range t.Results().Variables() {
		results = append(results, e.typeString(v.Type()))
	}
	s := "(" + strings.Join(params, ", ") + ")"
	switch len(results) {
	case 0:
		return s
	case 1:
		return s + " " + results[0]
	}
	return s + " (" + strings.Join(results, ", ") + ")"
}

// localName is a named type's name with its type arguments as the runtime writes them.
func (e *emitter) localName(n *types.Named) string {
	name := n.Obj().Name()
	if n.TypeArgs().Len() == 0 {
		return name
	}
	var args []string
	for a := range n.TypeArgs().Types() {
		args = append(args, e.pathString(a))
	}
	return name + "[" + strings.Join(args, ",") + "]"
}

// pathString is typeString with whole import paths, as in type arguments.
func (e *emitter) pathString(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path() + "." + e.localName(n)
	}
	return e.typeString(t)
}

// sigKey is a signature as text, equal for identical signatures only. Package rt makes the same text from reflect types.
func (e *emitter) sigKey(t *types.Signature) string {
	var b strings.Builder
	b.WriteString("func(")
	for i := range t.Params().Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		if t.Variadic() && i == t.Params().Len()-1 {
			b.WriteString("...")
		}
		b.WriteString(e.typeKey(t.Params().At(i).Type()))
	}
	b.WriteByte(')')
	for i := range t.Results().Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(e.typeKey(t.Results().At(i).Type()))
	}
	return b.String()
}

func (e *emitter) typeKey(t types.Type) string {
	t = types.Unalias(t)
	if !e.native(t) {
		return "#" + strconv.Itoa(e.info(t).id)
	}
	switch t := t.(type) {
	case *types.Basic:
		return types.Typ[types.Default(t).(*types.Basic).Kind()].Name()
	case *types.Named:
		if t.Obj().Pkg() == nil {
			return t.Obj().Name()
		}
		return t.Obj().Pkg().Path() + "." + t.Obj().Name()
	case *types.Pointer:
		return "*" + e.typeKey(t.Elem())
	case *types.Slice:
		return "[]" + e.typeKey(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), e.typeKey(t.Elem()))
	case *types.Map:
		return "map[" + e.typeKey(t.Key()) + "]" + e.typeKey(t.Elem())
	case *types.Chan:
		return [...]string{"chan ", "chan<- ", "<-chan "}[t.Dir()] + e.typeKey(t.Elem())
	case *types.Signature:
		return e.sigKey(t)
	case *types.Struct:
		return "struct{}"
	case *types.Interface:
		return "any"
	}
	return t.String()
}
