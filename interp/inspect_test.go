package interp

import (
	"strings"
	"testing"
)

// TestInspectValue: what is said of a variable has its value, length and size, of a slice of five float64 40 bytes behind the
// 24 of the slice itself.
func TestInspectValue(t *testing.T) {
	r := &transcript{}
	s := newSession(t, Options{Engine: "yaegi", Sink: r})
	runCell(s, r, 1, "xs := []float64{1.5, 2, 3, 4, 5}\nname := \"Ann\"")
	for src, want := range map[string][]string{
		"xs":                  {"var xs []float64", "Value:  len 5 [1.5 2 3 4 5]\n", "Length: 5\n", "Size:   64 B\n"},
		"name":                {"var name string", `Value:  "Ann"`},
		"func(xs int) { xs }": {"var xs int"},
	} {
		at := strings.LastIndex(src, "xs")
		bundle, found := s.Inspect(src, max(at, 0), 0)
		text, _ := bundle["text/plain"].(string)
		for _, w := range want {
			if !found || !strings.Contains(text, w) {
				t.Errorf("%s gives\n%s\nwithout %s", src, text, w)
			}
		}
		if strings.HasPrefix(src, "func") && strings.Contains(text, "Value") {
			t.Errorf("a parameter has the value of a variable of that name:\n%s", text)
		}
	}
}
