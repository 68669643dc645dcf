package cell

import (
	"fmt"
	"go/token"
	"runtime"
	"strings"
	"testing"
)

// TestParseGrowth: a cell of eight times as many lines takes eight times the memory, not 64 times.
func TestParseGrowth(t *testing.T) {
	bytes := func(lines int) float64 {
		var src strings.Builder
		for i := range lines {
			fmt.Fprintf(&src, "w%d := %d\n", 10_000+i, i)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if c, errs := Read(src.String()).Parse(token.NewFileSet(), 1, Options{}); errs != nil || len(c.Pieces) != lines {
			t.Fatal(errs)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if small, big := bytes(500), bytes(4000); big > 10*small {
		t.Errorf("4000 lines take %.1f times the memory of 500", big/small)
	}
}

func TestCommentAbove(t *testing.T) {
	for src, want := range map[string]string{
		"":                                  "",
		"// a":                              "",
		"// a\n":                            "a\n",
		"x := 1\n// a\n\t//b\n //  c\n  ":   "a\nb\n c\n",
		"// far\n\n// near\n":               "near\n",
		"// far\nx := 1 // beside\n":        "",
		"// first line of the cell\n//\n\t": "first line of the cell\n\n",
	} {
		if got := commentAbove(src); got != want {
			t.Errorf("above the end of %q is %q, want %q", src, got, want)
		}
	}
}
