//go:build !windows

package kernel

import (
	"context"
	"os"
	"time"
)

// starterGone waits until the parent process ends, which gives this one another parent. It says false when ctx ends first.
func starterGone(ctx context.Context) bool {
	starter := os.Getppid()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for os.Getppid() == starter {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
	return true
}
