package run

import (
	"sync/atomic"
	"testing"
	"unsafe"

	"gaucho/interp/rt/value"
)

// EndingText puts in words how a goroutine ended, with the places of a panic. The host sets it.
var EndingText atomic.Pointer[func(Ending) string]

// GuardT returns a test function for package testing, which calls it in a goroutine of its own: as code of the cell that
// made it, and with a panic as a failure of the test, for a panic there would end the process.
func GuardT(f func(*testing.T)) func(*testing.T) {
	c := self().cell
	return func(t *testing.T) { guardTest(c, t, func() { f(t) }) }
}

// GuardB is GuardT for benchmarks.
func GuardB(f func(*testing.B)) func(*testing.B) {
	c := self().cell
	return func(b *testing.B) { guardTest(c, b, func() { f(b) }) }
}

func guardTest(c *Cell, t testing.TB, f func()) {
	t.Helper()
	g := newGoroutine(c, Place{})
	defer g.done()
	outer := runtime_getProfLabel()
	runtime_setProfLabel(unsafe.Pointer(g))
	returned := false
	defer func() {
		t.Helper()
		defer runtime_setProfLabel(outer)
		if returned {
			return
		}
		end := g.ending(recover(), false)
		switch {
		case t.Name() == "": // of testing.Benchmark, which gives it nowhere to log to
			t.Fail()
			if end.Stop == nil && end.Panic != nil {
				host.Load().GoroutineFailed(c.ID, end)
			}
		case end.Stop != nil:
			t.Errorf("%s", end.Stop.Value)
		case end.Panic != nil:
			_, text := value.Describe(end.Panic)
			if say := EndingText.Load(); say != nil {
				text = (*say)(end)
			}
			t.Errorf("panic: %s", text)
		}
	}()
	f()
	returned = true
}
