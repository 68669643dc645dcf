package worker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gaucho/interp/supervisor"
	"gaucho/interp/wire"
)

// Runaway recursion ends the cell, and the session keeps its variables.
func TestStackOverflow(t *testing.T) {
	s := start(t)
	s.ok("var v_x int", "v_x = 5")
	d := s.run("func f_fact_1(n int) int { if *rt_stop { rt.StoppedAt(1, 1) }; return n * f_fact_1(n-1) }", "f_fact_1(5)")
	if d.Error == nil || d.Error.Name != "runtime error" || !strings.Contains(d.Error.Value, "stack overflow") || d.Error.Lost {
		t.Fatalf("ended with %+v", d.Error)
	}
	if len(d.Error.Trace) != 1 || d.Error.Trace[0] != (wire.Frame{Cell: 1, Line: 1}) {
		t.Errorf("trace %+v", d.Error.Trace)
	}
	if got := s.ok("", "rt.Result(v_x)"); got != "5" {
		t.Errorf("v_x is %s", got)
	}
}

func TestPanic(t *testing.T) {
	s := start(t)
	d := s.run("func f_step_1(n int) int { a := []int{1, 2, 3}\nreturn a[n] }", "v := 5\nf_step_1(v)")
	if d.Error == nil || len(d.Error.Trace) != 2 {
		t.Fatalf("ended with %+v", d.Error)
	}
	want := []wire.Frame{{Cell: 1, Line: 1, Function: "step", Start: true}, {Cell: 1, Line: 100, Start: true}}
	for i, f := range d.Error.Trace {
		if f != want[i] {
			t.Errorf("frame %d is %+v, want %+v", i, f, want[i])
		}
	}
	if d := s.run("", `panic("boom")`); d.Error == nil || d.Error.Name != "panic" || d.Error.Value != "boom" || d.Error.Lost {
		t.Errorf("ended with %+v", d.Error)
	}
	if d := s.run("", `panic(fmt.Errorf("no %s", "luck"))`); d.Error == nil || d.Error.Value != "no luck" {
		t.Errorf("ended with %+v", d.Error)
	}
}

// A panic in a goroutine is reported in its cell, also when another cell runs by then, and ends nothing else.
func TestPanicInGoroutine(t *testing.T) {
	s := start(t)
	s.ok("func f_bad_1() { time.Sleep(20*time.Millisecond); panic(\"boom\") }", "rt.Go(func() { f_bad_1() })")
	s.ok("", "time.Sleep(60*time.Millisecond)")
	s.sink.await(t, 1, "stderr", "panic: boom")
	s.sink.await(t, 1, "stderr", "Cell [1], line 1, where bad starts")
	s.ok("", "")
}

func TestExit(t *testing.T) {
	s := start(t)
	d := s.run("", `fmt.Fprintln(rt.Stdout, "before"); rt.Exit(3)`)
	if d.Error == nil || d.Error.Name != "Exit" || d.Error.Code != 3 || d.Error.Lost {
		t.Errorf("ended with %+v", d.Error)
	}
	d = s.run("", `rt.Go(func() { rt.Exit(4) }); select {}`)
	if d.Error == nil || d.Error.Name != "Exit" || d.Error.Code != 4 || d.Error.Lost {
		t.Errorf("exit in a goroutine ended with %+v", d.Error)
	}
	if s.p.Generation() != 1 {
		t.Error("the worker was replaced")
	}
}

