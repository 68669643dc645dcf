// Package symbols knows the packages that cells can import: the Go standard library, gonum, gonum/plot, and Gaucho's
// own. It gives their types for type-checking ([NewImporter]), their documentation ([Doc]), their paths by name for
// import on use ([ByName]), and the sources of what is generic in them ([Source]).
//
//	imp := symbols.NewImporter()
//	conf := types.Config{Importer: imp, Sizes: symbols.Sizes()}
//
// What the interpreter needs to call these packages is in the package tables next to this one, which only a worker
// imports: it drags in every package that cells can use.
//
// Everything comes from the files in data, made by the program in gen. They are embedded, compressed package by package,
// and read on first use, so that a program that only starts pays nothing. Packages whose declarations differ by platform
// have data for each platform that Gaucho is built for, because constants are folded with them: one platform's data on
// another would be silently wrong. For the same reason a program that is built with Go 1.27 has what that release declares
// otherwise than Go 1.26.
package symbols

//go:generate env GOTOOLCHAIN=go1.27.4 go run ./gen
