package filtering

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// conditionalRun is a run of a ConditionallyLinear model: the Kalman filters of
// its particles. Beliefs are one after the other in z (m numbers each) and cov
// (m^2 each; only one if shared), predictions likewise.
type conditionalRun struct {
	model         *ConditionallyLinear
	k, m, p       int
	f, u, q       []float64
	qx, r         []float64
	time          int
	z, cov        []float64
	zNext, pNext  []float64 // predicted: F z + u, F P F' + Q
	coupling      []*mat.Dense
	observation   []*mat.Dense
	offset        *mat.Dense
	means         []float64 // of the components
	chol          []float64 // Cholesky factors of the components' covariances
	covs          []*mat.SymDense
	roots         []*mat.Dense
	tmp           [6][]float64
	spareZ, spare []float64
}

func (c *conditionalRun) width() int { return c.k }

// filters returns how many covariances there are for n particles.
func (c *conditionalRun) filters(n int) int {
	if c.model.Shared {
		return 1
	}
	return n
}

// covOf returns which covariance belongs to particle i.
func (c *conditionalRun) covOf(i int) int {
	if c.model.Shared {
		return 0
	}
	return i
}

func (c *conditionalRun) initial() (*predictive, error) { return fromMixture(c.model.Initial), nil }

// grow makes dst n numbers long.
func grow(dst []float64, n int) []float64 {
	if cap(dst) < n {
		return make([]float64, n)
	}
	return dst[:n]
}

// matrices makes room for n matrices.
func matrices(dst []*mat.Dense, n, r, c int) []*mat.Dense {
	for len(dst) < n {
		dst = append(dst, mat.NewDense(r, c, nil))
	}
	return dst
}

func (c *conditionalRun) predict(p *predictive, t int, X *mat.Dense, w []float64) error {
	n, _ := X.Dims()
	k, m := c.k, c.m
	filters := c.filters(n)
	p.resize(n, k)
	copy(p.w, w)
	c.model.Mean(p.means, t, X)
	c.coupling = matrices(c.coupling, filters, k, m)
	c.model.Coupling(c.coupling[:filters], t, X)
	c.zNext, c.pNext = grow(c.zNext, n*m), grow(c.pNext, filters*m*m)
	c.chol = grow(c.chol, filters*k*k)
	c.roots = matrices(c.roots, filters, k, k)
	for len(c.covs) < filters {
		c.covs = append(c.covs, mat.NewSymDense(k, nil))
	}
	for i := range filters {
		next := c.pNext[i*m*m:][:m*m]
		sandwich(next, c.f, c.cov[i*m*m:][:m*m], c.q, c.tmp[0], m, m)
		b := c.coupling[i].RawMatrix().Data
		s := c.tmp[1][:k*k]
		sandwich(s, b, next, c.qx, c.tmp[0], k, m)
		if !cholSmall(c.chol[i*k*k:][:k*k], s, k) {
			return fmt.Errorf("filtering: predicted covariance of particle %d at step %d is not positive definite", i, t)
		}
		copy(c.roots[i].RawMatrix().Data, c.chol[i*k*k:][:k*k])
		for a := range k {
			for b := range a + 1 {
				c.covs[i].SetSym(a, b, s[a*k+b])
			}
		}
	}
	for i := range n {
		next := c.zNext[i*m:][:m]
		for a := range next {
			next[a] = c.u[a] + vec.Dot(c.f[a*m:a*m+m], c.z[i*m:i*m+m])
		}
		b := c.coupling[c.covOf(i)].RawMatrix().Data
		for a, mean := range p.means.RawRowView(i) {
			p.means.Set(i, a, mean+vec.Dot(b[a*m:a*m+m], next))
		}
	}
	p.covs, p.roots = c.covs[:filters], c.roots[:filters]
	p.class = p.class[:0]
	if filters > 1 {
		for i := range n {
			p.class = append(p.class, i)
		}
	}
	c.means = append(c.means[:0], p.means.RawMatrix().Data...)
	return nil
}

// accept conditions each Kalman filter on the particle that was drawn from its
// component: the new xi is a measurement of zeta'.
func (c *conditionalRun) accept(X *mat.Dense, component []int) {
	n, m, k := len(component), c.m, c.k
	filters := c.filters(n)
	c.time++
	if c.time == 1 {
		c.z, c.cov = grow(c.z, n*m), grow(c.cov, filters*m*m)
		start := flat(c.model.LinearCov)
		for i := range n {
			copy(c.z[i*m:], c.model.LinearMean)
		}
		for i := range filters {
			copy(c.cov[i*m*m:], start)
		}
	} else {
		c.spareZ, c.spare = grow(c.spareZ, n*m), grow(c.spare, filters*m*m)
		gain := c.tmp[2][:m*k]
		for i, a := range component {
			f := c.covOf(a)
			if i == 0 || !c.model.Shared {
				c.gain(gain, f)
				c.condition(c.spare[c.covOf(i)*m*m:][:m*m], c.pNext[f*m*m:][:m*m], gain, c.coupling[f].RawMatrix().Data, c.qx, k)
			}
			z := c.spareZ[i*m:][:m]
			copy(z, c.zNext[a*m:][:m])
			for j, x := range X.RawRowView(i) {
				e := x - c.means[a*k+j]
				for l := range z {
					z[l] += gain[l*k+j] * e
				}
			}
		}
		c.z, c.spareZ = c.spareZ, c.z
		c.cov, c.spare = c.spare, c.cov
	}
	if c.model.Accept != nil {
		c.model.Accept(c.time, X, component)
	}
}

