// Command host is the program into which the loader's tests load packages.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"gaucho/interp/loader"
	"gaucho/interp/loader/internal/hook"
)

// anchors refers to what packages may use of the program; the tests add a file that sets it.
var anchors []any

// main loads the packages that its arguments name, each as path=file, and calls what each leaves in hook.Entry. An error is
// printed where the argument begins with an exclamation mark, and ends the program elsewhere. A number in front of a colon
// has the package loaded that often, as volume does it. The only argument probe has the program try what loading needs.
func main() {
	runtime.KeepAlive(anchors)
	hook.Keep = &hook.Plain{N: new(int)}
	if len(os.Args) == 2 && os.Args[1] == "probe" {
		fmt.Println("tables:", loader.CheckTables())
		fmt.Println("pages:", loader.TryPages())
		return
	}
	l, err := loader.Open()
	if err != nil {
		fail(err)
	}
	for _, arg := range os.Args[1:] {
		arg, refused := strings.CutPrefix(arg, "!")
		path, file, _ := strings.Cut(arg, "=")
		archive, err := os.ReadFile(file)
		if err != nil {
			fail(err)
		}
		if times, name, ok := strings.Cut(path, ":"); ok {
			n, err := strconv.Atoi(times)
			if err == nil {
				err = volume(l, name, archive, n)
			}
			if err != nil {
				fail(err)
			}
			continue
		}
		hook.Entry = nil
		switch err := l.Load(path, archive); {
		case refused:
			fmt.Println(err)
		case err != nil:
			fail(err)
		case hook.Entry != nil:
			hook.Entry()
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
