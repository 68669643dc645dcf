// Package fuzzdiff looks for programs that an engine runs otherwise than the Go compiler does, without an error.
//
// It makes random programs that are right by construction: declared types of all kinds with methods by value and by
// pointer, embedding, interfaces, generic types and functions, closures, defer and recover, named results, slices that
// share their arrays, arrays by value, maps, strings and runes, integers of all sizes with their overflow, conversions
// and shifts, labelled loops, ranges over integers, functions and all else, type switches, goroutines that are waited
// for, errors.Is and As, printing by all verbs, and run-time panics with their messages. What the order of evaluation
// leaves open in Go they avoid: no statement has both a call that can be seen and an operation that can panic, and what
// changes variables is called by a statement of its own.
//
// The programs are built with the Go toolchain, many to a binary, and run by a session, as whole programs or as the cells
// of one notebook, in which each program declares the names of all others anew. What both print must be equal, except
// that the interpreter may refuse a program by name.
//
//	go test ./interp/lower/fuzzdiff                                     a small sample
//	go test ./interp/lower/fuzzdiff -programs 3000 -first 1 -timeout 3h  many: make fuzz
//	go test ./interp/lower/fuzzdiff -engine native                       in the native engine
//
// Natively, of 1,050 programs of seeds from 1 to 1100, run as programs and, every third, twice as cells, 1,047 came out equal, one
// was refused, for which the engine was changed, and two could not be compared. In the interpreter, of 409 seeds from 1700 on, 399 programs came out equal, 9 could not be compared, and one differed, for which the
// interpreter was changed. With that change no program of 350 from seed 2110 on differed, and later none of 600 from 20000 on
// and none of 360 from 40000 on.
//
// Random notebooks, whose cells declare functions, methods, types and variables again, hold values of functions, defer and fail, are run
// in a session of the engine, natively in one of the interpreter too, and as the programs that gaucho export makes of them:
//
//	go test ./interp/lower/fuzzdiff -engine native -run Notebooks -notebooks 200  make random-exports
//
// A failing program is printed by
//
//	go test ./interp/lower/fuzzdiff -run Show -show 1234 -v
package fuzzdiff
