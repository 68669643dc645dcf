// Package parallel runs loops over all cores in blocks of a fixed size, so that
// what a block computes does not depend on how many cores there are.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Blocks calls f(b, lo, hi) for every block b of the index range [0, n), where
// [lo, hi) has length block except for the last one. Calls run concurrently;
// each must write only what belongs to its block. Blocks returns when all calls
// have returned. With one block, or one processor, everything runs in the
// calling goroutine.
//
// The cut into blocks depends on n and block only. A caller that keeps one
// partial result per block and joins them in order gets the same bits on any
// number of processors.
func Blocks(n, block int, f func(b, lo, hi int)) {
	if n <= 0 {
		return
	}
	blocks := (n + block - 1) / block
	workers := min(runtime.GOMAXPROCS(0), blocks)
	if workers == 1 {
		for b := range blocks {
			f(b, b*block, min((b+1)*block, n))
		}
		return
	}
	var next atomic.Int64
	work := func() {
		for {
			b := int(next.Add(1)) - 1
			if b >= blocks {
				return
			}
			f(b, b*block, min((b+1)*block, n))
		}
	}
	var group sync.WaitGroup
	group.Add(workers - 1)
	for range workers - 1 {
		go func() {
			defer group.Done()
			work()
		}()
	}
	work()
	group.Wait()
}

// Count returns the number of blocks that [Blocks] cuts n into.
func Count(n, block int) int { return (n + block - 1) / block }