// gain writes P B' C^-1 (m x k) of predicted filter f to dst.
func (c *conditionalRun) gain(dst []float64, f int) {
	m, k := c.m, c.k
	bp := c.tmp[3][:k*m] // B P, then C^-1 B P
	mulSmall(bp, c.coupling[f].RawMatrix().Data, c.pNext[f*m*m:][:m*m], k, m, m)
	solveSmall(c.chol[f*k*k:][:k*k], bp, k, m)
	for i := range m {
		for j := range k {
			dst[i*k+j] = bp[j*m+i]
		}
	}
}

// condition sets dst = (I - G B) P (I - G B)' + G N G', Joseph's form of the
// covariance after a measurement with matrix B (r x m), noise N and gain G (m x r).
func (c *conditionalRun) condition(dst, p, gain, b, noise []float64, r int) {
	m := c.m
	igb := c.tmp[4][:m*m]
	mulSmall(igb, gain, b, m, r, m)
	for i := range igb {
		igb[i] = -igb[i]
	}
	for i := range m {
		igb[i*m+i]++
	}
	extra := c.tmp[5][:m*m]
	sandwich(extra, gain, noise, nil, c.tmp[0], m, r)
	sandwich(dst, igb, p, extra, c.tmp[0], m, m)
}

func (c *conditionalRun) logLik(dst []float64, t int, X *mat.Dense, y []float64) error {
	clear(dst)
	if len(y) < c.p {
		return fmt.Errorf("filtering: observation has dimension %d, must be at least %d", len(y), c.p)
	}
	if c.model.LogLik != nil {
		c.model.LogLik(dst, t, X, y)
	}
	if c.p == 0 {
		return nil
	}
	n, m, p := len(dst), c.m, c.p
	filters := c.filters(n)
	c.observation = matrices(c.observation, filters, p, m)
	c.model.Observation(c.observation[:filters], t, X)
	if c.offset == nil || c.offset.RawMatrix().Rows != n {
		c.offset = mat.NewDense(n, p, nil)
	}
	c.offset.Zero()
	if c.model.Offset != nil {
		c.model.Offset(c.offset, t, X)
	}
	s, chol := make([]float64, p*p), make([]float64, p*p)
	hp, gain, e := make([]float64, p*m), make([]float64, m*p), make([]float64, p)
	tmp, after := make([]float64, p*m), make([]float64, m*m)
	var constant float64
	for i := range n {
		f := c.covOf(i)
		h, cov := c.observation[f].RawMatrix().Data, c.cov[f*m*m:][:m*m]
		if i == 0 || !c.model.Shared {
			sandwich(s, h, cov, c.r, tmp, p, m)
			if !cholSmall(chol, s, p) {
				return fmt.Errorf("filtering: covariance of the innovation of particle %d at step %d is not positive definite", i, t)
			}
			constant = -0.5 * float64(p) * vec.Log1(2*math.Pi)
			for j := range p {
				constant -= vec.Log1(chol[j*p+j])
			}
			mulSmall(hp, h, cov, p, m, m)
			solveSmall(chol, hp, p, m)
			for a := range m {
				for j := range p {
					gain[a*p+j] = hp[j*m+a]
				}
			}
			c.condition(after, cov, gain, h, c.r, p)
			if !c.model.Shared {
				copy(cov, after)
			}
		}
		z := c.z[i*m:][:m]
		for j := range e {
			e[j] = y[j] - c.offset.At(i, j) - vec.Dot(h[j*m:j*m+m], z)
		}
		for a := range z {
			z[a] += vec.Dot(gain[a*p:a*p+p], e)
		}
		var q float64
		for j := range e {
			v := e[j]
			for l := range j {
				v -= chol[j*p+l] * e[l]
			}
			e[j] = v / chol[j*p+j]
			q += e[j] * e[j]
		}
		dst[i] += constant - 0.5*q
	}
	if c.model.Shared {
		copy(c.cov, after)
	}
	return nil
}

// linearMean returns the filtered mean of the linear part.
func (c *conditionalRun) linearMean(w []float64) []float64 {
	mean := make([]float64, c.m)
	for i, v := range w {
		vec.Axpy(mean, v, c.z[i*c.m:][:c.m])
	}
	return mean
}
