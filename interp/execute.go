package interp

import (
	"errors"
	"go/token"
	"go/types"

	"gaucho/interp/cell"
	"gaucho/interp/check"
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
	sources map[string]string // of studies, for the worker
}

// compile splits, checks and lowers a cell. When anything is wrong with it, nothing has changed; the scope never has.
func (s *Session) compile(id int, t cell.Text) (*program, []cell.Problem) {
	src := t.Source
	s.trace(id, "source", src)
	chunks, problems := t.Expand(s.opts.NoShell)
	if problems != nil {
		return nil, problems
	}
	if problems := cell.RefusedInChunks(id, src, chunks); problems != nil {
		return nil, problems
	}
	parsed, errs := cell.Parse(s.checker.Fset, id, src, chunks)
	if len(errs) > 0 {
		return nil, cell.SyntaxProblems(src, errs)
	}
	for _, p := range parsed.Pieces {
		if problems := cell.Bodyless(s.checker.Fset, p.Decl); problems != nil {
			return nil, problems
		}
	}
	prog := &program{id: id}
	work := s.scope
	defer work.Rollback(work.Snapshot())
	check.AddMusts(s.checker.Fset, parsed, work)
	if problems := check.AddHistory(s.checker.Fset, parsed, work, &s.history.History); problems != nil {
		return nil, problems
	}
	show := cell.ShownPieces(parsed)
	cell.CallInitAndMain(parsed)
	for _, segment := range cell.Segments(parsed) {
		if m := segment.Magic; m != nil {
			prog.steps = append(prog.steps, magicStep(m))
			continue
		}
		stages := cell.Plan(segment.Cell, work.Live)
		s.tracePlan(id, stages)
		for _, st := range stages {
			ch, problems := s.checker.Check(id, work, st, show)
			if problems == nil {
				if problems = s.initModules(prog, ch.Modules); problems != nil {
					ch.Revert()
				}
			}
			if problems == nil {
				prog.steps = append(prog.steps, step{checked: ch})
				if cell.Profiled(parsed) {
					prog.steps[len(prog.steps)-1].lines = linesOf(s.checker.Fset, ch.Part)
				}
				problems = s.lowerStage(&prog.steps[len(prog.steps)-1])
			}
			if problems != nil {
				s.abandon(prog, 0)
				return nil, problems
			}
			prog.notes = append(prog.notes, ch.Notes...)
			s.studies.Keep(ch.Studies)
			work.Apply(ch.Start)
			for _, u := range ch.Steps {
				work.Apply(u)
			}
		}
	}
	prog.unread = check.UnreadErrors(parsed, work)
	prog.sources = s.studies.Hashes(work, s.depends)
	return prog, nil
}

// initModules adds the step that initialises packages of modules, where some are not initialised yet.
func (s *Session) initModules(prog *program, list []check.ImportedModule) []cell.Problem {
	c := s.checker
	for _, m := range list {
		if s.engine.Ready(m.Package) {
			continue
		}
		part := &engine.Part{Cell: prog.id, Fset: c.Fset, Pkg: c.Pkg, Info: &types.Info{}, Import: m.Package, At: m.At}
		prog.steps = append(prog.steps, step{checked: &check.Checked{Part: part}})
		if problems := s.lowerStage(&prog.steps[len(prog.steps)-1]); problems != nil {
			return problems
		}
	}
	return nil
}

func (s *Session) lowerStage(st *step) []cell.Problem {
	st.mark = s.engine.Snapshot()
	u, err := s.engine.Part(st.checked.Part)
	if err != nil {
		return refusals(s.checker.Fset, err)
	}
	st.unit, st.types, st.lowered = &u.Unit, u.Types, true
	st.unit.Fails, st.unit.Lines = st.checked.Fails, st.lines
	st.checked.Notes = append(st.checked.Notes, u.Notes...)
	return nil
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

// abandon takes back what checking and lowering did for the steps from the given one on. The caller holds s.front, and the
// gate since they were lowered.
func (s *Session) abandon(p *program, from int) {
	for i := len(p.steps) - 1; i >= from; i-- {
		st := &p.steps[i]
		if st.checked != nil {
			st.checked.Revert()
		}
		if st.lowered {
			st.lowered = false
			s.engine.Rollback(st.mark)
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

// steps runs the program, and learns the names that came into being as far as it came.
func (d *delivery) steps() (*Display, *wire.Error) {
	prog := d.prog
	var result *Display
	for at := 0; at < len(prog.steps); {
		if m := prog.steps[at].magic; m != nil {
			if err := actions[m.Session](d.s, d.ctx, d.c, m.Arg); err != nil {
				return nil, err
			}
			at++
			continue
		}
		end := at
		for end < len(prog.steps) && prog.steps[end].magic == nil {
			end++
		}
		done := d.run(at, end, nil)
		d.s.learn(prog, at, end, done)
		if done.Error != nil || done.Unit < end-at {
			return nil, done.Error
		}
		result = nil
		if done.Result != nil {
			result = &Display{Data: done.Result, Metadata: done.Metadata}
		}
		at = end
	}
	return result, nil
}

// learn takes over what the steps from..to of a program brought about as far as they came, unless that is gone.
func (s *Session) learn(prog *program, from, to int, done *wire.Done) {
	s.front.Lock()
	defer s.front.Unlock()
	if prog.worker != s.generation || done.Error != nil && done.Error.Lost {
		return
	}
	defer s.scope.Commit()
	for i, st := range prog.steps[from:to] {
		if st.checked == nil || i > done.Unit || i == done.Unit && done.Step < 0 {
			continue
		}
		if lines := linesOf(s.checker.Fset, st.checked.Part); i == done.Unit && done.Error != nil && done.Step < len(lines) {
			atStatement(done.Error, prog.id, lines[done.Step])
		}
		s.scope.Apply(st.checked.Start)
		steps := st.checked.Steps
		if i == done.Unit {
			steps = steps[:min(done.Step, len(steps))]
		}
		for _, u := range steps {
			s.scope.Apply(u)
		}
	}
}
