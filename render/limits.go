package render

import (
	"strconv"
	"sync/atomic"
)

// How much of a table or matrix is shown.
var (
	rowLimit    atomic.Int64
	columnLimit atomic.Int64
)

func init() {
	rowLimit.Store(25)
	columnLimit.Store(16)
}

// SetLimits sets how many rows and columns of a table or matrix are shown before it is cut, 25 and 16 at first. Numbers
// below 2 are taken as 2.
func SetLimits(rows, columns int) {
	rowLimit.Store(int64(max(rows, 2)))
	columnLimit.Store(int64(max(columns, 2)))
}

// wholeLimit is how many rows, columns and elements are shown where all are asked for.
const wholeLimit = 1_000_000

var (
	digits atomic.Int64 // of floating-point numbers, 0 for as many as they have
	uncut  atomic.Int64 // how many want all of a value
)

// SetPrecision sets to how many digits results show floating-point numbers; 0 is the state at first, when tables and long slices
// show six and single numbers all that they have.
func SetPrecision(n int) { digits.Store(int64(min(max(n, 0), 17))) }

// Whole calls f. What is rendered meanwhile is not cut before it has a million rows, columns or elements.
func Whole(f func()) {
	uncut.Add(1)
	defer uncut.Add(-1)
	f()
}

// elementLimit is how many elements of one slice, array or map are shown in text.
func elementLimit() int {
	if uncut.Load() > 0 {
		return wholeLimit
	}
	return maxElements
}

// digitsOr returns to how many digits numbers are shown, unset where none are set.
func digitsOr(unset int) int {
	if n := digits.Load(); n > 0 {
		return int(n)
	}
	return unset
}

// toDigits returns a number to as many digits as are shown, the given number of them if none is set.
func toDigits(x float64, unset int) string {
	return strconv.FormatFloat(x, 'g', digitsOr(unset), 64)
}

// ends returns the indices of 0 to n-1 that are shown: all of them, or the two ends with -1 for the gap.
func ends(n int, limit int64) []int {
	var idx []int
	l := int(limit)
	if uncut.Load() > 0 {
		l = wholeLimit
	}
	if n <= l {
		for i := range n {
			idx = append(idx, i)
		}
		return idx
	}
	head, tail := (l+1)/2, l/2
	for i := range head {
		idx = append(idx, i)
	}
	idx = append(idx, -1)
	for i := n - tail; i < n; i++ {
		idx = append(idx, i)
	}
	return idx
}
