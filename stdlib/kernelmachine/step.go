package kernelmachine

import (
	"fmt"
	"math"

	"gaucho/stdlib/vec"
)

// A Step is a sequence of step sizes
//
//	gamma_t = Initial / (1 + max(0, t-Hold)/Decay)^Power,  t = 1, 2, ...
//
// constant for t <= Hold, and everywhere if Power is 0.
type Step struct {
	Initial, Hold, Decay, Power float64
}

// TheoryStep returns theta/t, the step size of the theorems, with theta nu in (1,
// 2) or a whole number. For a small nu its first steps are so long that it
// diverges: the theorems' constants hide it.
func TheoryStep(theta float64) *Step { return &Step{theta, 1, 1, 1} }

// ShiftedStep returns theta/(t+shift), which has the rate of theta/t and starts
// with no more than theta/shift.
func ShiftedStep(theta, shift float64) *Step {
	return &Step{theta / (1 + shift), 1, 1 + shift, 1}
}

// ConstantStep returns gamma for every step.
func ConstantStep(gamma float64) *Step { return &Step{gamma, 0, 1, 0} }

// HoldStep returns gamma for hold steps, then gamma/(1 + (t-hold)/decay).
func HoldStep(gamma, hold, decay float64) *Step { return &Step{gamma, hold, decay, 1} }

// At returns gamma_t.
func (s Step) At(t int) float64 {
	late := float64(t) - s.Hold
	switch {
	case late <= 0 || s.Power == 0:
		return s.Initial
	case s.Power == 1:
		return s.Initial / (1 + late/s.Decay)
	}
	return s.Initial / vec.Pow1(1+late/s.Decay, s.Power)
}

func (s Step) check() error {
	if err := checkPositive("initial step size", s.Initial); err != nil {
		return err
	}
	if !(s.Decay > 0) {
		return fmt.Errorf("kernelmachine: decay of the step size is %v, must be positive", s.Decay)
	}
	if math.IsNaN(s.Hold) || !(s.Power >= 0) {
		return fmt.Errorf("kernelmachine: step size has Hold %v and Power %v, must be a number and not negative", s.Hold, s.Power)
	}
	return nil
}

// Diverged says that a machine's outputs grew without bound: its step size is too
// large for its kernel and its blocks.
type Diverged struct {
	Step   int     // at which outputs were too large
	Size   float64 // the step size then
	Output float64 // an output
}

func (e *Diverged) Error() string {
	return fmt.Sprintf("kernelmachine: an output is %.3g before step %d: the step size, %.3g there, is too large; make it smaller, or batches and blocks larger",
		e.Output, e.Step, e.Size)
}
