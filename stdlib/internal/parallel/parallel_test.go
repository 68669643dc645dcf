package parallel

import (
	"sync/atomic"
	"testing"
)

func TestBlocksCoverEveryIndexOnce(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		for _, block := range []int{1, 3, 8, 2000} {
			hits := make([]int32, n)
			Blocks(n, block, func(b, lo, hi int) {
				if lo != b*block {
					t.Errorf("block %d starts at %d, want %d", b, lo, b*block)
				}
				for i := lo; i < hi; i++ {
					atomic.AddInt32(&hits[i], 1)
				}
			})
			for i, h := range hits {
				if h != 1 {
					t.Fatalf("n=%d block=%d: index %d visited %d times", n, block, i, h)
				}
			}
		}
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct{ n, block, want int }{{0, 4, 0}, {1, 4, 1}, {4, 4, 1}, {5, 4, 2}} {
		if got := Count(c.n, c.block); got != c.want {
			t.Errorf("Count(%d, %d) = %d, want %d", c.n, c.block, got, c.want)
		}
	}
}
