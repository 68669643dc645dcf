// Package run holds what the goroutines of cells need at run time, of both engines: which cell a goroutine belongs to, how
// it stops, what it defers, where its output goes and its input comes from, and which lines of cells a panic has passed.
package run

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"gaucho/interp/rt/value"
)

// A Cell is one run of a cell: the goroutine that runs its statements, and all goroutines that those start. Code finds
// its cell by the profiler label of its goroutine, which goroutines inherit, also those that compiled code starts.
type Cell struct {
	ID      int
	ctx     context.Context
	cancel  context.CancelCauseFunc
	main    *goroutine
	mainID  atomic.Int64         // its number, 0 until it runs
	stop    atomic.Pointer[Stop] // why the cell's goroutines must end
	live    atomic.Int64         // goroutines started by Go that have not ended, and the main one
	step    atomic.Int64
	result  []any
	input   input
	defers  *D // of the cell's own statements
	halts   halts
	started func() // what Started calls
	ended   func() // called in the main goroutine when it ends
	// Program says that the cell is a whole program, which a panic in a goroutine ends.
	Program bool
	// Concurrent says that the cell runs concurrently with the current one, and does not become it.
	Concurrent bool
}

// A Stop says why a cell's goroutines end before their time.
type Stop struct {
	Name  string // "Interrupt", "Exit" or "runtime error"
	Value string
	Code  int    // exit status, of an Exit
	Notes []Note // where, if in another goroutine than the main one
	Crash bool   // the panic of a goroutine ends a program

	at time.Time // when it was asked for
}

// final reports whether deferred calls are not made.
func (s *Stop) final() bool { return s.Crash || s.Name == "Exit" }

func (s *Stop) Error() string { return s.Name + ": " + s.Value }

// ErrInterrupt is the cause of the context of a cell that the user interrupted.
var ErrInterrupt = errors.New("cell interrupted")

// cells holds the cells that have goroutines, by number.
var cells struct {
	sync.Mutex
	byID map[int]*Cell
}

// current is the cell that runs, or else the one that ran last. There is always one.
var current atomic.Pointer[Cell]

func init() {
	cells.byID = map[int]*Cell{}
	current.Store(newCell(0))
}

func newCell(id int) *Cell {
	c := &Cell{ID: id}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.main = &goroutine{cell: c}
	c.main.setLabel(Place{})
	return c
}

// NewCell makes a cell with that number. From now on it can be interrupted.
func NewCell(id int) *Cell {
	c := newCell(id)
	c.live.Add(1)
	cells.Lock()
	cells.byID[id] = c
	cells.Unlock()
	return c
}

// Release forgets the cell when its last goroutine has ended. The host calls it for a cell that it does not run after all.
func (c *Cell) Release() {
	if c.live.Add(-1) > 0 {
		return
	}
	cells.Lock()
	if c.live.Load() == 0 && cells.byID[c.ID] == c {
		delete(cells.byID, c.ID)
	}
	cells.Unlock()
}

// Forget ends a cell that is not run after all.
func (c *Cell) Forget() { c.Release() }

// A goroutine is what rt knows about one goroutine of a cell, and its profiler label. Goroutines that compiled code
// starts share that of their parent.
type goroutine struct {
	labels [](struct{ Key, Value string }) // first, for the profiler takes this for its own kind of label set
	cell   *Cell
	n      int    // its number in the cell, 0 for the main one
	leave  func() // what its end calls, once; nil for one that a library started
	stop   *Stop  // why this goroutine ends by itself
	notes  notes
	ctx    atomic.Pointer[context.Context] // see context
	shown  atomic.Bool                     // its code has seen ctx
}

// labelKey is a variable because compiled cells, into which self is inlined, would have bytes of their own for a constant.
var labelKey = "gaucho cell"

// newGoroutine makes the next goroutine of a cell, started at a place if that is known.
func newGoroutine(c *Cell, start Place) *goroutine {
	g := &goroutine{cell: c, n: int(c.halts.started.Add(1))}
	g.setLabel(start)
	return g
}

func (g *goroutine) setLabel(start Place) {
	g.labels = []struct{ Key, Value string }{{labelKey, labelText(Labelled{g.cell.ID, g.n}, start)}}
}

//go:linkname runtime_getProfLabel runtime/pprof.runtime_getProfLabel
func runtime_getProfLabel() unsafe.Pointer

//go:linkname runtime_setProfLabel runtime/pprof.runtime_setProfLabel
func runtime_setProfLabel(unsafe.Pointer)

// self returns the running goroutine, or the current cell's main one where the label is missing or not ours (code under
// pprof.Do has a label of its own).
func self() *goroutine {
	if g := label(); g != nil {
		return g
	}
	return current.Load().main
}

// label returns the running goroutine if it has a label of ours.
func label() *goroutine {
	g := (*goroutine)(runtime_getProfLabel())
	if g != nil && len(g.labels) == 1 && unsafe.StringData(g.labels[0].Key) == unsafe.StringData(labelKey) {
		return g
	}
	return nil
}

// CellID returns the number of the running goroutine's cell.
func CellID() int { return self().cell.ID }

// Ctx returns the context of the running goroutine, which ends when its cell is interrupted or the goroutine is stopped.
func Ctx() context.Context {
	g := self()
	g.shown.Store(true)
	return g.context()
}

