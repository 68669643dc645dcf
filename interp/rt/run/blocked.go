package run

import (
	"bytes"
	"runtime"
	"strconv"
	"time"
)

// goroutineID returns the number by which the runtime's stack traces name the running goroutine.
func goroutineID() int64 {
	var b [40]byte
	s, _, _ := bytes.Cut(bytes.TrimPrefix(b[:runtime.Stack(b[:], false)], []byte("goroutine ")), []byte(" "))
	id, _ := strconv.ParseInt(string(s), 10, 64)
	return id
}

// blocked reports whether a goroutine, and all those that it started and those that these started, wait for something,
// so that they use no processor until that comes. It looks three times, for one may be only passing through a wait.
func blocked(id int64) bool {
	for i := range 3 {
		if i > 0 {
			time.Sleep(5 * time.Millisecond)
		}
		if !blockedNow(allStacks(), id) {
			return false
		}
	}
	return true
}

// allStacks returns the stack traces of all goroutines.
func allStacks() []byte {
	for size := max(1<<18, 1<<10*runtime.NumGoroutine()); ; size *= 4 {
		b := make([]byte, size)
		if n := runtime.Stack(b, true); n < size || size >= 1<<28 {
			return b[:n]
		}
	}
}

// blockedNow reports the same from the stack traces of all goroutines. They are in this form, with an empty line between
// two of them:
//
//	goroutine 12 [chan receive, 2 minutes]:
//	main.f(...)
//		/home/x/main.go:10 +0x5e
//	created by main.main in goroutine 1
//		/home/x/main.go:5 +0x118
func blockedNow(stacks []byte, id int64) bool {
	type state struct {
		parent int64
		busy   bool
	}
	all := map[int64]state{}
	for len(stacks) > 0 {
		var s []byte
		s, stacks, _ = bytes.Cut(stacks, []byte("\n\n"))
		head, _, _ := bytes.Cut(s, []byte("\n"))
		g := int64(between(head, "goroutine ", " "))
		_, what, _ := bytes.Cut(head, []byte("["))
		what, _, _ = bytes.Cut(what, []byte("]"))
		what, _, _ = bytes.Cut(what, []byte(","))
		st := state{}
		if i := bytes.LastIndex(s, []byte("\ncreated by ")); i >= 0 {
			st.parent = int64(between(s[i:], " in goroutine ", "\n"))
		}
		// A call of the system that takes long, as reading a terminal or waiting for a subprocess, uses no processor.
		switch string(what) {
		case "running", "runnable", "preempted", "copystack", "running (scan)", "runnable (scan)":
			st.busy = true
		}
		all[g] = st
	}
	if _, ok := all[id]; !ok {
		return false // it has ended, and the answer is on its way
	}
	for g, st := range all {
		if !st.busy {
			continue
		}
		for up := g; up != 0; up = all[up].parent {
			if up == id {
				return false
			}
		}
	}
	return true
}

// between returns the number in b between two texts, 0 if there is none.
func between(b []byte, before, after string) int {
	_, b, ok := bytes.Cut(b, []byte(before))
	if !ok {
		return 0
	}
	b, _, _ = bytes.Cut(b, []byte(after))
	n, _ := strconv.Atoi(string(b))
	return n
}
