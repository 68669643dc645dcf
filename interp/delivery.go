package interp

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/wire"
)

// A delivery brings a program's steps to the worker, part by part: a part is one stage, with the magics that the worker
// does around it. It has the gate from the moment at which a part is lowered until that has started.
type delivery struct {
	s        *Session
	ctx      context.Context
	c        Cell
	prog     *program
	from, to int  // the steps of the part that the worker has got last
	end      int  // of the steps that are run as one
	underway bool // the part has not started, and the gate is ours
}

// deliver checks and lowers a program, and sends its first part. The caller calls close.
func (s *Session) deliver(ctx context.Context, id int, c Cell, t cell.Text, f *check.Fetching) (*delivery, []cell.Problem, *wire.Error) {
	d := &delivery{s: s, ctx: ctx, c: c}
	if !d.enter(ctx) {
		return nil, nil, errInterrupted()
	}
	d.prog, d.underway = &program{}, true
	prog, problems := s.prepare(id, c, t, f)
	if problems != nil {
		d.close()
		return nil, problems, nil
	}
	d.prog = prog
	if len(prog.steps) == 0 || prog.steps[0].magic != nil {
		d.close()
	}
	return d, nil, nil
}

func errInterrupted() *wire.Error {
	return &wire.Error{Name: "Interrupt", Value: "the cell was interrupted"}
}

// enter waits for the gate. What was lowered before stays.
func (d *delivery) enter(ctx context.Context) bool {
	s := d.s
	if !s.gate.enter(ctx) {
		return false
	}
	s.front.Lock()
	s.engine.Commit()
	s.front.Unlock()
	return true
}

// run has the worker run steps from..end, none of which is a magic of the front end. how, if not nil, sets options of the run.
func (d *delivery) run(from, end int, how func(*wire.Run)) *wire.Done {
	defer d.close()
	d.end = end
	first := d.part(d.ctx, from)
	if first.Error != nil {
		return &wire.Done{Step: -1, Error: first.Error}
	}
	run := &wire.Run{
		Cell: d.prog.id, Number: d.c.Number, Types: first.Types, Units: first.Units, More: first.More, Worker: d.prog.worker,
		Sources: d.prog.sources, Stdin: d.c.Stdin, Program: d.c.Program, Beside: d.c.Beside, Shared: d.c.Shared,
	}
	if keepsShown(d.c) {
		run.Out = d.c.Number
	}
	if how != nil {
		how(run)
	}
	done, err := d.s.worker.Run(d.ctx, run, d)
	if err != nil {
		return &wire.Done{Step: -1, Error: &wire.Error{Name: "WorkerError", Value: err.Error(), Lost: true}}
	}
	if done.Step >= 0 {
		d.Started()
	}
	d.s.traceDone(d.prog.id, end-from, done)
	return done
}

// Started lets the next cell in: the worker has what was lowered.
func (d *delivery) Started() {
	if d.underway {
		d.underway = false
		d.s.gate.leave()
	}
}

// More is the part that follows.
func (d *delivery) More(ctx context.Context) *wire.Part { return d.part(ctx, d.to) }

// part is the part that begins at a step.
func (d *delivery) part(ctx context.Context, from int) *wire.Part {
	p := &wire.Part{Cell: d.prog.id}
	if !d.underway {
		if !d.enter(ctx) {
			p.Error = errInterrupted()
			return p
		}
		d.underway = true
	}
	d.from, d.to = from, d.prog.partEnd(from)
	p.Error = d.lower()
	for _, st := range d.prog.steps[d.from:d.to] {
		if p.Error == nil {
			p.Types = append(p.Types, st.types...)
			p.Units = append(p.Units, *st.unit)
		}
	}
	if p.Error == nil {
		d.s.traceUnits(p.Cell, p.Units)
		p.Error = d.s.build(ctx, p.Units)
	}
	if p.Error == nil && d.ctx.Err() != nil {
		p.Error = errInterrupted()
	}
	if p.Error != nil {
		d.close()
	}
	p.More = d.to < d.end
	return p
}

// lower lowers the part at hand, unless that was done when its cell was checked.
func (d *delivery) lower() (failed *wire.Error) {
	s := d.s
	s.front.Lock()
	defer s.front.Unlock()
	if d.prog.worker != s.generation {
		return nil // the worker that is gone does not get it
	}
	defer func() {
		if r := recover(); r != nil {
			s.opts.Log.Error("the front end failed", "panic", r, "cell", d.c.Source, "stack", string(debug.Stack()))
			failed = &wire.Error{Name: "InternalError", Value: fmt.Sprintf("internal error: %v; this is a bug in Gaucho", r)}
		}
	}()
	for i := d.from; i < d.to; i++ {
		st := &d.prog.steps[i]
		if st.checked == nil || st.lowered {
			continue
		}
		st.checked.Attach()
		if problems := s.lowerStage(st); problems != nil {
			return &wire.Error{Name: "CompileError", Value: messages(problems)}
		}
	}
	return nil
}

func messages(problems []cell.Problem) string {
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.Msg)
	}
	return strings.Join(lines, "\n")
}

// close takes back a part that has not started, and lets the next cell in.
func (d *delivery) close() {
	if !d.underway {
		return
	}
	d.s.front.Lock()
	if d.prog.worker == d.s.generation {
		d.s.abandon(d.prog, d.from)
	}
	d.s.front.Unlock()
	d.Started()
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
