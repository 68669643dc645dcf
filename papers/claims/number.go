package claims

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gaucho/stdlib/study"
)

// A number is a number of a compact record, which says itself as text.
type number struct{ study.CompactNumber }

type digit = study.Digits

// median is a median with the quartiles, as text.
func (n number) median() string {
	if n.N == 1 {
		return fmt.Sprintf("%.3g", n.Median)
	}
	return fmt.Sprintf("%.3g (%.3g to %.3g)", n.Median, n.Q1, n.Q3)
}

// mean is a mean with its standard error, as text.
func (n number) mean() string {
	if n.N == 1 || n.StdErr == 0 {
		return significant(n.Mean, 3)
	}
	return significant(n.Mean, 3) + " ± " + significant(n.StdErr, 1)
}

// significant writes x with so many significant digits, without an exponent where x is in the thousands.
func significant(x digit, digits int) string {
	s := strconv.FormatFloat(float64(x), 'g', digits, 64)
	if math.Abs(float64(x)) < 1e5 && strings.Contains(s, "e+") {
		rounded, _ := strconv.ParseFloat(s, 64)
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	return s
}

// falling reports that each number is below the one before.
func falling(xs ...digit) bool {
	for i := 1; i < len(xs); i++ {
		if !(xs[i] < xs[i-1]) {
			return false
		}
	}
	return true
}

// within reports that x is from lo to hi.
func within(x, lo, hi float64) bool { return x >= lo && x <= hi }

// listed joins name and text of each in turn: a 1, b 2.
func listed(names []string, text func(name string) string) string {
	var out []string
	for _, n := range names {
		out = append(out, n+" "+text(n))
	}
	return strings.Join(out, ", ")
}
