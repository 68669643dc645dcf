package plotting

import (
	"math"
	"slices"
	"strconv"
)

// vegaLimit is the number of points of one series that go into a specification. Of longer ones those are left out that others
// hide.
const vegaLimit = 4000

// kept are the numbers of the points to show, of the given ones: all, or of a line in each stretch its first and its extreme ones,
// so that no spike is lost, and of a cloud one in each place, so that no outlier is, and then more evenly.
func kept(m *mark, points []int) []int {
	if len(points) <= vegaLimit {
		return points
	}
	if m.kind == "point" {
		return keptCloud(m, points)
	}
	parts := vegaLimit / 5
	var out []int
	for p := range parts {
		stretch := points[p*len(points)/parts : (p+1)*len(points)/parts]
		chosen := []int{stretch[0]}
		for _, of := range [][]float64{m.y, m.y2} {
			if of == nil {
				continue
			}
			least, most := stretch[0], stretch[0]
			for _, i := range stretch {
				if of[i] < of[least] {
					least = i
				}
				if of[i] > of[most] {
					most = i
				}
			}
			chosen = append(chosen, least, most)
		}
		slices.Sort(chosen)
		out = append(out, slices.Compact(chosen)...)
	}
	if last := points[len(points)-1]; out[len(out)-1] != last {
		out = append(out, last)
	}
	return out
}

// keptCloud keeps the first point of each of the places that a range of 56 by 56 has, and of the others every so many.
func keptCloud(m *mark, points []int) []int {
	const side = 56
	place := func(x []float64) func(i int) int {
		low, high := math.Inf(1), math.Inf(-1)
		for _, i := range points {
			low, high = min(low, x[i]), max(high, x[i])
		}
		return func(i int) int {
			if !(high > low) {
				return 0
			}
			return min(int((x[i]/2-low/2)/(high/2-low/2)*side), side-1)
		}
	}
	column, row := place(m.x), place(m.y)
	taken := make([]bool, side*side)
	var out, rest []int
	for _, i := range points {
		if at := column(i)*side + row(i); taken[at] {
			rest = append(rest, i)
		} else {
			taken[at] = true
			out = append(out, i)
		}
	}
	more := vegaLimit - len(out)
	for k := range more {
		out = append(out, rest[k*len(rest)/more])
	}
	slices.Sort(out)
	return out
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
