package table

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// isMissing reports whether text means that there is no value, where a value other than a string is expected.
func isMissing(text string) bool {
	switch len(text) {
	case 0:
		return true
	case 2:
		return text == "NA"
	case 3:
		return text == "NaN" || text == "nan" || text == "N/A" || text == "n/a"
	case 4:
		return text == "null" || text == "NULL" || text == "None"
	}
	return false
}

func trim(s string) string {
	if s != "" && (s[0] == ' ' || s[len(s)-1] == ' ') {
		return strings.Trim(s, " ")
	}
	return s
}

// parseInt returns a decimal integer. Numbers with leading zeros are codes, not integers.
func parseInt(s string) (n int, ok bool) {
	digits := s
	if s != "" && (s[0] == '-' || s[0] == '+') {
		digits = s[1:]
	}
	if digits == "" || len(digits) > 1 && digits[0] == '0' {
		return 0, false
	}
	if len(digits) > 18 || strconv.IntSize < 64 {
		n, err := strconv.Atoi(s)
		return n, err == nil
	}
	for i := range len(digits) {
		d := digits[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = 10*n + int(d)
	}
	if s[0] == '-' {
		n = -n
	}
	return n, true
}

// tens are the powers of ten that are exact in float64.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseFloat returns a decimal number, rounded to the nearest float64. Up to fifteen digits are an exact integer, whose
// quotient by an exact power of ten is rounded once (Clinger 1990); strconv does the others.
func parseFloat(s string) (x float64, ok bool) {
	i := 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		i = 1
	}
	if len(s) > i+1 && s[i] == '0' && s[i+1]-'0' <= 9 {
		return 0, false
	}
	digits, point := 0, -1
	var n uint64
	for ; i < len(s); i++ {
		if d := s[i] - '0'; d <= 9 {
			n = 10*n + uint64(d)
			digits++
		} else if s[i] == '.' && point < 0 {
			point = digits
		} else {
			return slowFloat(s)
		}
	}
	if digits == 0 || digits > 15 {
		return slowFloat(s)
	}
	x = float64(n)
	if point >= 0 {
		x /= tens[digits-point]
	}
	if s[0] == '-' {
		x = -x
	}
	return x, true
}

func slowFloat(s string) (float64, bool) {
	if strings.ContainsAny(s, "xXpP_") {
		return 0, false // Go's other ways to write numbers
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && !math.IsNaN(x)
}

func parseBool(s string) (b, ok bool) {
	switch s {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	return false, false
}

// layouts are the forms of dates and times that are understood, all with the year first: others are ambiguous.
var layouts = []string{time.DateOnly, time.DateTime, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04",
	"2006-01-02 15:04:05Z07:00", "2006/01/02", "2006/01/02 15:04:05", "2006/01/02 15:04"}

// parseTime returns a date or time, in UTC where it names no zone.
func parseTime(s string) (t time.Time, ok bool) {
	if len(s) < 8 || s[0]-'0' > 9 || s[4] != '-' && s[4] != '/' {
		return t, false
	}
	if t, ok = quickTime(s, span{0, uint32(len(s))}); ok {
		return t, true
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return t, false
}

// daysOf are the days of the months, with January at 1.
var daysOf = [...]uint8{1: 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

func daysIn(year, month int) int {
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		return 29
	}
	return int(daysOf[month])
}

// daysBefore are the days before the months, with January at 1, in years that begin in March.
var daysBefore = [...]uint16{1: 306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275}

// daysFrom1970 counts the days to a date of the Gregorian calendar. In years that begin in March, February's length does not
// matter.
func daysFrom1970(year, month, day int) int64 {
	y := uint(year) + 400 // so that the year before 0 divides as the others
	if month <= 2 {
		y--
	}
	century := y / 100
	return int64(365*y+y/4-century+century/4) + int64(daysBefore[month]) + int64(day) - 1 - 719468 - 146097
}