func TestCrash(t *testing.T) {
	for _, c := range []struct{ what, decls, body, name, value string }{
		{"exit in compiled code", "", `syscall.Exit(3)`, "Exit", "exit status 3"},
		{"concurrent map writes", "var v_m = map[int]int{}", `go func() { for { v_m[1] = 1 } }(); for { v_m[1] = 2 }`, "fatal error", "concurrent map"},
		{"panic in a bare goroutine", "", `go func() { panic("boom") }(); time.Sleep(time.Second)`, "panic", "boom"},
		{"killed", "", `syscall.Kill(os.Getpid(), syscall.SIGKILL); time.Sleep(time.Second)`, "Killed", "killed from outside"},
		{"recursion without checks", "func f_f_1(n int) int { return f_f_1(n+1) }", `f_f_1(0)`, "runtime error", "stack overflow"},
		{"memory", "var v_b [][]byte", `for { b := make([]byte, 1<<20); for i := 0; i < len(b); i += 4096 { b[i] = 1 }; v_b = append(v_b, b) }`, "out of memory", "more than its memory limit of 300 MB (set by --memory)"},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := start(t, func(o *supervisor.Options) {
				if c.what == "memory" {
					o.MemoryLimit = 300 << 20
				}
				if strings.Contains(c.what, "recursion") {
					o.MemoryLimit = 4 << 30
				}
			})
			s.ok("", `rt.Stdout.Write([]byte("first\n"))`)
			d := s.run(c.decls, `fmt.Fprintln(rt.Stdout, "before"); fmt.Fprintln(os.Stderr, "raw")`+"\n"+c.body)
			if d.Error == nil || d.Error.Name != c.name || !strings.Contains(d.Error.Value, c.value) || !d.Error.Lost {
				t.Errorf("ended with %+v", d.Error)
			}
			if got := s.sink.text(2, "stdout"); got != "before\n" {
				t.Errorf("stdout is %q", got)
			}
			if got := s.sink.text(2, "stderr"); got != "raw\n" {
				t.Errorf("stderr is %.300q", got)
			}
			s.n = 0
			s.ok("", `fmt.Fprintln(rt.Stdout, "again")`)
			if got := s.sink.text(1, "stdout"); got != "first\nagain\n" {
				t.Errorf("after the crash: %q", got)
			}
		})
	}
}

// A cell that writes into the pipe to the kernel, or closes it, ends its worker, with words; it does not run for ever.
func TestSpoiltMessages(t *testing.T) {
	const files = "i := 2; for i < 12 { i++; "
	for name, c := range map[string]struct{ body, words string }{
		"ones":   {files + `os.NewFile(uintptr(i), "x").Write(bytes.Repeat([]byte{0xff}, 4096)) }`, "became unreadable"},
		"zeros":  {files + `os.NewFile(uintptr(i), "x").Write(bytes.Repeat([]byte{0}, 4096)) }`, "became unreadable"},
		"text":   {files + `os.NewFile(uintptr(i), "x").Write(bytes.Repeat([]byte("all work and no play\n"), 100)) }`, "became unreadable"},
		"closed": {`syscall.Close(4)`, "were closed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			r := s.cell("", c.body+"; time.Sleep(time.Hour)")
			r.Units[0].Text = strings.Replace(r.Units[0].Text, imports, imports+`; import bytes "bytes"`, 1)
			r.Units[0].Imports = append(r.Units[0].Imports, "bytes")
			done := make(chan *wire.Done, 1)
			go func() {
				d, _ := s.p.Run(t.Context(), r, nil)
				done <- d
			}()
			select {
			case d := <-done:
				if d == nil || d.Error == nil || !d.Error.Lost || !strings.Contains(d.Error.Value, c.words) {
					t.Fatalf("ended with %+v", d)
				}
			case <-time.After(time.Minute):
				t.Fatal("the cell runs on after a minute")
			}
			s.n = 0
			s.ok("", "")
		})
	}
}

// Workers that end as they start are not started again without end, and a cell tries again.
func TestEndsAsItStarts(t *testing.T) {
	starts := filepath.Join(t.TempDir(), "starts")
	t.Setenv("GAUCHO_TEST_ENDS", starts)
	s := start(t)
	count := func() int {
		b, err := os.ReadFile(starts)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return len(b)
	}
	settle := func() int {
		n, since := count(), time.Now()
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end) && (n == 0 || s.p.PID() != 0 || time.Since(since) < time.Second); time.Sleep(10 * time.Millisecond) {
			if k := count(); k != n {
				n, since = k, time.Now()
			}
		}
		return n
	}
	if n := settle(); n != 3 {
		t.Fatalf("%d workers were started, want 3", n)
	}
	if _, err := s.p.Usage(t.Context()); err == nil || !strings.Contains(err.Error(), "3 workers ended so as they started") {
		t.Errorf("what asks for no cell gets %v", err)
	}
	d := s.run("", "")
	if d.Error == nil || !d.Error.Lost || !strings.Contains(d.Error.Value, "exit status 5") {
		t.Errorf("a cell ends with %+v", d.Error)
	}
	if n := settle(); n != 6 {
		t.Errorf("after a cell %d workers were started, want 6", n)
	}
}
