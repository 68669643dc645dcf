package asm

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSeparators compares with a look at each byte, at all levels, on texts with few of the signs and with nothing else.
func TestSeparators(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	defer Force(Force(Best()))
	for range 3_000 {
		text := make([]byte, rng.IntN(400))
		comma, often := ",;\t"[rng.IntN(3)], rng.IntN(20)
		for i := range text {
			text[i] = byte(rng.IntN(256))
			if rng.IntN(20) < often {
				text[i] = []byte{comma, '\n', '"', comma ^ 0x80, '\n' + 1, '"' ^ 1}[rng.IntN(6)]
			}
		}
		first := rng.Uint32()
		var want []uint32
		for i, c := range text {
			if c == comma || c == '\n' || c == '"' {
				want = append(want, first+uint32(i))
			}
		}
		for _, l := range Levels() {
			Force(l)
			at := make([]uint32, len(text)+SeparatorsRoom)
			if n := Separators(at, string(text), first, comma); !slices.Equal(at[:n], want) {
				t.Fatalf("%v: %q: %v, want %v", l, text, at[:n], want)
			}
		}
	}
}
