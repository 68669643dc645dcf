//go:build go1.26 && !go1.28 && (linux || darwin || windows) && !race && !msan && !asan

package loader

// flushCode makes the processor see code that was written as data, which this one does by itself.
func flushCode(addr, size uintptr) {}
