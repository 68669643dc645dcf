package rl

import (
	"math"
	"math/rand/v2"
)

// Walker is a planar body with legs on a floor: [NewHopper] and [NewCheetah], in
// place of MuJoCo's Hopper and HalfCheetah. They are of their kind and size, not
// copies. Contact at the joints and ends is a spring with a damper and dry friction:
// F_y = max(0, -20,000 y - 200 y'), F_x = -clip(k x', mu F_y) below y = 0, with mu = 1.
// Joints have dampers, and springs of 300 N m beyond their bounds; semi-implicit
// Euler steps of 0.5 ms. State: position of the beginning of the torso and the
// angles of the links, then their velocities; seen: the same without x, joints as
// angles between links. Actions: the torques at the joints in units of the largest.
// The reward is the velocity along x of the centre of mass, averaged over the step,
// plus Alive, less Effort |action|^2.
type Walker struct {
	Alive, Effort float64
	Gravity       float64
	Steps         int // of an episode

	name        string
	body        *chain
	substeps    int
	torque      []float64    // at joint i-1, where link i begins
	damping     []float64    // of the same
	rest        []float64    // angles of the links at the start
	height      float64      // of the beginning of the torso at the start
	bounds      [][2]float64 // of the angle between links i and its parent
	lowest      float64      // height of the torso's upper end below which the episode terminates
	lean        float64      // the same for the torso's angle from the start; 0 for never
	feet        [][maxLinks]float64
	contactTop  float64
	friction    float64
	stiffness   float64
	dampContact float64
}

// NewHopper returns one leg of thigh, shin and foot under a torso: it terminates when
// the top of the torso is below 0.7 m or leans more than 0.2 from upright. 1,000
// steps of 8 ms.
func NewHopper() *Walker {
	up := math.Pi / 2
	w := &Walker{
		Alive: 1, Effort: 1e-3, Gravity: 9.81, Steps: 1000, name: "PlanarHopper",
		// The torso hangs from its top: links go down, and the foot forward.
		body: newChain([]float64{0.4, 0.45, 0.5, 0.3}, []float64{3.67, 4.06, 2.78, 5.32},
			[]joint{{-1, 0}, {0, 1}, {1, 1}, {2, 1}}),
		substeps: 16, torque: []float64{100, 100, 100}, damping: []float64{1, 1, 1},
		rest: []float64{-up, -up, -up, -0.05}, height: 1.36,
		bounds: [][2]float64{{-0.3, 2.6}, {-2.6, 0}, {up - 0.8, up + 0.8}},
		lowest: 0.7, lean: 0.2,
	}
	return w.finish()
}

// NewCheetah returns a torso with a hind and a front leg, of three links each; nothing
// terminates. 1,000 steps of 20 ms.
func NewCheetah() *Walker {
	w := &Walker{
		Effort: 0.1, Gravity: 9.81, Steps: 1000, name: "PlanarCheetah",
		body: newChain([]float64{1, 0.29, 0.3, 0.19, 0.27, 0.21, 0.14}, []float64{6.25, 1.54, 1.58, 1.07, 1.43, 1.18, 0.85},
			[]joint{{-1, 0}, {0, 0}, {1, 1}, {2, 1}, {0, 1}, {4, 1}, {5, 1}}),
		substeps: 40, torque: []float64{120, 90, 60, 120, 60, 30}, damping: []float64{6, 4.5, 3, 4.5, 3, 1.5},
		rest: []float64{0, -1.2, -2, -1.3, -1.9, -1.2, -1.7}, height: 0.72,
		bounds: [][2]float64{{-2.2, -0.2}, {-1.6, 0.2}, {0.2, 1.2}, {-2.7, -1}, {0, 1.4}, {-1, 0.2}},
	}
	return w.finish()
}

// finish sets what both share, with the torso's links first.
func (w *Walker) finish() *Walker {
	w.stiffness, w.dampContact, w.friction, w.contactTop = 2e4, 200, 1, 1e3
	for i := range w.body.n {
		w.feet = append(w.feet, w.body.tip(i))
	}
	w.feet = append(w.feet, w.body.start(0))
	return w
}

