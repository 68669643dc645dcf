// Command host is the program into which the loader's tests load packages.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"gaucho/interp/loader"
	"gaucho/interp/loader/internal/hook"
)

// main loads the packages that its arguments name, each as path=file, and calls what each leaves in hook.Entry.
func main() {
	runtime.KeepAlive(anchors)
	l, err := loader.Open()
	if err != nil {
		fail(err)
	}
	for _, arg := range os.Args[1:] {
		path, file, _ := strings.Cut(arg, "=")
		archive, err := os.ReadFile(file)
		if err != nil {
			fail(err)
		}
		hook.Entry = nil
		if err := l.Load(path, archive); err != nil {
			fail(err)
		}
		if hook.Entry != nil {
			hook.Entry()
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// anchors refers to what packages may use of the program; the tests add a file that sets it.
var anchors []any
