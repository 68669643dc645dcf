package main

import (
	"bytes"
	"compress/flate"
	"io"
	"os"
	"testing"
)

// Whatever compresses, what comes out is what went in.
func TestDeflated(t *testing.T) {
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	commands := os.Getenv("PATH")
	for _, data := range [][]byte{nil, {0}, source, bytes.Repeat(source, 50)} {
		for _, path := range []string{commands, ""} { // without commands, too
			t.Setenv("PATH", path)
			small, err := deflated(data)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := io.ReadAll(flate.NewReader(bytes.NewReader(small))); err != nil || !bytes.Equal(back, data) {
				t.Errorf("%d bytes come back as %d (%v)", len(data), len(back), err)
			}
		}
	}
}
