package kernel

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"gaucho/kernel/zmtp"
)

// What passes a throttle stays within the limits that a server checks: in no three seconds more than 3,000,000 bytes
// of streams or 3000 messages; and nothing is held back much longer than that needs.
func TestThrottle(t *testing.T) {
	for _, c := range []struct {
		bytes, count  int
		kind          string
		least, atMost time.Duration
	}{
		{60_000, 300, "stream", 24 * time.Second, 28 * time.Second},
		{100, 10_000, "stream", 12 * time.Second, 15 * time.Second},
		{100_000, 2000, "display_data", 2 * time.Second, 3 * time.Second},
		{100_000, 10_000, "status", 0, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			limit := newThrottle()
			type sent struct {
				at    time.Time
				bytes int
			}
			var all []sent
			begun := time.Now()
			for range c.count {
				limit.wait(context.Background())
				limit.note(c.kind, zmtp.Message{make([]byte, c.bytes)})
				all = append(all, sent{time.Now(), c.bytes})
			}
			if took := time.Since(begun); took < c.least || took > c.atMost {
				t.Errorf("%d messages of %d bytes took %v", c.count, c.bytes, took)
			}
			if c.kind != "stream" {
				return
			}
			const window = 3500 * time.Millisecond // what came in half a second was counted late
			for first, i := 0, 0; i < len(all); i++ {
				for all[i].at.Sub(all[first].at) >= window {
					first++
				}
				if n := i - first + 1; n > 3000 || n*c.bytes > 3_000_000 {
					t.Fatalf("%d messages of %d bytes in three seconds", n, c.bytes)
				}
			}
		})
	}
}

func TestThrottleForgetsAndGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := newThrottle()
		fill := func() { limit.note("stream", zmtp.Message{make([]byte, burstBytes)}) }
		fill()
		limit.reset()
		if limit.over() != 0 {
			t.Error("idle does not reset it")
		}
		fill()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		begun := time.Now()
		limit.wait(ctx)
		if time.Since(begun) != 0 {
			t.Error("it waits although its context has ended")
		}
		var none *throttle
		none.note("stream", nil)
		none.wait(ctx)
		none.reset()
	})
}
