package supervisor

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

const fionread = unix.TIOCINQ

// dieWithParent has the kernel's end end the worker, also where it had no time to say goodbye.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGTERM }

// messagePipe opens a pipe for the worker's messages. It is outside the runtime's poller, so that what a cell writes wakes
// up nobody but a reader who waits for it, and large, so that the worker seldom waits for the kernel.
func messagePipe() (r, w *os.File, err error) {
	var fds [2]int
	if err := syscall.Pipe2(fds[:], syscall.O_CLOEXEC); err != nil {
		return nil, nil, os.NewSyscallError("pipe2", err)
	}
	unix.FcntlInt(uintptr(fds[1]), unix.F_SETPIPE_SZ, 1<<20) // or stays as it is, when the user has too many
	return os.NewFile(uintptr(fds[0]), "messages"), os.NewFile(uintptr(fds[1]), "messages"), nil
}

// residentMemory returns the bytes of memory that a process uses, 0 if that cannot be told.
func residentMemory(pid int) uint64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	var total uint64
	for line := range bytes.Lines(b) {
		name, rest, _ := bytes.Cut(line, []byte(":"))
		switch string(name) {
		case "RssAnon", "RssShmem": // all but what files hold anyway; of the latter is what was mapped to be shared
			if f := bytes.Fields(rest); len(f) == 2 {
				n, _ := strconv.ParseUint(string(f[0]), 10, 64)
				total += n << 10
			}
		}
	}
	return total
}
