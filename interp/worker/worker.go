// Package worker is the process in which cells run. The kernel starts it with package [gaucho/interp/supervisor]: the same
// program again, with the hidden command that calls [Main].
//
// Two of the four pipes that join the two carry messages (package wire). The worker's standard output and standard error are
// pipes too: what compiled code and subprocesses write there the worker reads itself and sends on, between the messages in
// which cells print, so that all output keeps its order. Nothing that a cell printed stays in the worker's memory, so
// nothing is lost with it.
package worker

import (
	"fmt"
	"log"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"

	"gaucho/interp/rt"
	"gaucho/interp/wire"
	"gaucho/interp/wire/pipe"
	"gaucho/stdlib/display"
	"gaucho/stdlib/linalg"
)

// ready is called when the worker is about to take requests. Tests replace it.
var ready = func() {}

// Main is the worker's main function. Its arguments are the numbers of the files that it shares with the kernel, and the
// memory in bytes that it may use, 0 for any amount. take, if not nil, is called with what the worker is told to do with the
// studies of cells (see [wire.Task]), and with what sends news of it. Main returns the process's exit status, when the kernel said goodbye
// or is gone.
func Main(args []string, take func(task []byte, news func([]byte))) int {
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

	guardProcess()
	debug.SetTraceback("single")

	requests := pipe.OpenFile(handles[pipe.Requests], "requests")
	messages := pipe.OpenFile(handles[pipe.Messages], "messages")
	conn := wire.NewConn(requests, messages)
	w := newServer(conn)
	w.task = take
	w.out.raw[0] = pipe.OpenRaw(handles[pipe.RawStdout])
	w.out.raw[1] = pipe.OpenRaw(handles[pipe.RawStderr])
	go w.out.forward(0)
	go w.out.forward(1)
	linalg.UseGonum() // what cells do with mat runs on our products
	rt.SetHost(w)
	display.SetSink(displays{w})
	log.SetOutput(rt.Stderr)
	rt.Limits(limit, w.overMemory)
	runtime.LockOSThread() // cells must not run on the main thread, which Go never gives up
	ready()
	w.serve()
	endChildren()
	return 0
}
