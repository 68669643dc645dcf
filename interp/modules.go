package interp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"strconv"
	"strings"

	"golang.org/x/tools/go/gcexportdata"

	"gaucho/interp/compiled"
	"gaucho/interp/wire"
)

// modules imports packages of any module, beside those that come with Gaucho. Only a cell that runs fetches; completion
// knows what cells have imported.
type modules struct {
	library
	s    *Session
	read map[string]*types.Package
}

// fetching is how a cell gets modules.
type fetching struct {
	ctx    context.Context
	cancel context.CancelFunc
	cell   string
	failed map[string]error // packages that were not to be had for this cell
}

func (s *Session) startFetching(ctx context.Context, c Cell) {
	if s.builder == nil {
		return
	}
	f := &fetching{cell: c.ID, failed: map[string]error{}}
	f.ctx, f.cancel = context.WithCancel(ctx)
	s.mu.Lock()
	s.fetch, s.build = f, f.cancel
	s.mu.Unlock()
}

func (s *Session) stopFetching() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fetch != nil {
		s.fetch.cancel()
	}
	s.fetch, s.build = nil, nil
}

// Import returns a package. The error for one that is not to be had is a [compiled.ModuleError].
func (m *modules) Import(path string) (*types.Package, error) {
	p, err := m.library.Import(path)
	if err == nil || errors.Is(err, errForbidden) {
		return p, err
	}
	if p := m.read[path]; p != nil {
		return p, nil
	}
	m.s.mu.Lock()
	f := m.s.fetch
	m.s.mu.Unlock()
	if first, _, _ := strings.Cut(path, "/"); f == nil || len(m.forbidden) > 0 || !strings.Contains(first, ".") && !m.s.builder.Local(path) {
		return nil, err
	}
	if err := f.failed[path]; err != nil {
		return nil, err
	}
	p, err = m.load(f, path)
	if err != nil {
		f.failed[path] = err
		return nil, err
	}
	m.read[path] = p
	return p, nil
}

// load reads the types of a package. Packages that come with Gaucho have the types that they have everywhere.
func (m *modules) load(f *fetching, path string) (*types.Package, error) {
	e, err := m.s.builder.Package(f.ctx, path, func(path string) {
		m.s.opts.Sink.Stream(f.cell, "stderr", "Fetching the module of "+path+" ...\n")
	})
	var linked *compiled.LinkedError
	if errors.As(err, &linked) {
		return nil, &compiled.ModuleError{Msg: fmt.Sprintf("package %s: %v; %%get -f %s starts a new worker with these", path, err, path)}
	} else if err != nil {
		return nil, err
	}
	known := map[string]*types.Package{}
	for _, d := range e.Deps {
		if p, err := m.library.Import(d); err == nil {
			known[d] = p
		} else if p := m.read[d]; p != nil {
			known[d] = p
		}
	}
	data, err := exportData(e.File)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(bytes.NewReader(data), token.NewFileSet(), known, path)
}

// exportData returns the export data in a compiled package: an archive whose first member has it between two marks.
func exportData(file string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	const magic, header = "!<arch>\n", 60
	if len(data) < len(magic)+header || string(data[:len(magic)]) != magic {
		return data, nil
	}
	size, err := strconv.Atoi(strings.TrimSpace(string(data[len(magic)+48 : len(magic)+58])))
	data = data[len(magic)+header:]
	if err != nil || size > len(data) {
		return nil, fmt.Errorf("%s is not a compiled package", file)
	}
	_, data, _ = bytes.Cut(data[:size], []byte("\n$$B\n"))
	if end := bytes.LastIndex(data, []byte("\n$$\n")); end >= 0 {
		data = data[:end]
	}
	return data, nil
}

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
	case s.builder == nil:
		return failed("the interpreter has the packages that come with Gaucho; other modules need the compiled engine (--engine compiled, or the kernel of that name)")
	case len(specs) == 0:
		return failed("%%get needs a module, as in %%get golang.org/x/text@v0.28.0")
	case len(s.opts.Forbidden) > 0:
		return failed("modules are not fetched in this session")
	}
	tell := func(format string, args ...any) { s.opts.Sink.Stream(c.ID, "stdout", fmt.Sprintf(format, args...)) }
	added, err := s.builder.Get(ctx, force, specs...)
	var linked *compiled.LinkedError
	if errors.As(err, &linked) && c.Stdin {
		answer, inputErr := s.opts.Sink.Input(ctx, c.ID, fmt.Sprintf("%v. Start a new worker, without the variables? [y/n] ", err), false)
		if inputErr == nil && strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y") {
			force = true
			added, err = s.builder.Get(ctx, true, specs...)
		}
	}
	switch {
	case errors.As(err, &linked):
		return failed("%v; %%get -f %s starts a new worker with these, without the variables", err, strings.Join(specs, " "))
	case err != nil:
		return failed("%v", err)
	case len(added) == 0:
		tell("Nothing is to be added.\n")
	default:
		tell("Added: %s\n", strings.Join(added, ", "))
	}
	if path, _ := s.builder.WorkerFile(); force && path != s.workerFile {
		return s.newWorker(ctx, c)
	}
	return nil
}

// newWorker changes to the worker that the build list of today needs.
func (s *Session) newWorker(ctx context.Context, c Cell) *wire.Error {
	s.native = false
	if err := s.nativeWorker(ctx, c); err != nil {
		return &wire.Error{Name: "BuildError", Value: err.Error()}
	}
	s.forget()
	s.opts.Sink.Stream(c.ID, "stdout", "A new worker runs; all variables are gone. %replay runs the session's declarations again.\n")
	return nil
}
