//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"errors"
	"sync/atomic"
	"unsafe"
)

// LogReads has package os tell log which variables of the environment and which files the program asks for, as it tells go test
// of those that a test asks for. The log of a test that runs takes its place.
func (l *Loader) LogReads(log ReadLog) error {
	addr, ok := l.host.symtab.lookup("internal/testlog.logger")
	if !ok {
		return errors.New("the program has no internal/testlog.logger")
	}
	// The package's variable is an atomic.Pointer of its own interface type, which has these methods.
	(*atomic.Pointer[ReadLog])(unsafe.Pointer(pointer(addr))).Store(&log)
	return nil
}
