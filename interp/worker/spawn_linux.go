package worker

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
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(b)
	if len(fields) < 3 {
		return 0
	}
	resident, _ := strconv.ParseUint(string(fields[1]), 10, 64)
	shared, _ := strconv.ParseUint(string(fields[2]), 10, 64)
	return (resident - min(shared, resident)) * uint64(os.Getpagesize())
}
