//go:build go1.26 && !go1.28 && (amd64 || arm64) && !race && !msan && !asan

package loader

import "syscall"

const mapFixedNoReplace = 0x100000 // MAP_FIXED_NOREPLACE, Linux 4.17; older kernels take it for a hint

func reserveMemory(hint, size uintptr) (uintptr, error) {
	const flags = syscall.MAP_PRIVATE | syscall.MAP_ANON | syscall.MAP_NORESERVE | mapFixedNoReplace
	addr, _, errno := syscall.Syscall6(syscall.SYS_MMAP, hint, size, syscall.PROT_NONE, flags, ^uintptr(0), 0)
	if errno != 0 {
		return 0, errno
	}
	return addr, nil
}

func unreserveMemory(addr, size uintptr) { syscall.Syscall(syscall.SYS_MUNMAP, addr, size, 0) }

func commitMemory(addr, size uintptr) error {
	return protect(addr, size, syscall.PROT_READ|syscall.PROT_WRITE)
}

func dontNeed(b []byte) { syscall.Madvise(b, syscall.MADV_DONTNEED) }
