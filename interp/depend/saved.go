package depend

import (
	"go/types"

	"gaucho/interp/check"
)

// A SavedValue is a variable's value, as source or in a file, and the type that it had.
type SavedValue struct{ Type, Text, File string }

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

// plainType is PlainType; a type that holds itself is plain if all else in it is.
func plainType(t types.Type, seen map[types.Type]bool) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Basic:
		return u.Info()&types.IsConstType != 0 && u.Info()&(types.IsComplex|types.IsUntyped) == 0
	case *types.Slice:
		return plainType(u.Elem(), seen)
	case *types.Array:
		return plainType(u.Elem(), seen)
	case *types.Map:
		return plainType(u.Key(), seen) && plainType(u.Elem(), seen)
	case *types.Named:
		if seen[u] {
			return true
		}
		seen[u] = true
		if u.Obj().Pkg() == nil || u.Obj().Pkg().Path() != "main" || u.TypeArgs().Len() > 0 || !check.IsGlobal(u.Obj()) {
			return false
		}
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
