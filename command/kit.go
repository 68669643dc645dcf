package command

import (
	"context"
	"fmt"
	"os"

	"gaucho/interp"
	"gaucho/interp/kit"
)

// kitCommand makes the kit of a program without one; with the argument test it then makes the long test of the native engine, unless
// another process does. Sessions that do not wait for it start this.
var kitCommand = command{name: "kit"}

func init() {
	kitCommand.run = func(args []string) int {
		test := len(args) == 1 && args[0] == "test"
		if len(args) > 0 && !test {
			return usage(kitCommand, "takes no arguments but test")
		}
		if test {
			kit.GiveWay()
		}
		k, err := kit.Open(context.Background(), func(format string, args ...any) { waiting(fmt.Sprintf(format, args...)) })
		if err != nil {
			return fail(err)
		}
		if release, alone := k.Alone(); test && alone {
			defer release()
			err = interp.TryNative(context.Background(), interp.Options{}, func(interp.NativeStage) {})
		}
		if err != nil {
			return fail(err)
		}
		return 0
	}
}

// waiting reports to the user what the program waits for.
func waiting(line string) { fmt.Fprintln(os.Stderr, "gaucho:", line) }
