package run

import (
	"sync"

	"gaucho/interp/rt/value"
)

// A D is an activation of a function that has deferred calls.
type D struct {
	calls     []deferred
	panicking bool // a panic of the function's, not recovered so far
	value     any  // of the panic, as Go's recover gave it
	running   bool // deferred calls run
}

type deferred struct {
	f   func()
	any bool // f may be a function that calls recover
	// native is a call that compiled code has deferred: it defers it again and then calls its argument.
	native func(after func())
}

// Run calls body, then what it deferred. A panic that a deferred call recovered is over when Run returns.
func Run(body func(d *D)) {
	d := &D{}
	if exit := d.run(body); exit != nil {
		panic(exit)
	}
	d.finish()
}

// run calls body, and returns what no deferred call may see. A panic ends here, so that the stack above is gone before
// it goes on: a stack kept by every function on the way would take time quadratic in the depth.
func (d *D) run(body func(d *D)) (exit any) {
	returned := false
	defer func() {
		if returned {
			return
		}
		switch r := recover(); {
		case isExit(r):
			exit = r
		case r != nil:
			d.panicking, d.value = true, r
			bodyNote()
			if value.Compiled.Load() { // the stack says which compiled cells the panic came through: it must stay
				d.finish()
			}
		case !exits(): // runtime.Goexit, which nothing stops
			d.finish()
		}
	}()
	body(d)
	returned = true
	return nil
}

// Deep calls f, and has a panic of f's begin anew. Functions that recurse go through it once in a while: the interpreter
// recovers a panic in each function that it passes and panics again on top, so that all the stack stays until the end, and
// to walk it each time takes time quadratic in its depth.
func Deep(f func()) {
	if r := unwound(f); r != nil {
		skipNote() // of the function that calls Deep to call itself
		panic(r)
	}
}

// unwound calls f and returns the value of its panic.
func unwound(f func()) (r any) {
	returned := false
	defer func() {
		if returned || value.Compiled.Load() { // the stack says which compiled cells the panic came through: it must stay
			return
		}
		if r = recover(); r != nil {
			dropNote()
		}
	}()
	f()
	returned = true
	return nil
}

// Defer defers a call of a function that does not call recover, or that was written at the defer statement.
func Defer(d *D, f func()) { d.calls = append(d.calls, deferred{f: f}) }

// DeferAny defers a call of a function of which it is not known whether it calls recover.
func DeferAny(d *D, f func()) { d.calls = append(d.calls, deferred{f: f, any: true}) }

// finish runs the deferred calls, and goes on with the panic if none recovered it.
func (d *D) finish() {
	d.running = true
	for len(d.calls) > 0 {
		n := len(d.calls) - 1
		c := d.calls[n]
		d.calls = d.calls[:n]
		d.call(c)
	}
	d.running = false
	if d.panicking {
		skipNote()
		panic(d.value)
	}
}

// call makes one deferred call. A panic in it takes the place of the one before.
func (d *D) call(c deferred) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if r := recover(); r != nil {
			d.panicking, d.value = true, r
			return
		}
		// runtime.Goexit: the stack below is gone, so the remaining calls are made from here.
		d.panicking = false
		if !exits() {
			d.finish()
		}
	}()
	if c.native != nil {
		d.callNative(c.native)
		returned = true
		return
	}
	if c.any {
		disarm := arm(d)
		defer disarm()
	}
	c.f()
	returned = true
}

// deferNative has a call made when the running cell's statements have ended.
func deferNative(f func(after func())) {
	d := CellDefers()
	d.calls = append(d.calls, deferred{native: f})
}

// callNative makes a deferred call of compiled code, in which Go's own recover finds the panic that is on its way.
func (d *D) callNative(f func(after func())) {
	panicking, value := d.panicking, d.value
	d.panicking, d.value = false, nil
	f(func() {
		if panicking {
			panic(value)
		}
	})
	if panicking {
		clearNotes()
	}
}

// Recover is the built-in function in a function literal that d's function deferred where the literal is written.
func Recover(d *D) any {
	if d == nil || !d.running || !d.panicking || isStop(d.value) {
		return nil
	}
	d.panicking = false
	v := value.Panicked(d.value)
	d.value = nil
	clearNotes()
	return v
}

// RecoverOuter is the call of a deferred recover(): it recovers for the function outside, unless the one that deferred
// it panics.
func RecoverOuter(own, outer *D) {
	if !own.panicking {
		Recover(outer)
	}
}

// armed are the activations that are about to call a deferred function of which it is not known whether it recovers, by
// goroutine.
var armed struct {
	sync.Mutex
	by map[int64]*D
}

func arm(d *D) (disarm func()) {
	id := goroutineID()
	armed.Lock()
	if armed.by == nil {
		armed.by = map[int64]*D{}
	}
	old := armed.by[id]
	armed.by[id] = d
	armed.Unlock()
	return func() {
		armed.Lock()
		if old != nil {
			armed.by[id] = old
		} else {
			delete(armed.by, id)
		}
		armed.Unlock()
	}
}

// Arm is called at the start of functions that call recover and were not written at a defer statement: it returns the
// activation that has deferred this very call, or nil.
func Arm() *D {
	id := goroutineID()
	armed.Lock()
	defer armed.Unlock()
	d := armed.by[id]
	delete(armed.by, id)
	return d
}

// Deferring calls f, the cell's statements, and then what they deferred at the top level. It is called in the cell's main
// goroutine.
func (c *Cell) Deferring(f func()) {
	Run(func(d *D) {
		c.defers = d
		f()
	})
}

// CellDefers is what top-level statements defer to.
func CellDefers() *D { return self().cell.defers }
