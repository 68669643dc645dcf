package asm

import (
	"math/bits"
	"testing"
)

// TestScramble compares each level with the numbers one by one.
func TestScramble(t *testing.T) {
	var words [1500]uint32
	for i := range words {
		words[i] = uint32(i) * 0x9e3779b9
	}
	offset := [ScrambleGroup]uint32{0, 1, 1 << 31, 0xffffffff, 0x12345678, 7, 1 << 16, 0xdeadbeef}
	for _, l := range Levels() {
		old := Force(l)
		for _, seed := range []uint32{0, 1, 0xffffffff, 0x87654321} {
			for _, n := range []int{0, 1, 3, len(words)} {
				got := make([]float64, ScrambleGroup*n+1)
				got[ScrambleGroup*n] = -1
				Scramble(got, words[:n], &offset, seed)
				for i, v := range got[:ScrambleGroup*n] {
					x := ScrambleReversed(words[i/ScrambleGroup]^offset[i%ScrambleGroup], seed)
					if want := float64(bits.Reverse32(x)) / (1 << 32); v != want {
						t.Fatalf("%v, seed %x, number %d of %d is %v, want %v", l, seed, i, ScrambleGroup*n, v, want)
					}
				}
				if got[ScrambleGroup*n] != -1 {
					t.Errorf("%v wrote beyond %d numbers", l, ScrambleGroup*n)
				}
			}
		}
		Force(old)
	}
}
