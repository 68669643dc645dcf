package asm

import "testing"

// TestPhilox compares with the known answers of Random123 (kat_vectors,
// philox4x32 10).
func TestPhilox(t *testing.T) {
	for _, c := range []struct {
		index, block, key uint64
		want              [4]uint32
	}{
		{0, 0, 0, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{1<<64 - 1, 1<<64 - 1, 1<<64 - 1, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822, [4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		var keys [80]uint64
		roundKeys(&keys, c.key)
		if got := philox(&keys, c.index, c.block); got != c.want {
			t.Errorf("philox(%x, %x; %x) = %x, want %x", c.index, c.block, c.key, got, c.want)
		}
	}
}
