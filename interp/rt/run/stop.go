package run

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"gaucho/interp/rt/cell"
	"gaucho/interp/rt/value"
)

// stopFlag counts the reasons for cell.Up, which cell code reads at loop heads and function entries. It only says that
// Stopped has something to look at. Interpreted code reads one byte of it as a bool, compiled code the word, both without
// synchronisation; the host writes all of it atomically.
var stopFlag struct {
	sync.Mutex
	reasons int // why it is up
}

// StopFlag returns the flag that cell code checks: if it is up, it calls Stopped.
func StopFlag() *bool { return (*bool)(unsafe.Pointer(&cell.Up)) }

// raiseFlag puts the flag up for one more reason, and lowerFlag takes a reason away.
func raiseFlag() { addReason(1) }
func lowerFlag() { addReason(-1) }

func addReason(n int) {
	stopFlag.Lock()
	defer stopFlag.Unlock()
	stopFlag.reasons += n
	if stopFlag.reasons > 0 {
		atomic.StoreUint32(&cell.Up, 0x01010101)
	} else {
		atomic.StoreUint32(&cell.Up, 0)
	}
}

// Interrupt stops the cell of that number: its context ends, and its goroutines end at their next check.
func Interrupt(id int) {
	cells.Lock()
	c := cells.byID[id]
	cells.Unlock()
	if c != nil {
		c.halt(&Stop{Name: "Interrupt", Value: "the cell was interrupted"}, ErrInterrupt)
	}
}

// halt marks the cell and makes its goroutines look at the mark.
func (c *Cell) halt(why *Stop, cause error) {
	why.at = time.Now()
	if !c.stop.CompareAndSwap(nil, why) {
		return
	}
	c.cancel(cause)
	raiseFlag()
	go pulse(func() bool { return c.live.Load() > 0 }, func() bool { return current.Load() == c })
}

// pulse keeps the flag, which is up, up while goroutines are ending. What does not end soon, a goroutine blocked in compiled
// code for one, is looked for by putting the flag up for a moment now and then, so that other cells' loops stay fast,
// unless it is urgent.
func pulse(left, urgent func() bool) {
	runtime_setProfLabel(nil) // it is no goroutine of the cell that interrupts
	for wait := time.Duration(0); left() && (wait < time.Second || urgent()); wait += 5 * time.Millisecond {
		time.Sleep(5 * time.Millisecond)
	}
	lowerFlag()
	// Goroutines that compiled code started are not counted, hence the time.
	for start := time.Now(); left() || time.Since(start) < 30*time.Second; {
		time.Sleep(50 * time.Millisecond)
		raiseFlag()
		time.Sleep(time.Millisecond)
		lowerFlag()
	}
}

// Stopped is what cell code calls when the flag is up. It returns if the running goroutine has no reason to end.
func Stopped() { stopped(Place{}) }

// stopped is Stopped for a check at a line of a cell, if that is known.
func stopped(at Place) {
	g := self()
	if why := g.mustEnd(); why != nil {
		end(why, at)
	}
	if p := atCheck.Load(); p != nil && p.cell == g.cell && p.cell.main == g && p.cell.mainID.Load() == goroutineID() {
		p.run()
	}
	if watch.tripped.Load() && stackDepth(deepFrames) {
		g.stop = stackOverflow()
		end(g.stop, at)
	}
}

// end ends the running goroutine, at a line of a cell if that is known. It ends as by runtime.Goexit, for a panic takes the
// interpreter time quadratic in the depth of the calls, unless compiled code goes on after it.
func end(why *Stop, at Place) {
	if protected() {
		panic(stopPanic{why})
	}
	if why.final() && value.Compiled.Load() {
		self().forsake()
	}
	if at.Line > 0 {
		self().notes.add(Note{Cell: at.Cell, Line: at.Line})
	}
	runtime.Goexit()
}

// forsake ends the running goroutine as os.Exit does: its deferred calls are not made. Go unwinds no stack without them,
// so a goroutine of compiled code stays where it is, for ever.
func (g *goroutine) forsake() {
	if g.leave != nil && (g.n > 0 || g.cell.mainID.Load() == goroutineID()) {
		g.leave()
	}
	select {}
}

// exits reports whether the running goroutine's cell ends as os.Exit ends a program: deferred calls are not made.
func exits() bool {
	why := self().cell.stop.Load()
	return why != nil && why.final()
}

// protected reports whether the running goroutine's stack has a function of rt that goes on after a panic of a cell's code.
func protected() bool {
	pcs := make([]uintptr, 256)
	n := runtime.Callers(2, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 4*len(pcs))
		n = runtime.Callers(2, pcs)
	}
	for frames, more := runtime.CallersFrames(pcs[:n]), true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		name, ours := strings.CutPrefix(f.Function, ownPath+".")
		if ours && (name == "Protect" || name == "guardTest") {
			return true
		}
	}
	return false
}

// A stopPanic unwinds a goroutine that must end. No recover of cell code catches it.
type stopPanic struct{ stop *Stop }

func (s stopPanic) Error() string { return s.stop.Error() }

// isStop reports whether a recovered value unwinds a goroutine that must end.
func isStop(r any) bool {
	_, ok := r.(stopPanic)
	return ok
}

func init() {
	value.Recovered = func(r any) bool {
		if isStop(r) {
			return false
		}
		clearNotes()
		return true
	}
}

// isExit reports whether a recovered value ends a cell as os.Exit does: deferred calls are not made.
func isExit(r any) bool {
	s, ok := r.(stopPanic)
	return ok && s.stop.final()
}

// Exit ends the running goroutine's cell as os.Exit ends a program. Deferred functions do not run.
func Exit(code int) {
	g := self()
	why := &Stop{Name: "Exit", Value: fmt.Sprintf("os.Exit(%d)", code), Code: code}
	g.cell.halt(why, fmt.Errorf("os.Exit(%d)", code))
	end(why, Place{})
}

// OnExit returns how the running goroutine, which is about to end the process with a status, ends its cell instead: as [Exit] does. It is nil
// if the goroutine is not a cell's, or must not be left behind because a function of rt waits for it.
func OnExit(code int) (leave func()) {
	if label() == nil || protected() {
		return nil
	}
	return func() { Exit(code) }
}

// deepFrames is the number of Go frames beyond which a goroutine counts as a runaway when stacks have grown too large.
const deepFrames = 20_000

// stackDepth reports whether the running goroutine's stack has more than n frames.
func stackDepth(n int) bool {
	var pc [1]uintptr
	return runtime.Callers(n, pc[:]) > 0
}
