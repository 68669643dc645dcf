package parallel

import (
	"context"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"testing"
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
