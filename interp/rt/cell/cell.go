// Package cell is what the text of a compiled cell calls. It is small and imports nothing;
// package rt fills in its functions.
package cell

import "unsafe"

// Up is not zero while some goroutine of a cell has a reason to end. Cells read it at loop heads, without
// synchronisation, and call Stop when it is up.
var Up uint32

// Stop calls Stopped. Loops call it rather than the variable: around a direct call the compiler keeps more of the loop in
// registers, which makes tight loops with a check a third faster.
//
//go:noinline
func Stop() { Stopped() }

// What package rt provides under the same names.
var (
	Stopped   func()
	Step      func(n int)
	Result    func(values ...any)
	Go        func(f func())
	Exit      func(code int)
	Ctx       func() any         // a context.Context
	Out       func(cell int) any // what a cell has shown
	Recovered func(r any) any
	Done      func() <-chan struct{} // is closed when the running goroutine's cell must end
	Ended     func()                 // ends the running goroutine if its cell must end
	SleepFor  func(ns int64)
	Defer     func(f func(after func())) // f runs when the cell's statements have ended: it defers a call, then calls after
	Stdout    Writer
	Stderr    Writer
	Stdin     Reader
)

// Functions of package fmt, those that print to the cell's standard output. A cell that calls them here need not
// import fmt.
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

// Entry is where a compiled cell leaves the function that runs its statements, when it is loaded.
var Entry func()

// A Variable is one that a compiled cell declares.
type Variable struct {
	Name    string
	Pointer any
}

// Variables is where a compiled cell leaves those that it declares, when it is loaded.
var Variables []Variable

// Forms are later forms of a generic function: of each instance, one of its type.
type Forms map[unsafe.Pointer]unsafe.Pointer

// NewForms makes them from pairs of an instance's key, a nil *func(T1, T2) of its type arguments, and a function.
func NewForms(pairs ...any) Forms {
	forms := Forms{}
	for i := 0; i < len(pairs); i += 2 {
		forms[words(&pairs[i])[0]] = words(&pairs[i+1])[1]
	}
	return forms
}

// Form is the function of an instance's key, as the word that a variable of its type holds, nil if there is none.
func (f Forms) Form(key any) unsafe.Pointer { return f[words(&key)[0]] }

// words are an interface's: its type, and a pointer that is its value.
func words(x *any) *[2]unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(x)) }

// Zero gives a variable that nothing can reach any more its zero value, so that it keeps no memory.
func Zero[T any](v *T) {
	var zero T
	*v = zero
}

// Sleep is time.Sleep, and ends when the goroutine must end. D is time.Duration.
func Sleep[D ~int64](d D) { SleepFor(int64(d)) }

// Recv is <-c, and ends when the cell must end.
func Recv[T any](c <-chan T) T {
	v, _ := Receive(c)
	return v
}

// Receive is v, ok := <-c, and ends when the cell must end.
func Receive[T any](c <-chan T) (T, bool) {
	select {
	case v, ok := <-c:
		return v, ok
	default:
	}
	for {
		select {
		case v, ok := <-c:
			return v, ok
		case <-Done():
			Ended()
		}
	}
}

// Send is c <- v, and ends when the cell must end.
func Send[T any](c chan<- T, v T) {
	select {
	case c <- v:
		return
	default:
	}
	for {
		select {
		case c <- v:
			return
		case <-Done():
			Ended()
		}
	}
}

// All ranges over what comes from a channel, and ends when the cell must end.
func All[T any](c <-chan T) func(yield func(T) bool) {
	return func(yield func(T) bool) {
		for {
			v, ok := Receive(c)
			if !ok || !yield(v) {
				return
			}
		}
	}
}

// As is a value as one of another type with the same memory layout: a struct type of another cell, whose unexported
// fields only that cell's own package can name.
func As[T, S any](s S) T { return *(*T)(unsafe.Pointer(&s)) }
