package filtering

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// PlanarRobot is a localisation problem with a map and an expensive sensor, in
// place of the flight data of Lacoste-Julien et al. 2015, section 4.3, which are
// not public: a robot flies at a fixed height through a room of 20 x 12 m with
// three boxes. Particles stand for position and heading (x, y, psi); speed, rate of
// turn and the bias of the gyroscope are linear and have a Kalman filter each.
// Every 0.2 s there are a speedometer, a gyroscope, and a scan of 8 range beams
// with 5 % outliers.
type PlanarRobot struct {
	// Truth holds x, y, psi, speed, rate of turn and gyroscope bias at each step,
	// T x 6.
	Truth *mat.Dense
	// Y holds the measured speed, the measured rate of turn and the 8 ranges, in
	// metres, T x 10.
	Y *mat.Dense
}

const (
	robotStep     = 0.2 // s
	robotBeams    = 8
	robotMaxRange = 15.0 // m, the range of outliers
)

// walls are the segments of the room and its boxes: x1, y1, x2, y2.
var walls = func() [][4]float64 {
	var out [][4]float64
	for _, b := range [][4]float64{{0, 0, 20, 12}, {4, 4, 7, 6}, {11, 6, 13, 9}, {15, 2, 17, 4}} {
		x, y, u, v := b[0], b[1], b[2], b[3]
		out = append(out, [4]float64{x, y, u, y}, [4]float64{u, y, u, v}, [4]float64{u, v, x, v}, [4]float64{x, v, x, y})
	}
	return out
}()

// castRay returns the distance from (x, y) to the nearest wall in direction
// (c, s), robotMaxRange if there is none.
func castRay(x, y, c, s float64) float64 {
	best := robotMaxRange
	for _, w := range walls {
		// (x, y) + r (c, s) = (w0, w1) + q (dx, dy)
		dx, dy := w[2]-w[0], w[3]-w[1]
		det := dx*s - dy*c
		if math.Abs(det) < 1e-12 {
			continue
		}
		ex, ey := w[0]-x, w[1]-y
		r := (dx*ey - dy*ex) / det
		q := (c*ey - s*ex) / det
		if r > 0 && r < best && q >= 0 && q <= 1 {
			best = r
		}
	}
	return best
}

// RobotModel returns the model of [PlanarRobot] for filtering. Each likelihood
// casts eight rays. Settings.Scale of (1, 1, 3) brings the heading to the scale of
// the position for herding, and a bandwidth near the predictive standard deviation
// of 0.1 m is right.
func RobotModel() *ConditionallyLinear {
	initial, err := rkhs.NewNormal([]float64{2, 2, 0}, diagonal(.3*.3, .3*.3, .15*.15))
	if err != nil {
		panic(err) // not with these numbers
	}
	return &ConditionallyLinear{
		Initial: initial, LinearMean: []float64{1, 0, 0}, LinearCov: diagonal(.2*.2, .1*.1, .05*.05),
		F: mat.NewDense(3, 3, []float64{.95, 0, 0, 0, .9, 0, 0, 0, 1}), U: []float64{.06, 0, 0},
		LinearNoise: diagonal(.15*.15, .1*.1, .003*.003), Noise: diagonal(.05*.05, .05*.05, .02*.02),
		Mean: func(dst *mat.Dense, _ int, Xi *mat.Dense) { dst.Copy(Xi) },
		Coupling: func(dst []*mat.Dense, _ int, Xi *mat.Dense) {
			for i, b := range dst {
				s, c := vec.SinCos1(Xi.At(i, 2))
				copy(b.RawMatrix().Data, []float64{robotStep * c, 0, 0, robotStep * s, 0, 0, 0, robotStep, 0})
			}
		},
		R: diagonal(.1*.1, .02*.02),
		Observation: func(dst []*mat.Dense, _ int, _ *mat.Dense) {
			for _, h := range dst {
				copy(h.RawMatrix().Data, []float64{1, 0, 0, 0, 1, 1})
			}
		},
		LogLik: func(dst []float64, _ int, Xi *mat.Dense, y []float64) {
			ranges := y[2:]
			inParallelOne(len(dst), func(lo, hi int) {
				for i := lo; i < hi; i++ {
					x := Xi.RawRowView(i)
					var l float64
					for j := range robotBeams {
						s, c := vec.SinCos1(x[2] + 2*math.Pi*float64(j)/robotBeams)
						e := (ranges[j] - castRay(x[0], x[1], c, s)) / .3
						l += vec.Log1(.95*vec.Exp1(-.5*e*e)/(.3*math.Sqrt(2*math.Pi)) + .05/robotMaxRange)
					}
					dst[i] = l
				}
			})
		},
	}
}

