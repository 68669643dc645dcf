package worker

import (
	"context"
	"strings"
	"testing"
	"time"
)

// interrupted starts a cell, interrupts it when it printed "go", and returns how it ended and after what time.
func (s *session) interrupted(decls, body string) (name, value string, took time.Duration) {
	s.t.Helper()
	r := s.cell(decls, body)
	type answer struct {
		name, value string
		end         time.Time
	}
	done := make(chan answer)
	go func() {
		d, err := s.p.Run(context.Background(), r, nil)
		if err != nil {
			done <- answer{"error", err.Error(), time.Now()}
		} else if d.Error == nil {
			done <- answer{"", "", time.Now()}
		} else {
			done <- answer{d.Error.Name, d.Error.Value, time.Now()}
		}
	}()
	s.sink.await(s.t.(*testing.T), r.Cell, "stdout", "go")
	begin := time.Now()
	s.p.Interrupt(r.Cell, false)
	a := <-done
	return a.name, a.value, a.end.Sub(begin)
}

func TestInterrupt(t *testing.T) {
	s := start(t)
	s.ok("var v_x int; var v_f func() int; var v_mu = new(sync.Mutex); var v_wg = new(sync.WaitGroup)", "v_x = 7; v_f = func() int { return v_x }; v_wg.Add(1); v_mu.Lock()")
	for _, c := range []struct{ what, decls, body string }{
		{"loop", "", `fmt.Fprint(rt.Stdout, "go"); for { if *rt_stop { rt.Stopped() } }`},
		{"function", `func f_g_1(n int) int { if *rt_stop { rt.Stopped() }; return n }`, `fmt.Fprint(rt.Stdout, "go"); for { f_g_1(3) }`},
		{"print", "", `for { if *rt_stop { rt.Stopped() }; fmt.Fprintln(rt.Stdout, "go") }`},
		{"select", "", `fmt.Fprint(rt.Stdout, "go"); c := make(chan int); select { case <-c: case <-rt.Done(): rt.Stopped() }`},
		{"recv", "", `fmt.Fprint(rt.Stdout, "go"); c := make(chan int); <-c`},
		{"sleep", "", `fmt.Fprint(rt.Stdout, "go"); time.Sleep(time.Hour)`},
		{"mutex", "", `fmt.Fprint(rt.Stdout, "go"); v_mu.Lock()`},
		{"waitgroup", "", `fmt.Fprint(rt.Stdout, "go"); v_wg.Wait()`},
		{"ctx", "", `fmt.Fprint(rt.Stdout, "go"); <-rt.Ctx().Done()`},
		{"pipe", "", `fmt.Fprint(rt.Stdout, "go"); r, w, _ := os.Pipe(); b := make([]byte, 1); r.Read(b); w.Close()`},
		{"recover", "", `fmt.Fprint(rt.Stdout, "go"); for { if *rt_stop { rt.Stopped() }; func() { for { if *rt_stop { rt.Stopped() } } }() }`},
	} {
		name, value, took := s.interrupted(c.decls, c.body)
		if name != "Interrupt" {
			t.Errorf("%s: ended with %q %q", c.what, name, value)
		}
		t.Logf("%s: %v", c.what, took)
	}
	if got := s.ok("", "rt.Result(v_f())"); got != "7" {
		t.Errorf("a closure of an earlier cell returns %s", got)
	}
	if s.p.Generation() != 1 {
		t.Errorf("the worker was replaced")
	}
}

// Goroutines that an earlier cell started go on when a later one is interrupted, those of the interrupted one end.
func TestInterruptGoroutines(t *testing.T) {
	s := start(t)
	s.ok("var v_n, v_m int; var v_stop bool", `rt.Go(func() { for !v_stop { if *rt_stop { rt.Stopped() }; v_n++; time.Sleep(time.Millisecond) } })`)
	name, _, _ := s.interrupted("", `rt.Go(func() { for { if *rt_stop { rt.Stopped() }; v_m++ } }); fmt.Fprint(rt.Stdout, "go"); for { if *rt_stop { rt.Stopped() } }`)
	if name != "Interrupt" {
		t.Errorf("ended with %q", name)
	}
	s.ok("var v_n0, v_m0 int", "time.Sleep(60*time.Millisecond); v_n0 = v_n; v_m0 = v_m")
	if got := s.ok("", "time.Sleep(60*time.Millisecond); rt.Result(v_n > v_n0, v_m == v_m0)"); got != "true\ntrue" {
		t.Errorf("(earlier goroutine goes on, interrupted one stands still) is %s", got)
	}
}

func TestStubborn(t *testing.T) {
	s := start(t)
	s.ok("var v_x int", "v_x = 1")
	r := s.cell("", `fmt.Fprint(rt.Stdout, "go"); for {}`)
	go func() {
		s.sink.await(t, r.Cell, "stdout", "go")
		s.p.Interrupt(r.Cell, false)
	}()
	d, err := s.p.Run(context.Background(), r, nil)
	if err != nil || d.Error == nil || d.Error.Name != "Interrupt" || !d.Error.Lost {
		t.Fatalf("ended with %+v %v", d.Error, err)
	}
	if !strings.Contains(d.Error.Value, "worker was replaced") {
		t.Errorf("the cell says %q", d.Error.Value)
	}
	if s.p.Generation() != 2 {
		t.Errorf("generation %d", s.p.Generation())
	}
	s.n = 0
	s.ok("var v_x int", "v_x = 2")
}
