// Package cell is what the text of a compiled cell calls. It is small and imports nothing, because every plugin is linked
// with all that it imports; package rt fills in its functions.
package cell

import "unsafe"

// Up is not zero while some goroutine of a cell has a reason to end. Cells read it at loop heads, without
// synchronisation, and call Stopped when it is up.
var Up uint32

// What package rt provides under the same names.
var (
	Stopped   func()
	Step      func(n int)
	Result    func(values ...any)
	Go        func(f func())
	Exit      func(code int)
	Ctx       func() any // a context.Context
	Recovered func(r any) any
	Stdout    Writer
	Stderr    Writer
	Stdin     Reader
)

// Functions of package fmt, those that print to the cell's standard output. A cell that calls them here is linked without
// fmt, which halves the time of linking and what the plugin takes of the memory.
var (
	Print, Println   func(a ...any) (n int, err error)
	Printf           func(format string, a ...any) (n int, err error)
	Fprint, Fprintln func(w Writer, a ...any) (n int, err error)
	Fprintf          func(w Writer, format string, a ...any) (n int, err error)
	Sprint, Sprintln func(a ...any) string
	Sprintf          func(format string, a ...any) string
	Errorf           func(format string, a ...any) error
)

// A Writer is an io.Writer.
type Writer interface{ Write(p []byte) (int, error) }

// A Reader is an io.Reader.
type Reader interface{ Read(p []byte) (int, error) }

// Entry is where a plugin leaves the function that runs its statements, when it is opened.
var Entry func()

// As is a value as one of another type with the same memory layout: a struct type of another cell, whose unexported
// fields only that cell's own package can name.
func As[T, S any](s S) T { return *(*T)(unsafe.Pointer(&s)) }
