package filtering

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// Flight is visual odometry in six degrees of freedom over flat ground, without
// any absolute reference, so that errors grow as in the flight experiment of
// Lacoste-Julien et al. 2015, section 4.3. Particles stand for position (3) and a
// rotation vector (3); velocity, angular velocity, gyroscope bias and barometer
// bias are linear. Every 0.05 s there are a gyroscope, a barometer and a camera
// that looks down and follows ten points of the ground; what it says of a point
// depends on where each particle was when it first saw it.
type Flight struct {
	// Truth holds position, rotation vector, velocity, angular velocity,
	// gyroscope bias and barometer bias at each step, T x 16.
	Truth *mat.Dense
	// Y holds the gyroscope (3), the barometer (1), and for each of ten tracks 1
	// if it is new, 0 if it goes on, and its pixel (2), T x 34.
	Y *mat.Dense
}

const (
	flightStep   = 0.05 // s
	flightTracks = 10
	pixelNoise   = 0.01
	fieldOfView  = 0.5
)

// rotate returns exp([a]x) v, or its inverse if back, by Rodrigues' formula.
func rotate(a []float64, v [3]float64, back bool) [3]float64 {
	angle := math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2])
	if angle == 0 {
		return v
	}
	k := [3]float64{a[0] / angle, a[1] / angle, a[2] / angle}
	s, c := vec.SinCos1(angle)
	if back {
		s = -s
	}
	cross := [3]float64{k[1]*v[2] - k[2]*v[1], k[2]*v[0] - k[0]*v[2], k[0]*v[1] - k[1]*v[0]}
	d := (k[0]*v[0] + k[1]*v[1] + k[2]*v[2]) * (1 - c)
	var out [3]float64
	for i := range out {
		out[i] = c*v[i] + s*cross[i] + d*k[i]
	}
	return out
}

// project returns the pixel at which a pose (position and rotation vector) sees a
// point of the ground.
func project(pose []float64, ground [2]float64) (u [2]float64) {
	c := rotate(pose[3:], [3]float64{ground[0] - pose[0], ground[1] - pose[1], -pose[2]}, true)
	depth := math.Max(-c[2], 1)
	return [2]float64{c[0] / depth, c[1] / depth}
}

// backProject returns the point of the ground that a pose sees at a pixel.
func backProject(pose []float64, u [2]float64) [2]float64 {
	w := rotate(pose[3:], [3]float64{u[0], u[1], -1}, false)
	s := pose[2] / math.Max(-w[2], .2)
	return [2]float64{pose[0] + s*w[0], pose[1] + s*w[1]}
}

// FlightModel returns the model of [Flight] for one run of a filter: it remembers
// where each particle saw the points, and must not be used by two runs. With
// herding, Settings.Whiten with bandwidth 1 suits it.
func FlightModel() *ConditionallyLinear {
	start := mat.NewSymDense(6, nil) // known
	initial, err := rkhs.NewNormal([]float64{0, 0, 30, 0, 0, 0}, start)
	if err != nil {
		panic(err) // not with these numbers
	}
	f := mat.NewDense(10, 10, nil)
	coupling := mat.NewDense(6, 10, nil)
	observation := mat.NewDense(4, 10, nil)
	for i := range 10 {
		f.Set(i, i, 1)
	}
	for i := range 3 {
		f.Set(i, i, .995)
		f.Set(3+i, 3+i, .97)
		coupling.Set(i, i, flightStep)
		coupling.Set(3+i, 3+i, flightStep)
		observation.Set(i, 3+i, 1)
		observation.Set(i, 6+i, 1)
	}
	observation.Set(3, 9, 1)
	camera := new(cameraMemory)
	return &ConditionallyLinear{
		Initial: initial, LinearMean: []float64{4, 1, 0, 0, 0, 0, 0, 0, 0, 0},
		LinearCov: diagonal(.1, .1, .1, .001, .001, .001, .005*.005, .005*.005, .005*.005, .01),
		F:         f,
		LinearNoise: diagonal(.1*.1, .1*.1, .1*.1, .015*.015, .015*.015, .015*.015,
			2e-4*2e-4, 2e-4*2e-4, 2e-4*2e-4, .01*.01),
		Noise:    diagonal(.03*.03, .03*.03, .03*.03, .002*.002, .002*.002, .002*.002),
		Mean:     func(dst *mat.Dense, _ int, Xi *mat.Dense) { dst.Copy(Xi) },
		Coupling: func(dst []*mat.Dense, _ int, _ *mat.Dense) { dst[0].Copy(coupling) },
		R:        diagonal(.01*.01, .01*.01, .01*.01, .3*.3),
		Offset: func(dst *mat.Dense, _ int, Xi *mat.Dense) {
			n, _ := Xi.Dims()
			for i := range n {
				dst.Set(i, 3, Xi.At(i, 2))
			}
		},
		Observation: func(dst []*mat.Dense, _ int, _ *mat.Dense) { dst[0].Copy(observation) },
		Shared:      true,
		Accept:      camera.accept,
		LogLik:      camera.logLik,
	}
}

