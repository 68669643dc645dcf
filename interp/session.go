// Package interp runs Go cells: it splits, checks, completes and inspects them, keeps the names of a session, and has
// them run in a worker process. It knows nothing of Jupyter.
package interp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/depend"
	"gaucho/interp/docs"
	"gaucho/interp/engine"
	"gaucho/interp/supervisor"
	"gaucho/interp/wire"
)

// A Session is what cells share: names, imports, and the worker that holds their values. Execute runs one cell at a
// time, and those of subshells beside it; everything else answers also while a cell runs.
type Session struct {
	opts   Options
	worker *supervisor.Process

	tracing sync.Mutex // held while Options.Trace is written to

	kind        engine.Kind
	faults      int    // of loaded code
	word        string // about the engine, which the next cell shows
	toldIgnored bool   // that a workspace and vendored packages are not used

	front   sync.Mutex // guards what follows: what is known of cells
	checker *check.Checker
	library *check.Library // what cells can import
	engine  engine.Engine
	scope   *check.Scope
	places  map[int]cell.Place
	replay  depend.Declarations
	saves   saves
	history history
	studies depend.Studies
	depends *depend.Tracker
	next    *string // text that a magic puts into the cell
	formats bool    // each cell as gofmt does
	// generation is that of the worker which the front end describes.
	generation int

	variableView variableView
	// moduleDocs is the documentation of packages of modules that was asked for, by path.
	moduleDocs map[string]docs.Docs

	executing sync.Mutex // held by the cell that has its turn
	gate      gate

	runs  runs
	comms comms
}

// workerCommand is the program that a worker is; nil for this one. Tests under the race detector take one that was built
// without it.
var workerCommand []string

