package run

import (
	"context"
	"errors"
	"os/exec"
	"sync"
	"time"
	"unsafe"

	"gaucho/interp/rt/value"
)

// Go starts f in a goroutine of the running goroutine's cell. A panic that f does not recover is reported into the cell
// and ends only that goroutine.
func Go(f func()) { goAt(Place{}, f) }

// GoAt is Go for a go statement at a line of a cell.
func GoAt(cell, line int, f func()) { goAt(Place{cell, line}, f) }

func goAt(start Place, f func()) {
	c := self().cell
	c.live.Add(1)
	g := newGoroutine(c, start)
	go func() {
		runtime_setProfLabel(unsafe.Pointer(g))
		g.leave = sync.OnceFunc(func() { g.done(); c.Release() })
		defer g.leave()
		g.guard(f)
	}()
}

// Guard returns a function that calls f for the cell of the goroutine that calls Guard, and reports a panic of f into
// that cell. It is for functions that compiled code will call in a goroutine of its own.
func Guard(f func()) func() {
	c := self().cell
	return func() {
		outer := runtime_getProfLabel()
		g := newGoroutine(c, Place{})
		defer g.done()
		runtime_setProfLabel(unsafe.Pointer(g))
		defer runtime_setProfLabel(outer)
		g.guard(f)
	}
}

// AfterFunc is time.AfterFunc for f as code of the running goroutine's cell.
func AfterFunc(d time.Duration, f func()) *time.Timer { return time.AfterFunc(d, Guard(f)) }

// ContextAfterFunc is context.AfterFunc in the same way.
func ContextAfterFunc(ctx context.Context, f func()) (stop func() bool) {
	return context.AfterFunc(ctx, Guard(f))
}

// WaitGroupGo is the method Go of a WaitGroup in the same way.
func WaitGroupGo(wg *sync.WaitGroup, f func()) { wg.Go(Guard(f)) }

// guard calls f and reports its panic.
func (g *goroutine) guard(f func()) {
	returned := false
	defer func() {
		end := g.ending(recover(), returned)
		if g.cell.Program && end.Panic != nil {
			name, message := value.Describe(end.Panic)
			g.cell.halt(&Stop{Name: name, Value: message, Notes: end.Notes, Crash: true}, errors.New(message))
			return
		}
		switch {
		case end.Stop != nil && end.Stop.Name == "runtime error":
			host.Load().GoroutineFailed(g.cell.ID, end)
		case end.Panic != nil:
			host.Load().GoroutineFailed(g.cell.ID, end)
		}
	}()
	f()
	returned = true
}

// Command is exec.Command for a process that ends when the running goroutine's cell is interrupted.
func Command(name string, arg ...string) *exec.Cmd { return exec.CommandContext(Ctx(), name, arg...) }
