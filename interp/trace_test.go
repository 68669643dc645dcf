package interp

import (
	"strings"
	"testing"
)

// TestTrace: the stages of a cell are printed, with the text that runs and how far it came.
func TestTrace(t *testing.T) {
	var out lockedBuffer
	s := newSessionFor(t, testPatience, Options{Sink: &transcript{}, Engine: "yaegi", Dir: t.TempDir(), Trace: &out})
	mustRun(t, s, 1, "x := 1\nx := float64(x) / 2\n!true")
	s.Execute(t.Context(), Cell{ID: "2", Number: 2, Source: "xs := []int{1}\nxs[5]"})
	rest := out.String()
	for _, want := range []string{
		"## run 1: source\n    x := 1\n", "## run 1: plan\n    stage 1, line 1: run x := 1\n    stage 2, line 2: run x := float64(x) / 2\n",
		"## run 1: lowered, entry ", "float64(", "## run 1: builtin shell\n    true\n", "## run 1: ran 3 of 3 units\n",
		": source\n    xs := []int{1}\n", ": ran 0 of 1 units, and 1 statements of the next\n    runtime error: index out of range",
	} {
		at := strings.Index(rest, want)
		if at < 0 {
			t.Fatalf("after what was found there is no %q in\n%s", want, out.String())
		}
		rest = rest[at+len(want):]
	}
}
