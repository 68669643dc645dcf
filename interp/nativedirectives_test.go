package interp

import (
	"strings"
	"testing"
)

// TestNativeDirectives: what is asked of the compiler for a function reaches it.
func TestNativeDirectives(t *testing.T) {
	r := &transcript{}
	s := startNative(t, r)
	for i, src := range []string{
		"type T struct{}\n\n//go:noinline\nfunc (T) m(x int) int { return x }",
		"// f is a function.\n//\n//go:noinline\nfunc f(x int) int { return x }",
	} {
		prog, problems := s.front.compileText(i+1, src)
		if problems != nil {
			t.Fatal(problems)
		}
		if text := prog.steps[0].unit.Text; !strings.Contains(text, "\n//go:noinline\n//line ") {
			t.Errorf("%s\ngives\n%s", src, text)
		}
		s.front.Lock()
		s.front.abandon(prog, 0)
		s.front.Unlock()
	}
}
