package supervisor

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// totalMemory returns the machine's memory in bytes, 0 if that cannot be told.
func totalMemory() uint64 {
	var status struct {
		length, load                                      uint32
		total, available, totalPage, availablePage        uint64
		totalVirtual, availableVirtual, availableExtended uint64
	}
	status.length = uint32(unsafe.Sizeof(status))
	ok, _, _ := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx").Call(uintptr(unsafe.Pointer(&status)))
	if ok == 0 {
		return 0
	}
	return status.total
}
