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
	"gaucho/interp/modules"
	"gaucho/interp/wire"
)

// A fetcher imports packages of any module, beside those that come with Gaucho. Only a cell that runs fetches.
type fetcher struct {
	*library
	s    *Session
	from moduleSource
}

// A moduleSource is where an engine has packages of modules from.
type moduleSource interface {
	// known is a package that was loaded before, nil for others.
	known(path string) *types.Package
	// local reports whether a package is one of the module beside the notebook.
	local(path string) bool
	// dir is the folder with the source of a package; empty where it is not known.
	dir(path string) string
	// fetch has the module of a package ready for load. It does not touch what the front end guards.
	fetch(f *fetching, path string) error
	// load makes a package ready; without a cell, nothing is fetched. The error for one that is not to be had is a [modules.Error].
	load(f *fetching, path string) (*types.Package, error)
}

// Import returns a package.
func (m *fetcher) Import(path string) (*types.Package, error) {
	p, err := m.library.Import(path)
	if err == nil || errors.Is(err, errForbidden) {
		return p, err
	}
	if p := m.from.known(path); p != nil {
		return p, nil
	}
	if len(m.forbidden) > 0 || !modules.Outside(path) && !m.from.local(path) {
		return nil, err
	}
	f := m.s.fetch
	if f == nil {
		return m.from.load(nil, path)
	}
	if err := f.failed[path]; err != nil {
		return nil, err
	}
	p, err = m.from.load(f, path)
	if err != nil {
		f.failed[path] = err
	}
	return p, err
}

// tellFetching tells the user what a cell waits for.
func (s *Session) tellFetching(f *fetching) func(path string) {
	return func(path string) {
		s.say(f.cell, "Fetching the module of %s ...\n", path)
	}
}

// sources are packages of modules for the interpreter, read from their source.
type sources struct{ s *Session }

func (m sources) local(path string) bool { return m.s.sources.Local(path) }

func (m sources) dir(path string) string {
	if p := m.s.sources.Loaded(path); p != nil {
		return p.Dir
	}
	return ""
}

func (m sources) known(path string) *types.Package {
	if p := m.s.sources.Loaded(path); p != nil {
		return p.Types
	}
	return nil
}

func (m sources) fetch(f *fetching, path string) error {
	return m.s.sources.Fetch(f.ctx, path, m.s.tellFetching(f))
}

func (m sources) load(f *fetching, path string) (*types.Package, error) {
	ctx, tell := context.Background(), (func(string))(nil)
	if f != nil {
		ctx, tell = f.ctx, m.s.tellFetching(f)
	}
	p, err := m.s.sources.Import(ctx, path, tell)
	if err != nil {
		return nil, err
	}
	return p.Types, nil
}

// exports are packages of modules for the compiled engine, whose types stand in what the Go toolchain compiled.
type exports struct {
	*library
	s    *Session
	read map[string]*types.Package
}

func (m *exports) local(path string) bool           { return m.s.builder.Local(path) }
func (m *exports) dir(path string) string           { return m.s.builder.Dir(path) }
func (m *exports) known(path string) *types.Package { return m.read[path] }

func (m *exports) fetch(f *fetching, path string) error {
	e, err := m.s.builder.Package(f.ctx, path, m.s.tellFetching(f))
	var linked *compiled.LinkedError
	if errors.As(err, &linked) {
		return &modules.Error{Msg: fmt.Sprintf("package %s: %v; %%get -f %s starts a new worker with these", path, err, path)}
	}
	if err == nil {
		f.compiled[path] = e
	}
	return err
}

// load reads the types of a package. Packages that come with Gaucho have the types that they have everywhere.
func (m *exports) load(f *fetching, path string) (*types.Package, error) {
	if f == nil {
		return nil, &modules.Error{Msg: "package " + path + " was not imported by a cell yet"}
	}
	if f.compiled[path] == nil { // not named by the cell itself
		if err := m.fetch(f, path); err != nil {
			return nil, err
		}
	}
	e := f.compiled[path]
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
	p, err := gcexportdata.Read(bytes.NewReader(data), token.NewFileSet(), known, path)
	if err == nil {
		m.read[path] = p
	}
	return p, err
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
	case len(specs) == 0:
		return failed("%%get needs a module, as in %%get golang.org/x/text@v0.28.0")
	case len(s.opts.Forbidden) > 0:
		return failed("modules are not fetched in this session")
	}
	get := s.getFrom()
	added, err := get(ctx, force, specs...)
	if changesLoaded(err) && c.Stdin {
		answer, inputErr := s.opts.Sink.Input(ctx, c.ID, fmt.Sprintf("%v. Start a new worker, without the variables? [y/n] ", err), false)
		if inputErr == nil && strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y") {
			force = true
			added, err = get(ctx, true, specs...)
		}
	}
	switch {
	case changesLoaded(err):
		return failed("%v; %%get -f %s starts a new worker with these, without the variables", err, strings.Join(specs, " "))
	case err != nil:
		return failed("%v", err)
	case len(added) == 0:
		s.say(c, "Nothing is to be added.\n")
	default:
		s.say(c, "Added: %s\n", strings.Join(added, ", "))
	}
	if force && s.outdated() {
		return s.newWorker(ctx, c)
	}
	return nil
}

// getFrom is what adds modules to the session in its engine.
func (s *Session) getFrom() func(ctx context.Context, force bool, specs ...string) ([]string, error) {
	if s.builder != nil {
		return s.builder.Get
	}
	return s.sources.Get
}

// changesLoaded reports whether modules were not added because the session has other versions of them in use.
func changesLoaded(err error) bool {
	return errors.As(err, new(*compiled.LinkedError)) || errors.As(err, new(*modules.LoadedError))
}

// outdated reports whether the worker has versions of modules that the build list does not have any more.
func (s *Session) outdated() bool {
	if s.builder != nil {
		path, _ := s.builder.WorkerFile()
		return path != s.workerFile
	}
	return s.sources.Changed()
}

// newWorker changes to the worker that the build list of today needs.
func (s *Session) newWorker(ctx context.Context, c Cell) *wire.Error {
	if s.builder != nil {
		if _, err := s.builtWorker(ctx, c); err != nil {
			return buildError(err)
		}
	}
	s.save(ctx)
	if s.builder != nil {
		s.native = false
		if err := s.nativeWorker(ctx, c); err != nil {
			return buildError(err)
		}
	} else if err := s.worker.Restart(); err != nil {
		return &wire.Error{Name: "WorkerError", Value: err.Error(), Lost: true}
	}
	s.renew()
	s.say(c, "A new worker runs; all variables are gone. %%replay runs the session's declarations again and brings plain data back.\n")
	return nil
}
