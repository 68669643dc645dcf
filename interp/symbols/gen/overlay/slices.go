//go:build ignore

// Parts of package slices that use unsafe.
package slices

import "gaucho/interp/symbols/internal/inst"

func overlaps[E any](a, b []E) bool { return inst.Overlap(a, b) }

func startIdx[E any](haystack, needle []E) int { return inst.Start(haystack, needle) }