// cameraMemory keeps for each particle where on the ground its tracks are.
type cameraMemory struct {
	ground, spare [][flightTracks][2]float64
}

// accept moves each ancestor's memory to its children.
func (c *cameraMemory) accept(t int, _ *mat.Dense, ancestor []int) {
	c.spare = c.spare[:0]
	for _, a := range ancestor {
		var g [flightTracks][2]float64
		if t > 1 {
			g = c.ground[a]
		}
		c.spare = append(c.spare, g)
	}
	c.ground, c.spare = c.spare, c.ground
}

// logLik compares pixels with where each particle expects them, and lets new
// tracks begin where each particle sees them.
func (c *cameraMemory) logLik(dst []float64, _ int, Xi *mat.Dense, y []float64) {
	for i := range dst {
		pose := Xi.RawRowView(i)
		var s float64
		for j := range flightTracks {
			track := y[4+3*j:][:3]
			seen := [2]float64{track[1], track[2]}
			if track[0] == 1 {
				c.ground[i][j] = backProject(pose, seen)
				continue
			}
			u := project(pose, c.ground[i][j])
			s += (u[0]-seen[0])*(u[0]-seen[0]) + (u[1]-seen[1])*(u[1]-seen[1])
		}
		dst[i] = -s / (4 * pixelNoise * pixelNoise) // both ends of a track are noisy
	}
}

// NewFlight flies the given number of steps, at least 1, with a guidance that the
// model does not know of, and measures.
func NewFlight(steps int, rng *rand.Rand) *Flight {
	steps = max(steps, 1)
	f := &Flight{Truth: mat.NewDense(steps, 16, nil), Y: mat.NewDense(steps, 4+3*flightTracks, nil)}
	s := make([]float64, 16)
	s[2], s[6], s[7] = 30, 4, 1
	for i := range 3 {
		s[12+i] = .005 * rng.NormFloat64()
	}
	var ground [flightTracks][2]float64
	var alive [flightTracks]bool
	for t := range steps {
		if t > 0 {
			fly(s, float64(t)*flightStep, rng)
		}
		f.Truth.SetRow(t, s)
		y := f.Y.RawRowView(t)
		for i := range 3 {
			y[i] = s[9+i] + s[12+i] + .01*rng.NormFloat64()
		}
		y[3] = s[2] + s[15] + .3*rng.NormFloat64()
		for j := range flightTracks {
			track := y[4+3*j:][:3]
			if !alive[j] {
				at := [2]float64{fieldOfView * (2*rng.Float64() - 1), fieldOfView * (2*rng.Float64() - 1)}
				ground[j] = backProject(s[:6], at)
				track[0], alive[j] = 1, true
			}
			u := project(s[:6], ground[j])
			track[1], track[2] = u[0]+pixelNoise*rng.NormFloat64(), u[1]+pixelNoise*rng.NormFloat64()
			if track[0] == 0 && (math.Abs(u[0]) > fieldOfView || math.Abs(u[1]) > fieldOfView) {
				alive[j] = false // seen for the last time
			}
		}
	}
	return f
}

// fly moves the true state by one step.
func fly(s []float64, time float64, rng *rand.Rand) {
	p, a, v, w := s[:3], s[3:6], s[6:9], s[9:12]
	sin, cos := vec.SinCos1(.1 * time)
	goal := [3]float64{4 * cos, 3 * sin, -.1 * (p[2] - 30)}
	for i := range 3 {
		v[i] = .995*v[i] + .1*rng.NormFloat64() + .02*(goal[i]-v[i])
		w[i] = .97*w[i] + .015*rng.NormFloat64() - .02*a[i]
		s[12+i] += 2e-4 * rng.NormFloat64()
	}
	s[15] += .01 * rng.NormFloat64()
	for i := range 3 {
		p[i] += flightStep*v[i] + .03*rng.NormFloat64()
		a[i] += flightStep*w[i] + .002*rng.NormFloat64()
	}
}
