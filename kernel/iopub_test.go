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

// Each byte at each place of the words that are looked at together, alone and next to its neighbours in value.
func TestStreamContentBytes(t *testing.T) {
	for c := range 256 {
		for at := range 17 {
			text := []byte("0123456789abcdefghij")
			text[at], text[at+1] = byte(c), byte(c+1)
			want, err := encodeJSON(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := string(marshal(streamContent{"stdout", string(text)})), `{"name":"stdout","text":`+string(want)+"}"; got != want {
				t.Fatalf("%q is %s, must be %s", text, got, want)
			}
		}
	}
}
