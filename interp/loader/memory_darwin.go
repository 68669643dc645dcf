//go:build go1.26 && !go1.28 && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// reserveMemory is a hint only: macOS has no MAP_FIXED_NOREPLACE, and takes the next free addresses above the hint.
func reserveMemory(hint, size uintptr) (uintptr, error) {
	p, err := unix.MmapPtr(-1, 0, pointer(hint), size, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	return uintptr(p), err
}

func unreserveMemory(addr, size uintptr) { unix.MunmapPtr(pointer(addr), size) }

// commitMemory maps new pages over the reserved ones, as the Go heap does. It is not MAP_JIT: pages are written, made executable and
// never written again.
func commitMemory(addr, size uintptr) error {
	_, err := unix.MmapPtr(-1, 0, pointer(addr), size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_FIXED)
	if err != nil {
		return fmt.Errorf("mmap: %w", err)
	}
	return nil
}

// dontNeed does nothing, as macOS would not read the pages from the file again.
func dontNeed(b []byte) {}
