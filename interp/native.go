package interp

import (
	"context"
	"errors"
	"os"
	"time"

	"gaucho/interp/lower"
	"gaucho/interp/wire"
)

// An engine turns checked parts of cells into what a worker runs. Snapshot returns a mark to which Rollback takes the
// engine back; Commit says that the marks so far are not needed any more.
type engine interface {
	Part(p *lower.Part) (*lower.Unit, error)
	Snapshot() int
	Rollback(mark int)
	Commit()
}

// warm has ready in the background what the first compiled cell needs.
func (s *Session) warm() {
	ctx := context.Background()
	if _, err := s.builder.BuildWorker(ctx, nil); err != nil {
		s.opts.Log.Warn("the worker for compiled cells was not built", "err", err)
		return
	}
	if err := s.builder.Warm(ctx); err != nil {
		s.opts.Log.Warn("packages were not compiled ahead", "err", err)
	}
}

// compileUnits builds the plugins of a part of a program, and before the first one the worker that can load them.
func (s *Session) compileUnits(ctx context.Context, c Cell, prog *program, units []wire.Unit) *wire.Error {
	builder := s.theBuilder()
	if builder == nil {
		return nil
	}
	for i := range units {
		if units[i].Package == "" {
			continue
		}
		err := s.firstWorker(ctx, c, prog)
		if err == nil {
			err = builder.Build(ctx, &units[i])
		}
		if err != nil {
			return buildError(err)
		}
		s.watchPlugins(c, &units[i])
	}
	return nil
}

// firstWorker changes to the worker that loads plugins for the first program that needs it. The one before had nothing of
// the session.
func (s *Session) firstWorker(ctx context.Context, c Cell, prog *program) error {
	if s.native {
		return nil
	}
	if err := s.nativeWorker(ctx, c); err != nil {
		return err
	}
	s.front.Lock()
	defer s.front.Unlock()
	s.generation = s.worker.Generation()
	prog.worker = s.generation
	return nil
}

// buildError is why something is not built, as a cell's error.
func buildError(err error) *wire.Error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return errInterrupted()
	}
	return &wire.Error{Name: "BuildError", Value: err.Error()}
}

// manyPlugins is the size of plugins in bytes at which, and at whose multiples, the user is told of it.
const manyPlugins = 512 << 20

// watchPlugins tells the user now and then what the plugins of the session take, because Go cannot unload them.
func (s *Session) watchPlugins(c Cell, u *wire.Unit) {
	info, err := os.Stat(u.Plugin)
	if gen := s.worker.Generation(); gen != s.plugins.worker {
		s.plugins = plugins{worker: gen, loaded: map[string]bool{}}
	}
	if err != nil || s.plugins.loaded[u.Package] {
		return
	}
	before := s.plugins.size
	s.plugins.loaded[u.Package] = true
	s.plugins.size += info.Size()
	if before/manyPlugins < s.plugins.size/manyPlugins {
		s.say(c, "The %d compiled cells of this session take about %d MB, which Go cannot give back. %%reset starts a clean worker, without the variables; %%replay then runs the session's declarations again.\n",
			len(s.plugins.loaded), s.plugins.size>>20)
	}
}

// plugins are those that a worker has loaded.
type plugins struct {
	worker int // the worker's generation
	loaded map[string]bool
	size   int64
}

// nativeWorker changes to the worker that loads plugins, when it is not yet the session's. It waits until it is built.
func (s *Session) nativeWorker(ctx context.Context, c Cell) error {
	if s.native {
		return nil
	}
	path, err := s.builtWorker(ctx, c)
	if err != nil {
		return err
	}
	if err := s.worker.Become([]string{path}); err != nil {
		return err
	}
	s.native, s.workerFile = true, path
	return nil
}

// builtWorker waits until the worker that loads plugins is built, and tells the user how that goes.
func (s *Session) builtWorker(ctx context.Context, c Cell) (path string, err error) {
	builder := s.theBuilder()
	if path, ok := builder.WorkerFile(); ok {
		return path, nil
	}
	start := time.Now()
	s.say(c, "Building the worker for compiled cells with %s, once for this version of Gaucho; this can take some minutes ...\n", builder.Tools.Version)
	told := 0
	path, err = builder.BuildWorker(ctx, func(packages int) {
		const few = 50
		if told == 0 && packages >= few {
			s.say(c, "compiled packages:")
		}
		if packages/few > told/few {
			told = packages
			s.say(c, " %d", packages)
		}
	})
	switch {
	case err == nil && told > 0:
		s.say(c, "; ")
	case err != nil && told > 0:
		s.say(c, "\n")
	}
	if err == nil {
		s.say(c, "done in %s\n", time.Since(start).Round(time.Second))
	}
	return path, err
}
