package filtering

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/herding"
)

func TestRays(t *testing.T) {
	for _, c := range []struct{ x, y, dx, dy, want float64 }{
		{2, 5, 1, 0, 2},  // the first box
		{2, 5, -1, 0, 2}, // the wall behind
		{9, 10, 0, 1, 2},
		{10, 7, 1, 0, 1},
		{10, 7, -1, 0, 10},
		{1, 1, math.Sqrt(.5), math.Sqrt(.5), 3 * math.Sqrt(2)}, // the box's corner
		{1, 11, 1, 0, 15}, // farther than the sensor sees
	} {
		if got := castRay(c.x, c.y, c.dx, c.dy); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("from (%v, %v) towards (%v, %v): %v, want %v", c.x, c.y, c.dx, c.dy, got, c.want)
		}
	}
}

func robotSettings(n int, p Points, step herding.Step) *Settings {
	return with(func(s *Settings) {
		s.Particles, s.Points, s.Step = n, p, step
		s.Bandwidth, s.Scale, s.Candidates = .1, []float64{1, 1, 3}, 1000
	})
}

// TestRobotLocalisation: every filter follows the robot, and with few particles
// herding with a bandwidth at the predictive scale does better than the bootstrap
// filter, measured against the mean of large runs.
func TestRobotLocalisation(t *testing.T) {
	errs := map[string][]float64{}
	const steps, n = 50, 20
	for seed := range uint64(3) {
		robot := NewPlanarRobot(steps, rand.New(rand.NewPCG(seed, 21)))
		reference := run(t, RobotModel(), robot.Y, robotSettings(3000, MonteCarlo, 0), 100+seed)
		truth := mat.DenseCopyOf(robot.Truth.Slice(0, steps, 0, 2))
		if e := PositionError(reference.Means, truth, 2); e > .3 {
			t.Errorf("reference is %v m from the truth", e)
		}
		if e := math.Abs(reference.LinearMeans.At(steps-1, 0) - robot.Truth.At(steps-1, 3)); e > .3 {
			t.Errorf("speed is %v m/s from the truth", e)
		}
		for r := range uint64(4) {
			for name, s := range map[string]*Settings{"PF": robotSettings(n, MonteCarlo, 0),
				"QMC": robotSettings(n, Sobol, 0), "FW": robotSettings(n, Herding, herding.Fixed),
				"FCFW": robotSettings(n, Herding, herding.FullyCorrective)} {
				s.Skip = 100 + 5000*int(r)
				errs[name] = append(errs[name], PositionError(run(t, RobotModel(), robot.Y, s, r).Means, reference.Means, 2))
			}
		}
	}
	base := median(errs["PF"])
	if base > .4 {
		t.Errorf("median error of PF is %v m", base)
	}
	for name, limit := range map[string]float64{"FW": .9, "FCFW": .85} {
		if r := median(errs[name]) / base; r > limit {
			t.Errorf("median error of %s is %.2f that of PF (%v)", name, r, errs)
		}
	}
}
