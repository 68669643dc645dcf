package claims

import (
	"fmt"
	"math"
	"strings"
)

// A tally collects numbers with the bounds that they must keep. The claim comes out when all do; the text shows each number
// next to its bound, so that one sees how far it is.
type tally struct {
	parts  []string
	broken int
}

// below asks that x is under a bound.
func (t *tally) below(name string, x digit, bound float64) {
	t.add(float64(x) < bound, "%s %s (must be below %.3g)", name, significant(x, 3), bound)
}

// above asks that x is over a bound.
func (t *tally) above(name string, x digit, bound float64) {
	t.add(float64(x) > bound, "%s %s (must be above %.3g)", name, significant(x, 3), bound)
}

// between asks that x is from lo to hi.
func (t *tally) between(name string, x digit, lo, hi float64) {
	t.add(within(float64(x), lo, hi), "%s %s (must be from %.3g to %.3g)", name, significant(x, 3), lo, hi)
}

// note adds numbers that nothing is asked of.
func (t *tally) note(format string, args ...any) {
	t.parts = append(t.parts, fmt.Sprintf(format, args...))
}

func (t *tally) add(holds bool, format string, args ...any) {
	t.note(format, args...)
	if !holds {
		t.broken++
		t.parts[len(t.parts)-1] += " *"
	}
}

// result is what Judge returns; a star marks the bounds that are broken.
func (t *tally) result() (string, bool) { return strings.Join(t.parts, "; "), t.broken == 0 }

// worst is the largest of f over the values, and where it is. What is not a number is the worst.
func worst(values []any, f func(v any) digit) (most digit, at any) {
	most = digit(math.Inf(-1))
	for _, v := range values {
		if x := f(v); x > most || math.IsNaN(float64(x)) {
			most, at = x, v
			if math.IsNaN(float64(x)) {
				break
			}
		}
	}
	return most, at
}

// belowEverywhere asks that f is under a bound at every value of a parameter, and shows the worst.
func (t *tally) belowEverywhere(name, parameter string, values []any, bound float64, f func(v any) digit) {
	most, at := worst(values, f)
	t.below(fmt.Sprintf("%s at most (%s = %v)", name, parameter, at), most, bound)
}
