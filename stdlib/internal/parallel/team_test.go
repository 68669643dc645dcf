package parallel

import (
	"context"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"testing"

	"gaucho/internal/halt"
)

// Many callers at once, each with teams inside its parts: every part runs once.
func TestTeamsInTeams(t *testing.T) {
	const callers, outer, inner = 8, 5, 7
	var hits [callers][outer][inner]atomic.Int32
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			Team(outer, func(i, of int) {
				if of != outer {
					t.Errorf("of = %d, want %d", of, outer)
				}
				Team(inner, func(k, _ int) { hits[c][i][k].Add(1) })
			})
		})
	}
	wg.Wait()
	for c := range callers {
		for i := range outer {
			for k := range inner {
				if n := hits[c][i][k].Load(); n != 1 {
					t.Errorf("part %d, %d, %d ran %d times", c, i, k, n)
				}
			}
		}
	}
}

// Helpers work under the labels of who called, and keep none of them.
func TestTeamLabels(t *testing.T) {
	for range 100 {
		for _, who := range []string{"a", "b"} {
			pprof.Do(context.Background(), pprof.Labels("who", who), func(context.Context) {
				caller := labels()
				Team(50, func(int, int) {
					if labels() != caller {
						t.Errorf("a part of %s runs under the labels of another", who)
					}
				})
			})
		}
	}
}

// A goroutine that must end leaves a team when the parts under way have ended, whoever runs them, and teams go on to work.
func TestTeamEnds(t *testing.T) {
	const of = 1000
	var begun atomic.Int64
	ending := pprof.Labels("end", "me")
	var mine atomic.Pointer[byte]
	halt.SetHost(func() {
		if begun.Load() >= of/2 && (*byte)(labels()) == mine.Load() {
			runtime.Goexit()
		}
	})
	defer halt.SetHost(func() {})
	for range 50 {
		begun.Store(0)
		var underWay, other atomic.Int64
		returned := false
		var wg sync.WaitGroup
		wg.Go(func() {
			pprof.Do(context.Background(), ending, func(context.Context) {
				mine.Store((*byte)(labels()))
				Team(of, func(w, _ int) {
					underWay.Add(1)
					defer underWay.Add(-1)
					begun.Add(1)
					Team(3, func(int, int) { halt.Here() })
				})
				returned = true
			})
		})
		wg.Go(func() { Team(of, func(int, int) { other.Add(1) }) })
		wg.Wait()
		if returned || begun.Load() > of/2+int64(runtime.GOMAXPROCS(0)) || underWay.Load() != 0 {
			t.Fatalf("returned %v after %d of %d parts, %d under way", returned, begun.Load(), of, underWay.Load())
		}
		if other.Load() != of {
			t.Fatalf("%d parts of another's team ran, want %d", other.Load(), of)
		}
	}
}
