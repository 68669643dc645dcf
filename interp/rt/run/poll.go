package run

import (
	"runtime"
	"time"
)

// polling is what a thread that never leaves Go code by itself does now and then: a browser's. There nothing interrupts a
// loop, neither another goroutine nor a message.
var polling struct {
	f     func()
	every time.Duration
	last  time.Time
}

// SetPoll has cells call f at most so often, at loop heads and function entries, and then let other goroutines run. It is
// called before the first cell, on a platform with one thread.
func SetPoll(every time.Duration, f func()) { polling.f, polling.every = f, every }

// Poll is what cells call, at every 256th check, where one thread runs all.
func Poll() {
	if now := time.Now(); polling.f != nil && now.Sub(polling.last) >= polling.every {
		polling.last = now
		polling.f()
		runtime.Gosched()
	}
}
