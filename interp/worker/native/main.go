// Native is the worker of the compiled engine: the worker, able to load plugins. It must be built with cgo, by the
// toolchain that builds the plugins; package compiled does so.
package main

import (
	"os"
	"plugin"

	"gaucho/interp/worker"
)

func main() {
	worker.OpenPlugin = func(file string) error {
		_, err := plugin.Open(file)
		return err
	}
	os.Exit(worker.Main(os.Args[1:]))
}
