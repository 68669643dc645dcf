package worker

import (
	"strings"
	"testing"

	"gaucho/interp/rt/run"
)

// TestShownBound: Out keeps the newest values up to a number of bytes, and says of the others why they are gone.
func TestShownBound(t *testing.T) {
	out := func(n int) (v any, why string) {
		defer func() {
			if r := recover(); r != nil {
				why = r.(error).Error()
			}
		}()
		return run.Out(n), ""
	}
	w := newServer(nil)
	const third = maxShown / 3
	for n := 1; n <= 4; n++ {
		w.keepShown(n, []any{make([]byte, third)})
	}
	w.keepShown(5, []any{make([]byte, maxShown+1)})
	w.keepShown(6, []any{nil})
	w.keepShown(7, []any{7})
	for n, want := range map[int]string{1: "are kept; give the value a name", 2: "are kept; give the value a name", 5: "and at most 256 MB are kept", 6: "nil"} {
		if v, why := out(n); !strings.Contains(why, want) {
			t.Errorf("Out(%d) gave a %T and %q, must say %q", n, v, why, want)
		}
	}
	for _, n := range []int{3, 4} {
		if v, why := out(n); why != "" || len(v.([]byte)) != third {
			t.Errorf("Out(%d) is gone: %s", n, why)
		}
	}
	w.keepShown(3, []any{"again"}) // a cell that ran again gives back what it held
	w.keepShown(8, []any{make([]byte, third)})
	if v, why := out(3); why != "" || v != "again" {
		t.Errorf("Out(3) is %v, %s", v, why)
	}
	if v, why := out(4); why != "" {
		t.Errorf("Out(4) is %v, %s", v, why)
	}
}
