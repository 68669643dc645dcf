package herding

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// weightProblem is the quadratic program of the fully corrective step,
//
//	minimise w'Kw - 2 c'w  over the probability simplex,
//
// for a growing set of atoms. It is solved by an active-set method, which is
// Wolfe's min-norm-point algorithm on the atoms minus the mean element
// (Lacoste-Julien et al. 2015, section 2.2), with one Cholesky factor that is
// carried along.
//
// The factor is that of K + s 11' on the active set, with s of the size of the
// diagonal: since the weights sum to one the minimiser is the same (with c + s),
// and the atoms need to be independent affinely only, not linearly.
type weightProblem struct {
	k [][]float64 // row i holds K[i][0..i]
	c []float64
	w []float64 // feasible at all times

	shift  float64
	active []int // atoms with an entry in the factor, in its order
	inside []bool
	factor cholesky

	work, ones, a, b, target []float64
}

// dependence is the share of its squared length by which an atom must leave the
// affine span of the active ones to become active.
const dependence = 1e-12

// at returns K[i][j].
func (p *weightProblem) at(i, j int) float64 {
	if j > i {
		i, j = j, i
	}
	return p.k[i][j]
}

// add appends an atom with its kernel values against the earlier ones and
// itself (the last), its embedding, and weight 0.
func (p *weightProblem) add(row []float64, c float64) {
	n := len(p.k)
	p.k = append(p.k, append(make([]float64, 0, n+1), row[:n+1]...))
	p.c = append(p.c, c)
	p.w = append(p.w, 0)
	p.inside = append(p.inside, false)
	p.work = append(p.work, 0)
	p.ones = append(p.ones, 0)
	p.a = append(p.a, 0)
	p.b = append(p.b, 0)
	p.target = append(p.target, 0)
	if n == 0 {
		p.shift = row[0]
		if !(p.shift > 0) {
			p.shift = 1
		}
	}
}

// gradient returns (Kw)_i - c_i.
func (p *weightProblem) gradient(i int) float64 {
	s := -p.c[i]
	for _, j := range p.active {
		s += p.at(i, j) * p.w[j]
	}
	return s
}

// activate puts atom i into the factor; it returns false if i lies in the
// affine span of the active atoms, up to rounding.
func (p *weightProblem) activate(i int) bool {
	for r, j := range p.active {
		p.b[r] = p.at(i, j) + p.shift
	}
	d := p.at(i, i) + p.shift
	pivot := p.factor.pivot(p.work, p.b, d)
	if !(pivot > dependence*d) {
		return false
	}
	p.factor.extend(p.work, pivot)
	p.active = append(p.active, i)
	p.inside[i] = true
	return true
}

// deactivate removes the atom at position r of the active set.
func (p *weightProblem) deactivate(r int) {
	i := p.active[r]
	p.w[i] = 0
	p.inside[i] = false
	p.active = append(p.active[:r], p.active[r+1:]...)
	p.factor.delete(r)
}

// affineMinimiser writes to target, by position in the active set, the weights
// that sum to one and minimise the objective, whatever their signs:
// a - nu b with a = F^-1 (c+s), b = F^-1 1, nu = (1'a - 1) / 1'b.
func (p *weightProblem) affineMinimiser() {
	m := len(p.active)
	a, b := p.a[:m], p.ones[:m]
	for r, i := range p.active {
		a[r] = p.c[i] + p.shift
		b[r] = 1
	}
	p.factor.solveLower(a, a)
	p.factor.solveUpper(a, a)
	p.factor.solveLower(b, b)
	p.factor.solveUpper(b, b)
	var sa, sb float64
	for r := range m {
		sa += a[r]
		sb += b[r]
	}
	nu := (sa - 1) / sb
	for r := range m {
		p.target[r] = a[r] - nu*b[r]
	}
}

// minor moves the weights to the minimiser over the face of the simplex that
// the active atoms end up spanning. The objective does not rise: each step goes
// towards the minimiser over an affine hull, as far as the weights stay
// positive, and drops the atoms that stop it.
func (p *weightProblem) minor() {
	for len(p.active) > 1 {
		p.affineMinimiser()
		theta, block := 1.0, -1
		for r, i := range p.active {
			if p.target[r] > 0 {
				continue
			}
			t := 0.0
			if d := p.w[i] - p.target[r]; d > 0 {
				t = p.w[i] / d
			}
			if t < theta || block < 0 {
				theta, block = t, r
			}
		}
		for r, i := range p.active {
			p.w[i] += theta * (p.target[r] - p.w[i])
		}
		if block < 0 {
			break
		}
		p.w[p.active[block]] = 0
		for r := len(p.active) - 1; r >= 0 && len(p.active) > 1; r-- {
			if p.w[p.active[r]] <= 0 {
				p.deactivate(r)
			}
		}
	}
	if len(p.active) == 1 {
		p.w[p.active[0]] = 1
	}
	p.normalise()
}

