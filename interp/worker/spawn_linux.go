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
