package interp

import (
	"regexp"
	"strings"
	"testing"
)

// TestProfMagic has a cell that computes in the interpreter, sorts in compiled code, and allocates.
func TestProfMagic(t *testing.T) {
	s, out := startTest(t)
	mustRun(t, s, 1, "%%prof\nn := 0\nfor i := 0; i < 2000000; i++ {\n\tn += i\n}\nxs := make([]float64, 2_000_000)\nfor i := range 4 { xs[i] = -1 }\nrng := rand.New(rand.NewPCG(1, 2))\nrng.Shuffle(5, func(i, j int) {})\nsort.Sort(sort.Reverse(sort.Float64Slice(xs)))\nn > 0")
	text := out.of("1").String()
	for _, want := range []string{
		`allocations; \d+ garbage collections`,
		`(?m)^ *[0-9.]+% +\S+  line 3: for i := 0; i < 2000000; i\+\+ \{$`,
		`(?m)^ *[0-9.]+% +\S+  line 10: sort\.Sort`,
		`Processor time:`, `\(interpreted code\)`, `sort\.`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if res := s.Execute(t.Context(), Cell{ID: "2", Number: 2, Source: "%%prof\npanic(\"oh\")"}); res.Err == nil || res.Err.Value != "oh" {
		t.Errorf("a failing cell ends with %v", res.Err)
	}
	mustRun(t, s, 3, "%%prof\nx := 1") // the profiler is free again
	if !strings.Contains(out.of("2").String(), "garbage") {
		t.Errorf("a failing cell shows %s", out.of("2"))
	}
}
