// Package engine is what the engines that run checked parts of cells share: the [Part] that they are given, the [Unit] that
// they make of it for the worker, and their one interface.
package engine

import (
	"context"
	"go/types"

	"gaucho/interp/modules"
	"gaucho/interp/wire"
)

// A Source is what a study's function is made of, and a Function one that is a part of it.
type (
	Source   = wire.Source
	Function = wire.Function
)

// A Kind starts engines: one for each worker of a session.
type Kind interface {
	Name() string // "native" or "yaegi"
	// New returns an engine for cells that import from lib and sources. file is the file that a cell's code sees itself in.
	New(lib Library, sources *modules.Set, file func(cell int) string) Engine
	// Suspect reports whether a worker's death may be the engine's fault, and not that of the cell that ran.
	Suspect(e *wire.Error) bool
	Close() error
}

// An Engine turns checked parts of cells into what a worker runs. It must not be used by several goroutines at a time, but
// for Build.
type Engine interface {
	// Part makes the unit of a part. When it returns an error, which is [Refusals] for what cannot be run, the engine is as
	// before.
	Part(p *Part) (*Unit, error)
	// Build readies a unit for the worker, which may take time. It reports what takes long.
	Build(ctx context.Context, u *wire.Unit, tell func(what string)) error
	// Ready reports whether a package of a module needs no part of its own that initialises it.
	Ready(p *modules.Package) bool
	// Pointers is where the worker finds pointers to variables, as package and name; nil if it takes a part to get them.
	Pointers(vars []*types.Var) [][2]string
	// Snapshot returns a mark to which Rollback takes the engine back; Commit says that the marks so far are not needed any
	// more.
	Snapshot() int
	Rollback(mark int)
	Commit()
}

// A Library is what an engine asks about the packages that cells can import.
type Library interface {
	types.Importer
	// Source returns the Go source files of a package that has generic functions or types, by file name, in the form in
	// which they can be emitted; nil where there is none.
	Source(path string) map[string]string
	// Module returns a package that was read from its module's source, nil for others.
	Module(path string) *modules.Package
	// Has reports whether the compiled package has a symbol of that name. Wrappers are under "wrap/" and the path.
	Has(path, name string) bool
	// Asserts reports whether a package looks for methods, by type assertions, in values that it gets as any.
	Asserts(path string) bool
}
