package stdsuite

import (
	"os"
	"strings"
	"testing"
)

// TestRead: a page is read as it was written, so that a part of the suite can run and change its rows alone.
func TestRead(t *testing.T) {
	text, err := os.ReadFile("../../docs/conformance-library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, want, _ := strings.Cut(string(text), "## native")
	_, got, _ := strings.Cut(Read(string(text)).String(), "## native")
	if got != want {
		g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range min(len(g), len(w)) {
			if g[i] != w[i] {
				t.Fatalf("line %d\n%s\nwas\n%s", i, g[i], w[i])
			}
		}
		t.Fatalf("%d lines, want %d", len(g), len(w))
	}
}
