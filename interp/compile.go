package interp

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/token"
	"go/types"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/depend"
	"gaucho/interp/engine"
	"gaucho/interp/wire"
)

// A step of a cell is a stage of Go code or a magic.
type step struct {
	checked *check.Checked
	unit    *wire.Unit
	types   []wire.Type     // that the unit needs and the worker does not have
	magic   *cell.MagicCall // that the front end answers
	lines   []int           // of its statements, for a cell that is profiled
	lowered bool            // and not taken back
	mark    int             // of the engine before the stage
}

// A program is a cell that has been checked and lowered as a whole and can run.
type program struct {
	id      int
	worker  int // the generation of the worker that it was made for
	steps   []step
	notes   []string
	unread  []check.UnreadError
	before  map[string]*check.Entity // what the names that it declares mean before it runs
	sources map[string]wire.Source   // of studies, for the worker
}

// stages are those of Go code.
func (p *program) stages() (list []*check.Checked) {
	for _, st := range p.steps {
		if st.checked != nil {
			list = append(list, st.checked)
		}
	}
	return list
}

// partEnd returns the end of the part that begins at a step.
func (p *program) partEnd(from int) int {
	end := from
	for end < len(p.steps) && p.steps[end].magic == nil && p.steps[end].checked == nil {
		end++
	}
	if end < len(p.steps) && p.steps[end].checked != nil {
		end++
	}
	for end < len(p.steps) && p.steps[end].unit != nil && p.steps[end].unit.Builtin != "" {
		end++
	}
	return end
}

// compile checks a cell and lowers it as a whole, so that nothing of one that is refused runs: when anything is wrong with it,
// nothing has changed; the scope never has. What follows its first part is taken back and lowered again when it is to run.
// fetching, if not nil, is how it gets modules. The caller has the gate.
func (f *front) compile(parsed *cell.Cell, c Cell, fetching *check.Fetching) (prog *program, problems []cell.Problem) {
	f.Lock()
	defer f.Unlock()
	f.library.Fetching = fetching
	defer func() { f.library.Fetching = nil }()
	mark := f.engine.Snapshot()
	made := &program{id: parsed.ID, worker: f.worker}
	defer func() {
		if prog == nil { // it is refused, or something of ours panics
			f.abandon(made, 0)
			f.engine.Rollback(mark)
		}
	}()
	f.places[parsed.ID] = placeOf(c, parsed.Source).Kept()
	if parsed.File != nil {
		problems = f.program(made, parsed.File, c.Args)
	} else {
		problems = f.stages(made, parsed)
	}
	if problems != nil {
		return nil, problems
	}
	made.before = map[string]*check.Entity{}
	for _, st := range made.stages() {
		for _, u := range append([]check.Update{st.Start}, st.Steps...) {
			for name := range u.Names {
				if e := f.scope.Names[name]; e != nil {
					made.before[name] = e
				}
			}
		}
	}
	f.abandon(made, made.partEnd(0))
	return made, nil
}

// stages checks and lowers a cell stage by stage.
func (f *front) stages(prog *program, parsed *cell.Cell) []cell.Problem {
	work := f.scope
	defer work.Rollback(work.Snapshot())
	check.AddMusts(f.fset, parsed, work)
	if problems := f.checker.AddHistory(parsed, work, &f.history.History); problems != nil {
		return problems
	}
	show := cell.ShownPieces(parsed)
	cell.CallInitAndMain(parsed)
	walk := check.Walk{
		Magic: func(m *cell.Piece) { prog.steps = append(prog.steps, magicStep(m)) },
		Plan:  func(stages []*cell.Stage) { f.trace.plan(prog.id, stages) },
		Stage: func(st *cell.Stage) (*check.Checked, []cell.Problem) {
			ch, problems := f.checker.Check(prog.id, work, st, show)
			if problems == nil {
				problems = f.add(prog, ch, cell.Profiled(parsed))
			}
			if problems != nil {
				return nil, problems
			}
			prog.notes = append(prog.notes, ch.Notes...)
			f.studies.Keep(ch)
			return ch, nil
		},
	}
	if problems := walk.Through(parsed, work); problems != nil {
		return problems
	}
	prog.unread = check.UnreadErrors(f.fset, parsed, work)
	prog.sources = f.studies.Sources(&depend.Session{
		Scope: work, Tracker: f.depends, Ctx: f.checker.Ctx, Number: prog.id, Source: parsed.Source, Content: f.content, Interpreted: f.interprets(),
	})
	return nil
}

