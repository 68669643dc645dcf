package claims

import (
	"math"
	"testing"
)

// TestMoreOften: p-values by the hypergeometric distribution in exact fractions; binomials of the first are no float64. With Python:
// sum(Fraction(comb(n, k) * comb(m, a + c - k), comb(n + m, a + c)) for k in range(a, min(n, a + c) + 1)).
func TestMoreOften(t *testing.T) {
	for _, x := range []struct {
		a, n, c, m int
		want       float64
	}{
		{300, 2000, 10, 1000, 4.1411006694382015e-43}, {3, 4, 1, 4, 17. / 70}, {4, 4, 0, 4, 1. / 70}, {0, 5, 0, 7, 1}, {5, 5, 7, 7, 1},
	} {
		if got := float64(moreOften(x.a, x.n, x.c, x.m)); !(math.Abs(got-x.want) <= 1e-10*x.want) {
			t.Errorf("%d of %d and %d of %d: %v, want %v", x.a, x.n, x.c, x.m, got, x.want)
		}
	}
	if got := moreOften(0, 0, 1, 7); !math.IsNaN(float64(got)) {
		t.Errorf("without data: %v", got)
	}
}
