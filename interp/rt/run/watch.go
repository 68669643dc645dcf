package run

import (
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// watch looks every few milliseconds at what the process uses, while cell code may run: stacks, so that runaway recursion
// ends as an error of the cell and not as the end of the process, and memory.
var watch = watcher{stackLimit: 512 << 20}

type watcher struct {
	tripped    atomic.Bool // stacks are too large: deep goroutines must end
	stackLimit uint64
	limit      uint64 // of memory; 0 for none
	over       func(used, limit uint64)

	mu      sync.Mutex
	running bool
}

// Limits sets how much memory the process may use, and what the watcher calls when it uses more. It is called before the
// first cell. A limit of 0 is none.
func Limits(memory uint64, over func(used, limit uint64)) {
	watch.limit, watch.over = memory, over
	if memory > 0 {
		debug.SetMemoryLimit(int64(memory - memory/10))
		watch.stackLimit = min(watch.stackLimit, memory/4)
	}
	// The largest stack that the runtime can have is 1 GiB; one that grows beyond it ends the process.
	debug.SetMaxStack(1 << 31)
}

// wake starts the watcher if it sleeps.
func (w *watcher) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.running {
		w.running = true
		go w.run()
	}
}

// sleepIfIdle ends the watcher when no cell has goroutines.
func (w *watcher) sleepIfIdle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	cells.Lock()
	idle := len(cells.byID) == 0
	cells.Unlock()
	if idle {
		w.running = false
	}
	return idle
}

func (w *watcher) run() {
	samples := []metrics.Sample{
		{Name: "/memory/classes/heap/stacks:bytes"},
		{Name: "/sched/goroutines:goroutines"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	wait := 5 * time.Millisecond
	for {
		time.Sleep(wait) // first, so that most cells end unwatched: reading costs more than they do
		if w.sleepIfIdle() {
			break
		}
		metrics.Read(samples)
		// Many goroutines have large stacks together: each may have 32 KB.
		stacks := samples[0].Value.Uint64()
		deep := stacks > w.stackLimit+samples[1].Value.Uint64()<<15
		if deep != w.tripped.Load() {
			w.tripped.Store(deep)
			if deep {
				raiseFlag()
			} else {
				lowerFlag()
			}
		}
		used := samples[2].Value.Uint64() - samples[3].Value.Uint64()
		if w.limit > 0 && used > w.limit && w.over != nil {
			w.over(used, w.limit)
		}
		wait = 5 * time.Millisecond
		if deep {
			wait = time.Millisecond
		}
	}
	if w.tripped.Swap(false) {
		lowerFlag()
	}
}

func stackOverflow() *Stop {
	return &Stop{Name: "runtime error", Value: fmt.Sprintf("stack overflow: the stack exceeds %d MB (is this recursion endless?)", watch.stackLimit>>20)}
}
