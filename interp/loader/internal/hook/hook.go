// Package hook is where the tests' packages leave what the host program is to call.
package hook

import "reflect"

// Entry is set by an initializer of a loaded package.
var Entry func()

// Chain is appended to by packages of which there are many. Each function calls next.
var Chain []func(depth int, next func(depth int) int) int

// Types is appended to by the same packages: types that reflection can make of their parts.
var Types []reflect.Type

// Plain is a type that the host program never holds in an interface, so that the linker drops its methods.
type Plain struct{ N *int }

func (p *Plain) String() string { return "plain" }

// Keep is what the program has of the type.
var Keep *Plain
