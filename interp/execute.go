package interp

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"gaucho/interp/lower"
	"gaucho/interp/modules"
	"gaucho/interp/wire"
)

// A step of a cell is a stage of Go code or a magic.
type step struct {
	checked *checked
	unit    *wire.Unit
	types   []wire.Type // that the unit needs and the worker does not have
	magic   *magicCall  // that the front end answers
	lines   []int       // of its statements, for a cell that is profiled
	lowered bool        // and not taken back
	mark    int         // of the engine before the stage
}

// A program is a cell that has been checked and lowered as a whole and can run.
type program struct {
	id      int
	worker  int // the generation of the worker that it was made for
	steps   []step
	notes   []string
	unread  []unreadError
	sources map[string]string // of studies, for the worker
}

// compile splits, checks and lowers a cell. When anything is wrong with it, nothing has changed.
func (s *Session) compile(id int, src string) (*program, []problem) {
	chunks, problems := s.expand(src, split(src))
	if problems != nil {
		return nil, problems
	}
	if problems := refusedInChunks(id, src, chunks); problems != nil {
		return nil, problems
	}
	cell, errs := parse(s.checker.fset, id, src, chunks)
	if len(errs) > 0 {
		return nil, syntaxProblems(src, errs)
	}
	for _, p := range cell.pieces {
		if problems := bodyless(s.checker.fset, p.decl); problems != nil {
			return nil, problems
		}
	}
	prog := &program{id: id}
	work := s.scope.clone()
	addMusts(s.checker.fset, cell, work)
	show := shownPieces(cell)
	callInitAndMain(cell)
	for _, segment := range segments(cell) {
		if m := segment.magic; m != nil {
			prog.steps = append(prog.steps, magicStep(m))
			continue
		}
		for _, st := range plan(segment.cell, work.live) {
			ch, problems := s.checker.check(id, work, st, show)
			if problems == nil {
				if problems = s.initModules(prog, ch.modules); problems != nil {
					ch.revert()
				}
			}
			if problems == nil {
				prog.steps = append(prog.steps, step{checked: ch})
				if profiled(cell) {
					prog.steps[len(prog.steps)-1].lines = linesOf(s.checker.fset, ch.part)
				}
				problems = s.lowerStage(&prog.steps[len(prog.steps)-1])
			}
			if problems != nil {
				s.abandon(prog, 0)
				return nil, s.withHints(work, problems)
			}
			prog.notes = append(prog.notes, ch.notes...)
			s.studies.keep(ch.studies)
			work.apply(ch.start)
			for _, u := range ch.steps {
				work.apply(u)
			}
		}
	}
	prog.unread = unreadErrors(cell, work)
	prog.sources = s.studies.hashes(work, s.ledger)
	return prog, nil
}

// initModules adds the step that initialises packages of modules, where some are not initialised yet.
func (s *Session) initModules(prog *program, list []importedModule) []problem {
	c := s.checker
	for _, m := range list {
		if s.lower.Ready(m.Package) {
			continue
		}
		part := &lower.Part{Cell: prog.id, Fset: c.fset, Pkg: c.pkg, Info: &types.Info{}, Import: m.Package, At: m.at}
		prog.steps = append(prog.steps, step{checked: &checked{part: part}})
		if problems := s.lowerStage(&prog.steps[len(prog.steps)-1]); problems != nil {
			return problems
		}
	}
	return nil
}

// An importedModule is a package of a module that is run from its source, with the place of its import.
type importedModule struct {
	*modules.Package
	at token.Pos
}

func (s *Session) lowerStage(st *step) []problem {
	st.mark = s.lower.Snapshot()
	u, err := s.lower.Part(st.checked.part)
	if err != nil {
		return refusals(s.checker.fset, err)
	}
	st.unit, st.types, st.lowered = &u.Unit, u.Types, true
	st.unit.Fails, st.unit.Lines = st.checked.fails, st.lines
	st.checked.notes = append(st.checked.notes, u.Notes...)
	return nil
}

// profiled reports whether a cell begins with the magic that profiles it.
func profiled(cell *parsedCell) bool {
	return len(cell.pieces) > 0 && cell.pieces[0].call != nil && cell.pieces[0].call.builtin == "prof"
}

