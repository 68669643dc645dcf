package run

import (
	"fmt"
	"path"
	"runtime"

	"gaucho/internal/halt"
)

func init() { halt.SetHost(endInside) }

// endInside ends the running goroutine inside a long computation of a library if it is a cell's and must end. For
// os.Exit, which makes no deferred calls, the computation is waited for, and for a while where the library may have the cell's context.
func endInside() {
	g := label()
	if g == nil {
		return
	}
	if why := g.mustEnd(); why != nil && why.Name != "Exit" && !g.returns(why) {
		if f := calledByCell(); f != "" {
			fmt.Fprintf(Stderr, "%s was stopped before it had finished: what it writes to may be half written.\n", path.Base(f))
		}
		end(why, Place{})
	}
}

// calledByCell returns the function of a library that the cell called and in which the running goroutine is, empty if it
// is one that a library started.
func calledByCell() string {
	var pcs [256]uintptr
	name := ""
	for frames, more := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])]), true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if f.Function == "reflect.Value.call" || ofCells(f.Function) {
			return name
		}
		name = f.Function
	}
	return ""
}
