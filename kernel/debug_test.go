package kernel

import "testing"

// TestMurmur2 compares with ipykernel 7's murmur2_x86(text, 0xc70f6907).
func TestMurmur2(t *testing.T) {
	for text, want := range map[string]uint32{
		"": 3990065800, "a": 2167009006, "ab": 2805137849, "abc": 3350977461, "abcd": 804720481,
		"x := 1\ny := 2": 3111053345, "héllo, wörld": 2523971996,
	} {
		if got := murmur2([]byte(text), hashSeed); got != want {
			t.Errorf("murmur2(%q) is %d, want %d", text, got, want)
		}
	}
}
