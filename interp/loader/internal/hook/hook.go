// Package hook is where the tests' packages leave what the host program is to call.
package hook

// Entry is set by an initializer of a loaded package.
var Entry func()

// Chain is appended to by packages of which there are many. Each function calls next.
var Chain []func(depth int, next func(depth int) int) int
