// Package maps has the type of the run-time error for looking up a key without a hash in an empty map, under the name of
// that of Go's own package.
package maps

import "runtime"

// Unhashable is how the error's text begins.
const Unhashable = "hash of unhashable type: "

type unhashableTypeError struct{ name string }

func (e unhashableTypeError) Error() string { return Unhashable + e.name }
func (unhashableTypeError) RuntimeError()   {}

// Error is the error for a key of the named type.
func Error(name string) runtime.Error { return unhashableTypeError{name} }
