package linalg

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/memory"
	"gaucho/stdlib/internal/parallel"
)

// conquerLeaf is the size up to which the QL method does a block.
const conquerLeaf = 32

// A conqueror finds eigenvalues and eigenvectors of a symmetric tridiagonal
// matrix by divide and conquer: Cuppen 1981, with the vectors of Gu and
// Eisenstat 1995, which are orthogonal without extra precision.
//
// Eigenvectors are rows of z, so that permutations move whole rows.
type conqueror struct {
	ctx  context.Context
	n    int
	d, e []float64
	z    []float64 // n x n; block lo to hi uses these rows and columns
	rows []float64 // the rows that go into a product
	s    []float64 // eigenvectors of the secular equation, as rows
}

// divideAndConquer returns the eigenvalues of the matrix with diagonal d and
// off-diagonal e, ascending, and the eigenvectors as rows. d and e are
// destroyed; their elements must be of size 1 or so.
func divideAndConquer(ctx context.Context, d, e []float64) (values, vectors []float64, err error) {
	n := len(d)
	c := &conqueror{ctx, n, d, e, memory.Fresh(n * n), memory.Fresh(n * n), memory.Fresh(n * n)}
	if err := c.solve(0, n); err != nil {
		return nil, nil, err
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d[a], d[b]) })
	values = make([]float64, n)
	for i, j := range order {
		values[i] = d[j]
		copy(c.rows[i*n:(i+1)*n], c.z[j*n:(j+1)*n])
	}
	return values, c.rows, nil
}

// solve does the block lo to hi.
func (c *conqueror) solve(lo, hi int) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if hi-lo <= conquerLeaf {
		for i := lo; i < hi; i++ {
			c.z[i*c.n+i] = 1
		}
		e := c.e[lo:max(hi-1, lo)]
		return qlImplicit(c.d[lo:hi], e, c.z[lo*c.n:], c.n, lo, hi)
	}
	mid := (lo + hi) / 2
	// Tear: T = diag(T1, T2) + rho u u', u = (0 .. 1, sign .. 0).
	rho := math.Abs(c.e[mid-1])
	sign := math.Copysign(1, c.e[mid-1])
	c.d[mid-1] -= rho
	c.d[mid] -= rho
	var wg sync.WaitGroup
	var left, right error
	if hi-lo >= 256 && runtime.GOMAXPROCS(0) > 1 {
		wg.Go(func() { left = c.solve(lo, mid) })
	} else {
		left = c.solve(lo, mid)
	}
	right = c.solve(mid, hi)
	wg.Wait()
	if left != nil {
		return left
	}
	if right != nil {
		return right
	}
	return c.merge(lo, mid, hi, rho, sign)
}

// A merging is the state of one merge: the eigenvalues d of both halves in
// ascending order and the vector u in the basis of their eigenvectors.
type merging struct {
	*conqueror
	lo, mid, hi int
	rho         float64
	order       []int     // rows, ascending by d
	u           []float64 // by row - lo
	kind        []int     // by row - lo: which halves the row has
	kept        []int     // rows that stay in the secular equation, ascending by d
	deflated    []int     // rows that are eigenvectors already
}

// The halves in which a row has non-zeros.
const (
	top = iota
	both
	bottom
)

func (c *conqueror) merge(lo, mid, hi int, rho, sign float64) error {
	n := hi - lo
	m := &merging{conqueror: c, lo: lo, mid: mid, hi: hi, rho: rho, u: make([]float64, n), kind: make([]int, n)}
	for i := lo; i < hi; i++ {
		m.order = append(m.order, i)
		if i < mid {
			m.u[i-lo] = c.z[i*c.n+mid-1]
		} else {
			m.u[i-lo], m.kind[i-lo] = sign*c.z[i*c.n+mid], bottom
		}
	}
	slices.SortStableFunc(m.order, func(a, b int) int { return cmp.Compare(c.d[a], c.d[b]) })
	m.deflate()
	m.conquer()
	return c.ctx.Err()
}

// deflate sets aside the eigenvectors that the change does not touch: those
// with a negligible element in u, and one of each pair of (nearly) equal
// eigenvalues after a rotation that makes its element zero.
func (m *merging) deflate() {
	big := 0.0
	for _, i := range m.order {
		big = max(big, math.Abs(m.d[i]), math.Abs(m.u[i-m.lo]))
	}
	tol := 8 * 2 * epsilon * big
	for _, i := range m.order {
		if m.rho*math.Abs(m.u[i-m.lo]) <= tol {
			m.deflated = append(m.deflated, i)
			continue
		}
		if len(m.kept) > 0 {
			p := m.kept[len(m.kept)-1]
			if m.join(p, i, tol) {
				m.kept[len(m.kept)-1] = i
				m.deflated = append(m.deflated, p)
				continue
			}
		}
		m.kept = append(m.kept, i)
	}
}

