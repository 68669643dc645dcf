package interp

import (
	"fmt"
	"testing"
)

// TestFrameMoves: what a goroutine assigns to a function variable of the session is what it then calls, also while later
// cells make the interpreter's global frame grow, which moves it.
func TestFrameMoves(t *testing.T) {
	r := &transcript{}
	s := newSession(t, Options{Sink: r, Engine: "yaegi"})
	runCell(s, r, 1, `var h func() int
var lost, tried atomic.Int64
var stop atomic.Bool
ended := make(chan bool)
go func() {
	for i := 0; !stop.Load(); i++ {
		i := i
		h = func() int { return i }
		if h() != i { lost.Add(1) }
		tried.Add(1)
	}
	close(ended)
}()`)
	for n := range 50 {
		if got := runCell(s, r, n+2, fmt.Sprintf("var v%d = []int{%d}\nw%d := v%d[0] + 1\nw%d", n, n, n, n, n)); got != fmt.Sprintf("= %d\n", n+1) {
			t.Fatalf("cell %d gave %s", n+2, got)
		}
	}
	if got := runCell(s, r, 100, "stop.Store(true)\n<-ended\nlost.Load() == 0 && tried.Load() > 50"); got != "= true\n" {
		t.Errorf("it is %s: %s", got, runCell(s, r, 101, "lost.Load(), tried.Load()"))
	}
}
