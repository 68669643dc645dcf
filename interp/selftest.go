package interp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"gaucho/interp/kit"
	"gaucho/interp/loader"
)

// nativeWorks reports whether sessions of this program are native by default. If not, why is the reason and what to do about it,
// empty for a program of a test. A loader can fail in ways that crash the program, so the first session of a program on
// a system runs a few cells in a separate session; the result is kept. later is told what becomes of a kit that is made meanwhile.
func nativeWorks(ctx context.Context, opts Options, later func(string)) (works bool, why string) {
	if opts.Worker != nil || !kit.Available() {
		return false, ""
	}
	if err := loader.Room(); err != nil {
		return false, "there is no room for compiled cells: " + err.Error()
	}
	k, err := kit.Find()
	if err != nil {
		return false, kit.OneLine(err)
	}
	if k.Missing() {
		if err := loader.Supported(); err != nil {
			return false, err.Error()
		}
		if opts.Waiting == nil && !kit.Carried() {
			return false, prepare(k, later)
		}
	}
	if k, err = kit.Open(ctx, tell(&opts)); err != nil {
		return false, kit.OneLine(err)
	}
	if verdict, err := k.Verdict(); err == nil {
		return verdict == "", verdict
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err.Error()
	}
	if err := loader.Supported(); err != nil { // this reads the program's symbols, so not at every start
		return false, err.Error()
	}
	if !tried[runtime.GOOS+"/"+runtime.GOARCH] {
		return false, testLater(k, later)
	}
	verdict, err := testNative(ctx, k, opts, shortTest, func(NativeStage) {})
	if err != nil {
		return false, fmt.Sprintf("the native engine could not be tested: %s; the next session tests it again", kit.OneLine(err))
	}
	return verdict == "", verdict
}

// tried are the systems on which the project has run the native engine, if only in an emulator: docs/native.md says how. On others
// the first session interprets its cells while the long test runs.
var tried = map[string]bool{"linux/amd64": true, "linux/arm64": true, "windows/amd64": true}

// testLater has the native engine tested by a process of its own and returns why the session does not wait for that.
func testLater(k *kit.Kit, later func(string)) (why string) {
	self, err := os.Executable()
	if err == nil {
		err = k.Background([]string{self, "kit", "test"}, func() {
			if verdict, err := k.Verdict(); err == nil && verdict == "" {
				later("the native engine has passed its test; restart the kernel, and its cells are compiled")
			} else if err == nil {
				later(verdict)
			}
		})
	}
	if err != nil {
		return kit.OneLine(err)
	}
	return "on " + runtime.GOOS + "/" + runtime.GOARCH + " the native engine is used after a long test, which runs in the background now, once: restart the kernel in some minutes"
}

// prepare has the kit made by a process of its own and returns why the session does not wait for it.
func prepare(k *kit.Kit, later func(string)) (why string) {
	failure := k.Failure()
	self, err := os.Executable()
	if err == nil {
		err = k.Prepare([]string{self, "kit"}, func() {
			if failure := k.Failure(); failure != "" && k.Missing() {
				later(failure)
			} else if !k.Missing() {
				later("the compiler is made; restart the kernel, and its cells are compiled")
			}
		})
	}
	switch {
	case err != nil:
		return kit.OneLine(err)
	case failure != "":
		return failure + "; it is tried again now"
	}
	return "this program came without its compiler, as go build makes it; it is being made, once, in some minutes: restart the kernel then"
}

// tell returns what informs those who wait for the session.
func tell(o *Options) kit.Say {
	return func(format string, args ...any) {
		if text := strings.TrimSpace(fmt.Sprintf(format, args...)); o.Waiting != nil {
			o.Waiting(text)
		} else {
			o.Log.Warn(text)
		}
	}
}
