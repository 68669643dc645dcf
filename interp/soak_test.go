package interp

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"
)

var soak = flag.Int("soak", 100, "cells of TestSoak")

// TestSoak runs cells at random, interrupts some and crashes the worker with others. After each the session must answer,
// with its variables as long as the worker lived.
func TestSoak(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := newSession(t, Options{Sink: &transcript{}})
	run := func(src string) Result {
		return s.Execute(context.Background(), Cell{ID: "c", Source: src})
	}
	declare := func() {
		if res := run("n := 0\ntype point struct{ x, y int }\nfunc step(d int) int { n += d; return n }"); res.Err != nil {
			t.Fatal(res.Err)
		}
	}
	declare()
	want, crashes, interrupts := 0, 0, 0
	cells := *soak
	if testing.Short() {
		cells /= 5
	}
	for i := range cells {
		switch k := rng.IntN(20); {
		case k == 0:
			crashes++
			src := []string{"os.Exit(3)", "func down(i int) int { return down(i+1) + 1 }\ndown(0)",
				"m := map[int]int{}\nfor i := range 8 { go func() { for { m[i]++ } }() }\ntime.Sleep(time.Hour)"}[rng.IntN(3)]
			if res := run(src); res.Err == nil {
				t.Fatalf("cell %d: %q went well", i, src)
			} else if strings.Contains(strings.Join(res.Err.Traceback, "\n"), "variables are lost") {
				declare()
				want = 0
			}
		case k < 4:
			interrupts++
			src := []string{"for {}", "time.Sleep(time.Hour)", "select {}", "<-make(chan int)", "for { step(0) }",
				"var mu sync.Mutex\nmu.Lock()\nmu.Lock()", "var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()", "!sleep 100"}[rng.IntN(8)]
			done := make(chan Result)
			go func() { done <- run(src) }()
			time.Sleep(time.Duration(5+rng.IntN(30)) * time.Millisecond)
			s.Interrupt()
			select {
			case res := <-done:
				if res.Err == nil {
					t.Fatalf("cell %d: %q went well", i, src)
				}
			case <-time.After(30 * time.Second):
				t.Fatalf("cell %d: %q does not end", i, src)
			}
		case k < 6:
			if res := run("this is no Go"); res.Err == nil {
				t.Fatal("it went well")
			}
		case k < 8:
			if res := run("var none *point\nnone.x"); res.Err == nil {
				t.Fatal("it went well")
			}
		default:
			want++
			res := run("step(1)")
			if res.Err != nil {
				t.Fatalf("cell %d: %v", i, res.Err)
			}
			if got := plainText(res.Display.Data); got != fmt.Sprint(want) {
				t.Fatalf("cell %d: step gives %s, want %d", i, got, want)
			}
		}
	}
	t.Logf("%d cells, %d interrupts, %d crashes, %d goroutines", cells, interrupts, crashes, runtime.NumGoroutine())
}
