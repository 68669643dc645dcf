package interp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gaucho/interp/modules"
	"gaucho/interp/wire"
)

// getMagic adds modules to the session.
func (s *Session) getMagic(ctx context.Context, c Cell, arg string) *wire.Error {
	failed := func(format string, args ...any) *wire.Error {
		return &wire.Error{Name: "ModuleError", Value: fmt.Sprintf(format, args...)}
	}
	specs := strings.Fields(arg)
	force := len(specs) > 0 && specs[0] == "-f"
	if force {
		specs = specs[1:]
	}
	switch {
	case len(specs) == 0:
		return failed("%%get needs a module, as in %%get golang.org/x/text@v0.28.0")
	case len(s.opts.Forbidden) > 0:
		return failed("modules are not fetched in this session")
	}
	added, err := s.front.modules().Get(ctx, force, specs...)
	if changesLoaded(err) && c.Stdin {
		answer, inputErr := s.opts.Sink.Input(ctx, c.ID, fmt.Sprintf("%v. Start a new worker, without the variables? [y/n] ", err), false)
		if inputErr == nil && strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y") {
			force = true
			added, err = s.front.modules().Get(ctx, true, specs...)
		}
	}
	switch {
	case changesLoaded(err):
		return failed("%v; %%get -f %s starts a new worker with these, without the variables", err, strings.Join(specs, " "))
	case err != nil:
		return failed("%v", err)
	case len(added) == 0:
		s.say(c, "Nothing to add.\n")
	default:
		s.say(c, "Added: %s\n", strings.Join(added, ", "))
	}
	if force && s.front.modules().Changed() {
		return s.newWorker(ctx, c)
	}
	return nil
}

// changesLoaded reports whether modules were not added because the session has other versions of them in use.
func changesLoaded(err error) bool {
	return errors.As(err, new(*modules.LoadedError))
}

// newWorker changes to the worker that the build list of today needs.
func (s *Session) newWorker(ctx context.Context, c Cell) *wire.Error {
	s.save(ctx)
	if err := s.worker.Restart(); err != nil {
		return &wire.Error{Name: "WorkerError", Value: err.Error(), Lost: true}
	}
	s.renew(s.saves.take())
	s.say(c, "A new worker has started, and all variables are lost. %%replay runs the session's declarations again and restores plain data.\n")
	return nil
}
