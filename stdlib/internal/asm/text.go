package asm

import (
	"math/bits"
	"unsafe"
)

// SeparatorsRoom is how many places [Separators] may overwrite after the last one that it sets.
const SeparatorsRoom = 12

// Separators writes the positions of the commas, line feeds and quotes of a text to at, in order, and returns their number. The
// comma may be another sign. The first byte of the text is at position first. There must be places for as many positions as the
// text has bytes, and SeparatorsRoom more.
func Separators(at []uint32, text string, first uint32, comma byte) int {
	_ = at[len(text)+SeparatorsRoom-1]
	n, from := 0, 0
	if blocks := len(text) / 64; blocks > 0 && level >= AVX2 {
		n = separatorsAVX2(&at[0], unsafe.StringData(text), blocks, first, comma)
		from = 64 * blocks
	}
	commas := uint64(comma) * Ones
	for ; from+8 <= len(text); from += 8 {
		for marks := SeparatorsIn(Eight(text[from:]), commas); marks != 0; marks &= marks - 1 {
			at[n] = first + uint32(from+bits.TrailingZeros64(marks)/8)
			n++
		}
	}
	for ; from < len(text); from++ {
		if c := text[from]; c == comma || c == '\n' || c == '"' {
			at[n] = first + uint32(from)
			n++
		}
	}
	return n
}

// SeparatorsIn sets the highest bit of the bytes of a word that [Separators] looks for; commas are eight of the comma.
func SeparatorsIn(word, commas uint64) uint64 {
	return zeros(word^commas) | zeros(word^'\n'*Ones) | zeros(word^'"'*Ones)
}

// Ones is a word of eight bytes 1.
const Ones = 0x0101010101010101

// Eight returns the first eight bytes of the text as a word, the first one lowest.
func Eight(text string) uint64 {
	_ = text[7]
	return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
}

// zeros sets the highest bit of the bytes of a word that are 0, and no other. No sum leaves its byte.
func zeros(word uint64) uint64 {
	const low = 0x7f * Ones
	return ^(word&low + low | word | low)
}
