//go:build ignore

// The generic functions of package maphash, and types of Go 1.27.
package maphash

import (
	"gaucho/interp/symbols/internal/inst"
	"hash/maphash"
)

func Comparable[T comparable](seed maphash.Seed, v T) uint64 { return inst.HashComparable(seed, v) }

func WriteComparable[T comparable](h *maphash.Hash, x T) { inst.WriteComparable(h, x) }

type Hasher[T any] interface {
	Hash(*maphash.Hash, T)
	Equal(x, y T) bool
}

type ComparableHasher[T comparable] struct{ _ [0]func(T) }

func (ComparableHasher[T]) Hash(h *maphash.Hash, v T) { WriteComparable(h, v) }

func (ComparableHasher[T]) Equal(x, y T) bool { return x == y }
