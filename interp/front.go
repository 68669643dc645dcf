package interp

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/depend"
	"gaucho/interp/docs"
	"gaucho/interp/engine"
	"gaucho/interp/lower"
	"gaucho/interp/modules"
	"gaucho/interp/wire"
)

// A front is what a session knows of what its cells declared in one worker: names with their types, the cells' texts, and what
// the engine made of them. It begins anew with each worker. Its methods take its lock, save those that say that the caller
// holds it.
type front struct {
	sync.Mutex
	opts  *Options
	trace tracer
	fset  *token.FileSet // of all cells, whatever the worker

	kind   engine.Kind
	faults int    // of loaded code
	word   string // about the engine, which the next cell shows

	worker  int // generation of the worker that is described
	checker *check.Checker
	library *check.Library // what cells can import
	engine  engine.Engine
	scope   *check.Scope
	history history
	depends *depend.Tracker
	studies depend.Studies
	// contents are hashes of packages of modules, see content.
	contents map[*modules.Package]string
	places   map[int]cell.Place // of cells, by number
	// moduleDocs is the documentation of packages of modules that was asked for, by path.
	moduleDocs map[string]docs.Docs

	replay depend.Declarations // what went with earlier workers
}

// open sets what lasts longer than a worker.
func (f *front) open(opts *Options) {
	f.opts, f.trace.to, f.fset, f.places = opts, opts.Trace, token.NewFileSet(), map[int]cell.Place{}
}

// renew makes the front that of a worker in which no cell has run. saved is what %replay can bring back of the variables of the
// worker before it. The caller holds the lock.
func (f *front) renew(worker int, saved map[string]depend.SavedValue) {
	if f.scope != nil {
		f.replay.Record(f.scope, saved)
	}
	f.checker, f.library = check.Open(f.fset, f.opts.Dir, f.opts.Forbidden, f.library)
	f.engine = f.kind.New(f.library, f.library.Modules, f.fileOf)
	f.moduleDocs = map[string]docs.Docs{}
	f.scope = check.NewScope()
	f.history.forget()
	f.depends = depend.NewTracker()
	f.studies = depend.NewStudies()
	f.worker = worker
}

// maxFaults is how many deaths of workers of which it is suspected an engine may have before the session interprets its cells.
const maxFaults = 2

// countFault counts a worker's death if the engine is suspected. The caller holds the lock.
func (f *front) countFault(e *wire.Error) {
	if !f.kind.Suspect(e) {
		return
	}
	if f.faults++; f.faults == maxFaults {
		f.kind.Close()
		f.kind = lower.Yaegi{}
		f.word = "after two faults in compiled code this session interprets its cells, which is slower; restart the kernel for compiled ones, and please report what the cells did"
	}
}

// announce has the next cell show something about the engine.
func (f *front) announce(word string) {
	f.Lock()
	defer f.Unlock()
	f.word = word
}

// news is what the next cell shows about the engine, once.
func (f *front) news() string {
	f.Lock()
	defer f.Unlock()
	word := f.word
	f.word = ""
	return word
}

// learn takes over what the steps from..to of a program brought about as far as they came, unless that is gone.
func (f *front) learn(prog *program, from, to int, done *wire.Done) {
	f.Lock()
	defer f.Unlock()
	if prog.worker != f.worker || done.Error != nil && done.Error.Lost {
		return
	}
	defer f.scope.Commit()
	for i, st := range prog.steps[from:to] {
		if st.checked == nil || i > done.Unit || i == done.Unit && done.Step < 0 {
			continue
		}
		if lines := linesOf(f.fset, st.checked.Part); i == done.Unit && done.Error != nil && done.Step < len(lines) {
			atStatement(done.Error, prog.id, lines[done.Step])
		}
		f.scope.Apply(st.checked.Start)
		steps := st.checked.Steps
		if i == done.Unit {
			steps = steps[:min(done.Step, len(steps))]
		}
		for _, u := range steps {
			f.scope.Apply(u)
		}
	}
}

// record enters what a cell that has run used, declared and showed. A mistake there costs the cell nothing.
func (f *front) record(c Cell, prog *program, failed bool) {
	f.Lock()
	defer f.Unlock()
	defer survive(f.opts, "what a cell used and declared is not recorded", c.Source)
	if prog.worker != f.worker {
		return
	}
	stages := prog.stages()
	if keepsShown(c) {
		f.history.enterShown(c.Number, stages, failed)
	}
	f.depends.Record(depend.Cell{Number: c.Number, NotebookID: c.NotebookID, Source: c.Source, Silent: c.Silent}, stages, prog.before, f.scope.Names, failed)
}

// missed remembers which names a cell declares that failed, as far as they mean nothing now.
func (f *front) missed(c Cell, text cell.Text, ran bool) {
	if !keepsShown(c) {
		return
	}
	f.Lock()
	defer f.Unlock()
	for _, name := range text.Declares() {
		if !f.scope.Live(name) {
			f.scope.Failed[name] = check.Failure{Number: c.Number, Ran: ran}
		}
	}
}

// enterInput remembers a cell's text for In.
func (f *front) enterInput(c Cell, source string) {
	if keepsShown(c) {
		f.Lock()
		defer f.Unlock()
		f.history.enterInput(c.Number, source)
	}
}

// variables are the session's variables by name.
func (f *front) variables() map[string]*types.Var {
	f.Lock()
	defer f.Unlock()
	out := map[string]*types.Var{}
	for name, e := range f.scope.Names {
		if v, ok := e.Obj.(*types.Var); ok && !check.Hidden(name) {
			out[name] = v
		}
	}
	return out
}

// unread are the errors of a program that are variables by now, and that nothing reads.
func (f *front) unread(prog *program) []check.UnreadError {
	f.Lock()
	defer f.Unlock()
	return slices.DeleteFunc(prog.unread, func(u check.UnreadError) bool {
		e := f.scope.Names[u.Name]
		return e == nil || e.Cell != prog.id || !check.IsErrorVar(e.Obj) // the cell did not come so far
	})
}

// modules are those that cells import from.
func (f *front) modules() *modules.Set {
	f.Lock()
	defer f.Unlock()
	return f.library.Modules
}

// fileOf is the file that the code of a cell sees itself in. The caller holds the lock.
func (f *front) fileOf(number int) string {
	p, _ := f.placeOf(number)
	if p.File == "" {
		return fmt.Sprintf("/gaucho/Cell [%d]", p.Number)
	}
	if file, err := filepath.Abs(p.File); err == nil {
		return file
	}
	return p.File
}

// placeOf is where the cell, or the file of a module, with a number came from. The caller holds the lock.
func (f *front) placeOf(number int) (cell.Place, bool) {
	if p, ok := f.places[number]; ok {
		return p, ok
	}
	name, file := f.library.Modules.File(number)
	text, _ := os.ReadFile(file)
	return cell.Place{File: name, Lines: strings.Split(string(text), "\n")}, name != ""
}

// survive, deferred, has a cell that confuses the front end cost an answer or a note, not the kernel.
func survive(o *Options, what, source string) {
	if r := recover(); r != nil {
		o.Log.Error(what, "panic", r, "cell", source, "stack", string(debug.Stack()))
	}
}
