package cell

import "strings"

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
		d := editDistance(strings.ToLower(name), strings.ToLower(n), at+1)
		if d < at || d == at && best != "" && n < best {
			best, at = n, d
		}
	}
	return best
}

// editDistance is the number of insertions, deletions, substitutions and swaps of neighbours between a and b, or
// limit when it is at least that.
func editDistance(a, b string, limit int) int {
	if abs(len(a)-len(b)) >= limit {
		return limit
	}
	older, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, prev, row = prev, row, older
	}
	return min(prev[len(b)], limit)
}

func abs(x int) int { return max(x, -x) }
