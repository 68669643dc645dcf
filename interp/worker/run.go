package worker

import (
	"errors"
	"fmt"
	"time"

	"gaucho/interp/loader"
	"gaucho/interp/rt/run"
	"gaucho/interp/wire"
	"gaucho/render"
)

// A cellRun is a cell that runs, part by part. A part is loaded and run unit by unit; then the kernel is asked for the next.
type cellRun struct {
	w       *server
	r       task
	done    *wire.Done
	started bool  // the part at hand
	whole   bool  // all parts have run
	failed  error // of the engine, which could not load a unit
	values  []any // of the last unit that has some
	show    bool  // they are the cell's result
	all     bool  // of them is shown
	refused *wire.Error
	prof    *profile
	capture *capturing
	clocks  []time.Time // of %time, innermost last
}

// run runs a cell and returns how it ended.
func (w *server) run(r task) *wire.Done {
	w.mu.Lock()
	w.numbers[r.Cell] = r.Number
	w.mu.Unlock()
	if r.Sources != nil {
		sources.Store(&r.Sources)
	}
	if !r.Subshell {
		w.out.setCell(r.Cell)
	}
	c := &cellRun{w: w, r: r, done: &wire.Done{Cell: r.Cell}}
	r.cell.Program = r.Program
	r.cell.OnStart(c.start)
	r.cell.OnEnd(c.stopMagics)
	w.ends.open(r.Cell)
	defer w.ends.close(r.cell)
	var tested *wire.Error
	end := r.cell.Run(func() {
		r.cell.Deferring(c.parts)
		if c.whole {
			tested = c.finish()
		}
	})
	done := c.done
	if !c.whole {
		done.Step = r.cell.Steps()
	}
	if !c.started {
		done.Step = -1
	}
	done.Error = w.failure(end)
	switch {
	case done.Error != nil:
	case tested != nil:
		done.Error = tested
	case c.refused != nil:
		done.Error = c.refused
	case c.failed != nil:
		done.Error = &wire.Error{Name: "InternalError", Value: c.failed.Error()}
		if missing := (*loader.MissingError)(nil); errors.As(c.failed, &missing) {
			done.Error.Name = "LoadError"
		}
	}
	return done
}

// start reports to the kernel, once, that the current part has started.
func (c *cellRun) start() {
	if !c.started {
		c.started = true
		c.w.conn.Send(&wire.Started{Cell: c.r.Cell})
	}
}

// parts runs the cell's statements.
func (c *cellRun) parts() {
	p := &wire.Part{Types: c.r.Types, Units: c.r.Units, More: c.r.More}
	for c.part(p) {
		if !p.More {
			c.whole = true
			return
		}
		c.started = false
		if p = c.w.nextPart(c.r.Cell); p == nil {
			return
		}
		if c.refused = p.Error; c.refused != nil {
			return
		}
	}
}

// part runs a part and reports whether all of it has run. The part has started when the last of its code has: the builtins
// of magics around it declare nothing.
func (c *cellRun) part(p *wire.Part) bool {
	if c.failed = c.w.engine.define(p.Types); c.failed != nil {
		return false
	}
	last := -1
	for i := range p.Units {
		if p.Units[i].Builtin == "" {
			last = i
		}
	}
	if last < 0 {
		c.start()
	}
	for i := range p.Units {
		if !c.unit(&p.Units[i], i == last) {
			return false
		}
		c.done.Unit++
	}
	return true
}

// unit loads and runs a unit. It reports whether the engine could load it.
func (c *cellRun) unit(u *wire.Unit, last bool) bool {
	c.r.cell.Steps()
	entry, err := c.load(u)
	if err != nil {
		c.failed = err
		return false
	}
	if last && u.Package != "" { // compiled code does not report it
		c.start()
	}
	if c.prof != nil {
		c.prof.lines.Part(u.Lines)
	}
	if entry != nil {
		entry()
	}
	if last {
		c.start()
	}
	switch {
	case u.Show:
		c.values, c.show = c.r.cell.TakeResult(), true
	case u.Builtin == "": // what was measured before it is not the result
		c.values, c.show = nil, false
	}
	if n := len(c.values) - 1; u.Fails && n >= 0 {
		if c.values[n] != nil {
			panic(c.values[n])
		}
		c.values = c.values[:n]
	}
	return true
}

// finish does what is left when all units have run, and returns the failure of the tests that were to be run.
func (c *cellRun) finish() (tested *wire.Error) {
	r := c.r
	if r.Tests != nil {
		tested = c.w.test(r.Run, c.values)
		c.show = false
	}
	if r.Pointers != nil {
		c.values = c.w.native.pointersTo(r.Pointers)
	}
	if r.Watch != nil {
		c.w.watch.add(r.Watch, c.values)
		c.show = false
	}
	if c.show {
		if c.all {
			render.Whole(func() { c.done.Result, c.done.Metadata = rendered(c.values) })
		} else {
			c.done.Result, c.done.Metadata = rendered(c.values)
		}
		c.w.keepShown(r.Out, c.values)
	}
	return tested
}

// load makes a unit ready to run: a magic's, or one for either engine.
func (c *cellRun) load(u *wire.Unit) (entry func(), err error) {
	switch {
	case u.Builtin != "":
		f := builtins[u.Builtin]
		if f == nil {
			return nil, fmt.Errorf("no builtin %q", u.Builtin)
		}
		return func() {
			if err := f(c, u.Text); err != nil {
				panic(err)
			}
		}, nil
	case u.Package != "":
		tellStudies("native")
		return c.w.native.load(u)
	}
	return c.w.engine.load(u)
}

// nextPart asks for the next part of the running cell and waits for it. It returns nil when the cell must end.
func (w *server) nextPart(cell int) *wire.Part {
	next := make(chan *wire.Part, 1)
	w.mu.Lock()
	w.parts[cell] = next
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		delete(w.parts, cell)
		w.mu.Unlock()
	}()
	w.conn.Send(&wire.More{Cell: cell})
	select {
	case p := <-next:
		return p
	case <-run.Done():
		run.Stopped()
		return nil
	}
}

// takePart hands a part to the cell that waits for it, if it still does.
func (w *server) takePart(p *wire.Part) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if next := w.parts[p.Cell]; next != nil {
		delete(w.parts, p.Cell)
		next <- p
	}
}
