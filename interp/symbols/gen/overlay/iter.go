//go:build ignore

// Pull and Pull2 with goroutines that take turns, in place of the run time's coroutines.
package iter

import (
	"iter"
	"runtime"
)

// turns hand control back and forth between the caller of next or stop, and the goroutine in which seq runs.
type turns struct {
	toSeq, toCaller chan struct{}
	started         bool
	done            bool // seq has ended, or must end
	yieldNext       bool // next waits for yield
	finished        bool // seq has returned
	panicking       bool
	panicValue      any
}

// give lets seq run until it yields or ends.
func (t *turns) give(run func()) {
	if !t.started {
		t.started = true
		t.toSeq, t.toCaller = make(chan struct{}), make(chan struct{})
		go run()
	} else {
		t.toSeq <- struct{}{}
	}
	<-t.toCaller
	if t.panicking {
		panic(t.panicValue)
	}
	if t.done && !t.finished {
		runtime.Goexit()
	}
}

// yielded returns to the caller and waits for the next turn.
func (t *turns) yielded() {
	t.toCaller <- struct{}{}
	<-t.toSeq
}

// check is called at the start of yield.
func (t *turns) check(name string) {
	if !t.yieldNext {
		panic("iter." + name + ": yield called again before next")
	}
	t.yieldNext = false
}

// ended is called when seq has returned or panicked.
func (t *turns) ended() {
	t.done = true
	t.toCaller <- struct{}{}
}

// begin is called at the start of next.
func (t *turns) begin(name string) {
	if t.yieldNext {
		panic("iter." + name + ": next called again before yield")
	}
	t.yieldNext = true
}

// stop ends seq where it has not ended.
func (t *turns) stop(run func()) {
	if t.done {
		return
	}
	t.done = true
	if !t.started {
		return
	}
	t.give(run)
}

func Pull[V any](seq iter.Seq[V]) (next func() (V, bool), stop func()) {
	t := &turns{}
	var v V
	var ok bool
	run := func() {
		defer func() {
			if t.finished {
				t.ended()
				return
			}
			if p := recover(); p != nil {
				t.panicking, t.panicValue = true, p
			}
			t.ended()
		}()
		seq(func(v1 V) bool {
			if t.done {
				return false
			}
			t.check("Pull")
			v, ok = v1, true
			t.yielded()
			return !t.done
		})
		var zero V
		v, ok = zero, false
		t.finished = true
	}
	next = func() (V, bool) {
		if t.done {
			var zero V
			return zero, false
		}
		t.begin("Pull")
		t.give(run)
		return v, ok
	}
	stop = func() { t.stop(run) }
	return next, stop
}

func Pull2[K, V any](seq iter.Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	t := &turns{}
	var k K
	var v V
	var ok bool
	run := func() {
		defer func() {
			if t.finished {
				t.ended()
				return
			}
			if p := recover(); p != nil {
				t.panicking, t.panicValue = true, p
			}
			t.ended()
		}()
		seq(func(k1 K, v1 V) bool {
			if t.done {
				return false
			}
			t.check("Pull2")
			k, v, ok = k1, v1, true
			t.yielded()
			return !t.done
		})
		var zeroK K
		var zeroV V
		k, v, ok = zeroK, zeroV, false
		t.finished = true
	}
	next = func() (K, V, bool) {
		if t.done {
			var zeroK K
			var zeroV V
			return zeroK, zeroV, false
		}
		t.begin("Pull2")
		t.give(run)
		return k, v, ok
	}
	stop = func() { t.stop(run) }
	return next, stop
}
