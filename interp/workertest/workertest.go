// Package workertest lets the test binary of a package that starts sessions be the worker of these sessions. Linking it takes
// seconds, because all that cells can import comes along: tests that run no cell are better in packages without it.
package workertest

import (
	"os"

	"gaucho/interp/worker"
)

// Serve is the worker, and ends the process, if it was started as one; otherwise it does nothing. TestMain calls it first.
func Serve() {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		os.Exit(worker.Main(os.Args[2:], nil))
	}
}
