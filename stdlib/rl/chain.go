package rl

import (
	"math"

	"gaucho/stdlib/vec"
)

// maxLinks is the largest number of links of a chain.
const maxLinks = 8

// A chain is a tree of rigid links in the plane, with the coordinates (x, y, th_1
// .. th_n): where the first link begins, and the angle of each link from the x
// axis, not from its parent. The centre of link i is (x, y) + sum_j c_ij l_j e(th_j),
// for e = (cos, sin) and constants c: 1/2 on the diagonal and, for each ancestor,
// the fraction of it at which the path to i leaves it. So the mass matrix has the
// blocks sum m I, b_j n(th_j) and A_jk cos(th_j - th_k) + I_j [j = k], for n = (-sin,
// cos), b_j = sum_i m_i c_ij l_j and A_jk = sum_i m_i c_ij c_ik l_j l_k.
type chain struct {
	n                     int
	parent                [maxLinks]int // -1 for the first
	length, mass, inertia [maxLinks]float64
	path                  [maxLinks][maxLinks]float64 // c_ij l_j
	moment                [maxLinks]float64           // b
	coupling              [maxLinks][maxLinks]float64 // A
	total                 float64
}

// A joint says where link i of a chain begins: at the fraction from of its parent.
type joint struct {
	parent int
	from   float64
}

func newChain(length, mass []float64, joints []joint) *chain {
	c := &chain{n: len(length)}
	for i := range c.n {
		l, m := length[i], mass[i]
		c.length[i], c.mass[i], c.inertia[i], c.parent[i] = l, m, m*l*l/12, joints[i].parent
		c.total += m
		c.path[i][i] = l / 2
		for child := i; joints[child].parent >= 0; child = joints[child].parent {
			p := joints[child].parent
			c.path[i][p] = joints[child].from * c.length[p]
		}
	}
	for i := range c.n {
		for j := range c.n {
			c.moment[j] += c.mass[i] * c.path[i][j]
			for k := range c.n {
				c.coupling[j][k] += c.mass[i] * c.path[i][j] * c.path[i][k]
			}
		}
	}
	return c
}

// A pose is what the state of a chain says once: sines and cosines of the links,
// and the generalized forces that gather.
type pose struct {
	sin, cos, speed [maxLinks]float64 // of each link, and its angular velocity
	x, y, vx, vy    float64           // of the beginning of the first link
	fx, fy          float64
	torque          [maxLinks]float64
}

// pose reads the coordinates q and their velocities v, n+2 each.
func (c *chain) pose(q, v []float64) (p pose) {
	p.x, p.y, p.vx, p.vy = q[0], q[1], v[0], v[1]
	for j := range c.n {
		p.sin[j], p.cos[j] = vec.SinCos1(q[2+j])
		p.speed[j] = v[2+j]
	}
	return p
}

// at returns position and velocity of the point with the path coefficients r.
func (c *chain) at(p *pose, r *[maxLinks]float64) (x, y, vx, vy float64) {
	x, y, vx, vy = p.x, p.y, p.vx, p.vy
	for j := range c.n {
		x += r[j] * p.cos[j]
		y += r[j] * p.sin[j]
		vx -= r[j] * p.speed[j] * p.sin[j]
		vy += r[j] * p.speed[j] * p.cos[j]
	}
	return x, y, vx, vy
}

// push applies a force at the point with the path coefficients r.
func (c *chain) push(p *pose, r *[maxLinks]float64, fx, fy float64) {
	p.fx += fx
	p.fy += fy
	for j := range c.n {
		p.torque[j] += r[j] * (p.cos[j]*fy - p.sin[j]*fx)
	}
}

// drive applies a torque at the joint where link i begins.
func (c *chain) drive(p *pose, i int, torque float64) {
	p.torque[i] += torque
	p.torque[c.parent[i]] -= torque
}

// weigh applies gravity.
func (c *chain) weigh(p *pose, g float64) {
	p.fy -= c.total * g
	for j := range c.n {
		p.torque[j] -= g * c.moment[j] * p.cos[j]
	}
}

// accelerations sets a, n+2 numbers, to those that the forces of the pose bring.
func (c *chain) accelerations(a []float64, p *pose) {
	const top = maxLinks + 2
	n := c.n + 2
	var m [top][top]float64
	m[0][0], m[1][1] = c.total, c.total
	a[0], a[1] = p.fx, p.fy
	for j := range c.n {
		m[2+j][0], m[2+j][1] = -c.moment[j]*p.sin[j], c.moment[j]*p.cos[j]
		centripetal := c.moment[j] * p.speed[j] * p.speed[j]
		a[0] += centripetal * p.cos[j]
		a[1] += centripetal * p.sin[j]
		a[2+j] = p.torque[j]
		for k := range c.n {
			if k <= j {
				m[2+j][2+k] = c.coupling[j][k] * (p.cos[j]*p.cos[k] + p.sin[j]*p.sin[k])
			}
			a[2+j] += c.coupling[j][k] * p.speed[k] * p.speed[k] * (p.cos[j]*p.sin[k] - p.sin[j]*p.cos[k])
		}
		m[2+j][2+j] += c.inertia[j]
	}
	// Cholesky's factor in the lower triangle, then both solves in place.
	for j := range n {
		d := m[j][j]
		for k := range j {
			d -= m[j][k] * m[j][k]
		}
		d = math.Sqrt(d)
		m[j][j] = d
		for i := j + 1; i < n; i++ {
			s := m[i][j]
			for k := range j {
				s -= m[i][k] * m[j][k]
			}
			m[i][j] = s / d
		}
		s := a[j]
		for k := range j {
			s -= m[j][k] * a[k]
		}
		a[j] = s / d
	}
	for j := n - 1; j >= 0; j-- {
		s := a[j]
		for k := j + 1; k < n; k++ {
			s -= m[k][j] * a[k]
		}
		a[j] = s / m[j][j]
	}
}

// centre returns velocity of the centre of mass along x.
func (c *chain) centre(p *pose) (vx float64) {
	for j := range c.n {
		vx -= c.moment[j] * p.speed[j] * p.sin[j]
	}
	return p.vx + vx/c.total
}

// tip returns the path coefficients of the end of link i.
func (c *chain) tip(i int) [maxLinks]float64 {
	r := c.path[i]
	r[i] = c.length[i]
	return r
}

// start returns the path coefficients of the beginning of link i.
func (c *chain) start(i int) [maxLinks]float64 {
	r := c.path[i]
	r[i] = 0
	return r
}

// shapes draws the links.
func (c *chain) shapes(p *pose, width float64) []Shape {
	var out []Shape
	for i := range c.n {
		a, b := c.start(i), c.tip(i)
		x1, y1, _, _ := c.at(p, &a)
		x2, y2, _, _ := c.at(p, &b)
		color := limbColor
		if c.parent[i] < 0 {
			color = bodyColor
		}
		out = append(out, line(x1, y1, x2, y2, width, color))
	}
	return out
}
