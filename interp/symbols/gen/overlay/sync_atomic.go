//go:build ignore

// The generic type of package atomic, on a compiled pointer without a type.
package atomic

import "gaucho/interp/symbols/internal/inst"

type Pointer[T any] struct {
	_ [0]*T
	p inst.Pointer
}

func erase[T any](p *T) any {
	if p == nil {
		return nil
	}
	return p
}

func restore[T any](p any) *T {
	if p == nil {
		return nil
	}
	return p.(*T)
}

func (x *Pointer[T]) Load() *T { return restore[T](x.p.Load()) }

func (x *Pointer[T]) Store(val *T) { x.p.Store(erase(val)) }

func (x *Pointer[T]) Swap(new *T) (old *T) { return restore[T](x.p.Swap(erase(new))) }

func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	return x.p.CompareAndSwap(erase(old), erase(new))
}
