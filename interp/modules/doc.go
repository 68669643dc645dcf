// Package modules reads Go modules from their source: those that a cell's imports need besides the packages that come with
// Gaucho. It finds out which version of which module provides a package, has the user's go command fetch what is not in the
// module cache, and parses and type-checks packages and what they import, so that the interpreter can run them. Their
// documentation, which both engines show, is read from the same files.
//
// A [Set] is the build list of a session: what the go.mod of the notebook's module and its go.work require, and what cells have asked for, by
// minimal version selection. As long as all of it is in the module cache, no go command is needed.
//
//	set := modules.New("notebooks", symbols.NewImporter(), token.NewFileSet())
//	p, err := set.Import(ctx, "github.com/google/uuid", func(string) {})
//	// p.Types is the package as cells import it, p.Info and p.Files what its functions are made of.
package modules
