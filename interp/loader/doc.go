// Package loader links object files of the Go compiler into the running program: what the compiler has made of a package
// becomes code of this process like any other, with types that are the program's types, precise garbage collection,
// growing stacks, preemption, panics with lines and profiles.
//
//	l, err := loader.Open()
//	...
//	archive, err := os.ReadFile("cell.a") // go tool compile -p cell -linkshared -dwarf=0 -pack -importcfg cfg -o cell.a cell.go
//	err = l.Load("cell", archive)         // links it and runs its initializers
//
// A package hands over results by setting a variable of a package of the program when it is initialized.
//
// # How to compile
//
// The compiler must be of the release that built the program. It gets -linkshared, so that the object names what it refers
// to; the export data of the packages that it imports must come from compilations with -linkshared as well, which go list
// -export -gcflags=all=-linkshared makes, as otherwise the compiler numbers what they have. The code is the same as without
// the flag. -dynlink is not understood: it makes code slower, that goes through a table for each name. -dwarf=0 saves a
// third of the object.
//
// # What must be in the program
//
// Everything that a package refers to and does not define must be in the program or in packages loaded before. The linker
// keeps only what the program can reach, so a program that offers packages must refer to all that they export, and to an
// instance of each generic function that calls what is not exported. What the language itself needs of package runtime is
// referred to here. A [MissingError] names what is not there, before anything has been loaded.
//
// # Limits
//
// What is loaded stays: all packages share 1 GB of addresses, 224 MB of them for variables with pointers and 256 MB for
// others. A type that reflection has made, such as *[]T, before a package with that type was loaded remains another type than
// the package's. The linker's check that chains of //go:nosplit functions fit on the stack is not made.
//
// The program must have its symbol table (no -ldflags=-s; go run and go test leave it out), and cannot be built with -race.
package loader