// NewPlanarRobot flies the robot for the given number of steps, at least 1, along
// way-points around the boxes, which the model does not know of, and measures.
func NewPlanarRobot(steps int, rng *rand.Rand) *PlanarRobot {
	p := &PlanarRobot{Truth: mat.NewDense(max(steps, 1), 6, nil), Y: mat.NewDense(max(steps, 1), 2+robotBeams, nil)}
	goals := [][2]float64{{18, 1.2}, {18.5, 10.5}, {9, 10.5}, {9, 2.5}, {2, 2}}
	normal := func(mean, sd float64) float64 { return mean + sd*rng.NormFloat64() }
	// Half the deviations of the prior.
	s := []float64{normal(2, .15), normal(2, .15), normal(0, .075), normal(1, .1), normal(0, .05), normal(0, .025)}
	goal := 0
	for t := range max(steps, 1) {
		if t > 0 {
			if math.Hypot(goals[goal][0]-s[0], goals[goal][1]-s[1]) < 1 {
				goal = (goal + 1) % len(goals)
			}
			s = flyRobot(s, goals[goal], rng)
		}
		p.Truth.SetRow(t, s)
		y := p.Y.RawRowView(t)
		y[0], y[1] = normal(s[3], .1), normal(s[4]+s[5], .02)
		for j := range robotBeams {
			sin, cos := vec.SinCos1(s[2] + 2*math.Pi*float64(j)/robotBeams)
			y[2+j] = normal(castRay(s[0], s[1], cos, sin), .3)
			if rng.Float64() < .05 {
				y[2+j] = robotMaxRange * rng.Float64()
			}
		}
	}
	return p
}

// flyRobot returns the next state: the model's noise and a turn towards the goal,
// drawn again until the robot is inside the room.
func flyRobot(s []float64, goal [2]float64, rng *rand.Rand) []float64 {
	for {
		next := append([]float64(nil), s...)
		turn := math.Remainder(math.Atan2(goal[1]-s[1], goal[0]-s[0])-s[2], 2*math.Pi)
		next[3] = .95*s[3] + .06 + .15*rng.NormFloat64()
		next[4] = .9*s[4] + .1*rng.NormFloat64() + .1*math.Max(-1, math.Min(1, 1.5*turn))
		next[5] = s[5] + .003*rng.NormFloat64()
		sin, cos := vec.SinCos1(s[2])
		next[0] = s[0] + robotStep*cos*next[3] + .05*rng.NormFloat64()
		next[1] = s[1] + robotStep*sin*next[3] + .05*rng.NormFloat64()
		next[2] = s[2] + robotStep*next[4] + .02*rng.NormFloat64()
		if next[0] >= .5 && next[0] <= 19.5 && next[1] >= .5 && next[1] <= 11.5 {
			return next
		}
	}
}

// diagonal returns a diagonal covariance matrix.
func diagonal(v ...float64) *mat.SymDense {
	out := mat.NewSymDense(len(v), nil)
	for i, x := range v {
		out.SetSym(i, i, x)
	}
	return out
}

// PositionError returns the root mean squared distance of estimated positions,
// the first columns of means (T x anything), from those of reference, over the
// steps: d is 2 in the plane and 3 in space.
func PositionError(means, reference *mat.Dense, d int) float64 {
	n, _ := means.Dims()
	errors := make([]float64, 0, n*d)
	for t := range n {
		for j := range d {
			errors = append(errors, means.At(t, j)-reference.At(t, j))
		}
	}
	unit := scale.Of(errors)
	var s float64
	for _, e := range errors {
		s += e / unit * (e / unit)
	}
	return unit * math.Sqrt(s/float64(n))
}
