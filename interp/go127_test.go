//go:build go1.27

package interp

import "testing"

// TestGo127 runs transcripts of what is new in the language and the library of Go 1.27 in the interpreter, which refuses a part of it by name.
func TestGo127(t *testing.T) { runCells(t, "testdata/go127/*.txt") }

// TestNativeGo127 runs them in the native engine.
func TestNativeGo127(t *testing.T) { runNative(t, "testdata/go127/*.txt", agrees) }
