//go:build go1.26 && !go1.28 && (linux || darwin || windows) && !race && !msan && !asan

package loader

import "encoding/binary"

// codeReturn is a function that returns n.
func codeReturn(n uint16) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte{0xb8}, uint32(n)), 0xc3) // MOVL $n, AX; RET
}

// codeJump jumps over a distance from its own beginning.
func codeJump(distance int64) []byte {
	const length = 5
	return binary.LittleEndian.AppendUint32([]byte{0xe9}, uint32(distance-length)) // JMP
}
