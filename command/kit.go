package command

import (
	"context"
	"fmt"
	"os"

	"gaucho/interp/kit"
)

// kitCommand makes the kit of a program without one. Sessions that do not wait for it start this.
var kitCommand = command{name: "kit"}

func init() {
	kitCommand.run = func(args []string) int {
		if len(args) > 0 {
			return usage(kitCommand, "takes no arguments")
		}
		if _, err := kit.Open(context.Background(), func(format string, args ...any) { waiting(fmt.Sprintf(format, args...)) }); err != nil {
			return fail(err)
		}
		return 0
	}
}

// waiting reports to the user what the program waits for.
func waiting(line string) { fmt.Fprintln(os.Stderr, "gaucho:", line) }
