package depend

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/check"
)

// A SavedValue is a variable's value, as source or in a file, with what says whether the variable's type is still the same.
type SavedValue struct {
	Source *SavedSource
	File   string
	typ    string
	names  []string // of types of cells that typ mentions
	shape  string   // the declarations that those names reach
}

// A SavedSource gives values of variables that share memory, mostly one. They come back together or not at all.
type SavedSource struct {
	Names []string
	Text  string // an expression with a value for each name
}

// NewSavedValue describes a variable of a session. ok is false if its type is no longer what its name means.
func NewSavedValue(s *check.Scope, t types.Type) (v SavedValue, ok bool) {
	v.typ = check.TypeString(t)
	for obj := range namedTypes(t) {
		if e := s.Names[obj.Name()]; e == nil || e.Obj != obj {
			return v, false
		}
		v.names = append(v.names, obj.Name())
	}
	slices.Sort(v.names)
	v.shape = shape(v.names, meanings{scope: s})
	return v, true
}

// namedTypes are the types of cells that a type of plain data consists of.
func namedTypes(t types.Type) map[types.Object]bool {
	seen := map[types.Type]bool{}
	plainType(t, seen)
	out := map[types.Object]bool{}
	for t := range seen {
		if n, ok := t.(*types.Named); ok {
			out[n.Obj()] = true
		}
	}
	return out
}

// meanings are the declarations that names have: those of a session, and for the others those that were recorded.
type meanings struct {
	scope *check.Scope
	decls []*declaration
}

func (m meanings) of(name string) (text string, uses []string) {
	if e := m.scope.Names[name]; e != nil {
		return e.Text, usedNames(e)
	}
	for _, d := range m.decls {
		if slices.Contains(d.names, name) {
			return d.bare, d.needs
		}
	}
	return "", nil
}

func usedNames(e *check.Entity) (names []string) {
	for obj := range e.Uses {
		names = append(names, obj.Name())
	}
	return names
}

// shape is what some names mean in full: the text of each declaration that they reach.
func shape(names []string, m meanings) string {
	texts := map[string]string{}
	for todo := slices.Clone(names); len(todo) > 0; {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, seen := texts[name]; !seen {
			text, uses := m.of(name)
			texts[name], todo = text, append(todo, uses...)
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		b.WriteString(name + "\n" + texts[name] + "\n")
	}
	return b.String()
}

// FileType reports whether values of a type may be kept in files: slices of numbers, strings and bools, dense matrices and
// vectors, and tables.
func FileType(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Slice:
		b, ok := types.Unalias(t.Elem()).(*types.Basic)
		return ok && plainType(b, nil)
	case *types.Pointer:
		return t.Elem().String() == "gaucho/stdlib/table.Table" || plainType(t, nil)
	}
	return false
}

// PlainType reports whether values of a type may be plain data.
func PlainType(t types.Type) bool { return plainType(t, map[types.Type]bool{}) }

// plainType is PlainType; a type that holds itself is plain if all else in it is. It enters the types of cells that it meets.
func plainType(t types.Type, seen map[types.Type]bool) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Basic:
		return u.Info()&types.IsConstType != 0 && u.Info()&types.IsUntyped == 0 && u.Kind() != types.Uintptr
	case *types.Slice:
		return plainType(u.Elem(), seen)
	case *types.Array:
		return plainType(u.Elem(), seen)
	case *types.Map:
		return plainType(u.Key(), seen) && plainType(u.Elem(), seen)
	case *types.Named:
		switch u.String() {
		case "time.Duration", "time.Month", "time.Weekday":
			return true
		}
		if seen[u] {
			return true
		}
		if u.Obj().Pkg() == nil || u.Obj().Pkg().Path() != "main" || u.TypeArgs().Len() > 0 || !check.IsGlobal(u.Obj()) {
			return false
		}
		seen[u] = true
		st, ok := u.Underlying().(*types.Struct)
		if !ok {
			return plainType(u.Underlying(), seen)
		}
		for f := range st.Fields() {
			if !plainType(f.Type(), seen) {
				return false
			}
		}
		return true
	case *types.Pointer:
		s := u.Elem().String()
		return s == "gonum.org/v1/gonum/mat.Dense" || s == "gonum.org/v1/gonum/mat.VecDense"
	}
	return false
}
