// Package syscalls needs functions of package runtime.
package syscalls

import "unsafe"

// Pid asks the system, as golang.org/x/sys/unix does.
func Pid() int { return int(noError(getpid)) }

func noError(trap uintptr) uintptr

//go:linkname maplen reflect.maplen
func maplen(m unsafe.Pointer) int

//go:linkname mapiterinit reflect.mapiterinit
func mapiterinit(t, m, it unsafe.Pointer)

// Len is the length of a map, by package reflect's own function.
func Len(m map[string]int) int {
	if m == nil {
		mapiterinit(nil, nil, nil)
	}
	return maplen(*(*unsafe.Pointer)(unsafe.Pointer(&m)))
}
