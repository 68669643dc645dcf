//go:build go1.26 && !go1.28 && !race && !msan && !asan

package loader

import "golang.org/x/sys/windows"

var flushInstructionCache = windows.NewLazySystemDLL("kernel32.dll").NewProc("FlushInstructionCache")

// flushCode makes the processor see code that was written as data.
func flushCode(addr, size uintptr) {
	flushInstructionCache.Call(uintptr(windows.CurrentProcess()), addr, size)
}