// Name is PlanarHopper or PlanarCheetah.
func (w *Walker) Name() string { return w.name }

// Dim is twice the number of links and two.
func (w *Walker) Dim() int { return 2 * (w.body.n + 2) }

// Limit is Steps.
func (w *Walker) Limit() int { return w.Steps }

// Spaces: all but x is seen; an action for each joint.
func (w *Walker) Spaces() (observation, action Space) {
	return Box(w.Dim()-1, math.Inf(-1), math.Inf(1)), Box(w.body.n-1, -1, 1)
}

// Init puts the body upright on the floor, each number within 0.005 of rest.
func (w *Walker) Init(s []float64, rng *rand.Rand) {
	clear(s)
	s[1] = w.height
	copy(s[2:], w.rest)
	for i := range s {
		s[i] += 0.01*rng.Float64() - 0.005
	}
}

// Step applies the torques for a step.
func (w *Walker) Step(s, action []float64, _ *rand.Rand) (float64, bool) {
	const h = 5e-4
	var u [maxLinks]float64
	effort := 0.0
	for i := range w.torque {
		a := clip(action[i], 1)
		u[i] = a * w.torque[i]
		effort += a * a
	}
	n := w.body.n + 2
	q, v := s[:n], s[n:]
	var a [maxLinks + 2]float64
	way := 0.0
	for range w.substeps {
		p := w.forces(q, v, &u)
		w.body.accelerations(a[:n], &p)
		for i := range n {
			v[i] += h * a[i]
			q[i] += h * v[i]
		}
		way += w.body.centre(&p)
	}
	reward := way/float64(w.substeps) + w.Alive - w.Effort*effort
	fallen := w.lean > 0 && (q[1] < w.lowest || math.Abs(q[2]-w.rest[0]) > w.lean)
	return reward, fallen
}

// forces returns the pose with all that acts on it.
func (w *Walker) forces(q, v []float64, u *[maxLinks]float64) pose {
	c := w.body
	p := c.pose(q, v)
	c.weigh(&p, w.Gravity)
	for i := 1; i < c.n; i++ {
		j := c.parent[i]
		angle, speed, b := q[2+i]-q[2+j], v[2+i]-v[2+j], w.bounds[i-1]
		spring := 300 * (max(b[0]-angle, 0) - max(angle-b[1], 0))
		c.drive(&p, i, u[i-1]-w.damping[i-1]*speed+spring)
	}
	for i := range w.feet {
		_, y, vx, vy := c.at(&p, &w.feet[i])
		if y < 0 {
			fy := max(0, -w.stiffness*y-w.dampContact*vy)
			c.push(&p, &w.feet[i], -clip(w.contactTop*vx, w.friction*fy), fy)
		}
	}
	return p
}

// Observe shows height, angles and velocities.
func (w *Walker) Observe(o, s []float64) {
	c := w.body
	o[0], o[1] = s[1], s[2]-w.rest[0]
	for i := 1; i < c.n; i++ {
		o[1+i] = s[2+i] - s[2+c.parent[i]]
	}
	v := s[c.n+2:]
	o[c.n+1], o[c.n+2], o[c.n+3] = v[0], v[1], v[2]
	for i := 1; i < c.n; i++ {
		o[c.n+3+i] = v[2+i] - v[2+c.parent[i]]
	}
}

// Scene shows the body on a floor with marks one metre apart.
func (w *Walker) Scene(s []float64) Scene {
	n := w.body.n + 2
	p := w.body.pose(s[:n], s[n:])
	x := s[0]
	shapes := []Shape{box(x-3, -0.5, x+4, -0.03, groundColor)}
	for m := math.Floor(x) - 2; m <= x+3; m++ {
		shapes = append(shapes, line(m, -0.12, m, -0.05, 0.03, inkColor))
	}
	return Scene{x - 1.5, x + 2, -0.3, 1.9, append(shapes, w.body.shapes(&p, 0.09)...)}
}
