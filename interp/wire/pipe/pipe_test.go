package pipe

import "testing"

func TestLastWords(t *testing.T) {
	for text, want := range map[string]int{
		"nothing":                       -1,
		"panic: x":                      0,
		"no panic: x":                   -1,
		"text\nfatal error: x":          5,
		"no panic: x\npanic: y":         12,
		"a\npanic: x\nfatal error: y\n": 2,
		"":                              -1,
	} {
		if got := LastWords([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
