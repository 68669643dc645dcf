package interp

import (
	"fmt"
	"strings"
	"testing"

	"gaucho/interp/cell"
	"gaucho/interp/wire"
)

// TestOverflowCycle: of calls that repeat without end one round is shown, after the place where they began, however many of
// them the worker has sent.
func TestOverflowCycle(t *testing.T) {
	for _, c := range []struct {
		period int
		said   string
	}{{1, "(which calls itself without end)"}, {2, "(these 2 places call each other without end)"}, {3, "(these 3 places call each other without end)"}} {
		frames := []wire.Frame{{Cell: 1, Line: 9}}
		for i := range 200 {
			frames = append([]wire.Frame{{Cell: 1, Line: 1 + i%c.period, Function: fmt.Sprint("f", i%c.period)}}, frames...)
		}
		e := &wire.Error{Name: "runtime error", Value: "stack overflow: the stack exceeds 1 MB", Trace: frames}
		text := ansi.ReplaceAllString(strings.Join(runError(e, func(int) (p cell.Place, ok bool) { p.Number = 1; return p, true }).Traceback, "\n"), "")
		want := "Cell [1], line 9\n"
		for i := range c.period {
			want += fmt.Sprintf("Cell [1], line %d, in f%d\n", i+1, i)
		}
		if want += "    " + c.said + "\n"; !strings.HasPrefix(text, want) {
			t.Errorf("a cycle of %d gives\n%s\nwant\n%s", c.period, text, want)
		}
	}
}

// TestOverflowPlace: the place where the calls began is the statement of the top level.
func TestOverflowPlace(t *testing.T) {
	long(t)
	r := &transcript{}
	s := newSession(t, Options{Sink: r, Engine: "yaegi"})
	got := runCell(s, r, 1, "func a(n int) int { return b(n+1) + 1 }\nfunc b(n int) int { return a(n+1) + 1 }\ny := 1\na(y)")
	if !strings.Contains(got, "| Cell [1], line 4\n|     a(y)\n") || !strings.Contains(got, "stack overflow") || strings.Contains(got, "more time") {
		t.Error(got)
	}
}
