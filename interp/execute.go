package interp

import (
	"context"
	"fmt"
	"go/parser"
	"os"
	"runtime/debug"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/supervisor"
	"gaucho/interp/wire"
)

// Execute runs a cell and returns when it has ended. What it prints and shows goes to the sink meanwhile.
func (s *Session) Execute(ctx context.Context, c Cell) Result {
	text := cell.Read(c.Source)
	s.front.enterInput(c, text.Source)
	if c.Subshell && !c.Program && !text.HasMagic() { // many magics concern all of the session, so they wait for their turn
		res := s.execute(ctx, c, text, s.runs.join)
		s.variableView.change()
		s.saveSoon()
		return res
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
	res := s.execute(ctx, c, text, s.runs.take)
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

// Evaluate runs one expression and returns the forms of its value, for those who look at a session from outside. It declares
// nothing.
func (s *Session) Evaluate(ctx context.Context, c Cell, expression string) (map[string]any, *Error) {
	if _, err := parser.ParseExpr(expression); err != nil {
		msg := fmt.Sprintf("%q is not an expression", expression)
		return nil, &Error{Name: "CompileError", Value: msg, Traceback: []string{msg}}
	}
	c.Source, c.Aside = expression, true
	res := s.Execute(ctx, c)
	if res.Err != nil {
		return nil, res.Err
	}
	if res.Display == nil {
		return map[string]any{}, nil
	}
	return res.Display.Data, nil
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

// executeSource runs a cell that a magic made, in the turn of the magic's cell.
func (s *Session) executeSource(ctx context.Context, c Cell) Result {
	return s.execute(ctx, c, cell.Read(c.Source), s.runs.take)
}

// execute runs a cell that need not wait for others any more. hold makes it a target of interrupts.
func (s *Session) execute(ctx context.Context, c Cell, text cell.Text, hold holder) Result {
	x := s.begin(ctx, c, hold)
	defer x.end()
	problems, failed := x.compile(text)
	switch {
	case failed != nil:
		return Result{Err: s.failure(c, failed)}
	case problems != nil:
		s.front.missed(c, text, false)
		return Result{Err: compileError(placeOf(c, text.Source), problems)}
	}
	defer x.close()
	defer s.runs.start(x.id, x.prog)()
	if !c.Silent && !c.Aside {
		if news := s.front.news(); news != "" {
			s.say(c, "Note: %s\n", news)
		}
	}
	for _, n := range x.prog.notes {
		s.opts.Sink.Stream(c.ID, "stdout", "Note: "+n+"\n")
	}
	shown, failed := x.steps()
	if !c.Aside {
		s.front.record(c, x.prog, failed != nil)
		if !c.Silent && !c.Subshell && (failed == nil || !failed.Lost) {
			s.tellUnread(x.ctx, c, x.prog)
		}
	}
	if failed != nil {
		s.front.missed(c, text, true)
		e := s.failure(c, failed)
		s.keepCaptured(ctx, c, x.prog, e)
		return Result{Err: e}
	}
	if c.Silent {
		shown = nil
	}
	return Result{Display: shown}
}

// keepCaptured gives the variable of %%capture what a cell has printed that failed. Where the variables are lost, that is shown.
func (s *Session) keepCaptured(ctx context.Context, c Cell, prog *program, failed *Error) {
	for _, st := range prog.steps {
		if st.unit == nil || st.unit.Builtin != "capture" {
			continue
		}
		file, name, named := strings.Cut(st.unit.Text, "\n")
		text, err := os.ReadFile(file)
		if !named || err != nil {
			continue // it did not come so far
		}
		if !failed.Lost {
			source := cell.Captured(name, file)
			if s.executeSource(context.WithoutCancel(ctx), Cell{ID: c.ID, Number: c.Number, Source: source, Silent: true}).Err == nil {
				continue
			}
		}
		os.Remove(file)
		s.opts.Sink.Stream(c.ID, "stdout", string(text))
	}
}

// An execution is a cell on its way to the worker, which gets it part by part: a part is one stage, with the magics that the
// worker does around it. It has the gate from the moment at which a part is lowered until that has started.
type execution struct {
	s        *Session
	ctx      context.Context
	id       int // of the run
	c        Cell
	prog     *program
	from, to int  // the steps of the part that the worker has got last
	last     int  // end of the steps that are run as one
	underway bool // the part has not started, and the gate is ours
	end      func()
}

// begin assigns the next number to code that is about to run, and makes it a target of Interrupt by hold until its end is
// called. Its context ends when it is interrupted. What it prints is addressed with the cell's id.
func (s *Session) begin(outer context.Context, c Cell, hold holder) *execution {
	ctx, cancel := context.WithCancelCause(outer)
	x := &execution{s: s, ctx: ctx, id: s.runs.number(c.ID), c: c}
	done := hold(x.id, func() {
		if ctx.Err() != nil { // it is asked to stop again
			s.worker.Interrupt(x.id, true)
		}
		cancel(supervisor.ErrInterrupted)
	})
	x.end = func() {
		cancel(nil)
		done()
	}
	return x
}

// compile makes a program of a text, after fetching what that imports. The caller then calls close.
func (x *execution) compile(text cell.Text) (problems []cell.Problem, failed *wire.Error) {
	f := &x.s.front
	defer func() {
		if r := recover(); r != nil {
			x.mistake(r)
			x.close()
			problems = []cell.Problem{{Msg: fmt.Sprintf("internal error: %v; this is a bug in Gaucho, please report it", r)}}
		}
	}()
	parsed, problems := x.parse(text)
	if problems != nil {
		return problems, nil
	}
	if failed := x.get(parsed); failed != nil {
		return nil, failed
	}
	fetching := x.s.fetch(x.ctx, x.c, parsed.Imports())
	if !x.enter(x.ctx) {
		return nil, errInterrupted()
	}
	prog, problems := f.compile(parsed, x.c, fetching)
	if problems != nil {
		x.close()
		return problems, nil
	}
	x.prog = prog
	if len(prog.steps) == 0 || prog.steps[0].magic != nil {
		x.close()
	}
	return nil, nil
}

// get answers the %get magics of a cell that imports packages before these are fetched, so that they are of the versions that it names.
func (x *execution) get(parsed *cell.Cell) *wire.Error {
	if len(parsed.Imports()) == 0 {
		return nil
	}
	for _, p := range parsed.Pieces {
		if m := p.Call; m != nil && m.Session == "%get" && !strings.HasPrefix(m.Arg, "-") {
			if failed := x.s.getMagic(x.ctx, x.c, m.Arg); failed != nil {
				return failed
			}
			m.Done = true
		}
	}
	return nil
}

// parse parses a cell or a program.
func (x *execution) parse(text cell.Text) (*cell.Cell, []cell.Problem) {
	if x.c.Program {
		return text.ParseProgram(x.s.front.fset, x.id)
	}
	x.s.front.trace.event(x.id, "source", text.Source)
	return text.Parse(x.s.front.fset, x.id, cell.Options{NoShell: x.s.opts.NoShell, BenchTime: x.s.opts.BenchTime})
}

// steps runs the program, and learns the names that came into being as far as it came.
func (x *execution) steps() (*Display, *wire.Error) {
	prog := x.prog
	var result *Display
	for at := 0; at < len(prog.steps); {
		if m := prog.steps[at].magic; m != nil {
			if !m.Done {
				if err := actions[m.Session](x.s, x.ctx, x.c, m.Arg); err != nil {
					return nil, err
				}
			}
			at++
			continue
		}
		end := at
		for end < len(prog.steps) && prog.steps[end].magic == nil {
			end++
		}
		done := x.run(at, end, nil)
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

// run has the worker run steps from..end, none of which is a magic of the front end. how, if not nil, sets options of the run.
func (x *execution) run(from, end int, how func(*wire.Run)) *wire.Done {
	defer x.close()
	x.last = end
	first := x.part(x.ctx, from)
	if first.Error != nil {
		return &wire.Done{Step: -1, Error: first.Error}
	}
	run := &wire.Run{
		Cell: x.id, Number: x.c.Number, Types: first.Types, Units: first.Units, More: first.More, Worker: x.prog.worker,
		Sources: x.prog.sources, Stdin: x.c.Stdin, Program: x.c.Program, Subshell: x.c.Subshell, Shared: x.c.Shared,
	}
	if keepsShown(x.c) {
		run.Out = x.c.Number
	}
	if how != nil {
		how(run)
	}
	done, err := x.s.worker.Run(x.ctx, run, x)
	if err != nil {
		return &wire.Done{Step: -1, Error: &wire.Error{Name: "WorkerError", Value: err.Error(), Lost: true}}
	}
	if done.Step >= 0 {
		x.Started()
	}
	x.s.front.trace.done(x.id, end-from, done)
	x.s.front.learn(x.prog, from, end, done)
	return done
}

// Started lets the next cell in: the worker has what was lowered.
func (x *execution) Started() {
	if x.underway {
		x.underway = false
		x.s.gate.leave()
	}
}

// More is the part that follows.
func (x *execution) More(ctx context.Context) *wire.Part { return x.part(ctx, x.to) }

// part is the part that begins at a step.
func (x *execution) part(ctx context.Context, from int) *wire.Part {
	p := &wire.Part{Cell: x.id}
	if !x.enter(ctx) {
		p.Error = errInterrupted()
		return p
	}
	x.from, x.to = from, x.prog.partEnd(from)
	p.Error = x.lower()
	for _, st := range x.prog.steps[x.from:x.to] {
		if p.Error == nil {
			p.Types = append(p.Types, st.types...)
			p.Units = append(p.Units, *st.unit)
		}
	}
	if p.Error == nil {
		x.s.front.trace.units(x.id, p.Units)
		p.Error = x.s.build(ctx, x.c, p.Units)
	}
	if p.Error == nil && x.ctx.Err() != nil {
		p.Error = errInterrupted()
	}
	if p.Error != nil {
		x.close()
	}
	p.More = x.to < x.last
	return p
}

// enter waits for the gate, unless it is ours. What was lowered before stays.
func (x *execution) enter(ctx context.Context) bool {
	if x.underway {
		return true
	}
	if !x.s.gate.enter(ctx) {
		return false
	}
	x.underway = true
	x.s.front.Lock()
	x.s.front.engine.Commit()
	x.s.front.Unlock()
	return true
}

// lower lowers the part at hand, unless that was done when its cell was checked.
func (x *execution) lower() (failed *wire.Error) {
	f := &x.s.front
	f.Lock()
	defer f.Unlock()
	if x.prog.worker != f.worker {
		return nil // the worker that is gone does not get it
	}
	defer func() {
		if r := recover(); r != nil {
			x.mistake(r)
			failed = &wire.Error{Name: "InternalError", Value: fmt.Sprintf("internal error: %v; this is a bug in Gaucho", r)}
		}
	}()
	for i := x.from; i < x.to; i++ {
		st := &x.prog.steps[i]
		if st.checked == nil || st.lowered {
			continue
		}
		st.checked.Attach()
		if problems := f.lower(st); problems != nil {
			return &wire.Error{Name: "CompileError", Value: messages(problems)}
		}
	}
	return nil
}

// close takes back a part that has not started, and lets the next cell in.
func (x *execution) close() {
	if !x.underway {
		return
	}
	f := &x.s.front
	f.Lock()
	if x.prog != nil && x.prog.worker == f.worker {
		f.abandon(x.prog, x.from)
	}
	f.Unlock()
	x.Started()
}

// mistake writes a panic of the front end, which is a bug, to the log.
func (x *execution) mistake(r any) {
	x.s.opts.Log.Error("the front end failed", "panic", r, "cell", x.c.Source, "stack", string(debug.Stack()))
}

func messages(problems []cell.Problem) string {
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.Msg)
	}
	return strings.Join(lines, "\n")
}
