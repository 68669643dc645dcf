// Package hook is where the tests' packages leave what the host program is to call.
package hook

// Entry is set by an initializer of a loaded package.
var Entry func()
