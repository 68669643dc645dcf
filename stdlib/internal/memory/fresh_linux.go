package memory

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of a huge page where there are any.
const hugePage = 2 << 20

// Fresh returns n zeros. Large memory is asked for in huge pages: faulting it in
// by pages of 4 KB costs more than filling it.
func Fresh(n int) []float64 {
	p := make([]float64, n)
	if 8*n >= 2*hugePage {
		b := unsafe.Slice((*byte)(unsafe.Pointer(&p[0])), 8*n)
		skip := int(-uintptr(unsafe.Pointer(&p[0])) & (hugePage - 1))
		if whole := (len(b) - skip) / hugePage * hugePage; whole > 0 {
			// Advice only: where it is not taken, nothing changes.
			_ = syscall.Madvise(b[skip:skip+whole], syscall.MADV_HUGEPAGE)
		}
	}
	return p
}
