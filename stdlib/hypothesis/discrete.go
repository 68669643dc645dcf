package hypothesis

import (
	"math"
	"sort"

	"gaucho/stdlib/vec"
)

// asLikely is how much more likely than what was seen, by rounding, a case may be that
// still counts as no more likely.
const asLikely = 1 + 1e-7

// mostCases is the largest number of cases that float64 counts.
const mostCases = 1 << 53

// A discreteLaw is that of a whole number from first to last whose probabilities rise to the mode and fall from there, log-concavely:
// terms of a tail fall at least as fast as a geometric series once they fall, and those that count are some ten standard deviations.
type discreteLaw struct {
	first, last, mode int
	log               func(i int) float64 // of the probability of i
	next              func(i int) float64 // probability of i+1 over that of i
}

func binomialLaw(n int, p float64) *discreteLaw {
	odds := p / (1 - p)
	return &discreteLaw{0, n, min(n, int((float64(n)+1)*p)),
		func(i int) float64 { return logBinomial(i, n, p, 1-p) },
		func(i int) float64 { return float64(n-i) / float64(i+1) * odds }}
}

// hypergeometricLaw is that of the first count of two by two, of n cases in all, given the sums of its row and column.
func hypergeometricLaw(row, column, n int) *discreteLaw {
	p, q := float64(row)/float64(n), float64(n-row)/float64(n)
	whole := logBinomial(row, n, p, q)
	return &discreteLaw{max(0, row+column-n), min(row, column), int((float64(row) + 1) / (float64(n) + 2) * (float64(column) + 1)),
		func(i int) float64 {
			return logBinomial(i, column, p, q) + logBinomial(row-i, n-column, p, q) - whole
		},
		func(i int) float64 {
			return float64(column-i) / float64(i+1) * (float64(row-i) / float64(n-column-row+i+1))
		}}
}

// tail returns the probability of from and all that lie beyond it, seen from the mode: below if down.
func (l *discreteLaw) tail(from int, down bool) float64 {
	if from < l.first || from > l.last {
		return 0
	}
	sum, term := 1.0, 1.0
	for i := from; term > 0x1p-60*sum; {
		if down {
			if i--; i < l.first {
				break
			}
			term /= l.next(i)
		} else {
			if i++; i > l.last {
				break
			}
			term *= l.next(i - 1)
		}
		sum += term
	}
	return vec.Exp1(l.log(from)) * sum
}

// sides returns the probabilities of at most and of at least the number at.
func (l *discreteLaw) sides(at int) (less, greater float64) {
	if at <= l.mode {
		return min(1, l.tail(at, true)), max(0, 1-l.tail(at-1, true))
	}
	return max(0, 1-l.tail(at+1, false)), min(1, l.tail(at, false))
}

// noMoreLikely returns the probability of the numbers that are no more likely than at.
func (l *discreteLaw) noMoreLikely(at int) float64 {
	seen := l.log(at) + vec.Log1(asLikely)
	if l.log(l.mode) <= seen {
		return 1
	}
	// Of first to the mode the first so many are no more likely, and of the mode to last those after so many.
	low := sort.Search(l.mode-l.first, func(i int) bool { return l.log(l.first+i) > seen })
	high := l.mode + sort.Search(l.last-l.mode+1, func(i int) bool { return l.log(l.mode+i) <= seen })
	return min(1, l.tail(l.first+low-1, true)+l.tail(high, false))
}

// logBinomial returns the logarithm of choose(n, k) p^k q^(n-k), q = 1-p, by deviances, which keep the digits that differences
// of log-gammas lose (Loader 2000).
func logBinomial(k, n int, p, q float64) float64 {
	x, y, size := float64(k), float64(n-k), float64(n)
	switch {
	case k == 0:
		return size * logShare(q, p)
	case k == n:
		return size * logShare(p, q)
	}
	return stirlingError(n) - stirlingError(k) - stirlingError(n-k) - deviance(x, size*p) - deviance(y, size*q) -
		vec.Log1(2*math.Pi*x*(y/size))/2
}

// logShare returns the logarithm of p = 1-q.
func logShare(p, q float64) float64 {
	if q < 0.5 {
		return vec.Log1p1(-q)
	}
	return vec.Log1(p)
}

// deviance returns x log(x/m) + m - x.
func deviance(x, m float64) float64 {
	if math.Abs(x-m) >= 0.1*(x+m) {
		return x*vec.Log1(x/m) + m - x
	}
	// With v = (x-m)/(x+m): (x-m) v + 2 x (v^3/3 + v^5/5 + ...).
	v := (x - m) / (x + m)
	sum, power := (x-m)*v, 2*x*v
	for j := 3.0; ; j += 2 {
		power *= v * v
		next := sum + power/j
		if next == sum {
			return sum
		}
		sum = next
	}
}

// stirlingError returns log n! less Stirling's log(sqrt(2 pi n) (n/e)^n), for n >= 1.
func stirlingError(n int) float64 {
	x := float64(n)
	if n < 16 {
		factorial := 1.0
		for i := 2; i <= n; i++ {
			factorial *= float64(i)
		}
		return vec.Log1(factorial) - (x+0.5)*vec.Log1(x) + x - vec.Log1(2*math.Pi)/2
	}
	s := 1 / (x * x)
	return (1./12 - s*(1./360-s*(1./1260-s*(1./1680-s/1188)))) / x
}
