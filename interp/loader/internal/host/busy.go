package main

import (
	"fmt"
	"io"
	"reflect"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"

	"gaucho/interp/loader/internal/hook"
)

// busy runs the code that has been loaded in several goroutines, under collections and a profile, while more is loaded.
type busy struct {
	chain atomic.Pointer[[]func(int, func(int) int) int]
	stop  atomic.Bool
	calls atomic.Int64
	wg    sync.WaitGroup
}

func startBusy() *busy {
	b := &busy{}
	b.loaded()
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		fail(err)
	}
	for i := range 4 {
		b.wg.Go(func() {
			for !b.stop.Load() {
				done := make(chan bool) // a new goroutine, whose stack grows
				go func() { b.run(20 + i); done <- true }()
				<-done
				runtime.Gosched()
			}
		})
	}
	b.wg.Go(func() {
		for !b.stop.Load() {
			runtime.GC()
			_ = reflect.SliceOf(reflect.ArrayOf(int(b.calls.Load()%1000), reflect.TypeFor[strings.Builder]()))
		}
	})
	return b
}

// loaded makes the goroutines use what was loaded last.
func (b *busy) loaded() {
	chain := append([]func(int, func(int) int) int(nil), hook.Chain...)
	b.chain.Store(&chain)
}

// run calls loaded functions through each other and panics at the end.
func (b *busy) run(depth int) {
	chain := *b.chain.Load()
	if len(chain) == 0 {
		return
	}
	garbage := map[string][]byte{}
	defer func() {
		if r := recover(); r != "bottom" || len(garbage) != depth {
			panic(fmt.Sprint(r, len(garbage)))
		}
		b.calls.Add(1)
	}()
	var next func(int) int
	next = func(d int) int {
		if d == depth {
			panic("bottom")
		}
		garbage[fmt.Sprint("k", d)] = make([]byte, 100*d)
		return chain[(len(chain)-1-d%len(chain))](d, next)
	}
	next(0)
}

func (b *busy) end() {
	b.stop.Store(true)
	b.wg.Wait()
	pprof.StopCPUProfile()
	if b.calls.Load() == 0 {
		fail(fmt.Errorf("no loaded code has run meanwhile"))
	}
}
