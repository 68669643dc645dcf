// Package interp runs Go cells: it splits, checks, completes and inspects them, keeps the names of a session, and has
// them run in a worker process. It knows nothing of Jupyter.
package interp

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"log/slog"
	"maps"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"gaucho/interp/compiled"
	"gaucho/interp/docs"
	"gaucho/interp/lower"
	"gaucho/interp/modules"
	"gaucho/interp/symbols"
	"gaucho/interp/wire"
	"gaucho/interp/worker"
)

// A Session is what cells share: names, imports, and the worker that holds their values. Execute runs one cell at a
// time, and those of subshells beside it; everything else answers also while a cell runs.
type Session struct {
	opts   Options
	worker *worker.Process
	cells  atomic.Int64

	builder     *compiled.Builder // of the native engine, else nil
	sources     *modules.Set      // modules that cells import from
	fetch       *fetching         // how the cell that is being checked gets modules; nil for none
	toldIgnored bool              // that a workspace and vendored packages are not used

	front   sync.Mutex // guards what follows: what is known of cells
	checker *checker
	lower   engine
	scope   *scope
	places  map[int]place
	replay  replayed
	saves   saves
	ledger  *ledger
	studies studyList
	next    *string // text that a magic puts into the cell
	// generation is that of the worker which the front end describes.
	generation int

	looks looks
	// moduleDocs is the documentation of packages of modules that was asked for, by path.
	moduleDocs map[string]docs.Docs

	executing sync.Mutex
	beside    besides
	mu        sync.Mutex
	running   int                // number of the cell that runs, 0 for none
	stopped   int                // number of the last cell that was interrupted
	ids       map[int]string     // what output of a cell is addressed with
	build     context.CancelFunc // of the build of the cell that runs
	comms     comms
}

// workerCommand is the program that a worker is; nil for this one. Tests under the race detector take one that was built
// without it.
var workerCommand []string

