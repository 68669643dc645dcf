// Package parallel runs loops over all cores in blocks of a fixed size, so that
// what a block computes does not depend on how many cores there are.
package parallel

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
	if 0 < n && n <= block {
		f(0, 0, n)
		return
	}
	Team(Count(max(n, 0), block), func(b, _ int) {
		f(b, b*block, min((b+1)*block, n))
	})
}

// Count returns the number of blocks that [Blocks] cuts n into.
func Count(n, block int) int { return (n + block - 1) / block }
