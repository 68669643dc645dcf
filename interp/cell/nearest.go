package cell

import (
	"strings"

	"gaucho/internal/words"
)

// Nearest is the name most like the one typed, or "" when none is near: at most one edit for three letters, where a
// letter of the other case counts as no edit, and none for a single letter, which is like too many.
func Nearest(name string, names []string) string {
	best, at := "", (len(name)+2)/3+1
	if len(name) == 1 {
		at = 1
	}
	for _, n := range names {
		if n == name || strings.Contains(n, Mark) {
			continue
		}
		d := words.Distance(strings.ToLower(name), strings.ToLower(n), at+1)
		if d < at || d == at && best != "" && n < best {
			best, at = n, d
		}
	}
	return best
}
