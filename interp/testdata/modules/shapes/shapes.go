// Package shapes has figures of the plane, and of the language what a library may use.
package shapes

import (
	"embed"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sort"
	"strings"
	"unsafe"

	"example.org/shapes/registry"
)

// A Shape has an area. The unexported method keeps other packages from making shapes of their own.
type Shape interface {
	Area() float64
	mark() string
}

// A Circle is round.
type Circle struct {
	R    float64 `json:"r"`
	note string
}

// Area is the area of the circle, of radius R.
func (c Circle) Area() float64 { return math.Pi * c.R * c.R }

func (c Circle) mark() string { return "o" + c.note }

// String is the circle as people write it.
func (c *Circle) String() string { return fmt.Sprintf("circle of %g", c.R) }

// SetNote writes something on the circle.
func (c *Circle) SetNote(s string) { c.note = s }

type named struct{ Name string }

// Hello is promoted to what embeds it.
func (n named) Hello() string { return "I am " + n.Name }

// A Square has four sides of length A.
type Square struct {
	named
	A float64
}

// NewSquare returns a named square.
func NewSquare(name string, a float64) *Square { return &Square{named{name}, a} }

// Area is the square's.
func (s *Square) Area() float64 { return s.A * s.A }
func (s *Square) mark() string  { return "#" }

// Marks are the marks of shapes.
func Marks(list ...Shape) string {
	var b strings.Builder
	for _, s := range list {
		switch s := s.(type) {
		case Circle:
			b.WriteString("c" + s.mark())
		case *Square:
			b.WriteString("s" + s.mark())
		}
	}
	return b.String()
}

// ErrNone is the error of nothing.
var ErrNone = errors.New("shapes: there is none")

// A SizeError tells of a size.
type SizeError struct{ Size float64 }

func (e *SizeError) Error() string { return fmt.Sprintf("shapes: size is %g", e.Size) }

// Check fails for what is too small.
func Check(s Shape) error {
	switch {
	case s == nil:
		return ErrNone
	case s.Area() < 1:
		return fmt.Errorf("checking: %w", &SizeError{s.Area()})
	}
	return nil
}

// Largest returns what less finds largest.
func Largest[T any](list []T, less func(a, b T) bool) (best T) {
	for i, x := range list {
		if i == 0 || less(best, x) {
			best = x
		}
	}
	return best
}

// A Stack is last in, first out.
type Stack[T any] struct{ list []T }

// Push puts x on top.
func (s *Stack[T]) Push(x T) { s.list = append(s.list, x) }

// Pop takes the top away.
func (s *Stack[T]) Pop() (x T, ok bool) {
	if len(s.list) == 0 {
		return x, false
	}
	x = s.list[len(s.list)-1]
	s.list = s.list[:len(s.list)-1]
	return x, true
}

// Loops returns functions that share the variable of their loop, as this module's version of Go has it.
func Loops() (fs []func() int) {
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { return i })
	}
	for _, x := range []int{10, 20} {
		fs = append(fs, func() int { return x })
	}
	return fs
}

// Variables that need each other, a function and another package, out of order.
var (
	total  = first + second
	first  = second * 2
	second = start()
	order  []string
)

func start() int { order = append(order, "start"); return 20 }

func init() { order = append(order, fmt.Sprint("init ", total)) }

func init() { registry.Add("shapes"); order = append(order, registry.Names()...) }

// Order is what happened when the package was initialised.
func Order() string { return strings.Join(order, ", ") }

//go:embed data/greeting.txt
var greeting string

//go:embed data
var data embed.FS

// Embedded is what the files say.
func Embedded() (string, error) {
	entries, err := data.ReadDir("data")
	if err != nil {
		return "", err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	sort.Strings(names)
	text, err := data.ReadFile("data/greeting.txt")
	return greeting + string(text) + strings.Join(names, " "), err
}

// Text is b as a string, without a copy.
func Text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Peek looks where it should not.
func Peek(s *Square) float64 { return *(*float64)(unsafe.Add(unsafe.Pointer(s), 16)) }

// Maybe looks only when told to.
func Maybe(s *Square, look bool) float64 {
	if look {
		return Peek(s)
	}
	return s.A
}

// Known reports whether it is known who called.
func Known() bool {
	_, _, _, ok := runtime.Caller(1)
	return ok
}

// Fail divides by zero.
func Fail(n int) int {
	return 1 / n
}
