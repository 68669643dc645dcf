package run

import (
	"strings"
	"testing"
	"time"

	cellrt "gaucho/interp/rt/internal/runtime"
	"gaucho/interp/rt/value"
)

func TestBlockedNow(t *testing.T) {
	const stacks = `goroutine 1 [running]:
main.main()
	/x.go:1 +0x1

goroutine 5 [chan receive, 2 minutes]:
main.f(...)
	/x.go:2 +0x1
created by main.main in goroutine 1
	/x.go:3 +0x1

goroutine 6 [select]:
main.g()
	/x.go:2 +0x1
created by main.f in goroutine 5
	/x.go:3 +0x1

goroutine 7 [sync.WaitGroup.Wait]:
main.h()
created by main.main in goroutine 1
	/x.go:3 +0x1

goroutine 8 [runnable]:
main.i()
created by main.h in goroutine 7
	/x.go:3 +0x1
`
	for id, want := range map[int64]bool{1: false, 5: true, 6: true, 7: false, 8: false, 9: false} {
		if got := blockedNow([]byte(stacks), id); got != want {
			t.Errorf("goroutine %d: %v", id, got)
		}
	}
}

func TestParseNote(t *testing.T) {
	for line, want := range map[string]Note{
		"c12/_.go:7:3: panic: main.f_step_1(...)": {12, 7, 3, "f_step_1", true},
		`c12\_.go:7: panic: main.c_12(...)`:       {12, 7, 0, "c_12", true},
		"c1:2:3: panic: main.f_x_1.func(...)":     {1, 2, 3, "f_x_1.func", true},
	} {
		if got, ok := parseNote(line); !ok || got != want {
			t.Errorf("%q is %+v", line, got)
		}
	}
	for _, line := range []string{"", "panic", "c1: panic: x", "x1:2:3: panic: f", "cx:2:3: panic: f", "1:28: something"} {
		if got, ok := parseNote(line); ok {
			t.Errorf("%q is %+v", line, got)
		}
	}
}

// The cell of a goroutine is inherited by what it starts, and stays its own.
func TestCellOfGoroutine(t *testing.T) {
	ids := make(chan int, 4)
	c := NewCell(41)
	end := c.Run(func() {
		ids <- CellID()
		go func() { ids <- CellID() }()
		Go(func() { ids <- CellID() })
		AfterFunc(time.Millisecond, func() { ids <- CellID() })
	})
	if end.Panic != nil || end.Stop != nil {
		t.Errorf("ended with %+v", end)
	}
	NewCell(42).Run(func() {
		for range 4 {
			if id := <-ids; id != 41 {
				t.Errorf("a goroutine of cell 41 is of cell %d", id)
			}
		}
	})
}

func TestInterruptCell(t *testing.T) {
	c := NewCell(43)
	time.AfterFunc(20*time.Millisecond, func() { Interrupt(43) })
	recovered := false
	end := c.Run(func() {
		Run(func(d *D) {
			Defer(d, func() { recovered = Recover(d) != nil })
			for !*StopFlag() {
				time.Sleep(time.Millisecond)
			}
			Stopped()
		})
	})
	if end.Stop == nil || end.Stop.Name != "Interrupt" || recovered {
		t.Errorf("ended with %+v, recovered %v", end.Stop, recovered)
	}
	if c.ctx.Err() == nil {
		t.Error("the context goes on")
	}
}

func TestExitMakesNoDeferredCalls(t *testing.T) {
	called := false
	end := NewCell(44).Run(func() {
		Run(func(d *D) {
			Defer(d, func() { called = true })
			Exit(3)
		})
	})
	if end.Stop == nil || end.Stop.Code != 3 || called {
		t.Errorf("ended with %+v, deferred call made: %v", end.Stop, called)
	}
}

func TestDescribe(t *testing.T) {
	p := &value.Type{String: "main.P", Kind: 25}
	for _, c := range []struct {
		v             any
		name, message string
	}{
		{"text", "panic", "text"},
		{value.Thrown{Value: cellrt.Error("index out of range")}, "runtime error", "runtime error: index out of range"},
		{value.Box{T: &value.Type{String: "main.S", Kind: 24}, V: "x"}, "panic", `main.S("x")`},
		{value.Box{T: &value.Type{String: "main.N", Kind: 2}, V: 7}, "panic", "main.N(7)"},
		{value.Box{T: p, V: struct{}{}}, "panic", "main.P{}"},
		{7, "panic", "7"},
	} {
		if name, message := value.Describe(c.v); name != c.name || message != c.message {
			t.Errorf("%v is %q %q", c.v, name, message)
		}
	}
	bad := value.Box{T: &value.Type{String: "main.E", Kind: 2, Methods: []*value.Method{{Sig: value.Sig{Name: "Error"}, Func: func(any) string { panic("again") }}}}, V: 1}
	if name, message := value.Describe(bad); name != "main.E" || !strings.Contains(message, "its message panics") {
		t.Errorf("an error that panics is %q %q", name, message)
	}
}
