package table

import (
	"strings"
	"unsafe"
)

// room returns n values, each of which must be set: the memory is what it was. Clearing it takes as long as reading it, and what
// is read fills it anyway. A strings.Builder is what gives such memory.
func room[T byte | int | uint64 | float64 | bool | keyed](n int) []T {
	var b strings.Builder
	b.Grow(max(n*int(unsafe.Sizeof(*new(T))), 16)) // from 16 bytes on, memory suits any type
	b.WriteByte(0)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.StringData(b.String()))), n)
}
