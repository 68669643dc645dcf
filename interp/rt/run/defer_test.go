package run

import (
	"fmt"
	"slices"
	"testing"

	"gaucho/interp/rt/value"
)

// TestDefer: deferred calls run in Go's order, each can recover, and one that panics takes the place of the panic before.
func TestDefer(t *testing.T) {
	var log []string
	Run(func(d *D) {
		Defer(d, func() { log = append(log, "last") })
		Defer(d, func() { log = append(log, fmt.Sprint(Recover(d))) })
		Defer(d, func() { value.Panic("second") })
		Defer(d, func() { log = append(log, "first") })
		value.Panic("one")
	})
	if want := []string{"first", "second", "last"}; !slices.Equal(log, want) {
		t.Errorf("got %q, want %q", log, want)
	}
}

// TestRecoverOnlyFromDeferred: recover gives nil in a function that was not deferred itself.
func TestRecoverOnlyFromDeferred(t *testing.T) {
	var inner, outer any
	f := func() { d := Arm(); outer = Recover(d) }
	Run(func(d *D) {
		DeferAny(d, func() {
			f() // armed: deferred itself
			inner = Recover(Arm())
		})
		value.Panic(7)
	})
	if outer != 7 || inner != nil {
		t.Errorf("got %v and %v, want 7 and nil", outer, inner)
	}
}
