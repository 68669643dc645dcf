package worker

import (
	"strconv"
	"syscall/js"
	"time"

	"gaucho/interp/rt/run"
	"gaucho/interp/wire"
	"gaucho/interp/wire/pipe"
)

// Main is the main function of a Web Worker that the supervisor has started. Its argument is the memory in bytes that it may
// use; take is as for a process. What the page is to it:
//
//	gaucho.send(bytes)       sends messages to the supervisor
//	gaucho.receive(bytes)    set here, takes messages of the supervisor
//	gaucho.raw(file, bytes)  set here, takes what was written to the program's own standard output, 1, and error
//	gaucho.poll() → bytes    messages that have come while Go code runs, in a page whose workers share memory; else null
func Main(args []string, take func(task []byte, news func([]byte))) int {
	limit, _ := strconv.ParseUint(args[0], 10, 64)
	page, requests := js.Global().Get("gaucho"), pipe.NewStream()
	page.Set("receive", js.FuncOf(func(_ js.Value, args []js.Value) any { requests.Push(args[0]); return nil }))
	raw := [2]*pipe.Raw{pipe.NewRaw(), pipe.NewRaw()}
	page.Set("raw", js.FuncOf(func(_ js.Value, args []js.Value) any { raw[args[0].Int()-1].Push(args[1]); return nil }))
	poll := page.Get("poll")
	run.SetPoll(10*time.Millisecond, func() {
		if more := poll.Invoke(); !more.IsNull() {
			requests.Push(more)
		}
	})
	serveOn(wire.NewConn(requests, pipe.Writer(page.Get("send"))), raw, limit, take)
	return 0
}
