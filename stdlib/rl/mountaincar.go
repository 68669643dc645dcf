package rl

import (
	"math"
	"math/rand/v2"

	"gaucho/stdlib/vec"
)

// MountainCar is a car in a valley whose motor is too weak for the slope (Moore
// 1990), with the dynamics of Gymnasium's MountainCar-v0 and, if Continuous, of
// MountainCarContinuous-v0 in float64 (the original keeps its state in float32).
// State and observation: position and velocity. Actions 0, 1 and 2 push left, not
// and right, each step costs 1; or the action is the push in [-1, 1], each step
// costs 0.1 push^2 and the goal is worth 100. The goal terminates.
type MountainCar struct {
	Continuous bool
	Power      float64
	Goal       float64 // the position
	Steps      int     // of an episode
}

// NewMountainCar returns the car with three actions: 200 steps.
func NewMountainCar() *MountainCar { return &MountainCar{Power: 0.001, Goal: 0.5, Steps: 200} }

// NewMountainCarContinuous returns the car with an accelerator: 999 steps.
func NewMountainCarContinuous() *MountainCar {
	return &MountainCar{Continuous: true, Power: 0.0015, Goal: 0.45, Steps: 999}
}

// The ends of the valley and the largest speed.
const (
	valleyLeft, valleyRight = -1.2, 0.6
	carSpeed                = 0.07
)

// Name is MountainCar-v0 or MountainCarContinuous-v0.
func (m *MountainCar) Name() string {
	if m.Continuous {
		return "MountainCarContinuous-v0"
	}
	return "MountainCar-v0"
}

// Dim is 2.
func (m *MountainCar) Dim() int { return 2 }

// Limit is Steps.
func (m *MountainCar) Limit() int { return m.Steps }

// Spaces: the state is seen; three actions, or one number.
func (m *MountainCar) Spaces() (observation, action Space) {
	observation = Space{Low: []float64{valleyLeft, -carSpeed}, High: []float64{valleyRight, carSpeed}}
	if m.Continuous {
		return observation, Box(1, -1, 1)
	}
	return observation, Choices(3)
}

// Init draws the position from [-0.6, -0.4); the car is at rest.
func (m *MountainCar) Init(s []float64, rng *rand.Rand) { s[0], s[1] = -0.6+0.2*rng.Float64(), 0 }

// Step drives for a step.
func (m *MountainCar) Step(s, action []float64, _ *rand.Rand) (float64, bool) {
	push, reward := action[0]-1, -1.0
	if m.Continuous {
		push, reward = clip(action[0], 1), -0.1*(action[0]*action[0])
	}
	v := clip(s[1]+push*m.Power-0.0025*vec.Cos1(3*s[0]), carSpeed)
	x := min(max(s[0]+v, valleyLeft), valleyRight)
	if x == valleyLeft && v < 0 {
		v = 0
	}
	s[0], s[1] = x, v
	done := x >= m.Goal && v >= 0
	if done && m.Continuous {
		reward += 100
	}
	return reward, done
}

// Observe shows the state.
func (m *MountainCar) Observe(o, s []float64) { copy(o, s) }

// Scene shows the car on the slope and the goal.
func (m *MountainCar) Scene(s []float64) Scene {
	height := func(x float64) float64 { return 0.45*vec.Sin1(3*x) + 0.55 }
	var shapes []Shape
	const pieces = 60
	at := func(i int) float64 { return valleyLeft + (valleyRight-valleyLeft)*float64(i)/pieces }
	for i := range pieces {
		shapes = append(shapes, line(at(i), height(at(i)), at(i+1), height(at(i+1)), 0.015, groundColor))
	}
	slope := 1.35 * vec.Cos1(3*s[0])
	l := 0.04 / math.Sqrt(1+slope*slope)
	x, y := s[0], height(s[0])+0.03
	return Scene{valleyLeft, valleyRight, -0.05, 1.15, append(shapes,
		line(m.Goal, height(m.Goal), m.Goal, height(m.Goal)+0.12, 0.015, goalColor),
		line(x-l, y-l*slope, x+l, y+l*slope, 0.05, bodyColor))}
}
