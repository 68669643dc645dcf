//go:build unix && !linux

package supervisor

import (
	"os"
	"syscall"
)

const fionread = 0x4004667f // FIONREAD of macOS and the BSDs

// dieWithParent has nothing to do: the worker ends when the kernel's end of the pipe closes.
func dieWithParent(*syscall.SysProcAttr) {}

// messagePipe opens a pipe for the worker's messages.
func messagePipe() (r, w *os.File, err error) { return os.Pipe() }

// residentMemory cannot tell here; the worker watches its own memory.
func residentMemory(pid int) uint64 { return 0 }
