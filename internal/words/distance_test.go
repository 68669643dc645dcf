package words

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 rows", 1: "1 row", 2: "2 rows"} {
		if got := Count(n, "row"); got != want {
			t.Errorf("Count(%d) = %s, want %s", n, got, want)
		}
	}
}

// within reports by brute force whether b is reached from a by n edits, which go through the letters from left to right.
func within(a, b []rune, n int) bool {
	if n < 0 {
		return false
	}
	if len(a) == 0 || len(b) == 0 {
		return max(len(a), len(b)) <= n
	}
	return a[0] == b[0] && within(a[1:], b[1:], n) || within(a[1:], b, n-1) || within(a, b[1:], n-1) || within(a[1:], b[1:], n-1) ||
		len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && within(a[2:], b[2:], n-1)
}

func TestDistance(t *testing.T) {
	list := []string{"", "a", "ab", "ba", "abc", "acb", "heigth", "height", "weight", "größe", "grösse", "aabb"}
	for _, a := range list {
		for _, b := range list {
			want := 0
			for !within([]rune(a), []rune(b), want) {
				want++
			}
			for _, limit := range []int{1, 3, 100} {
				if got := Distance(a, b, limit); got != min(want, limit) {
					t.Errorf("Distance(%q, %q, %d) = %d, want %d", a, b, limit, got, min(want, limit))
				}
			}
		}
	}
}
