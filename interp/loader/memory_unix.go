//go:build go1.26 && !go1.28 && (linux || darwin) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"fmt"
	"os"
	"syscall"
)

type protection int

const (
	readOnly   protection = syscall.PROT_READ
	executable protection = syscall.PROT_READ | syscall.PROT_EXEC
)

func protect(addr, size uintptr, prot protection) error {
	if err := syscall.Mprotect(bytesAt(addr, size), int(prot)); err != nil {
		return fmt.Errorf("mprotect: %w", err)
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
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("mmap %s: %w", name, err)
	}
	return data, nil
}
