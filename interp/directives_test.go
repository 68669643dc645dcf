package interp

import (
	"strings"
	"testing"
)

// TestDirectives: what the compiler's directives could break in the run time, or would say without effect, is refused by
// name where it is a directive.
func TestDirectives(t *testing.T) {
	for _, name := range strings.Fields("linkname cgo_import_dynamic cgo_unsafe_args nosplit noescape norace nocheckptr systemstack " +
		"nowritebarrier nowritebarrierrec yeswritebarrierrec notinheap uintptrkeepalive nointerface registerparams wasmimport embed debug") {
		for text, want := range map[string]bool{
			"x := 1\n//go:" + name + " a b\nfunc f() {}": true,
			"//go:" + name + "\nfunc f() {}":             true,
			"f() //go:" + name:                           false,
			"// go:" + name + "\nfunc f() {}":            false,
			"s := `\n//go:" + name + " a b\n`":           false,
		} {
			problems := refusedDirectives(1, text, 1)
			if got := len(problems) == 1 && strings.HasPrefix(problems[0].msg, "//go:"+name+" is not allowed in a cell: "); got != want || !want && problems != nil {
				t.Errorf("%q: %v", text, problems)
			}
		}
	}
	for _, name := range strings.Fields("noinline uintptrescapes build generate fix") {
		if problems := refusedDirectives(1, "//go:"+name+" x\nfunc f() {}", 1); problems != nil {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

// TestNativeDirectives: what is asked of the compiler for a function reaches it.
func TestNativeDirectives(t *testing.T) {
	r := &transcript{}
	s := startNative(t, r)
	for i, src := range []string{
		"type T struct{}\n\n//go:noinline\nfunc (T) m(x int) int { return x }",
		"// f is a function.\n//\n//go:noinline\nfunc f(x int) int { return x }",
	} {
		s.front.Lock()
		prog, problems := s.compile(i+1, src)
		if problems != nil {
			t.Fatal(problems)
		}
		if text := prog.steps[0].unit.Text; !strings.Contains(text, "\n//go:noinline\n//line ") {
			t.Errorf("%s\ngives\n%s", src, text)
		}
		s.abandon(prog, 0)
		s.front.Unlock()
	}
}
