package modpath

import (
	"os"
	"regexp"
	"testing"
)

// TestPath: the path is that of go.mod.
func TestPath(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`(?m)^module (\S+)$`).FindSubmatch(text); m == nil || string(m[1]) != Path {
		t.Errorf("Path is %q, go.mod has %q", Path, m)
	}
}

func TestReplace(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"gaucho", "example.org/gaucho"}, {"gaucho/stdlib/em", "example.org/gaucho/stdlib/em"}, {"gauchos/em", "gauchos/em"},
		{"gaucho.cell/h1", "gaucho.cell/h1"}, {"fmt", "fmt"}, {"x/gaucho/em", "x/gaucho/em"},
	} {
		if got := Replace(c.path, "gaucho", "example.org/gaucho"); got != c.want {
			t.Errorf("Replace(%q) = %q, want %q", c.path, got, c.want)
		}
	}
}
