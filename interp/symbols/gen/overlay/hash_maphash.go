//go:build ignore

// The generic functions of package maphash.
package maphash

import (
	"gaucho/interp/symbols/internal/inst"
	"hash/maphash"
)

func Comparable[T comparable](seed maphash.Seed, v T) uint64 { return inst.HashComparable(seed, v) }

func WriteComparable[T comparable](h *maphash.Hash, x T) { inst.WriteComparable(h, x) }
