package supervisor

import "golang.org/x/sys/unix"

// totalMemory returns the machine's memory in bytes, 0 if that cannot be told.
func totalMemory() uint64 {
	n, _ := unix.SysctlUint64("hw.memsize")
	return n
}
