package check

import (
	"go/types"
	"slices"
)

// A member is a field or a method that can be selected from a value.
type member struct {
	Obj   types.Object
	depth int // 0 for the type's own, more for promoted ones
}

// MembersOf lists what can be selected from a value of type t in package pkg: fields, own and promoted, and methods,
// also those of *t.
func MembersOf(t types.Type, pkg *types.Package) []member {
	if t == nil {
		return nil
	}
	var out []member
	visible := func(o types.Object) bool { return o.Exported() || o.Pkg() == pkg }
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if _, iface := p.Elem().Underlying().(*types.Interface); !iface {
			t = p.Elem()
		}
	}
	names := map[string]bool{}
	add := func(obj types.Object, depth int) {
		if visible(obj) && !names[obj.Name()] {
			names[obj.Name()] = true
			out = append(out, member{obj, depth})
		}
	}
	addFields(t, 0, map[types.Type]bool{}, add)
	set := types.NewMethodSet(t)
	if _, ok := t.Underlying().(*types.Interface); !ok {
		set = types.NewMethodSet(types.NewPointer(t))
	}
	for sel := range set.Methods() {
		add(sel.Obj(), len(sel.Index())-1)
	}
	slices.SortStableFunc(out, func(a, b member) int { return a.depth - b.depth })
	return out
}

// addFields walks the fields of a struct, level by level into embedded ones.
func addFields(t types.Type, depth int, seen map[types.Type]bool, add func(types.Object, int)) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || seen[t] {
		return
	}
	seen[t] = true
	for f := range st.Fields() {
		add(f, depth)
	}
	for f := range st.Fields() {
		if f.Embedded() {
			addFields(f.Type(), depth+1, seen, add)
		}
	}
}

func memberNames(t types.Type, pkg *types.Package) []string {
	var out []string
	for _, m := range MembersOf(t, pkg) {
		out = append(out, m.Obj.Name())
	}
	return out
}

// fieldNames are the fields that a literal of a struct type can have.
func fieldNames(t types.Type, pkg *types.Package) []string {
	var out []string
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if f.Exported() || f.Pkg() == pkg {
				out = append(out, f.Name())
			}
		}
	}
	return out
}

// TypeString is a type as it is written in a cell: packages by name, cells' own types bare.
func TypeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	})
}
