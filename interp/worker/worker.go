// Package worker is the process in which cells run. The kernel starts it with package [gaucho/interp/supervisor]: the same
// program again, with the hidden command that calls [Main].
//
// Two of the four pipes that join the two carry messages (package wire). The worker's standard output and standard error are
// pipes too: what compiled code and subprocesses write there the worker reads itself and sends on, between the messages in
// which cells print, so that all output keeps its order. Nothing that a cell printed stays in the worker's memory, so
// nothing is lost with it.
package worker

import (
	"log"
	"runtime"
	"runtime/debug"

	"gaucho/interp/rt/run"
	"gaucho/interp/wire"
	"gaucho/interp/wire/pipe"
	"gaucho/stdlib/display"
	"gaucho/stdlib/linalg"
)

// ready is called when the worker is about to take requests. Tests replace it.
var ready = func() {}

// serveOn serves requests that come by conn until the kernel says goodbye or is gone. What is written to the process's own
// streams raw is sent on; limit is the memory in bytes that it may use, 0 for any amount. take is as for [Main].
func serveOn(conn *wire.Conn, raw [2]*pipe.Raw, limit uint64, take func(task []byte, news func([]byte))) {
	newCommandLine()
	debug.SetTraceback("single")
	w := newServer(conn)
	w.task = take
	w.out.raw = raw
	for i := range raw {
		go w.out.forward(i)
	}
	linalg.UseGonum() // what cells do with mat runs on our products
	run.SetHost(w)
	display.SetSink(displays{w})
	log.SetOutput(run.Stderr)
	run.Limits(limit, w.overMemory)
	runtime.LockOSThread() // cells must not run on the main thread, which Go never gives up
	ready()
	w.serve()
}
