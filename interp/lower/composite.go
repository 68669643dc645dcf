package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func (f *fn) composite(x *ast.CompositeLit, t types.Type) string {
	e := f.e
	if p, ok := t.Underlying().(*types.Pointer); ok { // elided &T
		return f.addressed(x, p.Elem())
	}
	switch u := e.under(t).(type) {
	case *types.Struct:
		return f.structLit(x, t, u)
	case *types.Slice:
		return e.typ(t) + "{" + f.elements(x, u.Elem()) + "}"
	case *types.Array:
		return fmt.Sprintf("[%d]%s{%s}", u.Len(), e.typ(u.Elem()), f.elements(x, u.Elem()))
	case *types.Map:
		return e.typ(t) + "{" + strings.Join(f.entries(x, u), ", ") + "}"
	}
	e.refuse(x.Pos(), "internal: literal of type %v", t)
	return ""
}

// entries are the entries of a map's literal in the order in which Go's compiler stores them: static ones, then those that
// are computed. Of equal keys the last counts.
func (f *fn) entries(x *ast.CompositeLit, m *types.Map) []string {
	var static, computed []string
	at := map[string]int{} // constants: in a generic function, and among interfaces, two keys may be equal
	stored := map[string]bool{}
	for _, el := range x.Elts {
		kv := el.(*ast.KeyValueExpr)
		key := f.mapKey(kv.Key, m.Key(), "")
		value := f.element(kv.Value, m.Elem())
		same := f.constantInInterface(kv.Key)
		if same == "" {
			same = key
		}
		if !f.constantKey(kv.Key) && !f.static(kv.Key) || !f.static(kv.Value) {
			if stored[same] && f.constantKey(kv.Key) {
				key = f.computedKey(key, m.Key())
			}
			stored[same] = true
			computed = append(computed, key+": "+value)
			continue
		}
		if i, twice := at[same]; twice {
			static[i] = key + ": " + value
			continue
		}
		at[same], stored[same] = len(static), true
		static = append(static, key+": "+value)
	}
	return append(static, computed...)
}

// constantInInterface is what a constant key is in an interface: its type and its value. It is empty for other keys.
func (f *fn) constantInInterface(x ast.Expr) string {
	if tv := f.info.Types[x]; tv.Value != nil {
		return types.TypeString(types.Default(tv.Type), nil) + " " + tv.Value.ExactString()
	}
	if c, ok := ast.Unparen(x).(*ast.CallExpr); ok && f.constantKey(x) && isInterface(f.typeOf(x)) {
		return f.constantInInterface(c.Args[0])
	}
	return ""
}

// computedKey is a constant key that yaegi does not see to be one, for it takes no two that are equal.
func (f *fn) computedKey(key string, t types.Type) string {
	typ := f.e.typ(t)
	return f.e.helper("computed "+typ, "computed", func(name string) string {
		return "func " + name + "(k " + typ + ") " + typ + " { return k }"
	}) + "(" + key + ")"
}

// static reports whether a value is known when a program is compiled: a constant, nil, or a struct or an array of such.
func (f *fn) static(x ast.Expr) bool {
	x = ast.Unparen(x)
	if tv := f.info.Types[x]; tv.Value != nil || tv.IsNil() {
		return true
	}
	lit, ok := x.(*ast.CompositeLit)
	if !ok {
		return false
	}
	switch f.e.under(f.typeOf(lit)).(type) {
	case *types.Struct, *types.Array:
	default:
		return false
	}
	for _, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		if !f.static(el) {
			return false
		}
	}
	return true
}

// keyField is the index of the field that a key of a struct literal names.
func (f *fn) keyField(st *types.Struct, kv *ast.KeyValueExpr) int {
	name := kv.Key.(*ast.Ident).Name
	i := slices.IndexFunc(slices.Collect(st.Fields()), func(field *types.Var) bool { return field.Name() == name })
	if i < 0 {
		f.e.refuse(kv.Pos(), "the key %s of a struct literal is a field of an embedded struct, which cannot be interpreted; write a literal of that struct", name)
	}
	return i
}

