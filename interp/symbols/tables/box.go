package tables

import (
	"slices"
	"strings"

	"gaucho/interp/rt"
)

// A wrapper is a struct that embeds an rt.Box, at the first or second level, and has the methods of an interface. Each
// method calls the function that the method table of the box's type has for it. Wrappers of equal boxes for the same
// interface are equal, so identity, map keys and comparisons are those of the boxed values; rt.Box's own methods are
// promoted, so a wrapper prints and encodes as the box does, and rt.Unwrap finds the box.

// method returns the function for a method that the type is known to have.
func method(b rt.Box, name string) any { return rt.MethodOf(b.T, name) }

// has reports whether the type has the method, with a function of that signature.
func has[F any](b rt.Box, name string) bool {
	list := b.T.Methods
	i, ok := slices.BinarySearchFunc(list, name, func(m *rt.Method, name string) int { return strings.Compare(m.Name, name) })
	if !ok {
		return false
	}
	_, ok = list[i].Func.(F)
	return ok
}