// Start starts a session and its worker.
func Start(ctx context.Context, opts Options) (*Session, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	// The compiler and the go command run in directories of their own.
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return nil, fmt.Errorf("interp: the working directory of cells: %w", err)
	}
	opts.Dir = dir
	s := &Session{opts: opts, places: map[int]cell.Place{}, gate: newGate()}
	if opts.Worker == nil {
		opts.Worker = workerCommand
	}
	if err := s.chooseEngine(ctx); err != nil {
		return nil, err
	}
	w, err := supervisor.Start(supervisor.Options{
		Command: opts.Worker, Dir: opts.Dir, MemoryLimit: opts.MemoryLimit, Log: opts.Log, Sink: workerSink{s}, Gone: s.closeComms, Waiting: s.saveWaiting,
		Stdin: opts.Stdin, Task: opts.Task, News: opts.News,
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
	return errors.Join(s.worker.Close(), s.kind.Close(), s.saves.remove())
}

// Interrupt stops the cells that run, and callbacks of comms that run, or that they wait for. Variables are kept.
func (s *Session) Interrupt() {
	s.interruptCallbacks(true)
	s.runs.interrupt()
}

// interruptCallbacks stops the callbacks that the cell that has its turn waits for. With wait, one that does not stop is waited for.
func (s *Session) interruptCallbacks(wait bool) {
	for _, id := range s.comms.before(s.runs.current()) {
		s.worker.Interrupt(id, wait)
	}
}

// forget empties the front end.
func (s *Session) forget() {
	s.front.Lock()
	defer s.front.Unlock()
	s.empty()
}

// renew empties the front end, and keeps what %replay can bring back.
func (s *Session) renew() {
	s.front.Lock()
	defer s.front.Unlock()
	s.keepData()
	s.empty()
}

// empty clears the front end's state. The caller holds its lock.
func (s *Session) empty() {
	if s.scope != nil {
		s.replay.Record(s.scope)
	}
	s.checker, s.library = check.Open(s.opts.Dir, s.opts.Forbidden, s.library)
	s.engine = s.kind.New(s.library, s.library.Modules, s.fileOf)
	s.moduleDocs = map[string]docs.Docs{}
	s.scope = check.NewScope()
	s.history.forget()
	s.depends = depend.NewTracker()
	s.studies = depend.NewStudies()
	if s.worker != nil { // none runs what is only written down
		s.generation = s.worker.Generation()
	}
}

// Execute runs a cell and returns when it has ended. What it prints and shows goes to the sink meanwhile.
func (s *Session) Execute(ctx context.Context, c Cell) Result {
	text := cell.Read(c.Source)
	s.enterInput(c, text.Source)
	if c.Beside && !c.Program && !text.HasMagic() { // many magics concern all of the session, so they wait for their turn
		return s.executeBeside(ctx, c, text)
	}
	s.executing.Lock()
	defer s.executing.Unlock()
	defer context.AfterFunc(ctx, func() { s.interruptCallbacks(false) })()
	ctx, stop := context.WithCancelCause(ctx)
	defer s.runs.take(0, func() { stop(supervisor.ErrInterrupted) })()
	defer stop(nil)
	s.next = nil
	s.beforeCell(ctx)
	s.saveIfLate(ctx)
	res := s.execute(ctx, c, text)
	if res.Err != nil && res.Err.Lost && res.Err.Name == "Interrupt" && !c.Program {
		s.afterForce(ctx, c, res.Err)
	}
	s.variableView.change()
	if !c.Program {
		s.saveSoon()
	}
	if s.formats && s.next == nil && !c.Silent && !c.Program {
		s.formatCell(c)
	}
	res.Replace = s.next
	return res
}

// stopper returns what interrupts a run: it ends its context, and asks its worker again if that is over.
func (s *Session) stopper(ctx context.Context, cancel context.CancelCauseFunc, id int) func() {
	return func() {
		if ctx.Err() != nil {
			s.worker.Interrupt(id, true)
		}
		cancel(supervisor.ErrInterrupted)
	}
}

// begin assigns the next number to code that is about to run, and makes it the target of Interrupt until end is called. The
// context ends when it is interrupted. What it prints is addressed with the cell's id.
func (s *Session) begin(outer context.Context, c Cell) (ctx context.Context, id int, end func()) {
	ctx, cancel := context.WithCancelCause(outer)
	id = s.runs.number(c.ID)
	done := s.runs.take(id, s.stopper(ctx, cancel, id))
	return ctx, id, func() {
		cancel(nil)
		done()
	}
}

// say prints a note for the user, such as what a cell waits for. In a notebook it goes to standard output, because people and
// tools take standard error for errors. The standard output of a program is its own.
func (s *Session) say(c Cell, format string, args ...any) {
	stream := "stdout"
	if c.Program {
		stream = "stderr"
	}
	s.opts.Sink.Stream(c.ID, stream, fmt.Sprintf(format, args...))
}

// executeSource runs a cell that a magic made.
func (s *Session) executeSource(ctx context.Context, c Cell) Result {
	return s.execute(ctx, c, cell.Read(c.Source))
}

// execute runs a cell that has its turn.
func (s *Session) execute(ctx context.Context, c Cell, text cell.Text) Result {
	ctx, id, end := s.begin(ctx, c)
	defer end()
	return s.executeAs(ctx, id, c, text)
}

// executeAs runs a cell that has a number.
func (s *Session) executeAs(ctx context.Context, id int, c Cell, text cell.Text) Result {
	d, problems, failed := s.deliver(ctx, id, c, text, s.startFetching(ctx, c, text))
	switch {
	case failed != nil:
		return Result{Err: s.failure(failed)}
	case problems != nil:
		return Result{Err: compileError(placeOf(c, text.Source), problems)}
	}
	defer d.close()
	prog := d.prog
	defer s.runs.start(id, prog)()
	if s.word != "" {
		s.say(c, "Note: %s\n", s.word)
		s.word = ""
	}
	for _, n := range prog.notes {
		s.opts.Sink.Stream(c.ID, "stdout", "Note: "+n+"\n")
	}
	before := s.meanings(prog)
	shown, failed := d.steps()
	if !c.aside {
		s.enterRun(c, prog, before, failed != nil)
		s.enterShown(c, prog, failed)
		if !c.Silent && !c.Beside && (failed == nil || !failed.Lost) {
			s.tellUnread(ctx, c, prog)
		}
	}
	if failed != nil {
		return Result{Err: s.failure(failed)}
	}
	if c.Silent {
		shown = nil
	}
	return Result{Display: shown}
}

// meanings are what the names that a program declares mean before it runs.
func (s *Session) meanings(prog *program) map[string]*check.Entity {
	s.front.Lock()
	defer s.front.Unlock()
	before := map[string]*check.Entity{}
	for _, st := range prog.steps {
		if st.checked == nil {
			continue
		}
		for _, u := range append([]check.Update{st.checked.Start}, st.checked.Steps...) {
			for name := range u.Names {
				if e := s.scope.Names[name]; e != nil {
					before[name] = e
				}
			}
		}
	}
	return before
}

// enterRun records what a cell that has run used and declared. A mistake there costs the cell nothing.
func (s *Session) enterRun(c Cell, prog *program, before map[string]*check.Entity, failed bool) {
	s.front.Lock()
	defer s.front.Unlock()
	defer func() {
		if r := recover(); r != nil {
			s.opts.Log.Error("what a cell used and declared is not recorded", "panic", r, "cell", c.Source, "stack", string(debug.Stack()))
		}
	}()
	if prog.worker == s.generation {
		var stages []*check.Checked
		for _, st := range prog.steps {
			if st.checked != nil {
				stages = append(stages, st.checked)
			}
		}
		s.depends.Record(depend.Cell{Number: c.Number, NotebookID: c.NotebookID, Source: c.Source, Silent: c.Silent}, stages, before, failed)
	}
}

// prepare checks a cell and lowers it as a whole, so that nothing of one that is refused runs. What follows its first part
// is taken back and lowered again when it is to run. f, if not nil, is how it gets modules. The caller has the gate.
func (s *Session) prepare(id int, c Cell, text cell.Text, f *check.Fetching) (prog *program, problems []cell.Problem) {
	s.front.Lock()
	defer s.front.Unlock()
	s.library.Fetching = f
	defer func() { s.library.Fetching = nil }()
	mark := s.engine.Snapshot()
	defer func() {
		if r := recover(); r != nil {
			s.opts.Log.Error("the front end failed", "panic", r, "cell", text.Source, "stack", string(debug.Stack()))
			s.engine.Rollback(mark)
			problems = []cell.Problem{{Msg: fmt.Sprintf("internal error: %v; this is a bug in Gaucho, please report it", r)}}
		}
	}()
	s.places[id] = placeOf(c, text.Source).Kept()
	if c.Program {
		prog, problems = s.compileProgram(id, text.Source, c.Args)
	} else {
		prog, problems = s.compile(id, text)
	}
	if problems == nil {
		prog.worker = s.generation
		s.abandon(prog, prog.partEnd(0))
	}
	return prog, problems
}

// fileOf is the file that the code of a cell sees itself in.
func (s *Session) fileOf(number int) string {
	p, _ := s.placeOf(number)
	if p.File == "" {
		return fmt.Sprintf("/gaucho/Cell [%d]", p.Number)
	}
	if file, err := filepath.Abs(p.File); err == nil {
		return file
	}
	return p.File
}

// placeOf is where the cell, or the file of a module, with a number came from.
func (s *Session) placeOf(number int) (cell.Place, bool) {
	if p, ok := s.places[number]; ok {
		return p, ok
	}
	name, file := s.library.Modules.File(number)
	text, _ := os.ReadFile(file)
	return cell.Place{File: name, Lines: strings.Split(string(text), "\n")}, name != ""
}

// failure reports what a cell failed with. When the worker went with it, the session begins anew.
func (s *Session) failure(e *wire.Error) *Error {
	s.front.Lock()
	out := runError(e, s.placeOf)
	out.HTML = s.tracebackHTML(e)
	s.front.Unlock()
	if out.Lost = e.Lost; e.Lost {
		s.lose(e)
		out.Traceback = append(out.Traceback, "All variables are lost. %replay runs the session's declarations again and restores saved data.")
	}
	return out
}

// lose begins the session anew, unless another cell that was lost with the same worker has done so.
func (s *Session) lose(e *wire.Error) {
	s.front.Lock()
	defer s.front.Unlock()
	if s.generation != s.worker.Generation() || e.Name == "WorkerError" {
		s.keepData()
		s.countFault(e)
		s.empty()
	}
}
