package kernel

import (
	"encoding/json"
	"testing"
)

// The content of a stream message has the bytes that encoding/json gives it.
func FuzzStreamContent(f *testing.F) {
	for _, s := range []string{"", "plain\n", "\"\\\t\r\b\f\x00\x1f\x7f", "ä\u2028\u2029\ufffd\U0001F600", "\xff\xc3", "a\xe2\x80", "<&>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, err := encodeJSON(struct {
			Name string `json:"name"`
			Text string `json:"text"`
		}{"stdout", text})
		if got := marshal(streamContent{"stdout", text}); err != nil || string(got) != string(want) || !json.Valid(got) {
			t.Errorf("%q is %s, must be %s", text, got, want)
		}
	})
}
