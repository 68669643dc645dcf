package interp

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// subshellSession is a session with a channel on which cells wait for each other.
func subshellSession(t *testing.T) (s *Session, main, other func(src string) Result) {
	t.Helper()
	s = newSession(t, Options{Sink: &transcript{}})
	main, other = beside(s)
	if res := main("gate, back := make(chan int), make(chan int)\nkept := 40"); res.Err != nil {
		t.Fatal(res.Err)
	}
	return s, main, other
}

// beside are functions that run cells of a session in its main shell and in another.
func beside(s *Session) (main, other func(src string) Result) {
	var mu sync.Mutex
	n := 0
	run := func(subshell bool) func(string) Result {
		return func(src string) Result {
			mu.Lock()
			n++
			c := Cell{ID: fmt.Sprint(n), Number: n, Source: src, Subshell: subshell, Shared: true}
			mu.Unlock()
			return s.Execute(context.Background(), c)
		}
	}
	return run(false), run(true)
}

// start runs a cell and returns what waits for its end.
func start(run func(string) Result, src string) func() Result {
	done := make(chan Result, 1)
	go func() { done <- run(src) }()
	return func() Result { return <-done }
}

// shows fails unless the result is that text.
func shows(t *testing.T, r Result, want string) {
	t.Helper()
	if r.Err != nil {
		t.Fatalf("%s\n%s", r.Err, strings.Join(r.Err.Traceback, "\n"))
	}
	if got := fmt.Sprint(r.Display.Data["text/plain"]); got != want {
		t.Fatalf("%q, want %q", got, want)
	}
}

func TestBeside(t *testing.T) {
	_, main, other := subshellSession(t)
	end := start(main, "early := kept\nearly += <-gate\nearly")
	shows(t, other("func twice(n int) int { return 2 * n }\ntwice(kept + 1)"), "82")
	if r := other("early"); r.Err == nil || !strings.Contains(r.Err.Value, "undefined: early") {
		t.Errorf("a running cell's variable: %+v", r)
	}
	if r := other("undefinedName"); r.Err == nil || r.Err.Name != "CompileError" {
		t.Errorf("a mistake: %+v", r)
	}
	if r := other("gate <- twice(1)"); r.Err != nil {
		t.Fatal(r.Err)
	}
	shows(t, end(), "42")
	shows(t, main("twice(early)"), "84")
}

func TestManyBeside(t *testing.T) {
	_, main, other := subshellSession(t)
	end := start(main, "loops := 0\nfor {\n\tloops++\n\tselect {\n\tcase <-gate:\n\t\tpanic(\"enough\")\n\tdefault:\n\t}\n}")
	var all sync.WaitGroup
	for sub := range 3 {
		all.Go(func() {
			for i := range 20 {
				name := fmt.Sprintf("v%d_%d", sub, i)
				r := other(fmt.Sprintf("type T%s struct{ N int }\nfunc (t T%[1]s) Sum(n int) int { return t.N + n }\n%[1]s := T%[1]s{%d}\n%[1]s.Sum(kept)", name, i))
				if r.Err != nil || fmt.Sprint(r.Display.Data["text/plain"]) != fmt.Sprint(40+i) {
					t.Errorf("%s: %+v", name, r)
				}
			}
		})
	}
	all.Wait()
	if r := other("gate <- 1"); r.Err != nil {
		t.Fatal(r.Err)
	}
	if r := end(); r.Err == nil || !strings.Contains(r.Err.Value, "enough") {
		t.Fatalf("%+v", r)
	}
	shows(t, main("v0_19.Sum(1) + v1_0.Sum(1) + v2_7.Sum(1)"), "29")
}

// A cell that fails has stages that it did not reach; what ran alongside it must not go with them.
func TestUnreachedBeside(t *testing.T) {
	_, main, other := subshellSession(t)
	end := start(main, "a := <-gate\nback <- a\nvar none []int\nnone[a]++\na := \"again\"\ntype Late struct{ A string }\nfunc (l Late) Name() string { return l.A }\nlate := Late{a}\nlate.Name()")
	shows(t, other("type Own struct{ N int }\nfunc (o Own) Double() int { return 2 * o.N }\nown := Own{21}\nown.Double()"), "42")
	shows(t, other("gate <- 3\n<-back"), "3")
	if r := end(); r.Err == nil || !strings.Contains(r.Err.Value, "out of range") {
		t.Fatalf("%+v", r)
	}
	shows(t, main("own.Double()"), "42")
	shows(t, main("a"), "3")
	shows(t, main("type Late struct{ B int }\nfunc (l Late) Name() int { return l.B }\nLate{5}.Name()"), "5")
	shows(t, main("a := \"now\"\na"), `"now"`)
}

func TestInterruptBeside(t *testing.T) {
	s, main, other := subshellSession(t)
	one, two := start(main, "back <- 1\nfor {\n}"), start(other, "back <- 2\n<-gate")
	shows(t, other("<-back + <-back"), "3")
	s.Interrupt()
	for _, end := range []func() Result{one, two} {
		if r := end(); r.Err == nil || r.Err.Name != "Interrupt" {
			t.Errorf("%+v", r)
		}
	}
	shows(t, main("kept"), "40")
}

// A worker's death is the end of all that runs in it, and the session begins anew once.
func TestDeathBeside(t *testing.T) {
	s, main, other := subshellSession(t)
	one, two := start(main, "back <- 1\n<-gate"), start(other, "var ghost int\nback <- 2\n<-gate")
	shows(t, other("<-back + <-back"), "3")
	s.worker.Restart()
	for _, end := range []func() Result{one, two} {
		if r := end(); r.Err == nil || !strings.Contains(strings.Join(r.Err.Traceback, "\n"), "variables are lost") {
			t.Errorf("%+v", r)
		}
	}
	for _, name := range []string{"kept", "ghost"} {
		if r := main(name); r.Err == nil || !strings.Contains(r.Err.Value, "undefined") {
			t.Errorf("%s: %+v", name, r)
		}
	}
	shows(t, main("kept := 1\nkept"), "1")
}

func TestMagicsWaitForTheirTurn(t *testing.T) {
	_, main, other := subshellSession(t)
	end := start(main, "back <- 1\n<-gate\nlater := 5")
	shows(t, other("<-back"), "1")
	turn := start(other, "%time _ = later\nlater")
	go func() {
		time.Sleep(50 * time.Millisecond)
		other("gate <- 1")
	}()
	if r := end(); r.Err != nil {
		t.Fatal(r.Err)
	}
	shows(t, turn(), "5")
}
