package interp

import (
	"context"
	"errors"

	"gaucho/interp/lower"
	"gaucho/interp/modules"
	"gaucho/interp/wire"
)

// An engine turns checked parts of cells into what a worker runs. Snapshot returns a mark to which Rollback takes the
// engine back; Commit says that the marks so far are not needed any more.
type engine interface {
	Part(p *lower.Part) (*lower.Unit, error)
	// Ready reports whether a package of a module needs no part of its own that initialises it.
	Ready(p *modules.Package) bool
	Snapshot() int
	Rollback(mark int)
	Commit()
}

// compileUnits compiles the packages of a part of a program, in a native session.
func (s *Session) compileUnits(ctx context.Context, units []wire.Unit) *wire.Error {
	if s.builder == nil {
		return nil
	}
	for i := range units {
		if err := s.builder.Build(ctx, &units[i]); err != nil {
			return buildError(err)
		}
	}
	return nil
}

// buildError is why something is not compiled, as a cell's error.
func buildError(err error) *wire.Error {
	if errors.Is(err, context.Canceled) {
		return errInterrupted()
	}
	return &wire.Error{Name: "BuildError", Value: err.Error()}
}
