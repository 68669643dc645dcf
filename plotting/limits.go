package plotting

import "sync/atomic"

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

// ends returns the indices of 0 to n-1 that are shown: all of them, or the two ends with -1 for the gap.
func ends(n int, limit int64) []int {
	var idx []int
	l := int(limit)
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