// join rotates rows p and i, d_p <= d_i, so that p's element of u is zero, if
// that leaves an off-diagonal element of at most tol.
func (m *merging) join(p, i int, tol float64) bool {
	s, c := m.u[p-m.lo], m.u[i-m.lo]
	r := math.Sqrt(float64(s*s) + float64(c*c))
	c, s = c/r, -s/r
	gap := m.d[i] - m.d[p]
	if math.Abs(gap*c*s) > tol {
		return false
	}
	m.u[i-m.lo], m.u[p-m.lo] = r, 0
	if m.kind[p-m.lo] != m.kind[i-m.lo] {
		m.kind[p-m.lo], m.kind[i-m.lo] = both, both
	}
	asm.Rotate(m.z[p*m.n+m.lo:p*m.n+m.hi], m.z[i*m.n+m.lo:i*m.n+m.hi], c, s)
	dp, di := m.d[p], m.d[i]
	m.d[p] = float64(dp*float64(c*c)) + float64(di*float64(s*s))
	m.d[i] = float64(dp*float64(s*s)) + float64(di*float64(c*c))
	return true
}

// conquer solves the secular equation of the kept rows and makes the new
// eigenvectors: rows of the block are then the roots', in order, and the
// deflated.
func (m *merging) conquer() {
	k := len(m.kept)
	// The kept rows move to m.rows, grouped by kind; column[a] is where the
	// a-th pole's row went. The deflated follow.
	column := make([]int, k)
	var count [3]int
	for _, i := range m.kept {
		count[m.kind[i-m.lo]]++
	}
	next := [3]int{0, count[top], count[top] + count[both]}
	row := func(i int) []float64 { return m.rows[(m.lo+i)*m.n+m.lo : (m.lo+i)*m.n+m.hi] }
	for a, i := range m.kept {
		g := m.kind[i-m.lo]
		column[a] = next[g]
		copy(row(next[g]), m.z[i*m.n+m.lo:i*m.n+m.hi])
		next[g]++
	}
	gone := make([]float64, len(m.deflated))
	for b, i := range m.deflated {
		gone[b] = m.d[i]
		copy(row(k+b), m.z[i*m.n+m.lo:i*m.n+m.hi])
	}
	if k > 0 {
		m.vectors(column)
		m.product(k, count)
	}
	for b := range gone {
		m.d[m.lo+k+b] = gone[b]
		copy(m.z[(m.lo+k+b)*m.n+m.lo:(m.lo+k+b)*m.n+m.hi], row(k+b))
	}
}

// vectors sets row i of s to eigenvector i of D + rho u u', its elements in the
// places of column, and d to the eigenvalues.
func (m *merging) vectors(column []int) {
	k := len(m.kept)
	q := secular{make([]float64, k), make([]float64, k)}
	u := make([]float64, k)
	for a, i := range m.kept {
		q.d[a] = m.d[i]
		u[a] = m.u[i-m.lo]
		q.w[a] = m.rho * u[a] * u[a]
	}
	s := func(i int) []float64 { return m.s[(m.lo+i)*m.n+m.lo : (m.lo+i)*m.n+m.lo+k] }
	values := make([]float64, k)
	workers := workersFor(k*k, k)
	parallel.Team(workers, func(w, of int) {
		for i := w; i < k; i += of {
			values[i] = q.root(i, s(i))
		}
	})
	// u for which the roots are exact: its square at j is the product over i of
	// (root_i - d_j), over that of (d_i - d_j) for i other than j.
	hat := make([]float64, k)
	parallel.Team(workers, func(w, of int) {
		lo, hi := w*k/of, (w+1)*k/of
		h := hat[lo:hi]
		for j := range h {
			h[j] = -s(lo + j)[lo+j]
		}
		for i := range k {
			delta, di := s(i)[lo:hi], q.d[i]
			for j := range h {
				if lo+j != i {
					h[j] *= delta[j] / (q.d[lo+j] - di)
				}
			}
		}
		for j := range h {
			h[j] = math.Copysign(math.Sqrt(math.Abs(h[j])), u[lo+j])
		}
	})
	parallel.Team(workers, func(w, of int) {
		v := make([]float64, k)
		for i := w; i < k; i += of {
			asm.Div(v, hat, s(i))
			norm := 1 / math.Sqrt(asm.Dot(v, v))
			row := s(i)
			for a, x := range v {
				row[column[a]] = x * norm
			}
		}
	})
	for i, x := range values {
		m.d[m.lo+i] = x
	}
}

// product multiplies the eigenvectors of the secular equation by the rows, of
// each half only those that have it.
func (m *merging) product(k int, count [3]int) {
	n := m.n
	at := m.lo*n + m.lo
	h := m.mid - m.lo
	out := m.z[at:]
	upperRows := count[top] + count[both]
	gemm(k, h, upperRows, 1, view{m.s[at:], n, 1}, view{m.rows[at:], n, 1}, 0, out, n, full)
	gemm(k, m.hi-m.mid, k-count[top], 1, view{m.s[at+count[top]:], n, 1}, view{m.rows[at+count[top]*n+h:], n, 1}, 0, out[h:], n, full)
}
