package value

import (
	"cmp"
	"slices"
)

// Compiled instances of functions of package slices, for the types whose slices are the commonest in cells.

// SortOf is slices.Sort.
func SortOf[E cmp.Ordered](x []E) { slices.Sort(x) }

// MaxOf is slices.Max.
func MaxOf[E cmp.Ordered](x []E) E { return slices.Max(x) }

// MinOf is slices.Min.
func MinOf[E cmp.Ordered](x []E) E { return slices.Min(x) }

// ReverseOf is slices.Reverse.
func ReverseOf[E cmp.Ordered](x []E) { slices.Reverse(x) }

// ContainsOf is slices.Contains.
func ContainsOf[E cmp.Ordered](x []E, v E) bool { return slices.Contains(x, v) }

// IndexOf is slices.Index.
func IndexOf[E cmp.Ordered](x []E, v E) int { return slices.Index(x, v) }

// BinarySearchOf is slices.BinarySearch.
func BinarySearchOf[E cmp.Ordered](x []E, v E) (int, bool) { return slices.BinarySearch(x, v) }
