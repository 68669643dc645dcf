package cell

import (
	"go/token"
	"strings"
)

// Question says whether a cell does nothing but ask for the description of a name: name? or ?name, with two marks
// for the source as well. The name may be that of a magic.
func Question(code string) (name string, detail int, ok bool) {
	name = strings.TrimSpace(code)
	n := len(name)
	name = strings.TrimLeft(name, "?")
	before := n - len(name)
	n = len(name)
	name = strings.TrimRight(name, "?")
	after := n - len(name)
	if marks := before + after; marks < 1 || marks > 2 || before > 0 && after > 0 {
		return "", 0, false
	}
	name = strings.TrimSpace(name)
	plain := strings.TrimLeft(name, "%")
	if len(name)-len(plain) > 2 {
		return "", 0, false
	}
	for part := range strings.SplitSeq(plain, ".") {
		if !token.IsIdentifier(part) && !token.IsKeyword(part) {
			return "", 0, false
		}
	}
	return name, before + after - 1, true
}
