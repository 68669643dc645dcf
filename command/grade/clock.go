package grade

import (
	"context"
	"fmt"
	"time"

	"gaucho/command/headless"
)

// A clock is what one cell may take: processor time of the worker's threads together, and time that passes. The first is
// the submission's own doing. The second also runs while others have the processors, so what it ends may deserve another try.
type clock struct {
	limit time.Duration // of processor time
	wall  time.Duration
	end   time.Time // of the whole submission

	worker func() []string // the directories in which the system describes the worker
}

// start returns a context that the clock ends. The function that comes with it stops the clock, and reports whether time
// ran out while the worker could have run but had no processor.
func (c *clock) start() (context.Context, func() (short bool)) {
	ctx, cancel := context.WithCancelCause(context.Background())
	before, measured := usageOf(c.worker())
	wall := c.wall
	if !measured {
		wall = c.limit // the one clock that there is
	}
	ended := make(chan bool, 1)
	go func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		began := time.Now()
		var last usage
		var late time.Duration // by which ticks came after their time: this process, which checks cells, waited as well
		tocked := began
		for {
			select {
			case <-ctx.Done():
				ended <- false
				return
			case <-tick.C:
			}
			now := time.Now()
			late += max(0, now.Sub(tocked)-20*time.Millisecond)
			tocked = now
			if u, ok := usageOf(c.worker()); ok {
				last = usage{u.ran - before.ran, max(last.waited, u.waited-before.waited)}
			}
			switch passed := time.Since(began); {
			case measured && last.ran > c.limit:
				cancel(headless.Timeout(fmt.Sprintf("the cell took longer than %s", c.limit)))
			case passed > wall && time.Now().After(c.end):
				cancel(headless.Timeout("all cells together took longer than they may"))
				ended <- last.waited+late > c.limit/2
				return
			case passed > wall:
				cancel(headless.Timeout(fmt.Sprintf("the cell took longer than %s by the clock", wall)))
				ended <- last.waited+late > c.limit/2
				return
			}
		}
	}()
	return ctx, func() bool {
		cancel(nil)
		return <-ended
	}
}
