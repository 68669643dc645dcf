package filtering

import "math"

// The functions of this file work on small matrices kept row by row in a slice,
// one per particle, where a call into a matrix library would cost more than the
// arithmetic.

// mulSmall sets dst = A B for A r x k and B k x c.
func mulSmall(dst, a, b []float64, r, k, c int) {
	for i := range r {
		out := dst[i*c : i*c+c]
		clear(out)
		for l := range k {
			v := a[i*k+l]
			for j, x := range b[l*c : l*c+c] {
				out[j] += v * x
			}
		}
	}
}

// mulTransSmall sets dst = A B' for A r x k and B c x k.
func mulTransSmall(dst, a, b []float64, r, k, c int) {
	for i := range r {
		for j := range c {
			var s float64
			for l := range k {
				s += a[i*k+l] * b[j*k+l]
			}
			dst[i*c+j] = s
		}
	}
}

// sandwich sets dst = B S B' + N for B r x k, S k x k and N r x r, symmetric; tmp
// has r k numbers. A nil N is 0.
func sandwich(dst, b, s, n, tmp []float64, r, k int) {
	mulSmall(tmp, b, s, r, k, k)
	mulTransSmall(dst, tmp, b, r, k, r)
	for i := range r {
		for j := range i + 1 {
			v := 0.5 * (dst[i*r+j] + dst[j*r+i])
			if n != nil {
				v += n[i*r+j]
			}
			dst[i*r+j], dst[j*r+i] = v, v
		}
	}
}

// cholSmall sets dst to the lower Cholesky factor of S, n x n; false if S is not
// positive definite. What is above the diagonal becomes 0.
func cholSmall(dst, s []float64, n int) bool {
	for i := range n {
		for j := range i + 1 {
			v := s[i*n+j]
			for l := range j {
				v -= dst[i*n+l] * dst[j*n+l]
			}
			if j < i {
				dst[i*n+j] = v / dst[j*n+j]
				continue
			}
			if !(v > 0) {
				return false
			}
			dst[i*n+i] = math.Sqrt(v)
		}
		clear(dst[i*n+i+1 : i*n+n])
	}
	return true
}

// solveSmall overwrites the columns of X, n x c, with (L L')^-1 X.
func solveSmall(l, x []float64, n, c int) {
	for i := range n {
		for j := range c {
			v := x[i*c+j]
			for k := range i {
				v -= l[i*n+k] * x[k*c+j]
			}
			x[i*c+j] = v / l[i*n+i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := range c {
			v := x[i*c+j]
			for k := i + 1; k < n; k++ {
				v -= l[k*n+i] * x[k*c+j]
			}
			x[i*c+j] = v / l[i*n+i]
		}
	}
}
