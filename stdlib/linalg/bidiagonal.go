package linalg

import (
	"math"
	"slices"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/parallel"

	"gonum.org/v1/gonum/lapack/gonum"
)

// A bidiagonal finds the singular values of an upper bidiagonal matrix by
// implicit QR sweeps, those of Golub and Kahan 1965 with a zero shift where small
// singular values ask for it (Demmel and Kahan 1990), and rotates rows along.
type bidiagonal struct {
	d, e        []float64 // the diagonal, and what is above it
	left, right rotated
	waiting     int // rotations that are not applied yet, of either side
}

// rotated are rows that are multiplied by the rotations of one side: many at
// once, strip by strip, so that a strip stays in the processor's cache.
type rotated struct {
	rows    []float64 // of length width; nil if nobody wants them
	width   int
	waiting []rotation
}

// A rotation takes rows i and j to c*i + s*j and c*j - s*i.
type rotation struct {
	i, j int
	c, s float64
}

const (
	// svdTolerance is the size, beside its neighbours, of an element of e that
	// is zero: it leaves a singular value a relative error of that size.
	svdTolerance = 100 * epsilon

	svdStrip   = 64
	svdWaiting = 1 << 16 // rotations
	svdSweeps  = 60      // allowed for one value; it takes two or three
)

// solve makes d the singular values, which may be negative and are not sorted,
// and e zero. It reports false when they do not settle.
func (b *bidiagonal) solve() bool {
	n := len(b.d)
	// Elements of e up to small are below the rounding errors of the smallest
	// singular value, which is at least least.
	mu := math.Abs(b.d[0])
	least := mu
	for i := 1; i < n && least > 0; i++ {
		mu = math.Abs(b.d[i]) * (mu / (mu + math.Abs(b.e[i-1])))
		least = min(least, mu)
	}
	small := max(svdTolerance*least/math.Sqrt(float64(n)), 0x1p-1022)
	sweeps := svdSweeps * n
	for hi := n - 1; hi > 0; {
		if math.Abs(b.e[hi-1]) <= small {
			b.e[hi-1] = 0
			hi--
			continue
		}
		lo := hi - 1
		for lo > 0 && math.Abs(b.e[lo-1]) > small {
			lo--
		}
		if lo > 0 {
			b.e[lo-1] = 0
		}
		if sweeps--; sweeps < 0 {
			return false
		}
		b.reduce(lo, hi)
	}
	b.apply()
	return true
}

// reduce makes an element of e in the block lo to hi zero, or does a sweep.
func (b *bidiagonal) reduce(lo, hi int) {
	if hi == lo+1 {
		var impl gonum.Implementation
		small, large, sr, cr, sl, cl := impl.Dlasv2(b.d[lo], b.e[lo], b.d[hi])
		b.d[lo], b.e[lo], b.d[hi] = large, 0, small
		b.rotate(lo, hi, cr, sr, cl, sl)
		return
	}
	// The sweep goes from the larger end to the smaller. Upwards it is one on
	// the block with both orders reversed, transposed: right is then left.
	if math.Abs(b.d[lo]) >= math.Abs(b.d[hi]) {
		chase(b.d[lo:hi+1], b.e[lo:hi], func(k int, cr, sr, cl, sl float64) { b.rotate(lo+k, lo+k+1, cr, sr, cl, sl) })
		return
	}
	slices.Reverse(b.d[lo : hi+1])
	slices.Reverse(b.e[lo:hi])
	chase(b.d[lo:hi+1], b.e[lo:hi], func(k int, cr, sr, cl, sl float64) { b.rotate(hi-k, hi-k-1, cl, sl, cr, sr) })
	slices.Reverse(b.d[lo : hi+1])
	slices.Reverse(b.e[lo:hi])
}

