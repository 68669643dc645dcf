package interp

import (
	"context"
	"errors"
	"fmt"

	"gaucho/interp/compiled"
	"gaucho/interp/kit"
	"gaucho/interp/lower"
	"gaucho/interp/wire"
)

// chooseEngine starts the compiler of a native session. A session has the engine that its options name; if they name none,
// it is native where that has been seen to work, and else interpreted.
func (s *Session) chooseEngine(ctx context.Context) error {
	s.front.kind = lower.Yaegi{}
	switch s.opts.Engine {
	case "native":
	case "yaegi":
		return nil
	case "":
		works, why := nativeWorks(ctx, s.opts, s.front.announce)
		if !works {
			s.interpret(why)
			return nil
		}
	case "compiled":
		return errors.New("interp: the engine compiled is now called native")
	default:
		return fmt.Errorf("interp: engine is %q, must be native or yaegi", s.opts.Engine)
	}
	builder, err := compiled.NewBuilder(ctx, tell(&s.opts))
	switch {
	case err == nil:
		s.front.kind = builder
	case s.opts.Engine == "":
		s.interpret(kit.OneLine(err))
	default:
		return err
	}
	return nil
}

// interpret has the next cell say why the session is not native, if that is not empty.
func (s *Session) interpret(why string) {
	if why != "" {
		s.interprets = why + "; this session interprets its cells, which is slower"
		s.front.announce(s.interprets)
	}
}

// Interprets is why the session interprets its cells, which nobody asked for, and what to do about it: what its first cell says.
// It is empty in a native session.
func (s *Session) Interprets() string { return s.interprets }

// Engine is the name of the session's engine, native or yaegi.
func (s *Session) Engine() string { return s.front.kind.Name() }

// build readies the units of a part of a cell's program for the worker.
func (s *Session) build(ctx context.Context, c Cell, units []wire.Unit) *wire.Error {
	s.front.Lock()
	e := s.front.engine
	s.front.Unlock()
	for i := range units {
		if err := e.Build(ctx, &units[i], func(what string) { s.say(c, "Compiling %s ...\n", what) }); err != nil {
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

func errInterrupted() *wire.Error {
	return &wire.Error{Name: "Interrupt", Value: "the cell was interrupted"}
}