// program checks and lowers a whole Go program, as Go checks it: every import must be written and used.
func (f *front) program(prog *program, file *ast.File, args []string) []cell.Problem {
	calls := check.ProgramCalls(file)
	for _, c := range calls {
		file.Decls = append(file.Decls, c)
	}
	part, problems := f.checker.CheckProgram(prog.id, file)
	if problems != nil {
		return problems
	}
	for _, c := range calls {
		part.Body = append(part.Body, engine.Chunk{Stmt: c.Body.List[0]})
	}
	js, err := json.Marshal(args)
	if err != nil {
		return []cell.Problem{{Msg: err.Error()}}
	}
	prog.steps = []step{{unit: &wire.Unit{Builtin: "args", Text: string(js)}}}
	return f.add(prog, &check.Checked{Part: part, Modules: f.checker.ImportedModules(file)}, false)
}

// add lowers a stage after steps that initialise the packages of modules that it imports, where some are not yet.
func (f *front) add(prog *program, ch *check.Checked, profiled bool) []cell.Problem {
	for _, m := range ch.Modules {
		ch.Part.Modules = append(ch.Part.Modules, m.Types.Path())
		if f.engine.Ready(m.Package) {
			continue
		}
		part := &engine.Part{Cell: prog.id, Fset: f.fset, Pkg: f.checker.Pkg, Info: &types.Info{}, Import: m.Package, At: m.At}
		prog.steps = append(prog.steps, step{checked: &check.Checked{Part: part}})
		if problems := f.lower(&prog.steps[len(prog.steps)-1]); problems != nil {
			ch.Revert()
			return problems
		}
	}
	prog.steps = append(prog.steps, step{checked: ch})
	st := &prog.steps[len(prog.steps)-1]
	if profiled {
		st.lines = linesOf(f.fset, ch.Part)
	}
	return f.lower(st)
}

// lower has the engine make the unit of a stage. The caller holds the lock.
func (f *front) lower(st *step) []cell.Problem {
	st.mark = f.engine.Snapshot()
	u, err := f.engine.Part(st.checked.Part)
	if err != nil {
		return refusals(f.fset, err)
	}
	st.unit, st.types, st.lowered = &u.Unit, u.Types, true
	st.unit.Fails, st.unit.Lines = st.checked.Fails, st.lines
	st.checked.Notes = append(st.checked.Notes, u.Notes...)
	return nil
}

// abandon takes back what checking and lowering did for the steps from the given one on. The caller holds the lock, and the
// gate since they were lowered.
func (f *front) abandon(p *program, from int) {
	for i := len(p.steps) - 1; i >= from; i-- {
		st := &p.steps[i]
		if st.checked != nil {
			st.checked.Revert()
		}
		if st.lowered {
			st.lowered = false
			f.engine.Rollback(st.mark)
		}
	}
}

// magicStep is a magic as a step: the worker's part of it, or the front end's.
func magicStep(p *cell.Piece) step {
	if p.Call.Session != "" {
		return step{magic: p.Call}
	}
	return step{unit: &wire.Unit{Builtin: p.Call.Builtin, Text: p.Call.Arg}}
}

// linesOf are the lines of a part's statements.
func linesOf(fset *token.FileSet, p *engine.Part) []int {
	var out []int
	for _, c := range p.Body {
		if c.Var != nil {
			out = append(out, fset.Position(c.Var.Pos()).Line)
		} else {
			out = append(out, fset.Position(c.Stmt.Pos()).Line)
		}
	}
	return out
}

// refusals are what the engine cannot run, as problems.
func refusals(fset *token.FileSet, err error) []cell.Problem {
	var list engine.Refusals
	if !errors.As(err, &list) {
		return []cell.Problem{{Msg: err.Error()}}
	}
	var out []cell.Problem
	for _, r := range list {
		out = append(out, cell.Problem{Pos: fset.Position(r.Pos), Msg: r.Msg})
	}
	return out
}