// linesOf are the lines of a part's statements.
func linesOf(fset *token.FileSet, p *lower.Part) []int {
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
func refusals(fset *token.FileSet, err error) []problem {
	var list lower.Refusals
	if !errors.As(err, &list) {
		return []problem{{msg: err.Error()}}
	}
	var out []problem
	for _, r := range list {
		out = append(out, problem{pos: fset.Position(r.Pos), msg: r.Msg})
	}
	return out
}

// abandon takes back what checking and lowering did for the steps from the given one on. The caller holds s.front, and the
// gate since they were lowered.
func (s *Session) abandon(p *program, from int) {
	for i := len(p.steps) - 1; i >= from; i-- {
		st := &p.steps[i]
		if st.checked != nil {
			st.checked.revert()
		}
		if st.lowered {
			st.lowered = false
			s.lower.Rollback(st.mark)
		}
	}
}

// magicStep is a magic as a step: the worker's part of it, or the front end's.
func magicStep(p *piece) step {
	if p.call.action != nil {
		return step{magic: p.call}
	}
	return step{unit: &wire.Unit{Builtin: p.call.builtin, Text: p.call.arg}}
}

// A segment of a cell is Go code between magics, or one magic.
type segment struct {
	cell  *parsedCell
	magic *piece
}

func segments(cell *parsedCell) []segment {
	var out []segment
	for _, p := range cell.pieces {
		switch {
		case p.kind == magicChunk:
			out = append(out, segment{magic: p})
		case len(out) == 0 || out[len(out)-1].magic != nil:
			out = append(out, segment{cell: &parsedCell{id: cell.id, lines: cell.lines, pieces: []*piece{p}}})
		default:
			c := out[len(out)-1].cell
			c.pieces = append(c.pieces, p)
		}
	}
	return out
}

// callInitAndMain adds calls of the init functions that a cell declares, which get names of their own, and of main
// unless the cell calls it. In a pasted program all declarations come before.
func callInitAndMain(cell *parsedCell) {
	var out, inits, last []*piece
	n := 0
	for _, p := range cell.pieces {
		out = append(out, p)
		d, ok := p.decl.(*ast.FuncDecl)
		if !ok || d.Recv != nil {
			continue
		}
		switch d.Name.Name {
		case "init":
			n++
			d.Name.Name = fmt.Sprintf("init%d%s", n, mark)
			p.names.used[d.Name.Name] = true
			if cell.program {
				inits = append(inits, callPiece(p, d))
			} else {
				out = append(out, callPiece(p, d))
			}
		case "main":
			if !callsMain(cell) {
				last = append(last, callPiece(p, d))
			}
		}
	}
	cell.pieces = append(append(out, inits...), last...)
}

func callPiece(p *piece, d *ast.FuncDecl) *piece {
	call := &ast.CallExpr{Fun: &ast.Ident{Name: d.Name.Name, NamePos: d.Name.Pos()}, Lparen: d.Name.Pos(), Rparen: d.Name.Pos()}
	q := &piece{kind: stmtChunk, line: p.line, stmt: &ast.ExprStmt{X: call}, silenced: true}
	q.names = namesOf(q)
	return q
}

func callsMain(cell *parsedCell) bool {
	for _, p := range cell.pieces {
		if p.kind == stmtChunk && p.names.used["main"] {
			return true
		}
	}
	return false
}

// steps runs the program, and learns the names that came into being as far as it came.
func (d *delivery) steps() (*Display, *wire.Error) {
	prog := d.prog
	var result *Display
	for at := 0; at < len(prog.steps); {
		if m := prog.steps[at].magic; m != nil {
			if err := m.action(d.s, d.ctx, d.c, m.arg); err != nil {
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
	for i, st := range prog.steps[from:to] {
		if st.checked == nil || i > done.Unit || i == done.Unit && done.Step < 0 {
			continue
		}
		if lines := linesOf(s.checker.fset, st.checked.part); i == done.Unit && done.Error != nil && done.Step < len(lines) {
			atStatement(done.Error, prog.id, lines[done.Step])
		}
		s.scope.apply(st.checked.start)
		steps := st.checked.steps
		if i == done.Unit {
			steps = steps[:min(done.Step, len(steps))]
		}
		for _, u := range steps {
			s.scope.apply(u)
		}
	}
}
