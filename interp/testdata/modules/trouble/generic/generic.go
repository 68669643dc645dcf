// Package generic has functions whose instances are made in other packages.
package generic

import (
	"cmp"
	"crypto/hkdf"
	"hash"
	"slices"
)

// Sort sorts by a function that everybody inlines parts of.
func Sort[S ~[]E, E cmp.Ordered](x S) S {
	slices.Sort(x)
	return x
}

// Extract has a generic function of the standard library in it.
func Extract[H hash.Hash](h func() H, secret []byte) ([]byte, error) {
	return hkdf.Extract(h, secret, nil)
}
