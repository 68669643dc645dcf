package interp

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/compiled"
	"gaucho/interp/lower"
	"gaucho/interp/wire"
)

// In an interpreted session, %%compile compiles the functions and types of one cell. Compiled and interpreted cells then
// run in one worker, the one that loads plugins. Values have the same form on both sides, so that they share memory;
// package lower tells which do not, and package compiled takes what the cell uses of interpreted cells from its source.

// compileMagic is the name of the magic and of the builtin that its cells begin with.
const compileMagic = "compile"

// hot is what compiles single cells of an interpreted session. It is empty until the first one.
type hot struct {
	builder *compiled.Builder
	session *compiled.Session
}

// forget forgets what was compiled, with the worker that had it.
func (h *hot) forget() {
	if h.builder != nil {
		h.session = compiled.New(h.builder.Version)
	}
}

func (h *hot) snapshot() int {
	if h.session == nil {
		return 0
	}
	return h.session.Snapshot()
}

func (h *hot) rollback(mark int) {
	if h.session != nil {
		h.session.Rollback(mark)
	}
}

func (h *hot) commit() {
	if h.session != nil {
		h.session.Commit()
	}
}

// theBuilder builds plugins, be it for all cells or for those under %%compile; nil if there are none.
func (s *Session) theBuilder() *compiled.Builder {
	if s.builder != nil {
		return s.builder
	}
	return s.hot.builder
}

// startCompiling has ready what a cell under %%compile needs: the toolchain, and a worker that can load what it builds.
func (s *Session) startCompiling(ctx context.Context, c Cell, src string) *wire.Error {
	first, _, _ := strings.Cut(strings.TrimLeft(src, " \t\n"), "\n")
	if s.builder != nil || strings.TrimSpace(first) != "%%"+compileMagic {
		return nil
	}
	if s.opts.Worker != nil {
		return &wire.Error{Name: "BuildError", Value: "%%compile needs a worker of its own, and this session has a given one"}
	}
	err := s.findCompiler(ctx)
	if err == nil && !s.native {
		return s.changeWorker(ctx, c)
	}
	return buildError(err)
}

// findCompiler finds the toolchain, the first time that it is needed.
func (s *Session) findCompiler(ctx context.Context) error {
	if s.hot.builder != nil {
		return nil
	}
	b, err := compiled.NewBuilder(ctx, "")
	if err != nil {
		return err
	}
	if path, _ := b.WorkerFile(); s.native && path != s.workerFile {
		s.native = false // the worker is of another toolchain
	}
	s.front.Lock()
	defer s.front.Unlock()
	s.hot.builder = b
	s.hot.forget()
	go func() {
		if err := b.Warm(context.Background()); err != nil {
			s.opts.Log.Warn("packages were not compiled ahead", "err", err)
		}
	}()
	return nil
}

// changeWorker changes to the worker that loads plugins. What the session has declared is declared again there, and plain
// data comes back.
func (s *Session) changeWorker(ctx context.Context, c Cell) *wire.Error {
	s.front.Lock()
	used := len(s.scope.names) > 0 || len(s.scope.imports) > 0
	s.front.Unlock()
	if _, err := s.builtWorker(ctx, c); err != nil {
		return buildError(err) // the session stays as it is
	}
	if used {
		s.say(c, "This session's worker cannot load compiled code, so another one takes its place; sessions start in that from now on.\n")
		s.save(ctx)
	}
	if err := s.nativeWorker(ctx, c); err != nil {
		return buildError(err)
	}
	if err := markReady(s.hot.builder); err != nil {
		s.opts.Log.Warn("the next session does not start in the worker for compiled cells", "err", err)
	}
	if !used {
		return nil
	}
	s.renew()
	return s.replayMagic(ctx, c, "")
}

// compiles takes %%compile off a cell that begins with it, and reports whether it did and the cell is for the compiler.
func (s *Session) compiles(cell *parsedCell) (bool, []problem) {
	if len(cell.pieces) == 0 || cell.pieces[0].call == nil || cell.pieces[0].call.builtin != compileMagic {
		return false, nil
	}
	cell.pieces = cell.pieces[1:]
	var problems []problem
	for _, p := range cell.pieces {
		switch p.kind {
		case packageChunk, importChunk, constChunk, typeChunk, funcChunk:
			if names := p.declares(); p.kind != funcChunk || len(names) == 0 || names[0] != "main" {
				continue
			}
		}
		out := problem{msg: "a cell under %%compile has imports, constants, types and functions only; this belongs into a cell of its own"}
		out.pos.Line, out.pos.Column = p.line, 1
		problems = append(problems, out)
	}
	return s.builder == nil, problems
}

// compileStage makes of a stage a part for the compiler, and one for the interpreter that lets interpreted cells use it.
func (s *Session) compileStage(native, bridge *step) []problem {
	part := bridge.checked.part
	bridge.mark, bridge.hotMark = s.lower.Snapshot(), s.hot.snapshot()
	u, offer, err := s.hot.session.Native(part, s.lower.(*lower.Session))
	if err != nil {
		return refusals(s.checker.fset, err)
	}
	part.Native = offer
	marks := [2]int{bridge.mark, bridge.hotMark}
	if problems := s.lowerStage(bridge); problems != nil {
		s.hot.rollback(marks[1])
		return problems
	}
	bridge.mark, bridge.hotMark = marks[0], marks[1]
	native.unit = &u.Unit
	native.types, bridge.types = bridge.types, nil
	native.unit.Natives, bridge.unit.Natives = bridge.unit.Natives, nil
	for name, e := range bridge.checked.start.names {
		if _, isConst := e.obj.(*types.Const); !isConst {
			e.compiled = true
			bridge.checked.start.names[name] = e
		}
	}
	return nil
}

// compiledCallers are notes on compiled functions that go on with what a stage of an interpreted cell declares again.
func (s *Session) compiledCallers(ch *checked) []string {
	if s.hot.session == nil {
		return nil
	}
	var notes []string
	for _, f := range slices.SortedFunc(maps.Values(ch.part.Replaces), func(a, b *types.Func) int { return strings.Compare(a.Name(), b.Name()) }) {
		if callers := s.hot.session.Callers(f); len(callers) > 0 {
			notes = append(notes, fmt.Sprintf("compiled code goes on with the %s that it was compiled with (%s); run the cell under %%%%compile again", f.Name(), strings.Join(callers, ", ")))
		}
	}
	return notes
}

// markReady has later sessions of this program start in the worker that loads plugins. Tests do not.
var markReady = (*compiled.Builder).MarkReady
