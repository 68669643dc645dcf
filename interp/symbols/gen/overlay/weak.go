//go:build ignore

// Package weak on compiled weak pointers without a type.
package weak

import "gaucho/interp/symbols/internal/inst"

type Pointer[T any] struct {
	_ [0]*T
	w inst.Weak
}

func Make[T any](ptr *T) Pointer[T] {
	if ptr == nil {
		return Pointer[T]{}
	}
	return Pointer[T]{w: inst.MakeWeak(ptr)}
}

func (p Pointer[T]) Value() *T {
	v := p.w.Value()
	if v == nil {
		return nil
	}
	return v.(*T)
}
