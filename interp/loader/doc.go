// Package loader links object files of the Go compiler into the running program: what the compiler has made of a package
// becomes code of this process like any other, with types that are the program's types, precise garbage collection,
// growing stacks, preemption, panics with lines and profiles.
package loader
