package interp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gaucho/interp/compiled"
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

// chooseEngine starts the compiler of a native session. A session has the engine that its options name; if they name none,
// it is native where that has been seen to work, and else interpreted.
func (s *Session) chooseEngine(ctx context.Context) (err error) {
	switch s.opts.Engine {
	case "native":
	case "yaegi":
		return nil
	case "":
		works, why := nativeWorks(ctx, s.opts)
		if !works {
			s.word = why
			return nil
		}
	case "compiled":
		return errors.New("interp: the engine compiled is called native now")
	default:
		return fmt.Errorf("interp: engine is %q, must be native or yaegi", s.opts.Engine)
	}
	s.builder, err = compiled.NewBuilder(ctx, func(format string, args ...any) {
		s.opts.Log.Warn(strings.TrimSpace(fmt.Sprintf(format, args...)))
	})
	return err
}

// Engine is the name of the session's engine, native or yaegi.
func (s *Session) Engine() string {
	if s.builder == nil {
		return "yaegi"
	}
	return "native"
}

// maxFaults is how many faults of loaded code a session bears before it interprets its cells.
const maxFaults = 2

// countFault takes note of a worker's death in a native session. Nothing of what the Go runtime says below happens to Go
// code that is not at fault with its own memory, so that the loader is under suspicion.
func (s *Session) countFault(e *wire.Error) {
	if s.builder == nil || e.Name != "fatal error" {
		return
	}
	for _, words := range []string{"fault", "bad pointer", "unexpected return pc", "invalid pc", "SIG", "unexpected signal", "heapBits", "bad summary", "invalid runtime symbol table"} {
		if !strings.Contains(e.Value, words) {
			continue
		}
		if s.faults++; s.faults == maxFaults {
			s.builder.Close()
			s.builder = nil
			s.word = "after two faults in compiled code this session interprets its cells, which is slower; please report what the cells did"
		}
		return
	}
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
