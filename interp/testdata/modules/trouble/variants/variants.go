// Package variants has one without assembly and unsafe.
package variants

// Chosen is the variant.
func Chosen() string { return variant }
