package vec

import (
	"runtime"
	"sync"
	"unsafe"
)

// grain is the number of elements below which one goroutine does the work. The
// functions look at it before they call parallel, whose closures are allocated.
const grain = 1 << 16

// parallel calls f over [0, n) in pieces, on several goroutines if n is large.
// Elements do not depend on each other, so neither do results on the pieces.
func parallel(n int, f func(lo, hi int)) { parallelN(n, n, f) }

// parallelN is parallel for units of work that cover elements in all.
func parallelN(units, elements int, f func(lo, hi int)) {
	workers := min(runtime.GOMAXPROCS(0), elements/(grain/2), units)
	if elements < grain || workers < 2 {
		f(0, units)
		return
	}
	var wg sync.WaitGroup
	for k := range workers {
		lo, hi := k*units/workers, (k+1)*units/workers
		wg.Go(func() { f(lo, hi) })
	}
	wg.Wait()
}

// overlap reports whether two non-empty slices share memory.
func overlap(a, b []float64) bool {
	pa, pb := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return pa < pb+8*uintptr(len(b)) && pb < pa+8*uintptr(len(a))
}
