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

// compileUnits compiles the packages of a run, in a native session.
func (s *Session) compileUnits(ctx context.Context, run *wire.Run) *wire.Done {
	if s.builder == nil {
		return nil
	}
	ctx, end := s.building(ctx)
	defer end()
	for i := range run.Units {
		if err := s.builder.Build(ctx, &run.Units[i]); err != nil {
			return &wire.Done{Step: -1, Error: buildError(err)}
		}
	}
	return nil
}

// building makes what follows, until end is called, something that an interrupt ends.
func (s *Session) building(ctx context.Context) (_ context.Context, end func()) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.build = cancel
	s.mu.Unlock()
	return ctx, func() {
		cancel()
		s.mu.Lock()
		s.build = nil
		s.mu.Unlock()
	}
}

// buildError is why something is not compiled, as a cell's error.
func buildError(err error) *wire.Error {
	if errors.Is(err, context.Canceled) {
		return &wire.Error{Name: "Interrupt", Value: "the cell was interrupted"}
	}
	return &wire.Error{Name: "BuildError", Value: err.Error()}
}