// Done returns the channel that is closed when the running goroutine must end.
func Done() <-chan struct{} { return self().context().Done() }

// Started says that what a part of the cell declares is there, and that its statements come next.
func Started() {
	if f := self().cell.started; f != nil {
		f()
	}
}

// OnStart has Started call f. It is called before Run.
func (c *Cell) OnStart(f func()) { c.started = f }

// OnEnd has the main goroutine call f when it ends, however it ends. It is called before Run.
func (c *Cell) OnEnd(f func()) { c.ended = f }

// Step records that n statements of the part that runs are complete. The next does not begin if the goroutine must end.
func Step(n int) {
	g := self()
	c := g.cell
	c.step.Store(max(c.step.Load(), int64(n))) // goto may go back
	if p := profiling.Load(); p != nil && p.cell == c {
		p.statement(n)
	}
	if g.mustEnd() != nil {
		Stopped()
	}
}

// Result records the values of the cell's last expression.
func Result(values ...any) { self().cell.result = values }

// TakeResult returns what the cell's code gave to Result since the last call.
func (c *Cell) TakeResult() []any {
	v := c.result
	c.result = nil
	return v
}

// Steps returns the last count that the cell's code gave to Step since the last call.
func (c *Cell) Steps() int { return int(c.step.Swap(0)) }

// An Ending says how a cell's main goroutine ended: all fields are zero when it ran to its end.
type Ending struct {
	Panic any    // what it panicked with
	Stop  *Stop  // or why it was stopped
	Notes []Note // where, innermost first
	Calls []Call // where in libraries below that, innermost first
}

// Run makes the cell the current one, calls f in a new goroutine as its code, and waits for the end. It is called once. When
// the cell is interrupted while it is blocked in a compiled call, Run does not wait, or not for long where the call may have the
// cell's context: the goroutine keeps its mark and ends when the call returns.
func (c *Cell) Run(f func()) Ending {
	if !c.Concurrent {
		current.Store(c)
	}
	watch.wake()
	result := make(chan Ending, 1)
	id := make(chan int64, 1)
	go func() {
		runtime_setProfLabel(unsafe.Pointer(c.main))
		c.mainID.Store(goroutineID())
		id <- c.mainID.Load()
		returned := false
		var panicked any
		c.main.leave = sync.OnceFunc(func() {
			end := c.main.ending(panicked, returned)
			if c.ended != nil {
				c.ended()
			}
			c.Release()
			runtime_setProfLabel(nil) // the cell has ended: who lists goroutines now must not find this one among its own
			result <- end
		})
		defer func() {
			panicked = recover()
			if panicked == nil && !returned && c.Program && c.main.mustEnd() == nil {
				c.outlive()
			}
			c.main.leave()
		}()
		f()
		returned = true
	}()
	main := <-id
	look := time.NewTimer(deadlockPatience)
	defer look.Stop()
	for c.ctx.Err() == nil {
		select {
		case end := <-result:
			return end
		case <-look.C:
			if asleep() {
				c.halt(&Stop{Name: "fatal error", Value: "all goroutines are asleep - deadlock!"}, errDeadlock)
			}
			look.Reset(4 * deadlockPatience)
		case <-c.ctx.Done():
		}
	}
	for wait := 20 * time.Millisecond; ; {
		select {
		case end := <-result:
			return end
		case <-time.After(wait):
		}
		if why := c.stop.Load(); !c.main.returns(why) && blocked(main) {
			return Ending{Stop: why, Notes: why.Notes}
		}
	}
}

// outlive waits for the goroutines that a program started when runtime.Goexit has ended its main one. Then it fails as in Go.
func (c *Cell) outlive() {
	for c.live.Load() > 1 && c.ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	c.halt(&Stop{Name: "fatal error", Value: "no goroutines (main called runtime.Goexit) - deadlock!"}, errDeadlock)
}

// As calls f in the running goroutine as if the cell did, so that what it sends is addressed with the cell. No code of
// the cell may run in it.
func (c *Cell) As(f func()) {
	outer := runtime_getProfLabel()
	runtime_setProfLabel(unsafe.Pointer(c.main))
	defer runtime_setProfLabel(outer)
	f()
}

// Protect calls f as code of the running goroutine and returns how it ended, so that compiled code can go on after a
// callback that fails. When the goroutine's cell must end, its own code ends at its next check.
func Protect(f func()) (end Ending) {
	g := self()
	returned := false
	defer func() { end = g.ending(recover(), returned) }()
	f()
	returned = true
	return
}

// ending reports how the goroutine ended, from what recover returned.
func (g *goroutine) ending(r any, returned bool) Ending {
	var end Ending
	end.Notes, end.Calls = g.notes.take()
	if !returned && value.Compiled.Load() {
		end.Notes, end.Calls = nativeNotes(end.Notes)
	}
	switch {
	case g.cell.stop.Load() != nil:
		end.Stop = g.cell.stop.Load()
		if len(end.Stop.Notes) > 0 {
			end.Notes = end.Stop.Notes
		}
	case g.stop != nil && !returned:
		end.Stop = g.stop
	case !returned && g.mark() != nil:
		end.Stop = g.mark().stop
	case !returned:
		end.Panic = r // nil after runtime.Goexit
	}
	return end
}
