//go:build !js

package worker

import (
	"fmt"
	"os"
	"strconv"

	"gaucho/interp/loader"
	"gaucho/interp/wire"
	"gaucho/interp/wire/pipe"
)

// Main is the worker's main function. Its arguments are the numbers of the files that it shares with the kernel, and the
// memory in bytes that it may use, 0 for any amount. take, if not nil, is called with the task for the
// studies of cells (see [wire.Task]), and with the function that sends news about it. Main returns the process's exit status
// when the kernel has said goodbye or is gone.
//
// With the arguments probe and tables or pages it tries what loading compiled code needs, prints what it lacks, and returns 1 if it does.
func Main(args []string, take func(task []byte, news func([]byte))) int {
	if len(args) == 2 && args[0] == "probe" {
		return probe(args[1])
	}
	if len(args) != pipe.NumFiles+1 {
		fmt.Fprintln(os.Stderr, "this command is started by the kernel, not by hand")
		return 2
	}
	var handles [pipe.NumFiles]uintptr
	for i := range handles {
		n, err := strconv.ParseUint(args[i], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "worker: bad file number", args[i])
			return 2
		}
		handles[i] = uintptr(n)
	}
	limit, _ := strconv.ParseUint(args[pipe.NumFiles], 10, 64)
	os.Args = os.Args[:1] // cells have no arguments

	guardProcess()
	requests := pipe.OpenFile(handles[pipe.Requests], "requests")
	messages := pipe.OpenFile(handles[pipe.Messages], "messages")
	raw := [2]*pipe.Raw{pipe.OpenRaw(handles[pipe.RawStdout]), pipe.OpenRaw(handles[pipe.RawStderr])}
	serveOn(wire.NewConn(requests, messages), raw, limit, take)
	endChildren()
	return 0
}

// probe tries a part of what loading needs.
func probe(what string) int {
	try := map[string]func() error{"tables": loader.CheckTables, "pages": loader.TryPages}[what]
	if try == nil {
		fmt.Fprintln(os.Stderr, "worker: nothing is probed as", what)
		return 2
	}
	if err := try(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}