func (f *fn) structLit(x *ast.CompositeLit, t types.Type, st *types.Struct) string {
	var list []string
	for i, el := range x.Elts {
		v := el
		k := i
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			v = kv.Value
			k = f.keyField(st, kv)
		}
		if st.Field(k).Name() == "_" {
			continue
		}
		list = append(list, f.e.fieldName(t, st, k)+": "+f.element(v, f.e.subst(st.Field(k).Type(), nil, true)))
	}
	return f.typ(t) + "{" + strings.Join(list, ", ") + "}"
}

func (f *fn) elements(x *ast.CompositeLit, elem types.Type) string {
	var list []string
	for _, el := range x.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			list = append(list, f.indexValue(kv.Key)+": "+f.element(kv.Value, elem))
			continue
		}
		list = append(list, f.element(el, elem))
	}
	return elementText(list)
}

// elementText is what is between the braces of a list's literal. Where elements are more than names and constants, all
// have their indices: to find the type of an element without one, yaegi takes a * in it for a pointer type, and fails on
// others.
func elementText(list []string) string {
	if !slices.ContainsFunc(list, func(s string) bool { return !atom.MatchString(s) && !keyed.MatchString(s) }) {
		return strings.Join(list, ", ")
	}
	i := 0
	var out []string
	for _, s := range list {
		if key := keyed.FindStringSubmatch(s); key != nil {
			i, _ = strconv.Atoi(key[1])
		} else {
			s = strconv.Itoa(i) + ": " + s
		}
		out = append(out, s)
		i++
	}
	return strings.Join(out, ", ")
}

var (
	atom  = regexp.MustCompile(`^([A-Za-z_]\w*|[0-9.]+|"([^"\\]|\\.)*")$`)
	keyed = regexp.MustCompile(`^([0-9]+): `)
)

// constantKey reports whether a key is a constant, or one converted to a type parameter.
func (f *fn) constantKey(x ast.Expr) bool {
	if f.info.Types[x].Value != nil {
		return true
	}
	c, ok := ast.Unparen(x).(*ast.CallExpr)
	return ok && len(c.Args) == 1 && f.info.Types[c.Fun].IsType() && f.constantKey(c.Args[0])
}

// mapKey emits a key of a map whose keys have type t; m is the text of the map if it is looked into. A plain nil is
// more than yaegi's compiler takes there.
func (f *fn) mapKey(x ast.Expr, t types.Type, m string) string {
	text := f.element(x, t)
	if isInterface(t) && !f.e.compiledInterface(t) && text != "nil" {
		if from := f.typeOf(x); !isInterface(from) && !types.Comparable(from) {
			return "rt.Unhashable(" + text + ")"
		}
	}
	if text != "nil" {
		return f.hashable(text, f.argumentType(x), t, m)
	}
	typ := f.e.typ(t)
	return f.e.helper("nil "+typ, "nil", func(name string) string { return "func " + name + "() " + typ + " { return nil }" }) + "()"
}

// hashable has a key of type t checked for a hash, where its value, of type from, may have none: package reflect, by which
// yaegi looks into maps, does not hash for an empty one. Go has other words there.
func (f *fn) hashable(text string, from, t types.Type, m string) string {
	size := "1"
	if plainText.MatchString(m) {
		size = "len(" + m + ")"
	}
	switch typ := f.e.typ(t); {
	case m == "" || !holdsInterface(from):
		return text
	case typ == "any":
		return "rt.Hashable(" + text + ", " + size + ")"
	default:
		return f.e.helper("key "+typ, "key", func(name string) string {
			return "func " + name + "(k " + typ + ", n int) " + typ + " {\nrt.Hashable(k, n)\nreturn k\n}"
		}) + "(" + text + ", " + size + ")"
	}
}

// holdsInterface reports whether a comparable type is an interface or has parts that are.
func holdsInterface(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return holdsInterface(u.Elem())
	case *types.Struct:
		for v := range u.Fields() {
			if holdsInterface(v.Type()) {
				return true
			}
		}
	}
	return false
}

// element emits an element of a composite literal, whose own type may be left out.
func (f *fn) element(x ast.Expr, t types.Type) string {
	if lit, ok := x.(*ast.CompositeLit); ok && lit.Type == nil && f.pins.names[x] == "" {
		return f.composite(lit, t)
	}
	return f.to(x, t)
}
