package kernel

import (
	"context"
	"os"
	"strconv"

	"golang.org/x/sys/windows"
)

// starterGone waits until the process ends whose handle Jupyter passes in JPY_PARENT_PID. It says false when ctx ends first.
func starterGone(ctx context.Context) bool {
	n, err := strconv.ParseUint(os.Getenv("JPY_PARENT_PID"), 10, 64)
	if err != nil {
		return false
	}
	for ctx.Err() == nil {
		event, err := windows.WaitForSingleObject(windows.Handle(n), 1000)
		switch {
		case err != nil:
			return false
		case event == windows.WAIT_OBJECT_0:
			return true
		}
	}
	return false
}
