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

// TestQuestionCell: a cell that asks for a description shows it where no client has a pager.
func TestQuestionCell(t *testing.T) {
	r := &transcript{}
	s := newSession(t, Options{Engine: "yaegi", Sink: r})
	runCell(s, r, 1, "speed := 3 // of the wind")
	for n, c := range []struct{ source, want string }{
		{"speed?", "var speed int"},
		{"  ?strings.Cut ", "func strings.Cut(s string, sep string) (before string, after string, found bool)"},
		{"%time?", "%time statement"},
		{"sort?", "Ints(x []int) — Ints sorts a slice of ints in increasing order."},
		{"%doc bytes.Buffer", "NewBufferString(s string) *Buffer — NewBufferString creates"},
		{"bytes.Buffer?", "Len() int — Len returns the number of bytes of the unread portion of the buffer;"},
		{"http.Cookie?", "MaxAge int"},
		{"nothing?", "there is no documentation for nothing"},
		{"speed? x", "invalid character U+003F '?'"},
	} {
		if got := runCell(s, r, n+2, c.source); !strings.Contains(got, c.want) {
			t.Errorf("%s shows\n%s\nwithout %s", c.source, got, c.want)
		}
	}
}
