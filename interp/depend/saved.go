package depend

import "go/types"

// A SavedValue is a variable's value as source, and the type that it had.
type SavedValue struct{ Type, Text string }

// PlainType reports whether values of a type may be plain data.
func PlainType(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Basic:
		return u.Info()&types.IsConstType != 0 && u.Info()&(types.IsComplex|types.IsUntyped) == 0
	case *types.Slice:
		return PlainType(u.Elem())
	case *types.Array:
		return PlainType(u.Elem())
	case *types.Map:
		return PlainType(u.Key()) && PlainType(u.Elem())
	case *types.Pointer:
		s := u.Elem().String()
		return s == "gonum.org/v1/gonum/mat.Dense" || s == "gonum.org/v1/gonum/mat.VecDense"
	}
	return false
}
