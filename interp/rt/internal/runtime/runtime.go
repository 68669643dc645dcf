// Package runtime has the types of cells' run-time errors, under the names of those of Go's own package: %T prints them.
package runtime

import (
	"runtime"
	"strings"

	"gaucho/interp/rt/internal/maps"
)

type errorString string

func (e errorString) Error() string { return "runtime error: " + string(e) }
func (errorString) RuntimeError()   {}

type boundsError string

func (e boundsError) Error() string { return "runtime error: " + string(e) }
func (boundsError) RuntimeError()   {}

// A plainError's text has no prefix.
type plainError string

func (e plainError) Error() string { return string(e) }
func (plainError) RuntimeError()   {}

// A TypeAssertionError is a failed type assertion.
type TypeAssertionError struct{ text string }

func (e *TypeAssertionError) Error() string { return e.text }

// RuntimeError makes it a runtime.Error.
func (*TypeAssertionError) RuntimeError() {}

// Assertion is the error of a failed type assertion.
func Assertion(text string) *TypeAssertionError { return &TypeAssertionError{text} }

// Error is the run-time error with that text, given without the prefix "runtime error: ", of the type that Go gives it.
func Error(text string) runtime.Error {
	switch {
	case strings.HasPrefix(text, "index out of range"), strings.HasPrefix(text, "slice bounds out of range"),
		strings.HasPrefix(text, "cannot convert slice"):
		return boundsError(text)
	case strings.HasPrefix(text, "makechan: "):
		return plainError(text)
	case strings.HasPrefix(text, maps.Unhashable):
		return maps.Error(strings.TrimPrefix(text, maps.Unhashable))
	}
	return errorString(text)
}
