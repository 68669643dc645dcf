//go:build go1.26 && !go1.28 && !race && !msan && !asan

package loader

import (
	"syscall"
	_ "unsafe" // for go:linkname
)

//go:cgo_import_dynamic libc_sys_icache_invalidate sys_icache_invalidate "/usr/lib/libSystem.B.dylib"

// icacheInvalidate is the address of a jump to it.
var icacheInvalidate uintptr

//go:linkname syscallSyscall syscall.syscall
func syscallSyscall(fn, a1, a2, a3 uintptr) (r1, r2 uintptr, err syscall.Errno)

// flushCode makes the processor see code that was written as data. The register that describes the caches, which Linux lets
// programs read, is trapped by macOS.
func flushCode(addr, size uintptr) { syscallSyscall(icacheInvalidate, addr, size, 0) }