// Start starts a session and its worker.
func Start(ctx context.Context, opts Options) (*Session, error) {
	switch opts.Engine {
	case "", "yaegi", "native":
	case "compiled":
		return nil, errors.New("interp: the engine compiled is called native now")
	default:
		return nil, fmt.Errorf("interp: engine is %q, must be native or yaegi", opts.Engine)
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	s := &Session{opts: opts, places: map[int]place{}, ids: map[int]string{}}
	if opts.Worker == nil {
		opts.Worker = workerCommand
	}
	if opts.Engine == "native" {
		b, err := compiled.NewBuilder(ctx, func(format string, args ...any) {
			opts.Log.Info(strings.TrimSpace(fmt.Sprintf(format, args...)))
		})
		if err != nil {
			return nil, err
		}
		s.builder = b
	}
	w, err := worker.Start(worker.Options{
		Command: opts.Worker, Dir: opts.Dir, MemoryLimit: opts.MemoryLimit, Log: opts.Log, Sink: workerSink{s}, Gone: s.closeComms,
	})
	if err != nil {
		return nil, err
	}
	s.worker = w
	s.forget()
	return s, nil
}

// Close ends the session, its worker, and everything that cells started.
func (s *Session) Close() error {
	err := s.worker.Close()
	if s.builder != nil {
		err = errors.Join(err, s.builder.Close())
	}
	return err
}

// Interrupt stops the cell that runs, and callbacks of comms that run, or that it waits for. Variables are kept.
func (s *Session) Interrupt() {
	s.mu.Lock()
	id := s.running
	s.stopped = id
	stop := s.comms.before(id)
	if s.build != nil {
		s.build()
	}
	s.mu.Unlock()
	if id != 0 {
		stop = append(stop, id)
	}
	stop = append(stop, s.beside.interrupt()...)
	for _, id := range stop {
		s.worker.Interrupt(id)
	}
}

// forget empties the front end.
func (s *Session) forget() {
	s.front.Lock()
	defer s.front.Unlock()
	if s.scope != nil {
		s.replay.record(s.scope)
	}
	lib := &library{Importer: symbols.NewImporter(), forbidden: s.opts.Forbidden}
	s.checker = newChecker(lib, lib)
	// What was fetched for the session stays, but types are read anew.
	s.sources = modules.New(s.opts.Dir, lib, s.checker.fset).After(s.sources)
	lib.sources = s.sources
	s.checker.importer = &fetcher{library: lib, s: s}
	if s.builder != nil {
		s.builder.SetModules(s.sources)
		s.lower = compiled.New(s.builder.Version)
	} else {
		s.lower = lower.New(lib)
	}
	s.moduleDocs = nil
	s.scope = newScope()
	s.ledger = newLedger()
	s.studies = studyList{funcs: map[string]*studyFunc{}}
	if s.worker != nil { // none runs what is only written down
		s.generation = s.worker.Generation()
	}
}

// A library is what cells can import.
type library struct {
	*symbols.Importer
	forbidden []string     // as Options has them
	sources   *modules.Set // packages that come with their source
}

// errForbidden is the error of an import that the session's options forbid.
var errForbidden = errors.New("this package may not be imported here")

func (l *library) Import(path string) (*types.Package, error) {
	for _, f := range l.forbidden {
		if path == f || strings.HasSuffix(f, "/") && strings.HasPrefix(path, f) {
			return nil, errForbidden
		}
	}
	return l.Importer.Import(path)
}

func (*library) ByName(name string) []string          { return symbols.ByName(name) }
func (*library) Source(path string) map[string]string { return symbols.Source(path) }
func (*library) Has(path, name string) bool           { return symbols.Has(path, name) }

// Module returns a package that was read from its module's source, nil for others.
func (l *library) Module(path string) *modules.Package {
	return l.sources.Loaded(path)
}

// Execute runs a cell and returns when it has ended. What it prints and shows goes to the sink meanwhile.
func (s *Session) Execute(ctx context.Context, c Cell) Result {
	if c.Beside && s.canBeside(c) {
		return s.executeBeside(ctx, c)
	}
	s.executing.Lock()
	defer s.executing.Unlock()
	defer s.flight(false)()
	s.next = nil
	s.beforeCell(ctx)
	s.saveIfLate()
	res := s.execute(ctx, c)
	s.looks.change()
	if !c.Program {
		s.saveSoon()
	}
	res.Replace = s.next
	return res
}

// begin gives code that is about to run a number, under which it is what an interrupt stops, be it asked for or the end of
// ctx, until the function that it returns is called. What it prints is addressed with the cell's id.
func (s *Session) begin(ctx context.Context, c Cell) (id int, end func()) {
	id = int(s.cells.Add(1))
	s.mu.Lock()
	s.ids[id] = c.ID
	outer := s.running
	s.running = id
	s.mu.Unlock()
	stop := context.AfterFunc(ctx, s.Interrupt)
	return id, func() {
		stop()
		s.mu.Lock()
		s.running = outer
		s.mu.Unlock()
	}
}

// say tells a user what a cell waits for, or what came with it. In a notebook that is on standard output: what stands on the
// other is taken for a complaint, by people and by tools. The output of a program is its own.
func (s *Session) say(c Cell, format string, args ...any) {
	stream := "stdout"
	if c.Program {
		stream = "stderr"
	}
	s.opts.Sink.Stream(c.ID, stream, fmt.Sprintf(format, args...))
}

// execute runs a cell, or a part of one that a magic made.
func (s *Session) execute(ctx context.Context, c Cell) Result {
	id, end := s.begin(ctx, c)
	defer end()
	return s.executeAs(ctx, id, c)
}

// executeAs runs a cell that has a number.
func (s *Session) executeAs(ctx context.Context, id int, c Cell) Result {
	src := normalise(c.Source)
	leave := s.enter(c)
	defer leave()

	s.startFetching(ctx, c, src)
	prog, problems := s.prepare(id, c, src)
	s.stopFetching()
	if problems != nil {
		return Result{Err: compileError(placeOf(c, src), problems)}
	}
	for _, n := range prog.notes {
		s.opts.Sink.Stream(c.ID, "stdout", "Note: "+n+"\n")
	}
	s.front.Lock()
	before := maps.Clone(s.scope.names)
	s.front.Unlock()
	shown, failed := s.run(ctx, c, prog, leave)
	if !c.aside {
		s.enterRun(c, prog, before, failed != nil)
	}
	if failed != nil {
		return Result{Err: s.failure(failed)}
	}
	if c.Silent {
		shown = nil
	}
	return Result{Display: shown}
}

// enterRun enters a cell that has run in the ledger. A mistake there costs the cell nothing.
func (s *Session) enterRun(c Cell, prog *program, before map[string]*entity, failed bool) {
	s.front.Lock()
	defer s.front.Unlock()
	defer func() {
		if r := recover(); r != nil {
			s.opts.Log.Error("a cell is not in the ledger of cells", "panic", r, "cell", c.Source, "stack", string(debug.Stack()))
		}
	}()
	s.ledger.record(c, prog, before, failed)
}

// prepare makes a cell ready to run.
func (s *Session) prepare(id int, c Cell, src string) (prog *program, problems []problem) {
	s.front.Lock()
	defer s.front.Unlock()
	mark := s.lower.Snapshot()
	defer func() {
		if r := recover(); r != nil {
			s.opts.Log.Error("the front end failed", "panic", r, "cell", src, "stack", string(debug.Stack()))
			s.lower.Rollback(mark)
			problems = []problem{{msg: fmt.Sprintf("this cell is more than Gaucho understands, which is a mistake of Gaucho's (%v)", r)}}
		}
	}()
	s.places[id] = placeOf(c, src)
	if c.Program {
		return s.compileProgram(id, src, c.Args)
	}
	return s.compile(id, src)
}

// runUnits has the worker run lowered code, and calls sent when the worker has it.
func (s *Session) runUnits(run *wire.Run, sent func()) *wire.Done {
	s.mu.Lock()
	stopped := s.stopped == run.Cell
	s.mu.Unlock()
	stopped = stopped || s.beside.stopped(run.Cell)
	if stopped {
		return &wire.Done{Error: &wire.Error{Name: "Interrupt", Value: "the cell was interrupted"}}
	}
	done, err := s.worker.RunSent(run, sent)
	if err != nil {
		return &wire.Done{Error: &wire.Error{Name: "WorkerError", Value: err.Error(), Lost: true}}
	}
	return done
}

// placeOf is where the cell, or the file of a module, with a number came from.
func (s *Session) placeOf(number int) (place, bool) {
	if p, ok := s.places[number]; ok {
		return p, ok
	}
	name, file := s.sources.File(number)
	text, _ := os.ReadFile(file)
	return place{file: name, lines: strings.Split(string(text), "\n")}, name != ""
}

// failure reports what a cell failed with. When the worker went with it, the session begins anew.
func (s *Session) failure(e *wire.Error) *Error {
	s.front.Lock()
	out := runError(e, s.placeOf)
	out.HTML = s.trail(e)
	s.front.Unlock()
	if out.Lost = e.Lost; e.Lost {
		s.front.Lock()
		known := s.generation == s.worker.Generation() && e.Name != "WorkerError" // by another cell that ran beside
		s.front.Unlock()
		if !known {
			s.keepData()
			s.forget()
		}
		out.Traceback = append(out.Traceback, "All variables are gone. %replay runs the session's declarations again and brings back saved data.")
	}
	return out
}
