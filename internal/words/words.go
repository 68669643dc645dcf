// Package words writes what several packages of Gaucho write in the same way: counts, short numbers, and the error that
// is shown in place of a value.
package words

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Number formats a number with up to the given significant digits, as tables show it: integers below 1e9 and numbers
// from 1e-4 have no exponent, and infinities are written ∞.
func Number(x float64, digits int) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	case x == math.Trunc(x) && math.Abs(x) < 1e9:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	s := strconv.FormatFloat(x, 'g', digits, 64)
	if a := math.Abs(x); a >= 1e-4 && a < 1e-3 && strings.Contains(s, "e") {
		s = strings.TrimRight(strconv.FormatFloat(x, 'f', 9, 64), "0")
	}
	return strings.Replace(strings.Replace(s, "e-0", "e-", 1), "e+0", "e+", 1)
}

// StyleCaption is the CSS of small text below a value in HTML.
const StyleCaption = "font-size:85%;opacity:.7"

// Failure returns the forms, by MIME type, of an error and of the kind of value that has it.
func Failure(message, kind string) map[string]any {
	return map[string]any{
		"text/plain": message,
		"text/html": fmt.Sprintf(`<div style="border-left:3px solid #d1495b;padding-left:.7em"><span style="white-space:pre-wrap">%s</span> `+
			`<span style="%s">%s</span></div>`, html.EscapeString(message), StyleCaption, html.EscapeString(kind)),
	}
}
