package cell

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
			if got := len(problems) == 1 && strings.HasPrefix(problems[0].Msg, "//go:"+name+" is not allowed in a cell: "); got != want || !want && problems != nil {
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
