//go:build go1.26 && !go1.28 && !race && !msan && !asan

package loader

// flushCode makes the processor see code that was written as data.
func flushCode(addr, size uintptr)