// normalise removes what rounding did to the sum of the weights.
func (p *weightProblem) normalise() {
	var s float64
	for _, i := range p.active {
		s += p.w[i]
	}
	for _, i := range p.active {
		p.w[i] /= s
	}
}

// solve minimises over all atoms, to a Frank-Wolfe gap of tol. It starts from
// the present weights, which must be feasible and zero outside the active set.
func (p *weightProblem) solve(tol float64) {
	p.minor()
	for range 20 * (len(p.w) + 5) { // each major step lowers the objective; the bound is for rounding
		var inner float64 // w' gradient
		for _, i := range p.active {
			inner += p.w[i] * p.gradient(i)
		}
		best, at := math.Inf(1), -1
		for i := range p.w {
			if p.inside[i] {
				continue
			}
			if g := p.gradient(i); g < best {
				best, at = g, i
			}
		}
		if at < 0 || inner-best <= tol {
			return
		}
		if !p.activate(at) && !p.exchange(at) {
			return
		}
		p.minor()
	}
}

// exchange brings in an atom that lies in the affine span of the active ones:
// it is sum_r lambda_r atom_r with sum lambda_r = 1, so moving weight from them
// to it in these shares changes the objective linearly. It moves until a weight
// is used up, and puts the atom in the place of the one that had it. If c is the
// embedding of the atoms, the objective does not change at all that way and solve
// never asks for it, but c may be anything in SimplexQP.
func (p *weightProblem) exchange(j int) bool {
	lambda := p.b[:len(p.active)]
	for r, i := range p.active {
		lambda[r] = p.at(i, j) + p.shift
	}
	p.factor.solveLower(lambda, lambda)
	p.factor.solveUpper(lambda, lambda)
	t, block := math.Inf(1), -1
	for r, i := range p.active {
		if lambda[r] > 0 && p.w[i] < t*lambda[r] {
			t, block = p.w[i]/lambda[r], r
		}
	}
	if block < 0 {
		return false
	}
	for r, i := range p.active {
		p.w[i] = math.Max(p.w[i]-t*lambda[r], 0)
	}
	p.deactivate(block)
	p.w[j] = t
	if !p.activate(j) { // its share of the one that left was nil, up to rounding
		p.w[j] = 0
		p.normalise()
		return false
	}
	return true
}

// tolerance is the gap at which solve may stop, in the units of the kernel.
func (p *weightProblem) tolerance() float64 {
	t := p.shift
	for _, c := range p.c {
		t = math.Max(t, math.Abs(c))
	}
	return 1e-14 * t
}

// quadratic returns w'Kw and c'w.
func (p *weightProblem) quadratic() (wkw, cw float64) {
	for _, i := range p.active {
		var s float64
		for _, j := range p.active {
			s += p.at(i, j) * p.w[j]
		}
		wkw += p.w[i] * s
		cw += p.w[i] * p.c[i]
	}
	return wkw, cw
}

// SimplexQP returns the weights that minimise w'Kw - 2 c'w over the probability
// simplex (w_i >= 0, sum 1), for a symmetric positive semi-definite n x n matrix
// K: the weights of the fully corrective step of Frank-Wolfe quadrature, whose
// K is the Gram matrix of the points and c their mean embedding. The method is
// an active-set one (Wolfe's min-norm-point algorithm); it ends after finitely
// many steps with a duality gap of 1e-14 times the largest of |c_i| and K_11.
// Points that depend affinely on others get the weight 0. Cost O(n^2) a step,
// usually O(n^3) in all. Only the lower triangle of K is read.
func SimplexQP(K mat.Symmetric, c []float64) ([]float64, error) {
	if K == nil {
		return nil, fmt.Errorf("herding: the matrix is nil")
	}
	n := K.SymmetricDim()
	if len(c) != n || n == 0 {
		return nil, fmt.Errorf("herding: linear term has length %d for a %d x %d matrix, must be equal and positive", len(c), n, n)
	}
	p := new(weightProblem)
	row := make([]float64, n)
	for i := range n {
		for j := range i + 1 {
			row[j] = K.At(i, j)
			if math.IsNaN(row[j]) || math.IsInf(row[j], 0) {
				return nil, fmt.Errorf("herding: matrix[%d,%d] is %v, must be finite", i, j, row[j])
			}
		}
		if row[i] < 0 {
			return nil, fmt.Errorf("herding: matrix[%d,%d] is %v, must not be negative", i, i, row[i])
		}
		if math.IsNaN(c[i]) || math.IsInf(c[i], 0) {
			return nil, fmt.Errorf("herding: linear term %d is %v, must be finite", i, c[i])
		}
		p.add(row, c[i])
	}
	start := 0
	for i := range n {
		if p.k[i][i]-2*c[i] < p.k[start][start]-2*c[start] {
			start = i
		}
	}
	p.w[start] = 1
	p.activate(start)
	p.solve(p.tolerance())
	return p.w, nil
}
