package rl

import "gaucho/stdlib/vec"

// The energies of what moves, which physics keeps.

// energy of both links, which moves only under a torque.
func (a *Acrobot) energy(s []float64) float64 {
	const g = 9.8
	w1, w := s[2], s[2]+s[3]
	cos1, cos12, cos2 := vec.Cos1(s[0]), vec.Cos1(s[0]+s[1]), vec.Cos1(s[1])
	return (0.25+1)*w1*w1/2 + w1*w1/2 + w1*w*cos2/2 + (0.25+1)*w*w/2 - 1.5*g*cos1 - 0.5*g*cos12
}

// energy returns the kinetic energy and the height energy for gravity g.
func (c *chain) energy(p *pose, g float64) float64 {
	e := 0.0
	for i := range c.n {
		_, y, vx, vy := c.at(p, &c.path[i])
		e += c.mass[i]*((vx*vx+vy*vy)/2+g*y) + c.inertia[i]*p.speed[i]*p.speed[i]/2
	}
	return e
}

// energy of cart and rods, which moves only by force and friction.
func (c *CartDoublePendulum) energy(s []float64) float64 {
	v, w1, w2 := s[3], s[4], s[5]
	a1, a2, i1, i2, h := c.masses()
	cos1, cos2, cos12 := vec.Cos1(s[1]), vec.Cos1(s[2]), vec.Cos1(s[1]-s[2])
	return (c.CartMass+c.LowerMass+c.UpperMass)*v*v/2 + i1*w1*w1/2 + i2*w2*w2/2 +
		v*(a1*w1*cos1+a2*w2*cos2) + h*w1*w2*cos12 + c.Gravity*(a1*cos1+a2*cos2)
}

// energy of cart and rod, which moves only without friction and force.
func (c *CartPoleSwingUp) energy(s []float64) float64 {
	v, w := s[1], s[2]
	cos := vec.Cos1(s[3])
	m, l := c.RodMass, c.Length
	return (c.CartMass+m)*v*v/2 + m*l*v*w*cos/2 + m*l*l*w*w/6 - m*c.Gravity*l*cos/2
}
