package regression

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Numbers as R prints them, so that a summary can be compared with R's.

// significant returns the exponent of ten of x, and how many of digits significant digits are left without trailing zeros.
func significant(x float64, digits int) (exponent, used int) {
	mantissa, e, _ := strings.Cut(strconv.FormatFloat(math.Abs(x), 'e', digits-1, 64), "e")
	exponent, _ = strconv.Atoi(e)
	used = len(strings.TrimRight(strings.Replace(mantissa, ".", "", 1), "0"))
	return exponent, max(used, 1)
}

// format returns numbers with as many decimals in common as it takes to show each with the given number of significant
// digits, or with exponents where that is shorter (R's format).
func format(x []float64, digits int) []string {
	decimals, left, mantissa, negative, wide := 0, 1, 1, 0, 2
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		e, used := 0, 1
		if v != 0 {
			e, used = significant(v, digits)
		}
		sign := 0
		if v < 0 {
			sign, negative = 1, 1
		}
		decimals, left, mantissa = max(decimals, used-e-1), max(left, sign+max(e+1, 1)), max(mantissa, used)
		if e >= 100 || e <= -100 {
			wide = 3
		}
	}
	fixed, scientific := left+decimals, negative+mantissa+2+wide
	if decimals > 0 {
		fixed++
	}
	if mantissa > 1 {
		scientific++
	}
	out := make([]string, len(x))
	for i, v := range x {
		switch {
		case math.IsNaN(v):
			out[i] = "NA"
		case math.IsInf(v, 0):
			out[i] = strings.TrimPrefix(fmt.Sprint(v), "+")
		case fixed <= scientific:
			out[i] = strconv.FormatFloat(v, 'f', decimals, 64)
		default:
			out[i] = strconv.FormatFloat(v, 'e', mantissa-1, 64)
		}
	}
	return out
}

// formatOne is format of a single number.
func formatOne(x float64, digits int) string { return format([]float64{x}, digits)[0] }

// round rounds to decimals, as R's round does.
func round(x []float64, decimals int) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'f', decimals, 64), 64)
	}
	return out
}

// formatP returns p-values with the given number of significant digits, what is below 2.2e-16 as <2e-16 (R's format.pval).
func formatP(p []float64, digits int) []string {
	const eps = 0x1p-52
	out := make([]string, len(p))
	var fixed, small []float64
	for _, v := range p {
		switch {
		case math.IsNaN(v) || v < eps:
		case v < 1e-4:
			small = append(small, v)
		default:
			fixed = append(fixed, v)
		}
	}
	f, s := format(fixed, digits), format(small, digits)
	widest := 0
	for _, text := range append(f[:len(f):len(f)], s...) {
		widest = max(widest, len(text))
	}
	for i, v := range p {
		switch {
		case math.IsNaN(v):
			out[i] = "NA"
		case v < eps:
			out[i] = tiny(digits-2, widest)
		case v < 1e-4:
			out[i], s = s[0], s[1:]
		default:
			out[i], f = f[0], f[1:]
		}
	}
	return out
}

// tiny writes what is below 2.2e-16, in as many digits as suit p-values of at most widest letters (0 for none).
func tiny(digits, widest int) string {
	digits = max(1, digits)
	if widest > 0 && digits > 1 && digits+6 > widest {
		digits = max(1, widest-7)
	}
	if digits == 1 && widest <= 6 {
		return "<" + formatOne(0x1p-52, digits)
	}
	return "< " + formatOne(0x1p-52, digits)
}

// stars marks how small a p-value is.
func stars(p float64) string {
	switch {
	case math.IsNaN(p):
		return ""
	case p < 0.001:
		return "***"
	case p < 0.01:
		return "**"
	case p < 0.05:
		return "*"
	case p < 0.1:
		return "."
	}
	return ""
}
