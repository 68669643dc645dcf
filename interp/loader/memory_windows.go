//go:build go1.26 && !go1.28 && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

type protection uint32

const (
	readOnly   protection = windows.PAGE_READONLY
	executable protection = windows.PAGE_EXECUTE_READ
)

func reserveMemory(hint, size uintptr) (uintptr, error) {
	return windows.VirtualAlloc(hint, size, windows.MEM_RESERVE, windows.PAGE_NOACCESS)
}

func unreserveMemory(addr, size uintptr) { windows.VirtualFree(addr, 0, windows.MEM_RELEASE) }

func commitMemory(addr, size uintptr) error {
	if _, err := windows.VirtualAlloc(addr, size, windows.MEM_COMMIT, windows.PAGE_READWRITE); err != nil {
		return fmt.Errorf("VirtualAlloc: %w", err)
	}
	return nil
}

func protect(addr, size uintptr, prot protection) error {
	var old uint32
	if err := windows.VirtualProtect(addr, size, uint32(prot), &old); err != nil {
		return fmt.Errorf("VirtualProtect: %w", err)
	}
	return nil
}

func mapFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	mapping, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, fmt.Errorf("CreateFileMapping %s: %w", name, err)
	}
	defer windows.CloseHandle(mapping) // the view keeps it
	addr, err := windows.MapViewOfFile(mapping, windows.FILE_MAP_READ, 0, 0, 0)
	if err != nil {
		return nil, fmt.Errorf("MapViewOfFile %s: %w", name, err)
	}
	return bytesAt(addr, uintptr(info.Size())), nil
}

// dontNeed does nothing: what of a file is in memory counts for the system's cache.
func dontNeed(b []byte) {}
