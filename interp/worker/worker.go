// Package worker is the process in which cells run, and the kernel's handle on it.
//
// The kernel calls [Start], which runs the same program again with the hidden command that calls [Main]:
//
//	p, err := worker.Start(worker.Options{Sink: sink})
//	done, err := p.Run(&wire.Run{Cell: 1, Units: units})
//
// Four pipes join the two. Two carry messages (package wire). The worker's standard output and standard error are pipes
// too: what compiled code and subprocesses write there the worker reads itself and sends on, between the messages in
// which cells print, so that all output keeps its order; the kernel holds the reading ends as well and takes what is
// left in them when the worker has died. Nothing that a cell printed stays in the worker's memory, so nothing is lost
// with it.
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
	"gaucho/stdlib/display"
	"gaucho/stdlib/linalg"
)

// The worker's files after standard input, output and error, in the order in which Main gets their numbers.
const (
	fileRequests  = iota // messages from the kernel
	fileMessages         // messages to the kernel
	fileRawStdout        // reading end of the worker's standard output
	fileRawStderr        // reading end of the worker's standard error
	numFiles
)

// ready is called when the worker is about to take requests. Tests replace it.
var ready = func() {}

// Main is the worker's main function. Its arguments are the numbers of the files that it shares with the kernel, and the
// memory in bytes that it may use, 0 for any amount. It returns the process's exit status, when the kernel said goodbye
// or is gone.
func Main(args []string) int {
	if len(args) != numFiles+1 {
		fmt.Fprintln(os.Stderr, "this command is started by the kernel, not by hand")
		return 2
	}
	var handles [numFiles]uintptr
	for i := range handles {
		n, err := strconv.ParseUint(args[i], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "worker: bad file number", args[i])
			return 2
		}
		handles[i] = uintptr(n)
	}
	limit, _ := strconv.ParseUint(args[numFiles], 10, 64)

	guardProcess()
	debug.SetTraceback("single")

	requests := openFile(handles[fileRequests], "requests")
	messages := openFile(handles[fileMessages], "messages")
	conn := wire.NewConn(requests, messages)
	w := newServer(conn)
	w.out.raw[0] = openRaw(handles[fileRawStdout])
	w.out.raw[1] = openRaw(handles[fileRawStderr])
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
