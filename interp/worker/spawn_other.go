//go:build unix && !linux

package worker

import "syscall"

const fionread = 0x4004667f // FIONREAD of macOS and the BSDs

// dieWithParent has nothing to do: the worker ends when the kernel's end of the pipe closes.
func dieWithParent(*syscall.SysProcAttr) {}

// residentMemory cannot tell here; the worker watches its own memory.
func residentMemory(pid int) uint64 { return 0 }
