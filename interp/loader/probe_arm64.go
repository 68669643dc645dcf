//go:build go1.26 && !go1.28 && (linux || darwin || windows) && !race && !msan && !asan

package loader

import "encoding/binary"

// codeReturn is a function that returns n.
func codeReturn(n uint16) []byte {
	const mov, ret = 0xd2800000, 0xd65f03c0 // MOVD $n, R0; RET
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, mov|uint32(n)<<5), ret)
}

// codeJump jumps over a distance from its own beginning.
func codeJump(distance int64) []byte {
	const b = 0x14000000
	return binary.LittleEndian.AppendUint32(nil, b|uint32(distance>>2)&0x03ffffff)
}
