//go:build ignore

// Package unique on a compiled map from values to pointers. Values are kept for good.
package unique

import "gaucho/interp/symbols/internal/inst"

type Handle[T comparable] struct{ value *T }

func (h Handle[T]) Value() T { return *h.value }

func Make[T comparable](value T) Handle[T] {
	p := new(T)
	*p = value
	return Handle[T]{inst.Unique(value, p).(*T)}
}
