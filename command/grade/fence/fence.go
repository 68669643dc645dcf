// Package fence lets a process shut itself in: it gives up, for good and for all its threads, every right that code of a
// stranger could misuse. On Linux it rests on three things that need no privilege and no cgo. Landlock keeps the process
// in one directory and away from TCP. A seccomp filter allows the system calls that Go and a session need, and refuses all
// others: sockets of all sorts (Landlock stops TCP only), new processes and programs (Landlock stops neither), signals to
// others, changes of files' owners, modes and attributes (which Landlock does not see), memory that is shared (which no limit
// sees) or becomes code, tracing, mounting, what has let others out of such fences, io_uring above all, and what kernels
// will think of. Limits of resources stop the rest: memory by RLIMIT_DATA (RLIMIT_AS would stop Go itself, which reserves addresses that it does not
// use), processor time, the size of files and their number.
//
// What it does not do: keep time (a process that sleeps costs nothing; its parent must watch the clock), count bytes on the
// disk over many files, or hide what was open before. Root is held like any other user.
package fence

import (
	"errors"
	"time"
)

// Rules say what a process in the fence may still do.
type Rules struct {
	Dir     string        // the directory in which it may read and write
	Read    []string      // files and directories that it may read besides
	Signals bool          // it may signal other processes
	Data    uint64        // bytes of memory that it may write to; 0 for no limit
	CPU     time.Duration // of all its threads together, whole seconds; 0 for no limit
	File    uint64        // bytes that a file may have; 0 for no limit
}

// ErrNone says that this machine has no fence.
var ErrNone = errors.New("fence: this machine has none: it needs Linux 5.13 or later with Landlock and seccomp, on amd64 or arm64")