// chase does a sweep downwards on the block d, e, unless an element of e is
// negligible: then it is zero. rotate gets the rotations of elements k and k+1.
func chase(d, e []float64, rotate func(k int, cr, sr, cl, sl float64)) {
	m := len(d) - 1
	if math.Abs(e[m-1]) <= svdTolerance*math.Abs(d[m]) {
		e[m-1] = 0
		return
	}
	mu := math.Abs(d[0])
	least, most := mu, mu
	for i, x := range e {
		if math.Abs(x) <= svdTolerance*mu {
			e[i] = 0
			return
		}
		mu = math.Abs(d[i+1]) * (mu / (mu + math.Abs(x)))
		least = min(least, mu)
		most = max(most, math.Abs(d[i+1]), math.Abs(x))
	}
	var impl gonum.Implementation
	shift := 0.0
	if float64(len(d))*svdTolerance*(least/most) > max(epsilon, 0.01*svdTolerance) {
		shift, _ = impl.Dlas2(d[m-1], e[m-1], d[m])
		if q := shift / math.Abs(d[0]); q*q < epsilon {
			shift = 0
		}
	}
	if shift == 0 {
		zeroShift(d, e, rotate)
		return
	}
	f := (math.Abs(d[0]) - shift) * (math.Copysign(1, d[0]) + shift/d[0])
	g := e[0]
	for i := range m {
		cr, sr, r := impl.Dlartg(f, g)
		if i > 0 {
			e[i-1] = r
		}
		f, e[i] = float64(cr*d[i])+float64(sr*e[i]), float64(cr*e[i])-float64(sr*d[i])
		g, d[i+1] = sr*d[i+1], cr*d[i+1]
		cl, sl, r := impl.Dlartg(f, g)
		d[i] = r
		f, d[i+1] = float64(cl*e[i])+float64(sl*d[i+1]), float64(cl*d[i+1])-float64(sl*e[i])
		if i < m-1 {
			g, e[i+1] = sl*e[i+1], cl*e[i+1]
		}
		rotate(i, cr, sr, cl, sl)
	}
	e[m-1] = f
}

// zeroShift is a sweep without a shift, which leaves every singular value its
// relative accuracy.
func zeroShift(d, e []float64, rotate func(k int, cr, sr, cl, sl float64)) {
	var impl gonum.Implementation
	m := len(d) - 1
	cr, sr, cl, sl, r := 1.0, 0.0, 1.0, 0.0, 0.0
	for i := range m {
		cr, sr, r = impl.Dlartg(cr*d[i], e[i])
		if i > 0 {
			e[i-1] = sl * r
		}
		cl, sl, d[i] = impl.Dlartg(cl*r, sr*d[i+1])
		rotate(i, cr, sr, cl, sl)
	}
	h := cr * d[m]
	d[m], e[m-1] = cl*h, sl*h
}

// rotate keeps rotations of rows i and j of both sides.
func (b *bidiagonal) rotate(i, j int, cr, sr, cl, sl float64) {
	if b.right.rows != nil {
		b.right.waiting = append(b.right.waiting, rotation{i, j, cr, sr})
	}
	if b.left.rows != nil {
		b.left.waiting = append(b.left.waiting, rotation{i, j, cl, sl})
	}
	if b.waiting++; b.waiting >= svdWaiting {
		b.apply()
	}
}

// apply applies what waits.
func (b *bidiagonal) apply() {
	b.left.apply()
	b.right.apply()
	b.waiting = 0
}

func (r *rotated) apply() {
	strips := (r.width + svdStrip - 1) / svdStrip
	if len(r.waiting) > 0 {
		parallel.Team(strips, func(s, _ int) {
			lo, hi := s*svdStrip, min((s+1)*svdStrip, r.width)
			for _, t := range r.waiting {
				asm.Rotate(r.rows[t.i*r.width+lo:t.i*r.width+hi], r.rows[t.j*r.width+lo:t.j*r.width+hi], t.c, t.s)
			}
		})
	}
	r.waiting = r.waiting[:0]
}
