package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"gaucho/internal/halt"
)

// Team calls f(w, of) for w from 0 to of-1, on all processors, and returns when
// all calls have returned. The caller works too; with one processor it does all.
//
// The helpers are goroutines that stay. Started afresh, one costs the 50
// microseconds in which the system wakes a thread, as much as a product of
// 100 x 100; a helper that still looks for work starts within one.
//
// If the caller's goroutine must end (package halt), parts that have not begun
// are left out, and it ends when those under way have.
func Team(of int, f func(w, of int)) {
	others := min(of, runtime.GOMAXPROCS(0)) - 1
	if others <= 0 {
		for w := range of {
			halt.Here()
			f(w, of)
		}
		return
	}
	startHelpers()
	j := &job{f: f, of: of, labels: labels()}
	j.left.Store(int64(of))
	j.done.Add(1)
	for range others {
		select {
		case jobs <- j:
		default: // the helpers have enough to do
		}
	}
	defer j.leave()
	j.work()
	for look := 0; look < patience && j.left.Load() > 0; look++ {
		runtime.Gosched()
	}
	j.done.Wait()
	halt.Here() // a helper may have ended in its part
}

// A job is one call of [Team]. Whoever comes does the parts that are left.
type job struct {
	f      func(w, of int)
	of     int
	labels unsafe.Pointer
	next   atomic.Int64
	left   atomic.Int64 // parts that have not returned
	done   sync.WaitGroup
}

func (j *job) work() {
	for {
		w := int(j.next.Add(1)) - 1
		if w >= j.of {
			return
		}
		j.part(w)
	}
}

func (j *job) part(w int) {
	defer j.finished(1) // also when the goroutine ends in it
	halt.Here()
	j.f(w, j.of)
}

func (j *job) finished(parts int) {
	if j.left.Add(-int64(parts)) == 0 {
		j.done.Done()
	}
}

// leave waits for the parts under way and drops the others: the caller ends
// before all have run.
func (j *job) leave() {
	if j.left.Load() == 0 {
		return
	}
	if begun := int(j.next.Swap(int64(j.of))); begun < j.of {
		j.finished(j.of - begun)
	}
	j.done.Wait()
}

var (
	jobs    = make(chan *job, 64)
	helpers atomic.Int64
)

// patience is how many times an idle helper looks before it sleeps, and a caller
// whose helpers are still at work: some 50 microseconds, which is what it saves
// when the next call of a loop comes within them.
const patience = 300

// startHelpers starts the helpers that are missing: one less than processors.
func startHelpers() {
	for n := helpers.Load(); int(n) < runtime.GOMAXPROCS(0)-1; n = helpers.Load() {
		if helpers.CompareAndSwap(n, n+1) {
			go help()
		}
	}
}

// help does jobs under the profiler labels of their callers, by which a profile,
// and a notebook's output and interrupts, know for whom a goroutine works.
func help() {
	defer helpers.Add(-1) // if it ends in a part
	for {
		setLabels(nil)
		j := nextJob()
		setLabels(j.labels)
		j.work()
	}
}

func nextJob() *job {
	for range patience {
		select {
		case j := <-jobs:
			return j
		default:
			runtime.Gosched()
		}
	}
	return <-jobs
}

//go:linkname labels runtime/pprof.runtime_getProfLabel
func labels() unsafe.Pointer

//go:linkname setLabels runtime/pprof.runtime_setProfLabel
func setLabels(labels unsafe.Pointer)
